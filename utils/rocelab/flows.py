# SPDX-License-Identifier: GPL-2.0-only
"""Reading flows.csv, the one line per flow that a run leaves."""

import io
import re
import warnings

import numpy

from rocelab.errors import UserError
from rocelab.files import read_text

COLUMNS = (
    ("flow", "i8"),
    ("src", "i8"),
    ("dst", "i8"),
    ("bytes", "i8"),
    ("start_ns", "f8"),
    ("fct_ns", "f8"),
    ("ideal_ns", "f8"),
    ("slowdown", "f8"),
    ("packets", "i8"),
    ("retransmitted", "i8"),
    ("timeouts", "i8"),
    ("status", "U16"),
)
HEADER = ",".join(name for name, _ in COLUMNS)
FLOW_TYPE = numpy.dtype(list(COLUMNS))
COMPLETED = "completed"


def read_flows(path):
    """Return flows.csv as a numpy structured array with the fields of COLUMNS.

    A time that a flow never reached may be left empty; it reads as NaN. Raises UserError with file
    and line.
    """
    text = read_text(path)
    header, _, body = text.partition("\n")
    if header.rstrip("\r") != HEADER:
        raise UserError(f"{path}:1: expected the header {HEADER}, got {header[:80]!r}")
    if not body.strip():
        return numpy.empty(0, dtype=FLOW_TYPE)
    # The lookahead leaves the second comma for the next match, so neighbouring gaps are all filled.
    filled = re.sub(r",(?=,)", ",nan", body) if ",," in body else body
    try:
        with warnings.catch_warnings():
            # This numpy only warns where it rounds 1.5 to an integer.
            warnings.simplefilter("error", DeprecationWarning)
            return numpy.loadtxt(
                io.StringIO(filled), dtype=FLOW_TYPE, delimiter=",", comments=None, ndmin=1
            )
    except (ValueError, DeprecationWarning):
        raise UserError(describe_first_bad_line(path, filled)) from None


def describe_first_bad_line(path, body):
    """Return the message for the first line of `body` that is no flow; it starts at line 2."""
    for number, line in enumerate(body.splitlines(), start=2):
        fields = line.split(",")
        if len(fields) != len(COLUMNS):
            return f"{path}:{number}: expected {len(COLUMNS)} fields, got {len(fields)}"
        for (name, kind), field in zip(COLUMNS, fields):
            try:
                {"i": int, "f": float, "U": str}[kind[0]](field)
            except ValueError:
                wanted = "an integer" if kind[0] == "i" else "a number"
                return f"{path}:{number}: expected {wanted} for {name}, got {field!r}"
    return f"{path}: expected lines of {HEADER}"
