# SPDX-License-Identifier: GPL-2.0-only
"""The table of `rocelab compare` as a pandas frame."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

import pandas

from rocelab.errors import InputError, UserError
from rocelab.runs.run_result import RunResults, load

#: Results, or the folder of some.
ResultsLike = Union[str, "os.PathLike[str]", RunResults]


def compare(results: ResultsLike, *, workload: str | None = None) -> pandas.DataFrame:
    """Compare the NICs of results: a row per NIC and, if the scenario has a list of them, per workload.

    The columns are those of compare.csv, with the ratios to srnic (or the first NIC) of the same runs. Of a sweep,
    each point and seed is compared for itself; runs without results are left out.

    Args:
        results: RunResults, or a folder: RESULTS/<scenario> or RESULTS/<sweep>.
        workload: only this one of a list of workloads.
    """
    from rocelab.report.compare import list_csv_rows
    from rocelab.results.columns import find_unit
    from rocelab.results.folders import load_scenario, select_workload
    from rocelab.results.frames import annotate

    found = results if isinstance(results, RunResults) else load(results)
    rows: list[dict[str, Any]] = []
    try:
        for folder, labels in list_scenarios(found).items():
            names = [run.name for run in found.values() if run.has_results and run.folder.parent == folder]
            scenario = load_scenario(folder, only=names)
            if workload is not None:
                scenario = select_workload(scenario, workload)
            for row in list_csv_rows(scenario):
                answers = {key: row[key] == "yes" for key in ("complete", "partial")}
                rows.append({"nic": row.pop("nic"), **labels, **row, **answers})
    except UserError as error:
        raise InputError(str(error)) from None
    frame = pandas.DataFrame(rows)
    return annotate(frame, {name: find_unit(name) for name in frame}, {})


def list_scenarios(results: RunResults) -> dict[Path, Mapping[str, Any]]:
    """Return {folder of NICs that are compared: seed and axes of their runs}."""
    runs = [run for run in results.values() if run.has_results]
    if not runs:
        raise InputError(f"{results.folder}: expected runs with results, got none")
    return {run.folder.parent: {"seed": run.seed, **run.axes} for run in runs}
