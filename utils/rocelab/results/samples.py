# SPDX-License-Identifier: GPL-2.0-only
"""Times of what workloads repeat beside flows: latencies of requests, iterations of collectives."""

from dataclasses import dataclass

import numpy

from rocelab.results.csv_table import read_table
from rocelab.results.link_events import read_us


def are_after_warmup(table, workload):
    """Tell which iterations are none of the first ones, which only warm up."""
    warmup = workload.get("warmup", 0)
    return table["iteration"] >= (warmup if isinstance(warmup, int) else 0)


def are_after_warmup_time(table, workload):
    """Tell which requests arrived after the warm-up."""
    warmup_us = sum(read_us(workload.get(key)) or 0 for key in ("start", "warmup"))
    return table["start_ns"] >= warmup_us * 1e3


@dataclass(frozen=True)
class SampleTable:
    """A result file with a row per sample."""

    file: str
    time: str  # Column, ns.
    are_measured: object  # are_measured(rows, keys of the workload): whether each row is in the summary.
    statuses: tuple = ()  # Of samples that have a time; empty: all have one.

    def is_in(self, nic):
        """Tell whether a NicResult has the file."""
        return (nic.folder / self.file).exists()

    def read(self, nic):
        """Return the rows of a NicResult as a numpy structured array, of its workload if it is of one."""
        table = read_table(nic.folder, self.file)
        return table[table["workload"] == nic.workload] if nic.workload else table

    def split(self, nic):
        """Return [(name of the workload or "", its measured rows)] of a NicResult."""
        table = self.read(nic)
        listed = {one.get("name"): one for one in nic.scenario.get("workloads", [])}
        if nic.workload:
            parts = [("", listed.get(nic.workload), table)]
        elif "workload" not in table.dtype.names:
            parts = [("", nic.scenario.get("workload"), table)]
        else:
            names = [name for name in nic.workloads if (table["workload"] == name).any()]
            parts = [(name, listed.get(name), table[table["workload"] == name]) for name in names]
        return [(name, rows[self.are_measured(rows, workload or {})]) for name, workload, rows in parts]

    def get_times(self, table):
        """Return the times of rows in us."""
        if self.statuses:
            table = table[numpy.isin(table["status"], self.statuses)]
        return table[self.time] / 1e3


REQUESTS = SampleTable("rpcs.csv", "latency_ns", are_after_warmup_time, ("ok", "not-found"))
ITERATIONS = SampleTable("collectives.csv", "time_ns", are_after_warmup)
