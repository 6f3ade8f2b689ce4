# SPDX-License-Identifier: GPL-2.0-only
"""Reading series/*.csv, what a run has sampled over time (docs/study/series.md)."""

import numpy

from rocelab.results.columns import get_columns
from rocelab.results.csv_table import read_table

#: {name of a series: its columns}
COLUMNS = {name: get_columns(f"series/{name}.csv") for name in ("queue", "port", "class", "buffer", "rate", "goodput", "spray")}


def get_path(nic, name):
    """Return where the series of that name of a NicResult is, if it is there."""
    return nic.folder / "series" / f"{name}.csv"


def read_series(nic, name):
    """Return a series as a numpy structured array; None if the run has not written it."""
    return read_table(nic.folder, f"series/{name}.csv") if get_path(nic, name).exists() else None


def summarize(series, column, reduce):
    """Return (times in us, reduce(values of that time)) over all times of a series, rising."""
    times, starts = numpy.unique(series["time_ns"], return_index=True)  # Rows are in order of time.
    values = numpy.split(series[column], starts[1:]) if len(times) else []
    return times / 1e3, numpy.array([reduce(group) for group in values])
