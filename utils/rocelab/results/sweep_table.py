# SPDX-License-Identifier: GPL-2.0-only
"""Reading sweep-summary.csv, and choosing from it what one picture shows (docs/study/sweep.md)."""

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import read_json_object

MANIFEST = "sweep.json"
FILE = "sweep-summary.csv"
RUNS_FILE = "sweep.csv"
MEAN, WIDTH = "_mean", "_ci95"
SWEEP_AXIS = "sweep"  # Of several sweeps.
FOLDER = "/folder"  # No column of a table: the folder of a row's run.
MOST_SERIES = 8  # More lines or bars cannot be distinguished.


@dataclass(frozen=True)
class SweepTable:
    """The means of a sweep: a row, {column: text}, per point and NIC."""

    name: str
    folder: Path
    axes: list  # Names of columns, without "nic".
    paths: dict  # {axis: path in the scenario}
    names: frozenset  # Axes that the user has named.
    metrics: list
    rows: list
    parts: tuple = ()  # The tables of several sweeps.


@dataclass(frozen=True)
class Selection:
    """What a picture shows of a table: a row for each pair of x and series."""

    axis: str
    places: list  # Texts of the axis, in the order of the sweep.
    names: list  # Of the series: NICs, with the value of a further axis if there is one.
    nics: dict  # {name of the series: NIC}
    rows: dict  # {(place, name): row}

    @property
    def most_runs(self):
        """The largest number of runs behind a mean."""
        return max(int(row["results"]) for row in self.rows.values())


def load_sweep(folder):
    """Return the SweepTable of a folder; raises UserError."""
    folder = Path(folder)
    path = folder / FILE
    columns, rows = read_rows(path)
    fixed = ["nic", "runs", "results", "stalled", "failed"]
    if "nic" not in columns or columns[columns.index("nic") :][: len(fixed)] != fixed:
        raise UserError(f"{path}: expected the table of a sweep with at least one row")
    axes = columns[: columns.index("nic")]
    metrics = [name.removesuffix(MEAN) for name in columns if name.removesuffix(MEAN) + WIDTH in columns]
    metrics = list(dict.fromkeys(metric for metric in metrics if metric + MEAN in columns))
    paths, names = read_axes(folder)
    return SweepTable(folder.resolve().name, folder, axes, paths, names, metrics, rows)


def join_tables(tables):
    """Return one SweepTable of several sweeps with the same axes; raises UserError.

    If two of them have rows of the same NIC and values, "sweep" is a further axis, with the folders' names.
    """
    first = tables[0]
    for table in tables:
        if set(table.axes) != set(first.axes):
            raise UserError(
                f"{table.folder}: expected the axes of {first.folder} ({', '.join(first.axes) or 'none'}),"
                f" got {', '.join(table.axes) or 'none'}"
            )
    metrics = [metric for metric in first.metrics if all(metric in table.metrics for table in tables)]
    names = [table.name for table in tables]
    names = names if len(set(names)) == len(names) else [str(table.folder) for table in tables]
    rows = [{**row, SWEEP_AXIS: name} for table, name in zip(tables, names) for row in table.rows]
    places = [tuple(row[column] for column in [*first.axes, "nic", *(["seed"] if "seed" in row else [])]) for row in rows]
    is_distinct = len(set(places)) == len(places)
    return replace(
        first,
        name=" and ".join(names),
        axes=first.axes if is_distinct else [SWEEP_AXIS, *first.axes],
        metrics=metrics,
        rows=rows,
        parts=tuple(tables),
    )


def load_runs(table):
    """Return the SweepTable with a row per run in place of one per point, of sweep.csv; it has no metrics."""
    if table.parts:
        return join_tables([load_runs(part) for part in table.parts])
    path = table.folder / RUNS_FILE
    columns, rows = read_rows(path)
    missing = [name for name in ("run", *table.axes, "nic", "seed", "status") if name not in columns]
    if missing:
        raise UserError(f"{path}:1: expected the column {missing[0]}, got none")
    return replace(table, metrics=[], rows=[{**row, FOLDER: table.folder / "runs" / row["run"]} for row in rows])


def keep_workload(table, workload):
    """Return the SweepTable of one of a list of workloads: its metrics under their usual names."""
    prefix = "workloads_" + re.sub(r"[^A-Za-z0-9]", "_", workload) + "_"
    metrics = [metric for metric in table.metrics if metric.startswith(prefix)]
    if not metrics:
        raise UserError(f"--workload: expected a workload of the runs of {table.folder}, got {workload!r}")
    axes = [*table.axes, "nic", "runs", "results", "stalled", "failed"]
    rows = []
    for row in table.rows:
        kept = {column: row[column] for column in axes}
        for column in (metric + end for metric in metrics for end in (MEAN, WIDTH)):
            kept[column.removeprefix(prefix)] = row[column]
        rows.append(kept)
    return replace(table, metrics=[metric.removeprefix(prefix) for metric in metrics], rows=rows)


