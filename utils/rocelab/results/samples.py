# SPDX-License-Identifier: GPL-2.0-only
"""Times of what workloads repeat beside flows: latencies of requests, iterations of collectives."""

from dataclasses import dataclass

import numpy

from rocelab.results.csv_table import read_table


@dataclass(frozen=True)
class SampleTable:
    """A result file with a row per sample."""

    file: str
    time: str  # Column, ns.
    statuses: tuple = ()  # Of samples that have a time; empty: all have one.

    def is_in(self, nic):
        """Tell whether a NicResult has the file."""
        return (nic.folder / self.file).exists()

    def read(self, nic):
        """Return the rows of a NicResult as a numpy structured array, of its workload if it is of one."""
        table = read_table(nic.folder, self.file)
        return table[table["workload"] == nic.workload] if nic.workload else table

    def split(self, nic):
        """Return [(name of the workload or "", its rows)] of a NicResult."""
        table = self.read(nic)
        if nic.workload or "workload" not in table.dtype.names:
            return [("", table)]
        names = [name for name in nic.workloads if (table["workload"] == name).any()]
        return [(name, table[table["workload"] == name]) for name in names]

    def get_times(self, table):
        """Return the times of rows in us."""
        if self.statuses:
            table = table[numpy.isin(table["status"], self.statuses)]
        return table[self.time] / 1e3


REQUESTS = SampleTable("rpcs.csv", "latency_ns", ("ok", "not-found"))
ITERATIONS = SampleTable("collectives.csv", "time_ns")
