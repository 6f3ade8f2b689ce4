# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of `rocelab plot` as a function."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Union

from matplotlib.figure import Figure

from rocelab.errors import InputError, UserError, describe_object
from rocelab.places import find_program_folder
from rocelab.runs.run_result import RunResults

ResultsLike = Union[str, "os.PathLike[str]", RunResults]


def list_folders(results: ResultsLike) -> list[Path]:
    """Return the folders that the command is given: of a sweep, or of each run."""
    if not isinstance(results, RunResults):
        return [Path(results)]
    return [results.folder] if results.is_sweep else [run.folder for run in results.values()]


def list_values(value: Any) -> list[str]:
    """Return the texts of a value, or of a list of values."""
    return [str(one) for one in value] if isinstance(value, (list, tuple, set)) else [str(value)]


def plot(
    kind: str,
    *results: ResultsLike,
    x: str | None = None,
    y: str | Sequence[str] = (),
    where: Mapping[str, Any] | None = None,
    by: str | None = None,
    workload: str | None = None,
    column: str | None = None,
    style: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    bins: int | str | None = None,
    notes: bool = True,
    out: str | os.PathLike[str] | None = None,
) -> Figure:
    """Draw a picture of results; returns a matplotlib Figure, whose labels can be changed.

    Args:
        kind: as `rocelab plot` has it: "fct", "fct-cdf", "slowdown-by-size", "lines", ... (docs/study/plots.md).
        results: RunResults, or folders: of a scenario, of a NIC, of a sweep, of a perftest or of a figure.
        x, y, where: of a sweep: the axis, the numbers ("fct_us_p99"), and the values of other axes, {"load": 0.5},
            {"nic": ["irn", "srnic"]}; this also of runs.
        by: meaning of a bar of "cpu-use": "host", "core" or "thread".
        workload: only this one of a list of workloads.
        column: "single" or "double", a width of 3.33 or 7 inches.
        style: your own colours, labels, order, sizes and ranges: a file, or a dict of the same form.
        bins: of flow size: 12, "1kB,100kB" or "3/decade".
        notes: draw the notes below the picture.
        out: file to write: its ending says which kind, .pdf, .svg or .png.

    Raises InputError.
    """
    from rocelab.draw import own_style
    from rocelab.draw.command import COLUMNS, check_kind, check_use, choose_kinds, draw, make_page
    from rocelab.draw.sources import arrange, load_source
    from rocelab.draw.style import FILE_KINDS, save

    folders = [folder for one in results for folder in list_folders(one)]
    options = SimpleNamespace(
        kind=kind,
        x=x,
        y=[y] if isinstance(y, str) else list(y),
        where={axis: list_values(value) for axis, value in (where or {}).items()},
        by=by,
        bins=None if bins is None else str(bins),
        workload=workload,
        build=find_program_folder(),
    )
    if column not in (None, *COLUMNS):
        raise InputError(f"column: expected {' or '.join(COLUMNS)}, got {describe_object(column)}")
    if out is not None and Path(out).suffix[1:] not in FILE_KINDS:
        raise InputError(f"out: expected a file that ends in .pdf, .svg or .png, got {describe_object(str(out))}")
    if not folders:
        raise InputError("results: expected a folder or RunResults, got none")
    try:
        check_kind(kind)
        own = own_style.make(dict(style) if isinstance(style, Mapping) else style, options.bins)
        source = load_source(folders, workload)
        check_use(options, source)
        with own_style.use(own):
            source = arrange(source, options.where)
            figure = draw(choose_kinds(kind, source)[0], source, options, make_page(column, notes))
        if out is not None:
            save(figure, os.path.splitext(out)[0], (Path(out).suffix[1:],))
    except UserError as error:
        raise InputError(str(error).removeprefix("--")) from None
    return figure
