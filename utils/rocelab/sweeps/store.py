# SPDX-License-Identifier: GPL-2.0-only
"""The results folder of a sweep.

    sweep.json                   which sweep this is, and the version of this layout
    scenarios/HASH.json          the base scenario that runs read, by its content
    runs/<point,seed>/<nic>/     a run's results as the engine wrote them, and run.json
    work/                        runs under way
    sweep.csv, sweep-summary.csv, sweep.sqlite

A run is done when its folder is in runs/: that is one rename, of a folder that is whole. All else
can be lost at any moment without harm.
"""

import fcntl
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import make_folder, read_json_object, write_json, write_text
from rocelab.results.json_files import RUN_RECORD, get_input_files, read_checked
from rocelab.sweeps.work import KILLED_BY, PROGRAM_CHANGED, Work

FORMAT = 1
DONE = "done"
STALLED = "stalled"  # Results are whole; some flows or requests stalled or failed.
FAILED = "failed"
STATUS_OF_EXIT = {0: DONE, 3: STALLED}


@dataclass(frozen=True)
class Record:
    """What became of a run."""

    hash: str
    status: str
    error: str  # One line; empty if it is done.


class Store:
    """The results folder of one sweep."""

    def __init__(self, out, name):
        self.folder = Path(os.path.realpath(Path(out) / name))
        self.runs = self.folder / "runs"
        self.works = self.folder / "work"
        self.scenario = None  # Path of the base scenario, from open() on.
        self._manifest = self.folder / "sweep.json"
        self._lock = None
        self._is_new = False  # Made by this object.

    def check(self):
        """Raise UserError unless the folder is new or of a sweep, of this version."""
        if not self.folder.exists():
            return
        if not self._manifest.exists():
            found = list(self.folder.iterdir()) if self.folder.is_dir() else [self.folder]
            if any(not path.name.startswith(".") for path in found):
                raise UserError(
                    f"{self.folder}: expected results of a sweep or no such folder, got one "
                    "without sweep.json"
                )
            return
        found = read_json_object(self._manifest).get("format")
        if found != FORMAT:
            raise UserError(
                f"{self._manifest}: expected results of format {FORMAT}, got {found!r}: of another "
                "version of rocelab (choose another --out)"
            )

    def open(self, sweep):
        """Make the folder, keep other sweeps out of it, and write down what this one is."""
        self._is_new = not self.folder.exists()
        make_folder(self.folder)
        try:
            self._lock = open(self.folder / ".lock", "w", encoding="utf-8")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                f"{self.folder}: expected no other sweep that runs in this folder, got one"
            ) from None
        except OSError as error:
            raise UserError(
                f"{self.folder}: expected a folder that can be written, got: {error.strerror}"
            ) from None
        write_json(self._manifest, {"format": FORMAT, "sweep": sweep.root.get_plain()})
        self.scenario = self.find_scenario(sweep)
        self.scenario.parent.mkdir(exist_ok=True)
        write_text(self.scenario, sweep.scenario_text)

    def find_scenario(self, sweep):
        """Return the path of a sweep's base scenario.

        It depends on the content: jobs of an earlier version of the sweep may still be queued.
        """
        digest = hashlib.sha256(sweep.scenario_text.encode()).hexdigest()[:16]
        return self.folder / "scenarios" / f"{digest}.json"

    def remove_if_fruitless(self):
        """Remove a folder that this sweep has made if no run has ended and none is submitted."""
        submitted = self.folder / "slurm"
        has_jobs = submitted.is_dir() and any(submitted.iterdir())
        if self._is_new and not self.runs.exists() and not has_jobs:
            shutil.rmtree(self.folder, ignore_errors=True)

    def get_folder(self, run):
        """Return where the results of a run are."""
        return self.runs / run.scenario / run.nic

    def read_record(self, run):
        """Return the Record of a run; None if it has not been run as it is now."""
        path = self.get_folder(run) / "run.json"
        if not path.exists():
            return None
        found = read_checked(path, RUN_RECORD)
        record = Record(*(found[key] for key in ("hash", "status", "error")))
        return record if record.hash == run.hash else None

    def recover(self, runs, kept=()):
        """Put runs in place that ended without a sweep that waited for them, and remove the rest of work/.

        `kept` are folders that are still in use.
        """
        known = {(run.name, run.hash): run for run in runs}
        for folder in sorted(self.works.iterdir()) if self.works.is_dir() else []:
            work = Work(folder)
            if folder in kept:
                continue
            run = known.get(work.key)
            # One that was ended by a signal was so together with its sweep.
            if run and work.status is not None and work.status < KILLED_BY:
                self.commit(work, run)
            work.remove()

    def commit(self, work, run, error=""):
        """Put the results of a run that has ended in place; returns its Record.

        `error` says why it has no status.
        """
        results = work.get_results(run)
        status, error = self._judge(work, run, error)
        record = Record(run.hash, status, error)
        results.mkdir(parents=True, exist_ok=True)
        facts = {"exit_status": work.status, "ranks": run.ranks}
        content = {"format": FORMAT, "run": run.name, **vars(record), **facts}
        write_json(results / "run.json", content)
        place = self.get_folder(run)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            os.rename(place, work.folder / "replaced")
        os.rename(results, place)
        work.remove()
        return record

    def _judge(self, work, run, error):
        """Return status and one line of error of a run that has ended."""
        if error:
            return FAILED, error
        code = work.status
        line = describe_messages(work.messages)
        if code == PROGRAM_CHANGED:
            return FAILED, "the program changed after the run was submitted"
        if code > KILLED_BY:
            return FAILED, f"ended by signal {code - KILLED_BY}"
        if code not in STATUS_OF_EXIT:
            return FAILED, line or f"exit status {code}"
        resolved = read_json_object(work.get_results(run) / "scenario.json")
        files = get_input_files(resolved)
        for path, content in run.files.items():
            if files.get(path) != content:
                return FAILED, f"{path} changed while the sweep ran"
        return STATUS_OF_EXIT[code], line if code else ""


def describe_messages(messages):
    """Return the first line that is rocelab's own, else the first; mpirun adds some of its own."""
    own = [line for line in messages if line.startswith("rocelab: ")]
    line = next(iter(own + messages), "")
    return line.removeprefix("rocelab: ")
