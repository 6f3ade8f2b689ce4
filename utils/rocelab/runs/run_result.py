# SPDX-License-Identifier: GPL-2.0-only
"""Results of runs as pandas frames: one long frame of all runs, or the tables of each.

pandas is loaded by the first table: that takes longer than a small run.
"""

from __future__ import annotations

import os
import shutil
import weakref
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from rocelab.errors import InputError, describe_nearest
from rocelab.files import read_json_object

if TYPE_CHECKING:
    import pandas

MANIFEST = "sweep.json"  # In the folder of a sweep.
DONE, STALLED, VIOLATION, PARTIAL = "done", "stalled", "violation", "partial"
STATUS_NAMES = {0: DONE, 3: STALLED, 4: VIOLATION}
#: Members of older versions, and what has taken their place.
REPLACED = {
    "frame": "table(NAME)",
    "hosts": 'table("hosts")',
    "nic": "rocelab.compare() and rocelab.plot()",
    "rpcs": 'table("rpcs")',
    "series": 'table("queue") and the like',
}


class RunWarning(UserWarning):
    """Results are there, but flows stalled or failed, or an invariant of the model is broken."""


class TemporaryFolder:
    """A folder that is there as long as this object; forked children leave it alone."""

    def __init__(self) -> None:
        self.name = mkdtemp(prefix="rocelab-")
        weakref.finalize(self, _remove_own, self.name, os.getpid())


