# SPDX-License-Identifier: GPL-2.0-only
"""Reading the CSV files that a run leaves: a known header, numbers, and lines that all have the same fields."""

import io
import re
import warnings

import numpy

from rocelab.errors import UserError
from rocelab.files import read_text


def read_table(path, columns):
    """Return a CSV file as a numpy structured array; columns are pairs of name and numpy type.

    A field may be left empty in a column of type "f8" that is not the last; it reads as NaN. Raises
    UserError with file and line.
    """
    text = read_text(path)
    wanted = ",".join(name for name, _ in columns)
    kind = numpy.dtype(list(columns))
    header, _, body = text.partition("\n")
    if header.rstrip("\r") != wanted:
        raise UserError(f"{path}:1: expected the header {wanted}, got {header[:80]!r}")
    if not body.strip():
        return numpy.empty(0, dtype=kind)
    # The lookahead leaves the second comma for the next match, so neighbouring gaps are all filled.
    filled = re.sub(r",(?=,)", ",nan", body) if ",," in body else body
    try:
        with warnings.catch_warnings():
            # This numpy only warns where it rounds 1.5 to an integer.
            warnings.simplefilter("error", DeprecationWarning)
            return numpy.loadtxt(
                io.StringIO(filled), dtype=kind, delimiter=",", comments=None, ndmin=1
            )
    except (ValueError, DeprecationWarning):
        raise UserError(describe_first_bad_line(path, filled, columns)) from None


def describe_first_bad_line(path, body, columns):
    """Return the message for the first line of `body` that is no row; it starts at line 2."""
    for number, line in enumerate(body.splitlines(), start=2):
        fields = line.split(",")
        if len(fields) != len(columns):
            return f"{path}:{number}: expected {len(columns)} fields, got {len(fields)}"
        for (name, kind), field in zip(columns, fields):
            try:
                {"i": int, "f": float, "U": str}[kind[0]](field)
            except ValueError:
                wanted = "an integer" if kind[0] == "i" else "a number"
                return f"{path}:{number}: expected {wanted} for {name}, got {field!r}"
    return f"{path}: expected lines of {','.join(name for name, _ in columns)}"
