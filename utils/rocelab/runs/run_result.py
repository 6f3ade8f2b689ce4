# SPDX-License-Identifier: GPL-2.0-only
"""What runs in process leave: their files, as numpy arrays or pandas frames.

numpy, matplotlib and pandas are loaded by the first call that needs them: that takes longer than a
small run.
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

from rocelab.errors import InputError, describe_object
from rocelab.files import read_json_object

if TYPE_CHECKING:
    import numpy
    import pandas

    from rocelab.results.folders import NicResult

STATUS_NAMES = {0: "good", 3: "stalled", 4: "violation"}


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
    """Results of one NIC. Arrays are numpy structured arrays, read when they are first asked for.

    `folder` has the files as build/rocelab writes them (docs/reference/results.md). `status` is "good",
    "stalled" (flows stalled or failed) or "violation" (an invariant of the model is broken);
    `messages` are the program's lines about that, `line` is its line about the results.
    """

    def __init__(self, outcome: Mapping[str, Any], holder: TemporaryFolder | None = None) -> None:
        self.name: str = outcome["name"]
        self.folder = Path(outcome["folder"])
        self.status: str = STATUS_NAMES[outcome["status"]]
        self.line: str = " ".join(outcome["result"])
        self.messages: list[str] = [*outcome["violations"], *outcome["troubles"]]
        self._holder = holder  # Removes the folder with the last result, unless it was named.

    def __repr__(self) -> str:
        return f"<RunResult {self.name}: {self.line}>"

    @cached_property
    def flows(self) -> numpy.ndarray:
        """flows.csv: flow, src, dst, bytes, start_ns, fct_ns, ideal_ns, slowdown, ..., status."""
        from rocelab.results.flows import read_flows

        return read_flows(self.folder / "flows.csv")

    @property
    def completed(self) -> numpy.ndarray:
        """The flows that completed, without those that began as a fluid (run.fluidStart)."""
        from rocelab.results.flows import COMPLETED

        began = 1e3 * self.summary.get("fluid", {}).get("until_us", 0)
        return self.flows[(self.flows["status"] == COMPLETED) & (self.flows["start_ns"] >= began)]

    @cached_property
    def hosts(self) -> numpy.ndarray:
        """hosts.csv, a row per NIC; empty unless hardware takes time."""
        return _read_if_there(self.folder / "hosts.csv")

    @cached_property
    def rpcs(self) -> numpy.ndarray:
        """rpcs.csv, a row per request; empty unless the workload has requests."""
        return _read_if_there(self.folder / "rpcs.csv")

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json."""
        return read_json_object(self.folder / "summary.json")

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """scenario.json: every value that was used."""
        return read_json_object(self.folder / "scenario.json")

    @cached_property
    def nic(self) -> NicResult:
        """The same as tables and plots of this package take it."""
        from rocelab.results.folders import load_nic

        return load_nic(self.folder)

    def series(self, name: str) -> numpy.ndarray:
        """Return series/NAME.csv: "queue", "port", "buffer", "rate" or "spray" (docs/study/series.md)."""
        from rocelab.results.series import COLUMNS, read_series

        if name not in COLUMNS:
            raise InputError(f"series: expected one of {', '.join(COLUMNS)}, got {describe_object(name)}")
        table = read_series(self, name)
        if table is None:
            raise InputError(f'series: expected "{name}" in "series" of the scenario, got no file')
        return table

    def frame(self, what: str = "flows") -> pandas.DataFrame:
        """Return "flows", "hosts", "rpcs" or a series as a pandas frame; needs pandas."""
        from rocelab.results.series import COLUMNS

        try:
            import pandas
        except ImportError:
            raise ImportError(
                "rocelab: expected pandas for frames (Debian package python3-pandas), got none"
            ) from None
        tables = ("flows", "hosts", "rpcs")
        if what not in (*tables, *COLUMNS):
            known = ", ".join((*tables, *COLUMNS))
            raise InputError(f"frame: expected one of {known}, got {describe_object(what)}")
        return pandas.DataFrame(getattr(self, what) if what in tables else self.series(what))


class RunResults(Mapping[str, RunResult]):
    """Results of all NICs of a scenario, by name, in the scenario's order."""

    def __init__(self, name: str, results: list[RunResult]) -> None:
        self.name = name
        self._results = {result.name: result for result in results}

    def __getitem__(self, name: str) -> RunResult:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<RunResults {self.name}: {', '.join(self)}>"

    @property
    def only(self) -> RunResult:
        """The result of a scenario with one NIC."""
        if len(self) != 1:
            raise InputError(f"{self.name}: expected one NIC, got {', '.join(self)}")
        return next(iter(self._results.values()))

    @property
    def folder(self) -> Path:
        """Where the folders of the NICs are, for `rocelab compare` and the like."""
        return next(iter(self._results.values())).folder.parent


def _read_if_there(path: Path) -> numpy.ndarray:
    import numpy

    from rocelab.results.columns import WORKLOAD, get_columns, get_optional
    from rocelab.results.csv_table import read_table

    columns = get_columns(path.name)
    if not path.exists():
        return numpy.empty(0, dtype=numpy.dtype(list(columns)))
    return read_table(path, columns, get_optional(path.name), WORKLOAD)