def _remove_own(folder: str, process: int) -> None:
    """Remove a folder that this process has made."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class RunResult:
    """One run: a NIC with one seed, and with one value of each axis of a sweep.

    `folder` has the files as build/rocelab writes them (docs/reference/results.md). `axes` is {column: value}.
    `messages` are the program's lines about stalled flows and broken invariants, `line` is its line about the results.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        status: str | None = None,
        seed: int | None = None,
        axes: Mapping[str, Any] | None = None,
        line: str = "",
        messages: list[str] | None = None,
        holder: TemporaryFolder | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.name: str = self.folder.resolve().name
        self.axes = dict(axes or {})
        self.line = line
        self.messages = messages or []
        self._status = status
        self._seed = seed
        self._holder = holder  # Removes the folder with the last result, unless it was named.

    def __repr__(self) -> str:
        return f"<RunResult {self.name}: {self.line or self.status}>"

    def __getattr__(self, name: str) -> Any:
        hint = f": expected {REPLACED[name]}" if name in REPLACED else ""
        raise AttributeError(f"RunResult has no attribute {name!r}{hint}")

    @property
    def status(self) -> str:
        """"done", "stalled" (flows stalled or failed), "violation" or "partial"; of a sweep also "failed" and "missing"."""
        if self._status is not None:
            return self._status
        if self.summary.get("partial"):
            return PARTIAL
        if self.summary.get("violations"):
            return VIOLATION
        flows = self.summary["flows"]
        return STALLED if flows["stalled"] or flows["failed"] else DONE

    @property
    def has_results(self) -> bool:
        """Whether there are results: a sweep may have runs that failed, or were not run."""
        return self._status not in ("failed", "missing")

    @property
    def seed(self) -> int:
        """The random seed."""
        return self.scenario["run"]["seed"] if self._seed is None else self._seed

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json; empty without results."""
        return read_json_object(self.folder / "summary.json") if self.has_results else {}

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """scenario.json: every value that was used."""
        return read_json_object(self.folder / "scenario.json")

    @property
    def tables(self) -> list[str]:
        """Names of its tables."""
        from rocelab.results.frames import list_tables

        return list_tables(self.folder) if self.has_results else []

    def table(self, name: str) -> pandas.DataFrame:
        """Return a table, as "flows" or "queue"; units and meanings of its columns are in `attrs`."""
        from rocelab.results.frames import read_frame

        if name not in self.tables:
            raise InputError(f"table: expected {describe_nearest(name, self.tables)}, got {name!r}")
        return read_frame(self.folder, name)

    @cached_property
    def flows(self) -> pandas.DataFrame:
        """All flows: flow, src, dst, bytes, start_ns, fct_ns, ideal_ns, slowdown, ..., status."""
        return self.table("flows")

    @property
    def completed(self) -> pandas.DataFrame:
        """The flows that completed, without those that began as a fluid (run.fluidStart)."""
        began = 1e3 * self.summary.get("fluid", {}).get("until_us", 0)
        return self.flows[(self.flows["status"] == "completed") & (self.flows["start_ns"] >= began)]

    @property
    def labels(self) -> dict[str, Any]:
        """The columns in front of long frames."""
        return {"nic": self.name, "seed": self.seed, **self.axes}


class RunResults(Mapping[str, RunResult]):
    """Results of several runs by name: of the NICs of a scenario, or of a sweep ("load=0.3,seed=1/irn").

    `folder` has their folders.
    """

    def __init__(
        self, folder: str | os.PathLike[str], results: Mapping[str, RunResult], paths: Mapping[str, str] | None = None
    ) -> None:
        """`paths` are the axes of a sweep, {column: path in the scenario}."""
        self.folder = Path(folder)
        self._results = dict(results)
        self._paths = dict(paths or {})

    def __getitem__(self, name: str) -> RunResult:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<RunResults {self.folder.name}: {len(self)} runs>"

    @property
    def is_sweep(self) -> bool:
        """Whether they are those of a sweep."""
        return (self.folder / MANIFEST).exists()

    @property
    def only(self) -> RunResult:
        """The result, if there is one run."""
        if len(self) != 1:
            raise InputError(f"{self.folder.name}: expected one run, got {', '.join(self)}")
        return next(iter(self.values()))

    @cached_property
    def summary(self) -> pandas.DataFrame:
        """A row per run: nic, seed, the axes of a sweep, status, and all numbers of summary.json ("fct_us_p99").

        `attrs["folder"]` is the folder of the runs.
        """
        import pandas

        from rocelab.results.columns import find_unit, flatten
        from rocelab.results.frames import annotate

        rows = [dict(**run.labels, status=run.status, **flatten(run.summary)) for run in self.values()]
        frame = pandas.DataFrame(rows)
        numbers = [name for name in frame if name not in self._meanings and name != "status"]
        frame[numbers] = frame[numbers].apply(pandas.to_numeric)
        annotate(frame, {name: find_unit(name) for name in numbers}, self._meanings)
        frame.attrs["folder"] = str(self.folder)
        return frame

    @property
    def tables(self) -> list[str]:
        """Names of the tables that any of the runs has."""
        return sorted({name for run in self.values() for name in run.tables})

    def table(self, name: str) -> pandas.DataFrame:
        """Return a table of all runs, one below the other, with columns nic, seed and the axes of a sweep in front.

        A column that has one of these names gets the table's in front of its own, as "hosts_nic".
        """
        from rocelab.results.frames import concatenate, label

        runs = [run for run in self.values() if name in run.tables]
        if not runs:
            raise InputError(f"table: expected {describe_nearest(name, self.tables)}, got {name!r}")
        return concatenate([label(run.table(name), name, run.labels) for run in runs], self._meanings)

    @cached_property
    def flows(self) -> pandas.DataFrame:
        """All flows of all runs, table("flows")."""
        return self.table("flows")

    @property
    def _meanings(self) -> dict[str, str]:
        return {"nic": "name of the NIC", "seed": "random seed of the run", **self._paths}


def load(folder: str | os.PathLike[str]) -> RunResults:
    """Return the results in a folder: of a scenario, RESULTS/<scenario>, of one NIC of it, or of a sweep, RESULTS/<sweep>.

    Raises UserError.
    """
    from rocelab.results.folders import list_nics, order_nics

    path = Path(folder)
    if (path / MANIFEST).exists():
        return _load_sweep(path)
    if (path / "summary.json").exists():
        run = RunResult(path)
        return RunResults(path, {run.name: run})
    found = [RunResult(nic) for nic in list_nics(path)]
    runs, _ = order_nics(path, {run.name: run for run in found})
    return RunResults(path, {run.name: run for run in runs})


def _load_sweep(folder: Path) -> RunResults:
    """Return the runs that sweep.csv lists."""
    from rocelab.results.sweep_table import load_runs, load_sweep

    table = load_runs(load_sweep(folder))
    runs = {
        row["run"]: RunResult(
            folder / "runs" / row["run"],
            status=row["status"],
            seed=int(row["seed"]),
            axes={axis: _read_value(row[axis]) for axis in table.axes},
            messages=[row["error"]] if row["error"] else [],
        )
        for row in table.rows
    }
    return RunResults(folder, runs, {axis: table.paths.get(axis, "") for axis in table.axes})


def _read_value(text: str) -> int | float | str:
    """Return the value of an axis."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
