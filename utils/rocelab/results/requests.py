# SPDX-License-Identifier: GPL-2.0-only
"""Reading rpcs.csv, the one line per request that a run of clients leaves."""

from rocelab.results.columns import WORKLOAD, get_columns, get_optional
from rocelab.results.csv_table import read_table

FILE = "rpcs.csv"
ANSWERED = ("ok", "not-found")


def has_requests(nic):
    """Tell whether a NicResult has requests."""
    return (nic.folder / FILE).exists()


def read_requests(nic):
    """Return rpcs.csv of a NicResult as a numpy structured array, of its workload if it is of one."""
    table = read_table(nic.folder / FILE, get_columns(FILE), get_optional(FILE), WORKLOAD)
    return table[table["workload"] == nic.workload] if nic.workload else table


def split_requests(nic):
    """Return [(name of the workload or "", its requests)] of a NicResult."""
    table = read_requests(nic)
    if nic.workload or "workload" not in table.dtype.names:
        return [("", table)]
    names = [name for name in nic.workloads if (table["workload"] == name).any()]
    return [(name, table[table["workload"] == name]) for name in names]
