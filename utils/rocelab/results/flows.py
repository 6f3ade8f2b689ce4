# SPDX-License-Identifier: GPL-2.0-only
"""Reading flows.csv, the one line per flow that a run leaves."""

import numpy

from rocelab.results.columns import WORKLOAD, get_columns, get_optional
from rocelab.results.csv_table import fail_at_row, read_table

COMPLETED = "completed"
STATUSES = (COMPLETED, "failed", "stalled", "unfinished")
SHORTEST_NS = 1e-3  # A picosecond.


def read_flows(path):
    """Return flows.csv as a numpy structured array, with a column "workload" if the scenario has a list.

    A time that a flow never reached may be left empty; it reads as NaN. A flow that completed has
    all of them. Raises UserError with file and line.
    """
    flows = read_table(path, get_columns("flows.csv"), get_optional("flows.csv"), WORKLOAD)
    fail_at_row(path, flows, ~numpy.isin(flows["status"], STATUSES), f"one of {', '.join(STATUSES)}")
    is_done = flows["status"] == COMPLETED
    for name, least in (("fct_ns", SHORTEST_NS), ("ideal_ns", SHORTEST_NS), ("slowdown", 1e-6)):
        expected = f"{name} above 0 of a flow that completed"
        fail_at_row(path, flows, is_done & ~(flows[name] >= least), expected)
    fail_at_row(path, flows, flows["bytes"] < 1, "bytes above 0")
    return flows
