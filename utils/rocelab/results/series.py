# SPDX-License-Identifier: GPL-2.0-only
"""Reading series/*.csv, what a run has sampled over time (docs/series.md)."""

import numpy

from rocelab.results.csv_table import fail_at_row, read_table

PORT = (("time_ns", "f8"), ("node", "i8"), ("port", "i8"), ("peer", "i8"))
COLUMNS = {
    "queue": (*PORT, ("bytes", "i8"), ("max_bytes", "i8")),
    "port": (
        *PORT,
        ("line_gbps", "f8"),
        ("gbps", "f8"),
        ("marks", "i8"),
        ("drops", "i8"),
        ("pauses_sent", "i8"),
        ("paused_ns", "f8"),
    ),
    "buffer": (("time_ns", "f8"), ("node", "i8"), ("bytes", "i8")),
    "rate": (
        ("time_ns", "f8"),
        ("flow", "i8"),
        ("src", "i8"),
        ("dst", "i8"),
        ("rate_gbps", "f8"),
        ("window_bytes", "f8"),  # Empty: the window is open.
        ("in_flight_bytes", "i8"),
        ("sending_gbps", "f8"),
        ("acked_bytes", "i8"),
        ("retransmitted", "i8"),
        ("timeouts", "i8"),
    ),
}


OPTIONAL = ("window_bytes",)


def get_path(nic, name):
    """Return where the series of that name of a NicResult is, if it is there."""
    return nic.folder / "series" / f"{name}.csv"


def read_series(nic, name):
    """Return a series as a numpy structured array; None if the run has not written it."""
    path = get_path(nic, name)
    if not path.exists():
        return None
    series = read_table(path, COLUMNS[name], OPTIONAL)
    is_earlier = numpy.insert(numpy.diff(series["time_ns"]) < 0, 0, False)[: len(series)]
    fail_at_row(path, series, is_earlier, "rows in the order of their time_ns")
    return series


def summarize(series, column, reduce):
    """Return (times in us, reduce(values of that time)) over all times of a series, rising."""
    times, starts = numpy.unique(series["time_ns"], return_index=True)  # Rows are in order of time.
    values = numpy.split(series[column], starts[1:]) if len(times) else []
    return times / 1e3, numpy.array([reduce(group) for group in values])
