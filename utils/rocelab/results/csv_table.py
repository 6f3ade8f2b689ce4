# SPDX-License-Identifier: GPL-2.0-only
"""Reads CSV files of a run: a known header, numbers within bounds, whole lines."""

import io
import re
import warnings

import numpy

from rocelab.errors import UserError, make_line
from rocelab.files import read_text

MAX_TABLE = 1 << 33  # Bytes of a file: some 80 million flows.
CHUNK = 1 << 23  # Bytes parsed at a time: between two chunks Ctrl-C is obeyed.
LARGEST = {"i": 2**62, "f": 1e18}  # Picoseconds of ten days are below 1e18.
NO_NUMBER = re.compile(r"(?i)(?:^|,)[ +-]*(?:nan|inf)", re.MULTILINE)


def read_table(path, columns, optional=(), leading=None):
    """Return a CSV file as a numpy structured array; columns are pairs of name and numpy type.

    The column `leading` may come before them. Numbers are finite and not below zero. A field may be left empty in the columns that `optional`
    names, of type "f8" and not the last; it reads as NaN. Raises UserError with file and line.
    """
    text = read_text(path, MAX_TABLE)
    wanted = ",".join(name for name, _ in columns)
    header, _, body = text.partition("\n")
    if leading and header == f"{leading[0]},{wanted}":
        columns = (leading, *columns)
    elif header != wanted:
        raise UserError(f"{path}:1: expected the header {wanted}, got {make_line(header[:80])!r}")
    if body and not body.endswith("\n"):
        line = 2 + body.count("\n")
        raise UserError(f"{path}:{line}: expected a whole line, got one that is cut off")
    tables, start, line = [], 0, 2
    while start < len(body):
        end = body.find("\n", start + CHUNK) + 1 or len(body)
        part = body[start:end]
        tables.append(parse_lines(path, line, part, columns, optional))
        start, line = end, line + part.count("\n")
    return numpy.concatenate(tables) if tables else numpy.empty(0, dtype=numpy.dtype(list(columns)))


def parse_lines(path, line, body, columns, optional):
    """Return whole lines, the first of which has the number `line`, as a structured array."""
    # The lookahead leaves the second comma for the next match, so neighbouring gaps are all filled.
    filled = re.sub(r",(?=,)", ",nan", body) if ",," in body else body
    kind = numpy.dtype(list(columns))
    try:
        if NO_NUMBER.search(body) or body.startswith("\n") or "\n\n" in body:
            raise ValueError
        with warnings.catch_warnings():
            # This numpy only warns where it rounds 1.5 to an integer.
            warnings.simplefilter("error", DeprecationWarning)
            table = numpy.loadtxt(io.StringIO(filled), kind, comments=None, delimiter=",", ndmin=1)
    except (ValueError, OverflowError, DeprecationWarning):
        raise UserError(describe_first_bad_line(path, line, body, columns, optional)) from None
    if any(has_faults(table[name], kind[0], name in optional) for name, kind in columns):
        raise UserError(describe_first_bad_line(path, line, body, columns, optional))
    return table


def has_faults(values, kind, may_be_empty):
    """Tell whether a value is beyond the bounds of its type, or empty where it must not be."""
    if kind not in LARGEST:
        return False
    is_bad = (values < 0) | (values > LARGEST[kind])
    return bool(is_bad.any() or (kind == "f" and not may_be_empty and numpy.isnan(values).any()))


def describe_first_bad_line(path, first, body, columns, optional):
    """Return the message for the first line of `body` that is no row; it starts at line `first`."""
    for number, line in enumerate(body.splitlines(), start=first):
        fields = line.split(",")
        if len(fields) != len(columns):
            return f"{path}:{number}: expected {len(columns)} fields, got {len(fields)}"
        for (name, kind), field in zip(columns, fields):
            wanted = describe_fault(kind[0], field, name in optional)
            if wanted:
                return f"{path}:{number}: expected {wanted} for {name}, got {make_line(field[:40])!r}"
    return f"{path}: expected lines of {','.join(name for name, _ in columns)}"


def describe_fault(kind, field, may_be_empty):
    """Return what a field should be; empty if it is that."""
    if kind == "U" or (may_be_empty and not field):
        return ""
    try:
        value = {"i": int, "f": float}[kind](field)
    except ValueError:
        return "an integer" if kind == "i" else "a number"
    return "" if 0 <= value <= LARGEST[kind] else f"a number from 0 to {LARGEST[kind]:.3g}"


def fail_at_row(path, table, is_bad, expected):
    """Raise UserError for the first row of a whole table for which a boolean array is true."""
    bad = numpy.flatnonzero(is_bad)
    if len(bad):
        raise UserError(f"{path}:{bad[0] + 2}: expected {expected}, got {make_line(table[bad[0]])}")
