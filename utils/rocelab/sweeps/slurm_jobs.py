# SPDX-License-Identifier: GPL-2.0-only
"""Runs of a sweep as job arrays of Slurm.

slurm/<batch>/ holds one submitted array: job.sh, the folders of its runs by array index (works),
what Slurm prints (<index>.out), and the job's number (job). The name of the job is the batch's, so
that a sweep which was killed while it submitted finds it again.
"""

import secrets
import shlex
import shutil
import time
from pathlib import Path

from rocelab.files import read_text, write_text
from rocelab.sweeps.slurm import USUAL_MAX_ARRAY
from rocelab.sweeps.work import KILLED_BY, Work

POLL_SECONDS = 5.0
#: States of a job that Slurm ended, without what follows the first word ("CANCELLED by 1000").
ENDED_BY_SLURM = {
    "BOOT_FAIL",
    "CANCELLED",
    "DEADLINE",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
}


class Batch:
    """One job array."""

    def __init__(self, folder):
        self.folder = Path(folder)

    @property
    def name(self):
        return self.folder.name

    @property
    def job(self):
        """Its number; None if it is not known to be submitted."""
        path = self.folder / "job"
        return read_text(path).strip() if path.exists() else None

    def set_job(self, job):
        write_text(self.folder / "job", f"{job}\n")

    @property
    def works(self):
        """{array index: Work} of those that are not put in place yet."""
        path = self.folder / "works"
        folders = read_text(path).splitlines() if path.exists() else []
        works = {str(index): Work(folder) for index, folder in enumerate(folders, start=1)}
        return {index: work for index, work in works.items() if work.key}

    def get_last_line(self, index):
        """Return the last line of an element's output, which is Slurm's own; empty if none."""
        path = self.folder / f"{index}.out"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        return next((line.strip() for line in reversed(text.split("\n")) if line.strip()), "")

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class SlurmJobs:
    """Submits runs, finds those of an earlier sweep, and watches for their end."""

    POLL_SECONDS = 0.2  # Of the loop around; Slurm is asked each `poll` seconds.

    def __init__(self, sweep, store, program, slurm, options=(), jobs=None, poll=POLL_SECONDS):
        self._sweep = sweep
        self._store = store
        self._program = program
        self._slurm = slurm
        self._options = list(options)
        self._jobs = jobs
        self._poll = poll
        self._folder = store.folder / "slurm"
        self._open = {}  # (batch, index): (work, run); run is None of one that the sweep has no longer.
        self._states = {}
        self._missed = set()  # Of _open: not queued when last asked.
        self._next = 0.0

    @property
    def running_count(self):
        return sum(state == "RUNNING" for state in self._states.values())

    def adopt(self, runs):
        """Take over what an earlier sweep has submitted; returns the runs among it."""
        known = {(run.name, run.hash): run for run in runs}
        adopted = []
        for folder in sorted(self._folder.iterdir()) if self._folder.is_dir() else []:
            batch = Batch(folder)
            if batch.job is None:
                job = self._slurm.find_job(batch.name)
                if job is None:
                    batch.remove()  # Its submission was cut off.
                    continue
                batch.set_job(job)
            found = self._adopt_batch(batch, known)
            adopted += [run for _, run in found.values() if run]
            if not found:
                batch.remove()
            self._open.update(found)
        self._store.recover(runs, kept={work.folder for work, _ in self._open.values()})
        return adopted

    @staticmethod
    def _adopt_batch(batch, known):
        """Return what is still open of a batch, as entries of _open."""
        found = {}
        for index, work in batch.works.items():
            run = known.get(work.key)
            # What has ended and is no run of the sweep is removed with the rest of work/.
            if run or work.status is None:
                found[batch, index] = (work, run)
        return found

    def submit(self, runs):
        """Submit runs, as one array for each number of ranks."""
        most = self._slurm.get_max_array() if runs else 0
        for group in group_runs(runs, most):
            self._submit_batch(group, group[0].ranks)

    def _submit_batch(self, runs, ranks):
        batch = Batch(self._folder / f"rocelab-{secrets.token_hex(6)}")
        checksums = batch.folder / "program.sha256"
        works = [Work.create(self._store.works, run) for run in runs]
        for work, run in zip(works, runs):
            work.write_script(self._sweep, run, self._program, self._store.scenario, checksums)
        write_text(checksums, self._program.format_checksums())
        write_text(batch.folder / "works", "".join(f"{work.folder}\n" for work in works))
        script = write_text(batch.folder / "job.sh", format_job_script(batch))
        options = make_options(batch, len(runs), ranks, self._jobs, self._options)
        try:
            batch.set_job(self._slurm.submit(script, options))
        except BaseException:
            batch.remove()
            for work in works:
                work.remove()
            raise
        for index, (work, run) in enumerate(zip(works, runs), start=1):
            self._open[batch, str(index)] = (work, run)

    def poll(self):
        """Return (run, Record) of each run that has ended since."""
        if time.monotonic() < self._next:
            return []
        self._next = time.monotonic() + self._poll
        queued = self._slurm.get_queued({batch.job for batch, _ in self._open})
        ended = []
        for place, (work, run) in list(self._open.items()):
            has_ended, error = self._find_end(place, work.status, queued)
            if not has_ended:
                continue
            if run:
                ended.append((run, self._store.commit(work, run, error)))
            else:
                work.remove()
            self._close(place)
        self._states = queued if queued is not None else self._states
        return ended

    def _find_end(self, place, status, queued):
        """Return whether a run has ended, and the reason if Slurm ended it.

        Slurm's signal ends the engine, which may leave a status before Slurm marks the job as
        cancelled. Slurm's state therefore decides about a status that means a signal.
        """
        if status is not None and status <= KILLED_BY:
            return True, ""
        if not self._has_left_queue(place, queued):
            return False, ""
        batch, index = place
        state = self._slurm.get_end_state(batch.job, index)
        if status is not None and state.split()[0] not in ENDED_BY_SLURM:
            return True, ""
        said = batch.get_last_line(index)
        return True, f"Slurm job {batch.job}_{index} ended without a result: {state}" + (
            f" ({said})" if said else ""
        )

    def _has_left_queue(self, place, queued):
        """Return whether the queue lacks a run for the second time: a status may show late."""
        batch, index = place
        if queued is None or (batch.job, index) in queued:
            self._missed.discard(place)
            return False
        was_missed = place in self._missed
        self._missed.add(place)
        return was_missed

    def _close(self, place):
        """Forget a run, and its batch with the last one."""
        del self._open[place]
        self._missed.discard(place)
        batch, _ = place
        if not any(other is batch for other, _ in self._open):
            batch.remove()

    def stop(self):
        """Leave the jobs to Slurm; returns what to tell the user."""
        jobs = sorted({batch.job for batch, _ in self._open}, key=int)
        if not jobs:
            return ""
        return (
            f"{len(self._open)} runs go on in Slurm: the same command takes them up again, "
            f"scancel {' '.join(jobs)} ends them"
        )


