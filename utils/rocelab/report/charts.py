# SPDX-License-Identifier: GPL-2.0-only
"""The plots of a report as data: what report.js draws with uPlot, with the scales and units of the pictures.

A chart is {"title", "note", "x": axis, "y": axis, "series": [...]}. An axis is {"label", "scale"}: "linear", "log",
"log2", or "log0" with "least", its first value beyond zero; "binary" is set if 1024 is written "1Ki". A series is
{"label", "color", "dash", "points", "step", "x", "y"}, with "low" and "high" if it has error bars, and "hollow", the
places of points that are drawn so. "events" of a chart are places of vertical lines: links that go down or come up.
"""

import math

import numpy

from rocelab.draw import plots, scales, style, time_plots
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
        make_cdf(flows, "Flow completion time", plots.FCT, plots.SHARE_BELOW),
        make_cdf(flows, "Flow completion time, tail", plots.FCT, plots.SHARE_ABOVE),
        make_cdf(flows, "Slowdown", plots.SLOWDOWN, plots.SHARE_BELOW),
        make_cdf(flows, "Slowdown, tail", plots.SLOWDOWN, plots.SHARE_ABOVE),
        make_by_size(flows, "Mean", mean),
        make_by_size(flows, "P99", plots.get_p99),
        make_under_way(flows),
        make_over_time(scenario, "queue", "Deepest queue", "Deepest queue (kB)", reduce_queue),
        make_over_time(scenario, "port", "Throughput of all ports", "Throughput (% of line rate)", reduce_ports),
        make_over_time(scenario, "rate", "Sending rate of a flow, mean", "Sending rate (Gb/s)", reduce_rate),
    ]
    return [chart for chart in charts if chart["series"]]


def make_axis(label, scale="linear", **more):
    """Return an axis."""
    return {"label": label, "scale": scale, **more}


def make_chart(title, x_axis, y_axis, series, note=""):
    """Return a chart of two axes."""
    return {"title": title, "note": note, "x": x_axis, "y": y_axis, "series": series}


def make_series(look, x, y, points=False, step=False, bounds=None, hollow=()):
    """Return one line in the look of a NIC; `bounds` are (low, high) of each point, or None."""
    dashes = look.dashes[1] if isinstance(look.dashes, tuple) else ()
    made = {
        "label": look.label,
        "color": look.color,
        "dash": [round(DASH_SCALE * length, 1) for length in dashes],
        "points": points,
        "step": step,
        "x": round_all(x),
        "y": round_all(y),
    }
    if bounds:
        low, high = zip(*((one or (math.nan, math.nan)) for one in bounds))
        made |= {"low": round_all(low), "high": round_all(high)}
    if hollow:
        made["hollow"] = [place for place, at in enumerate(x) if at in hollow]
    return made


def round_all(values):
    """Return a list of numbers with few digits; None for what is no number."""
    return [float(f"{v:.{DIGITS}g}") if math.isfinite(v) else None for v in map(float, values)]


def make_cdf(scenario, title, quantity, share):
    """Return a plots.Share of started flows over a plots.Quantity of theirs."""
    looks = plots.get_looks(scenario)
    series = []
    for nic in scenario.nics:
        values, shares = plots.get_shares(quantity.get(nic.completed), nic.measured_count, share)
        if len(values):
            series.append(make_series(looks[nic.name], values, shares, step=True))
    y_axis = make_axis(f"{share.label} flows", "log" if share.is_above else "linear")
    note = " ".join(plots.get_fluid_notes(scenario))
    return make_chart(title, make_axis(style.get_axis_label(quantity.axis), "log"), y_axis, series, note)


def make_by_size(scenario, word, summarize_values):
    """Return "Mean" or "P99" of the slowdowns in bins of flow size with equal numbers of flows."""
    looks = plots.get_looks(scenario)
    edges = plots.get_size_edges([nic.completed["bytes"] for nic in scenario.nics])
    has_bars = summarize_values is plots.get_p99
    series, drawn = [], []
    for nic in scenario.nics:
        sizes, values = plots.summarize_by_size(nic.completed, edges, summarize_values)
        if sizes:
            bounds = plots.find_resampled(nic, edges, summarize_values, plots.SLOWDOWN) if has_bars else None
            series.append(make_series(looks[nic.name], sizes, values, points=True, bounds=bounds))
            drawn += [*values, *(end for ends in bounds or () for end in ends)]
    scale = "log" if scales.does_span(drawn, scales.LOG_SPAN) else "linear"
    y_axis = make_axis(plots.describe(word, plots.SLOWDOWN), scale)
    note = " ".join([*plots.get_fluid_notes(scenario), *([plots.ERROR_BAR_NOTE] if has_bars else [])])
    return make_chart(f"{word} slowdown by flow size", make_axis("Flow size (bytes)", "log"), y_axis, series, note)


def make_under_way(scenario):
    """Return how many flows are under way over time: whether a run came to a steady state."""
    looks = plots.get_looks(scenario)
    ends = [end for nic in scenario.nics if len(nic.completed) for end in [get_ends(nic).max()]]
    # In a fluid only those flows are known that are still under way at its end.
    begin = max((nic.summary.get("fluid", {}).get("until_us", 0) * 1e3 for nic in scenario.nics), default=0)
    times = numpy.linspace(begin, max(ends, default=begin), STEPS + 1)
    scale, unit = time_plots.choose_time_unit(times / 1e3)
    series = []
    for nic in scenario.nics:
        if not len(nic.completed):
            continue
        starts = numpy.sort(nic.flows["start_ns"])
        # A flow that never completed stays under way.
        count = numpy.searchsorted(starts, times, "right")
        count = count - numpy.searchsorted(numpy.sort(get_ends(nic)), times, "right")
        series.append(make_series(looks[nic.name], times / 1e3 / scale, count))
    return make_chart("Flows under way", make_axis(f"Time ({unit})"), make_axis("Flows"), series)


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
    found = [(nic, read_series(nic, name)) for nic in scenario.nics]
    lines = [(nic, *reduce(rows)) for nic, rows in found if rows is not None and len(rows)]
    longest = max((times for _, times, _ in lines), key=lambda times: times[-1], default=[])
    scale, unit = time_plots.choose_time_unit(longest)
    series, is_thinned = [], False
    for nic, times, values in lines:
        step = -(-len(times) // MOST_POINTS)
        is_thinned |= step > 1
        series.append(make_series(looks[nic.name], times[::step] / scale, thin(values, step)))
    note = f"Each point is the largest of a few samples: at most {MOST_POINTS:,} points." if is_thinned else ""
    notes = [text for text in (note, *time_plots.describe_events(scenario)) if text]
    chart = make_chart(title, make_axis(f"Time ({unit})"), make_axis(label), series, " ".join(notes))
    events = [event.at_us / scale for event in time_plots.find_events(scenario)]
    return {**chart, "events": events} if events else chart
