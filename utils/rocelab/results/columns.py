# SPDX-License-Identifier: GPL-2.0-only
"""The columns of result files, as the program declares them (columns.json is `rocelab list columns --json`), and of
summary.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("columns.json")  # ./waf docs writes it.
NAME = "name"  # Of a workload: a column that tables have if the scenario has "workloads".
#: That column, as read_table() takes it.
WORKLOAD = ("workload", "U64")
#: numpy's type of each kind of values.
TYPES = {"whole": "i8", "real": "f8", "real or empty": "f8", "word": "U16"}
#: Keys of summary.json that no table has: they differ from one execution to the next, or are no numbers.
LEFT_OUT = ("wall_seconds", "packet_hops_per_second", "peak_rss_bytes", "partial", "ranks", "violations")
#: Words in the names of columns that are units.
UNITS = {"ns": "ns", "us": "us", "ms": "ms", "bytes": "bytes", "gbps": "Gb/s", "percent": "%", "cores": "cores"}


@cache
def load_tables():
    """Return {result file: list of its columns}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def get_columns(file):
    """Return the columns of a result file, pairs of name and numpy type, as read_table() takes them."""
    columns = (column for column in load_tables()[file] if column["values"] != NAME)
    return tuple((column["name"], TYPES[column["values"]]) for column in columns)


def find_unit(column: str) -> str:
    """Return the unit that the name of a column has, as "us" of "fct_us_p99"; "" if it has none."""
    return next((UNITS[word] for word in reversed(column.split("_")) if word in UNITS), "")


def flatten(summary: Mapping[str, Any]) -> dict[str, float | None]:
    """Return {column: number} of a summary.json: "fct_us_p99" of fct_us.p99; None for null."""
    found: dict[str, float | None] = {}

    def add(prefix: str, holder: Mapping[str, Any]) -> None:
        for key, value in holder.items():
            name = prefix + re.sub(r"[^A-Za-z0-9]", "_", key)
            if isinstance(value, dict):
                add(f"{name}_", value)
            elif value is None or isinstance(value, (int, float)):
                found[name] = int(value) if isinstance(value, bool) else value

    add("", {key: value for key, value in summary.items() if key not in LEFT_OUT})
    return found
