# SPDX-License-Identifier: GPL-2.0-only
"""The columns of result files, as the program declares them: columns.json is `rocelab list columns --json`."""

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("columns.json")  # ./waf docs writes it.
EMPTY = "real or empty"
NAME = "name"  # Of a workload: a column that tables have if the scenario has "workloads".
#: That column, as read_table() takes it.
WORKLOAD = ("workload", "U64")
#: numpy's type of each kind of values.
TYPES = {"whole": "i8", "real": "f8", EMPTY: "f8", "word": "U16"}


@cache
def load_tables():
    """Return {result file: list of its columns}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def get_columns(file):
    """Return the columns of a result file, pairs of name and numpy type, as read_table() takes them."""
    columns = (column for column in load_tables()[file] if column["values"] != NAME)
    return tuple((column["name"], TYPES[column["values"]]) for column in columns)


def get_optional(file):
    """Return the names of the columns of a result file whose fields may be empty."""
    return tuple(column["name"] for column in load_tables()[file] if column["values"] == EMPTY)
