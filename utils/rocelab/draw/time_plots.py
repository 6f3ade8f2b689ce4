# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of what a run has sampled over time: a line per NIC that has the series."""

import numpy

from rocelab.draw import plots, style
from rocelab.results.link_events import describe_link_events, list_link_events
from rocelab.results.series import get_path, read_series, summarize

MANY_US = 5000  # A longer time is drawn in ms.
KILO = 1e3
PERCENT = 100
MARKERS = 10  # Of a line.
BAND = (10, 90)  # Percentiles.
MOST_BANDS = 2  # More cannot be distinguished.
BAND_ALPHA = 0.15
EVENT_LINES = {True: (0, (4, 2)), False: (0, (1, 2))}  # Of links that go down, or come up.
GAP = 3  # Intervals without a sample that break a line.


def has_series(scenario, name):
    """Tell whether any NIC of a ScenarioResult has the series of that name."""
    return any(get_path(nic, name).exists() for nic in scenario.nics)


def draw_queue_depth(scenario, page=None):
    """Return the picture of the deepest queue in each interval."""
    return draw_over_time(
        scenario,
        "queue",
        "Deepest queue (kB)",
        lambda series: summarize(series, "max_bytes", lambda group: numpy.max(group) / KILO),
        lambda series: f"Largest number of bytes in one of {describe_ports(series)} since the previous sample.",
        page=page,
    )


def draw_port_throughput(scenario, page=None):
    """Return the picture of the mean throughput of all ports, whose links may differ in rate."""

    def reduce(series):
        times, sent = summarize(series, "gbps", numpy.mean)
        _, line = summarize(series, "line_gbps", numpy.mean)
        return times, PERCENT * sent / line

    return draw_over_time(
        scenario,
        "port",
        "Throughput (% of line rate)",
        reduce,
        lambda series: f"Utilisation of {describe_ports(series)}, percent of line rate, with all overhead.",
        page=page,
    )


def draw_sending_rate(scenario, page=None):
    """Return the picture of how fast flows send."""

    def draw_band(axes, series, scale, color):
        low, high = (
            summarize(series, "sending_gbps", lambda group, p=percent: numpy.percentile(group, p))
            for percent in BAND
        )
        axes.fill_between(low[0] / scale, low[1], high[1], color=color, alpha=BAND_ALPHA, lw=0)

    has_bands = len(scenario.nics) <= MOST_BANDS
    band = f"; band: P{BAND[0]} to P{BAND[1]}." if has_bands else "."
    return draw_over_time(
        scenario,
        "rate",
        "Sending rate (Gb/s)",
        lambda series: break_at_gaps(*summarize(series, "sending_gbps", numpy.mean)),
        lambda _: "Payload rate of a flow, mean over all active flows" + band,
        draw_band if has_bands else None,
        page=page,
    )


def draw_goodput(scenario, page=None):
    """Return the picture of the payload that all workloads deliver."""
    return draw_over_time(
        scenario,
        "goodput",
        "Goodput (Gb/s)",
        lambda series: summarize(series, "goodput_gbps", numpy.sum),
        lambda _: "Payload that all workloads deliver.",
        page=page,
    )


def break_at_gaps(times, values):
    """Return times and values with a NaN amid each gap: there is no rate while no flow is under way.

    A gap is several times as long as the intervals on both sides of it: these may change, but not at once.
    """
    steps = numpy.diff(times)
    around = numpy.maximum(numpy.append(steps[1:], 0), numpy.insert(steps[:-1], 0, 0))
    gaps = numpy.flatnonzero((steps > GAP * around) & (around > 0)) + 1
    return numpy.insert(times, gaps, (times[gaps - 1] + times[gaps]) / 2), numpy.insert(values, gaps, numpy.nan)


def describe_ports(series):
    """Return how many ports a series tells of, as "160 ports"."""
    ports = len(numpy.unique(series[["node", "port"]])) if len(series) else 0
    return f"{ports} port{'' if ports == 1 else 's'}"


def choose_time_unit(times_us):
    """Return (us per unit, name of the unit) for an axis of those times."""
    is_long = len(times_us) and times_us[-1] > MANY_US
    return (KILO, "ms") if is_long else (1, plots.MICROSECONDS)


def get_marked(count, order, lines):
    """Return the points of line `order` of `lines` that get a marker: few, and others than those of the rest."""
    step = max(1, count // MARKERS)
    return slice(step * order // lines, None, step)


def find_events(scenario):
    """Return the LinkEvents of a ScenarioResult, the same of all its NICs."""
    return list_link_events(scenario.nics[0].scenario) if scenario.nics else []


def draw_events(panels, scenario, scale):
    """Draw a vertical line at each change of a LinkEvent within the times of panels, in us / `scale`."""
    for axes in panels:
        low, high = axes.get_xlim()
        for event in find_events(scenario):
            for at_us, is_down in event.find_changes(high * scale):
                if low <= at_us / scale:
                    axes.axvline(at_us / scale, color=style.GREY, linewidth=0.9, linestyle=EVENT_LINES[is_down], zorder=1)


def describe_events(scenario):
    """Return the note about these lines, in a list; none without events."""
    text = describe_link_events(find_events(scenario)).replace(" us", f" {plots.MICROSECONDS}")
    return [f"Vertical lines: {text}."] if text else []


def draw_over_time(scenario, name, label, reduce, describe, draw_more=None, page=None):
    """Return a Figure with a line per NIC.

    reduce(series) gives times in us and values, describe(series) what they are, and
    draw_more(axes, series, us per unit of time, colour) adds to the line.
    """
    looks = plots.get_looks(scenario)
    found = [(nic, read_series(nic, name)) for nic in scenario.nics]
    found = [(nic, series) for nic, series in found if series is not None and len(series)]
    lines = [(nic, looks[nic.name].label, series) for nic, series in found]
    notes = [describe(found[0][1]), *describe_events(scenario)] if found else []
    longest = max((reduce(series)[0] for _, series in found), key=lambda t: t[-1], default=[])
    scale, unit = choose_time_unit(longest)
    with style.paper():
        canvas = plots.make_column_canvas(scenario, lines, style.PANEL_HEIGHT, notes, page)
        axes = canvas.panels[0]
        for order, (nic, label_of_nic, series) in enumerate(lines):
            times, values = reduce(series)
            look = style.get_line_look(looks[nic.name], order, len(lines), nic.is_complete)
            look["markersize"] *= plots.BIN_MARKER
            axes.plot(
                times / scale,
                values,
                label=label_of_nic,
                markevery=get_marked(len(times), order, len(lines)),
                **look,
            )
            if draw_more:
                draw_more(axes, series, scale, look["color"])
        axes.set_xlabel(f"Time ({unit})")
        axes.set_ylabel(label)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        draw_events([axes], scenario, scale)
        if not lines:
            axes.text(0.5, 0.5, "nothing was sampled", transform=axes.transAxes, ha="center")
        canvas.add_legend()
        return canvas.figure


#: Series, file name and picture of each.
DRAWINGS = (
    ("queue", "queue-depth", draw_queue_depth),
    ("port", "port-throughput", draw_port_throughput),
    ("rate", "sending-rate", draw_sending_rate),
    ("goodput", "goodput", draw_goodput),
)
