# SPDX-License-Identifier: GPL-2.0-only
"""Reads the tables of a run, with the columns that the program declares."""

import io
import re
from pathlib import Path

import numpy

from rocelab.errors import UserError
from rocelab.results.columns import WORKLOAD, get_columns


def read_table(folder, file):
    """Return a table of a run, as "series/queue.csv", as a numpy structured array.

    An empty field reads as NaN. The column "workload" is there if the scenario has a list of them. Raises UserError if
    the file is missing or damaged.
    """
    path = Path(folder) / file
    try:
        header, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: expected a table, got: {getattr(error, 'strerror', None) or error}") from None
    columns = get_columns(file)
    names = ",".join(name for name, _ in columns)
    if header == f"{WORKLOAD[0]},{names}":
        columns = (WORKLOAD, *columns)
    elif header != names:
        raise UserError(f"{path}:1: expected the header {names}, got {header[:80]!r}")
    if not body:
        return numpy.empty(0, list(columns))
    if not body.endswith("\n"):
        raise UserError(f"{path}: expected whole lines, got a last one that is cut off")
    # The lookahead leaves the second comma for the next match, so neighbouring gaps are all filled.
    filled = re.sub(r",(?=[,\n])", ",nan", body) if ",," in body or ",\n" in body else body
    try:
        return numpy.loadtxt(io.StringIO(filled), list(columns), comments=None, delimiter=",", ndmin=1)
    except (ValueError, OverflowError) as error:
        raise UserError(f"{path}: expected rows of {names}, got: {str(error).splitlines()[0]}") from None