def read_rows(path):
    """Return (columns, rows as dicts of texts) of a CSV file; raises UserError."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(f"{path}: expected a table, got: {getattr(error, 'strerror', None) or error}") from None
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise UserError(f"{path}:{number}: expected {len(reader.fieldnames)} fields, got another number")
    return reader.fieldnames or [], rows


def read_axes(folder):
    """Return ({name of an axis: its path in the scenario}, names that the user gave) of a sweep's folder."""
    sweep = read_json_object(folder / MANIFEST).get("sweep", {})
    paths, names = {}, set()
    for entry in sweep.get("axes", []):
        for axis in entry.get("zip", [entry]):
            path = str(axis.get("path", ""))
            name = str(axis.get("name", path.rsplit(".", 1)[-1]))
            paths[name] = path
            names |= {name} if "name" in axis else set()
    return paths, frozenset(names)


def keep_where(table, conditions):
    """Return the rows in which axes have one of the texts of {axis: [text, ...]}."""
    rows = table.rows
    for axis, wanted in conditions.items():
        if axis not in [*table.axes, "nic"]:
            known = [*table.axes, "nic"]
            raise UserError(f"--where: expected an axis ({describe_nearest(axis, known)}), got {axis!r}")
        found = list_texts(rows, axis)
        kept = find_wanted(found, wanted, f"--where {axis}", table.folder)
        rows = [row for row in rows if row[axis] in kept]
    return rows


def find_wanted(found, wanted, option, folder):
    """Return those of some texts that one of [text, ...] names, each alone or as a list with commas; raises UserError."""
    kept = set()
    for text in wanted:
        for word in [text] if find_equal(found, text) else text.split(","):
            equal = find_equal(found, word)
            if not equal:
                raise UserError(f"{option}: expected one of {', '.join(found)} of {folder}, got {word!r}")
            kept |= equal
    return kept


def find_equal(found, word):
    """Return those of some texts that are a text, or the same number."""
    try:
        return {text for text in found if text == word or float(text) == float(word)}
    except ValueError:
        return {text for text in found if text == word}


def list_texts(rows, axis):
    """Return the texts of an axis, each once, in the order of the table."""
    return list(dict.fromkeys(row[axis] for row in rows))


@dataclass(frozen=True)
class AxisRule:
    """Which axes a picture is over."""

    is_usual: object  # is_usual(axis, path)
    word: str = ""  # What they are, if the picture has no other axes.


def choose_axis(table, rows, wanted, rule):
    """Return the axis of the picture: that of the user, that of an AxisRule, or the only one."""
    usual = [axis for axis in table.axes if rule.is_usual(axis, table.paths.get(axis, ""))]
    possible = usual if rule.word else table.axes
    if wanted is not None:
        if wanted not in table.axes:
            hint = describe_nearest(wanted, table.axes)
            raise UserError(f"--x: expected an axis of {table.folder} ({hint}), got {wanted!r}")
        if wanted not in possible:
            raise UserError(f"--x: expected an axis of {rule.word} of {table.folder}, got {wanted!r}")
        return wanted
    if not possible:
        raise UserError(f"{table.folder}: expected an axis of {rule.word}, got {', '.join(table.axes) or 'none'}")
    varied = [axis for axis in possible if len(list_texts(rows, axis)) > 1 and axis != SWEEP_AXIS]
    found = [axis for axis in varied if axis in usual] or varied
    if len(found) != 1:
        raise UserError(
            f"{table.folder}: expected --x with one of its axes ({', '.join(table.axes) or 'none'}),"
            " got none"
        )
    return found[0]


def select(table, conditions, wanted, rule):
    """Return the Selection of a picture.

    Axes beside the one of the picture make series of their own, unless `conditions` fix them.
    """
    rows = keep_where(table, conditions)
    axis = choose_axis(table, rows, wanted, rule)
    others = find_others(table, rows, axis)
    nics, chosen = {}, {}
    for row in rows:
        name = ", ".join([row["nic"], *(f"{other} {row[other]}" for other in others)])
        nics[name] = row["nic"]
        chosen[row[axis], name] = row
    if len(nics) > MOST_SERIES:
        raise UserError(
            f"{table.folder}: expected at most {MOST_SERIES} series, got {len(nics)}: fix an axis by"
            f" --where AXIS=VALUE ({', '.join(['nic', *others])})"
        )
    return Selection(axis, list_texts(rows, axis), list(nics), nics, chosen)


def find_others(table, rows, axis=None):
    """Return the axes besides that of a picture of which rows have several values.

    An axis that advances together with that of the picture, or with one before it, is left out.
    """
    others = []
    for other in table.axes:
        before = [axis, *others] if axis else others
        is_varied = other != axis and len(list_texts(rows, other)) > 1
        if is_varied and not any(is_tied(rows, one, other) for one in before):
            others.append(other)
    return others


def is_tied(rows, axis, other):
    """Tell whether each value of an axis goes with one of the other."""
    return len({(row[axis], row[other]) for row in rows}) == len(list_texts(rows, axis))


def get_value(row, metric):
    """Return (mean, half width) of a metric in a row; None for what is not there."""
    return tuple(float(text) if text else None for text in (row[metric + MEAN], row[metric + WIDTH]))


def check_metric(table, metric):
    """Raise UserError unless the table has the metric."""
    if metric not in table.metrics:
        hint = describe_nearest(metric, table.metrics)
        raise UserError(f"--y: expected a number of {table.folder / FILE} ({hint}), got {metric!r}")
