# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a run as pandas frames, with the types, units and meanings that the program declares.

`frame.attrs["units"]` and `frame.attrs["meanings"]` are {column: text}.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas

from rocelab.errors import UserError, describe_nearest
from rocelab.results.columns import find_unit, load_tables
from rocelab.results.csv_table import read_table

SERIES = "series"


def list_tables(folder: Path) -> list[str]:
    """Return the names of the tables in the folder of a run: of FOLDER/NAME.csv and FOLDER/series/NAME.csv."""
    return sorted(path.stem for path in [*folder.glob("*.csv"), *folder.glob(f"{SERIES}/*.csv")])


def read_frame(folder: Path, name: str) -> pandas.DataFrame:
    """Return a table of a run; raises UserError if there is none of that name, or if the file is damaged."""
    if name not in list_tables(folder):
        known = list_tables(folder)
        raise UserError(f"{folder}: expected a table of this run ({describe_nearest(name, known)}), got {name!r}")
    file = f"{name}.csv" if (folder / f"{name}.csv").exists() else f"{SERIES}/{name}.csv"
    if file not in load_tables():
        return read_undeclared(folder / file)
    frame = pandas.DataFrame(read_table(folder, file))
    declared = [column for column in load_tables()[file] if column["name"] in frame]
    return annotate(
        frame,
        {column["name"]: column["unit"] for column in declared},
        {column["name"]: column["meaning"] for column in declared},
    )


def read_undeclared(path: Path) -> pandas.DataFrame:
    """Return a table that a plug-in has written, which the program's own list does not have."""
    try:
        frame = pandas.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: expected a table, got: {str(error).splitlines()[0]}") from None
    return annotate(frame, {column: find_unit(column) for column in frame}, dict.fromkeys(frame, ""))


def annotate(frame: pandas.DataFrame, units: Mapping[str, str], meanings: Mapping[str, str]) -> pandas.DataFrame:
    """Set the units and meanings of a frame's columns; returns the frame."""
    frame.attrs = {"units": dict(units), "meanings": dict(meanings)}
    return frame


def label(frame: pandas.DataFrame, name: str, values: Mapping[str, Any]) -> pandas.DataFrame:
    """Return a run's table with columns in front that have one value each: NIC, seed, axes of a sweep.

    A column of the table that has one of their names gets that of the table in front, "hosts_nic".
    """
    taken = {column: f"{name}_{column}" for column in values if column in frame}
    labelled = frame.rename(columns=taken)
    for place, (column, value) in enumerate(values.items()):
        labelled.insert(place, column, value)
    own = {what: {taken.get(key, key): text for key, text in texts.items()} for what, texts in frame.attrs.items()}
    return annotate(labelled, own["units"], own["meanings"])


def concatenate(frames: list[pandas.DataFrame], meanings: Mapping[str, str]) -> pandas.DataFrame:
    """Return labelled tables below each other; `meanings` are those of the columns in front."""
    units = {key: text for frame in frames for key, text in frame.attrs["units"].items()}
    own = {key: text for frame in frames for key, text in frame.attrs["meanings"].items()}
    return annotate(
        pandas.concat(frames, ignore_index=True), {**dict.fromkeys(meanings, ""), **units}, {**meanings, **own}
    )