def group_runs(runs, most):
    """Return the runs of each array: of one number of ranks, and at most so many."""
    groups = []
    for ranks in sorted({run.ranks for run in runs}):
        group = [run for run in runs if run.ranks == ranks]
        groups += [group[start : start + most] for start in range(0, len(group), most)]
    return groups


def make_options(batch, count, ranks, jobs, others):
    """Return the options of sbatch for an array of `count` runs, at most `jobs` at a time."""
    limit = f"%{jobs}" if jobs else ""
    return [
        f"--job-name={batch.name}",
        f"--array=1-{count}{limit}",
        f"--ntasks={ranks}",
        f"--chdir={batch.folder}",
        f"--output={batch.folder}/%a.out",
        *others,
    ]


def format_plan(sweep, store, program, runs, options, jobs):
    """Return what SlurmJobs would submit: per array the command, its script and that of its first run.

    Folders that get a random name when they are made are called BATCH and WORK.
    """
    texts = []
    for number, group in enumerate(group_runs(runs, USUAL_MAX_ARRAY - 1), start=1):
        batch = Batch(store.folder / "slurm" / "rocelab-BATCH")
        script = batch.folder / "job.sh"
        words = make_options(batch, len(group), group[0].ranks, jobs, options)
        scenario = store.find_scenario(sweep)
        task = Work(store.works / "WORK").format_script(
            sweep, group[0], program, scenario, batch.folder / "program.sha256"
        )
        texts.append(
            f"array {number} of {len(group)} runs:\n\n{shlex.join(['sbatch', '--parsable', *words, str(script)])}\n\n"
            f"{script.name}:\n\n{format_job_script(batch)}\ntask.sh of its first run:\n\n{task}"
        )
    return "\n".join(texts)


def format_job_script(batch):
    """Return the script that each element of an array runs."""
    works = shlex.quote(str(batch.folder / "works"))
    return (
        "#!/bin/sh\n"
        f'folder=$(sed -n "${{SLURM_ARRAY_TASK_ID}}p" {works})\n'
        'exec /bin/sh "$folder/task.sh"\n'
    )


def has_open_jobs(store):
    """Return whether a sweep has submitted runs to Slurm that are not put in place yet."""
    folder = store.folder / "slurm"
    return folder.is_dir() and any(Batch(path).works for path in folder.iterdir())
