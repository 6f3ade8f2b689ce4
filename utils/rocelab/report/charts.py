# SPDX-License-Identifier: GPL-2.0-only
"""The plots of a report as data: what report.js draws with uPlot.

A chart is {"title", "note", "x": axis, "y": axis, "series": [...]}; an axis is {"label", "log"}, a
series {"label", "color", "dash", "points", "step", "x", "y"}.
"""

import math

import numpy

from rocelab.draw import plots, time_plots
from rocelab.results.folders import split_workloads
from rocelab.results.percentile import mean
from rocelab.results.series import read_series, summarize

DIGITS = 5  # Of a number; more cannot be seen.
MOST_POINTS = 2000  # Of a line over time.
DASH_SCALE = 3  # Pixels per unit of a matplotlib dash.
STEPS = 200  # Points of the flows under way.


def make_charts(scenario):
    """Return the charts of a ScenarioResult for which it has data."""
    flows = split_workloads(scenario)
    charts = [
        make_cdf(flows, "Flow completion time", "FCT (us)", lambda flows: flows["fct_ns"] / 1e3),
        make_cdf(flows, "Slowdown", "Slowdown (x ideal)", lambda flows: flows["slowdown"]),
        make_by_size(flows, "Mean slowdown by flow size", mean),
        make_by_size(flows, "P99 slowdown by flow size", plots.get_p99),
        make_under_way(flows),
        make_over_time(scenario, "queue", "Deepest queue", "Bytes in any port (kB)", reduce_queue),
        make_over_time(scenario, "port", "Throughput of all ports", "% of line rate", reduce_ports),
        make_over_time(scenario, "rate", "Sending rate of a flow, mean", "Gb/s", reduce_rate),
    ]
    return [chart for chart in charts if chart["series"]]


def make_chart(title, x_axis, y_axis, series, note=""):
    """Return a chart; an axis is (label, whether it is logarithmic)."""
    x, y = ({"label": label, "log": is_log} for label, is_log in (x_axis, y_axis))
    return {"title": title, "note": note, "x": x, "y": y, "series": series}


def make_series(look, x, y, points=False, step=False):
    """Return one line in the look of a NIC."""
    dashes = look.dashes[1] if isinstance(look.dashes, tuple) else ()
    return {
        "label": look.label,
        "color": look.color,
        "dash": [round(DASH_SCALE * length, 1) for length in dashes],
        "points": points,
        "step": step,
        "x": round_all(x),
        "y": round_all(y),
    }


def round_all(values):
    """Return a list of numbers with few digits; None for what is no number."""
    return [float(f"{v:.{DIGITS}g}") if math.isfinite(v) else None for v in map(float, values)]


def make_cdf(scenario, title, label, get):
    """Return the share of started flows over a number of theirs."""
    looks = plots.get_looks(scenario)
    series = []
    for nic in scenario.nics:
        values, shares = plots.get_cdf(get(nic.completed), nic.started_count)
        if len(values):
            series.append(make_series(looks[nic.name], values, shares, step=True))
    return make_chart(title, (label, True), ("Share of flows", False), series)


def make_by_size(scenario, title, reduce):
    """Return a number of the slowdowns in bins of flow size with equal numbers of flows."""
    looks = plots.get_looks(scenario)
    edges = plots.get_size_edges([nic.completed["bytes"] for nic in scenario.nics])
    series = []
    for nic in scenario.nics:
        sizes, values = plots.summarize_by_size(nic.completed, edges, reduce)
        if sizes:
            series.append(make_series(looks[nic.name], sizes, values, points=True))
    return make_chart(title, ("Flow size (bytes)", True), ("Slowdown (x ideal)", True), series)


def make_under_way(scenario):
    """Return how many flows are under way over time: whether a run came to a steady state."""
    looks = plots.get_looks(scenario)
    ends = [end for nic in scenario.nics if len(nic.completed) for end in [get_ends(nic).max()]]
    times = numpy.linspace(0, max(ends, default=0), STEPS + 1)
    series = []
    for nic in scenario.nics:
        if not len(nic.completed):
            continue
        starts = numpy.sort(nic.flows["start_ns"])
        # A flow that never completed stays under way.
        count = numpy.searchsorted(starts, times, "right")
        count = count - numpy.searchsorted(numpy.sort(get_ends(nic)), times, "right")
        series.append(make_series(looks[nic.name], times / 1e3, count))
    return make_chart("Flows under way", ("Time (us)", False), ("Flows", False), series)


def get_ends(nic):
    """Return when the flows that completed did, ns."""
    done = nic.flows[nic.flows["status"] == "completed"]
    return done["start_ns"] + done["fct_ns"]


def reduce_queue(series):
    """Return (times, the deepest queue in kB)."""
    return summarize(series, "max_bytes", lambda group: numpy.max(group) / 1e3)


def reduce_ports(series):
    """Return (times, what all ports send in percent of what they could)."""
    times, sent = summarize(series, "gbps", numpy.mean)
    return times, 100 * sent / summarize(series, "line_gbps", numpy.mean)[1]


def reduce_rate(series):
    """Return (times, mean sending rate of the flows under way), broken where there are none."""
    return time_plots.break_at_gaps(*summarize(series, "sending_gbps", numpy.mean))


def thin(values, step):
    """Return the largest of each `step` values; NaN if one of them is: there the line is broken."""
    return numpy.array([numpy.max(values[i : i + step]) for i in range(0, len(values), step)])


def make_over_time(scenario, name, title, label, reduce):
    """Return what a run sampled, a line per NIC that has the series."""
    looks = plots.get_looks(scenario)
    series, is_thinned = [], False
    for nic in scenario.nics:
        rows = read_series(nic, name)
        if rows is None or not len(rows):
            continue
        times, values = reduce(rows)
        step = -(-len(times) // MOST_POINTS)
        is_thinned |= step > 1
        series.append(make_series(looks[nic.name], times[::step], thin(values, step)))
    note = f"The largest of each few samples: {MOST_POINTS:,} or fewer." if is_thinned else ""
    return make_chart(title, ("Time (us)", False), (label, False), series, note)
