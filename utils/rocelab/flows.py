# SPDX-License-Identifier: GPL-2.0-only
"""Reading flows.csv, the one line per flow that a run leaves."""

from rocelab.csv_table import read_table

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
COMPLETED = "completed"


def read_flows(path):
    """Return flows.csv as a numpy structured array with the fields of COLUMNS.

    A time that a flow never reached may be left empty; it reads as NaN. Raises UserError with file
    and line.
    """
    return read_table(path, COLUMNS)
