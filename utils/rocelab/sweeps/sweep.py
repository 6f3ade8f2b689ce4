# SPDX-License-Identifier: GPL-2.0-only
"""A sweep as a function: runs what its folder does not have yet, and returns one frame."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Union

import pandas

from rocelab.errors import FullError, InputError, RunError, UserError, describe_object
from rocelab.places import find_program_folder
from rocelab.runs.lab import ScenarioLike, to_plain
from rocelab.runs.run_result import RunWarning, load
from rocelab.sweeps.gather import write_tables
from rocelab.sweeps.located_json import locate_value
from rocelab.sweeps.progress import Reporter, SweepProgress
from rocelab.sweeps.session import Session, SlurmOptions
from rocelab.sweeps.store import FAILED, STALLED
from rocelab.sweeps.sweep_file import Sweep, make_sweep, read_groups

#: {path: values}, {path: {label: value}}, or a list as "axes" of a sweep file has it.
AxesLike = Union[Mapping[str, Union[Sequence[Any], Mapping[str, Any]]], Sequence[Mapping[str, Any]]]
NAME = "sweep"  # Of the sweep in messages.


def sweep(
    scenario: ScenarioLike,
    axes: AxesLike | None = None,
    seeds: int | Sequence[int] | None = None,
    *,
    nics: Sequence[Any] | None = None,
    jobs: int | None = None,
    ranks: int = 1,
    plugins: Sequence[str | os.PathLike[str]] = (),
    name: str | None = None,
    out: str | os.PathLike[str] = "results",
    slurm: Sequence[str] | None = None,
    progress: SweepProgress | None = None,
) -> pandas.DataFrame:
    """Run a scenario for all combinations of values, NICs and seeds; returns a row per run, as RunResults.summary.

    Results are in OUT/<name>/, where runs that are done stay: a run is made again only if its scenario, its input
    files or the program have changed (a content hash). A sweep that was interrupted, or of which runs have failed,
    continues if it is called again. `rocelab.load(frame.attrs["folder"])` has all tables of the runs.

    Args:
        scenario: a file, a dict with the keys of one, or a Scenario.
        axes: {path: values}, as {"fabric.lossRate": [0, 0.001]}, or {path: {label: value}}; or a list in the form of
            a sweep file's "axes", which also has names of columns and axes that advance together.
        seeds: how many, from 1 on, or a list of them; by default the scenario's seed.
        nics: replace the scenario's: presets, NicDesigns or dicts.
        jobs: runs at a time; by default one for each core.
        ranks: processes that simulate a run together.
        plugins: shared libraries to load.
        name: of the results' folder; by default SCENARIO-by-AXIS-AXIS.
        out: folder of results.
        slurm: options for sbatch, as ["--partition=long"], if Slurm is to make the runs; may be empty.
        progress: called with the number of runs that are done and that of all, each time one has ended.

    Raises InputError for bad input, before any run. Raises RunError if runs have failed, after all have ended, and
    warns with RunWarning if flows stalled.
    """
    options = None if slurm is None else SlurmOptions(list(slurm))
    cores = len(os.sched_getaffinity(0))
    try:
        planned = plan(scenario, axes, seeds, nics, ranks, plugins, name)
        session = Session(planned, out, find_program_folder(), (), lambda *_: None)
        left = session.run(jobs or cores, True, options, partial(Reporter, progress))
        results = session.load_results()
        write_tables(planned, results, session.store)
    except UserError as error:
        if isinstance(error, InputError):
            raise
        raise (RunError if isinstance(error, FullError) else InputError)(str(error)) from None
    if left is not None:
        raise KeyboardInterrupt(left)
    check_ends(session.store.folder, results)
    return load(session.store.folder).summary


def check_ends(folder: Path, results: Sequence[Any]) -> None:
    """Raise RunError if runs have failed; warn if flows stalled."""
    for status, said in ((FAILED, "failed"), (STALLED, "have flows that stalled or failed")):
        found = [result for result in results if result.status == status]
        if not found:
            continue
        first = f"first {found[0].run.name}: {found[0].record.error}"
        line = f"{folder}: {len(found)} of {len(results)} runs {said}, {first}"
        if status == FAILED:
            raise RunError(line)
        warnings.warn(line, RunWarning, stacklevel=3)


def plan(
    scenario: ScenarioLike,
    axes: AxesLike | None,
    seeds: int | Sequence[int] | None,
    nics: Sequence[Any] | None,
    ranks: int,
    plugins: Sequence[str | os.PathLike[str]],
    name: str | None,
) -> Sweep:
    """Return the Sweep; raises UserError."""
    listed = list_axes(axes)
    base = Path()
    if isinstance(scenario, Mapping):
        base = getattr(scenario, "base", base)
        given: Any = to_plain(scenario)
        title = given.get("name", "scenario")
    elif isinstance(scenario, (str, os.PathLike)):
        given = os.fspath(scenario)
        title = Path(given).stem
    else:
        raise InputError(f"scenario: expected a file, a dict or a Scenario, got {type(scenario).__name__}")
    root: dict[str, Any] = {"name": name, "scenario": given, "ranks": ranks}
    if listed:
        root["axes"] = listed
    if nics is not None:
        root["nics"] = to_plain(list(nics))
    if seeds is not None:
        root["seeds"] = {"first": 1, "count": seeds} if isinstance(seeds, int) else list(seeds)
    if plugins:
        root["plugins"] = [os.path.abspath(plugin) for plugin in plugins]
    if name is None:
        groups = read_groups(locate_value(listed, NAME, "$.axes")) if listed else []
        root["name"] = f"{title}-by-{'-'.join(axis.name for group in groups for axis in group) or 'seed'}"
    return make_sweep(locate_value(root, NAME), Path(os.path.realpath(base)))


def list_axes(axes: AxesLike | None) -> list[Any]:
    """Return axes in the form of a sweep file."""
    if axes is None:
        return []
    if not isinstance(axes, Mapping):
        return to_plain(list(axes))
    listed = []
    for path, values in axes.items():
        if isinstance(values, Mapping):
            listed.append({"path": path, "values": list(values.values()), "labels": list(values)})
        elif isinstance(values, str) or not hasattr(values, "__iter__"):
            raise InputError(f"axes: expected a list of values for {path}, got {describe_object(values)}")
        else:
            listed.append({"path": path, "values": list(values)})
    return to_plain(listed)
