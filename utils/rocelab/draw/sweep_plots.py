# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of a sweep: bars and lines of means over one of its axes, with confidence intervals."""

import math
from dataclasses import replace

from rocelab.draw import own_style, scales, style
from rocelab.draw.bars import start_below
from rocelab.draw.canvas import Canvas
from rocelab.draw.panels import draw_panels
from rocelab.results.sweep_table import AxisRule, check_metric, get_value, select

#: Labels and units of what is often drawn; another column has its own name.
METRICS = {
    "fct_us_mean": ("Mean FCT", "us"),
    "fct_us_p50": ("Median FCT", "us"),
    "fct_us_p99": ("P99 FCT", "us"),
    "slowdown_mean": ("Mean slowdown", "x ideal"),
    "slowdown_p50": ("Median slowdown", "x ideal"),
    "slowdown_p99": ("P99 slowdown", "x ideal"),
    "goodput_gbps": ("Goodput to the last end", "Gb/s"),
    "goodput_to_last_start_gbps": ("Goodput to the last start", "Gb/s"),
    "fabric_drops": ("Frames dropped in the fabric", ""),
    "nic_discards": ("Frames discarded by NICs", ""),
    "ecn_marks": ("ECN marks", ""),
    "pfc_pauses": ("PFC pauses", ""),
    "retransmitted": ("Retransmitted packets", ""),
    "timeouts": ("Timeouts", ""),
}
#: The same of axes, by the end of their path.
AXES = {
    "lossRate": ("Loss rate of each link", "%", 100),
    "load": ("Load", "", 1),
    "servers": ("Servers", "", 1),
    "senders": ("Senders", "", 1),
}
#: Axes of pictures: of any kind, by default of servers, and of the loss of links only.
ANY = AxisRule(lambda axis, path: False)
SERVERS = AxisRule(lambda axis, path: path.endswith("servers"))
LOSS = AxisRule(lambda axis, path: path.endswith("lossRate") or "loss" in axis.lower(), "loss")
BAR_LOG_SPAN = 30
GROUP = 0.8  # Of the distance between two groups, bars take so much.


def describe_metric(metric):
    """Return {"label", "unit"} of a column, and its "least" value if it has one."""
    label, unit = METRICS.get(metric, (metric.replace("_", " "), ""))
    return {"label": label, "unit": unit, **({"least": 1} if metric.startswith("slowdown_") else {})}


def describe_axis(table, axis):
    """Return ({"label", "unit"}, factor of its numbers) of an axis; a name that the user gave is its label."""
    if axis in table.names:
        return {"label": axis, "unit": ""}, 1
    last = table.paths.get(axis, axis).rsplit(".", 1)[-1]
    label, unit, factor = AXES.get(last, (axis, "", 1))
    return {"label": label, "unit": unit}, factor


def read_numbers(texts):
    """Return the numbers of texts; None unless all are some."""
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def get_looks(selection):
    """Return {series: NicStyle}: the first series of a NIC has the NIC's own look, the others looks of their own."""
    styles = style.get_styles(selection.names)
    own = style.get_styles(list(selection.nics.values()))
    named = own_style.get_current().nics
    looks, seen = {}, set()
    for name, nic in selection.nics.items():
        # "srnic, load 0.3": the NIC as all pictures spell it.
        label = named.get(name, {}).get("label", own[nic].label + name[len(nic) :])
        looks[name] = replace(styles[name] if nic in seen or name in named else own[nic], label=label)
        seen.add(nic)
    return looks


def choose(table, options, only):
    """Return the Selection of a picture, its series in the user's order."""
    selection = select(table, options.where, options.x, only)
    names = own_style.get_current().sort(selection.names)
    return replace(selection, names=names, nics={name: selection.nics[name] for name in names})


def describe_intervals(selection):
    """Return the note about error bars."""
    runs = selection.most_runs
    if runs < 2:
        return "One run of each point: no confidence intervals."
    return f"Error bars: 95 % confidence interval of the mean of up to {runs} runs (Student's t)."


def find_unfinished(selection):
    """Return a note of what is missing or stalled behind the means, in a list; none if nothing is."""
    notes = []
    rows = selection.rows.values()
    missing = sum(int(row["runs"]) - int(row["results"]) for row in rows)
    stalled = sum(int(row["stalled"]) for row in rows)
    if missing:
        notes.append(f"{missing} runs have no results.")
    if stalled:
        notes.append(f"{stalled} runs ended with incomplete flows: their means cover completed flows only.")
    return notes


def draw_bars_over_axis(table, metrics, options, page, only=SERVERS):
    """Return a Figure: a panel per metric, a group of bars per value of the axis, a bar per NIC."""
    for metric in metrics:
        check_metric(table, metric)
    selection = choose(table, options, only)
    looks = get_looks(selection)
    axis, _ = describe_axis(table, selection.axis)
    width = page.choose_width(style.PAGE_WIDTH if len(metrics) > 1 else style.COLUMN_WIDTH)
    columns = min(len(metrics), 2 if width == style.PAGE_WIDTH else 1)
    rows = -(-len(metrics) // columns)
    notes = page.take_notes([describe_intervals(selection), *find_unfinished(selection)])
    with style.paper():
        canvas = Canvas(
            width,
            rows * (style.PANEL_HEIGHT if rows == 1 else 0.8 * style.PANEL_HEIGHT),
            rows,
            columns,
            legend=[look.label for look in looks.values()],
            notes=notes,
        )
        for axes, metric in zip(canvas.panels, metrics):
            draw_groups(axes, selection, looks, metric)
            axes.set_xlabel(style.get_axis_label(axis))
            axes.set_ylabel(style.get_axis_label(describe_metric(metric)))
        for axes in canvas.panels[len(metrics) :]:
            axes.remove()
        canvas.add_legend()
        return canvas.figure


def format_place(text):
    """Return a value of an axis as pictures write numbers; another text as it is."""
    return scales.format_plain(int(text)) if text.isdecimal() else text


def draw_groups(axes, selection, looks, metric):
    """Draw the bars of one metric."""
    width = GROUP / len(looks)
    drawn = []
    for order, (name, look) in enumerate(looks.items()):
        shift = (order - (len(looks) - 1) / 2) * width
        points = []
        for index, place in enumerate(selection.places):
            row = selection.rows.get((place, name))
            value, half = get_value(row, metric) if row else (None, None)
            if value is not None:
                points.append((index + shift, value, half or 0))
        if not points:
            continue
        places, values, halves = zip(*points)
        axes.bar(
            places,
            values,
            width=0.9 * width,
            label=look.label,
            facecolor=look.color,
            edgecolor="white",
            linewidth=0,
            hatch=look.hatch,
        )
        if any(halves):
            widths = style.get_half_widths(values, halves, describe_metric(metric))
            axes.errorbar(places, values, widths, ecolor="black", **style.ERROR_BARS)
        drawn += [value + half for _, value, half in points]
    axes.set_xticks(range(len(selection.places)), map(format_place, selection.places))
    axes.tick_params(axis="x", length=0, pad=2)
    axes.set_xlim(-0.6, len(selection.places) - 0.4)
    scales.fit_scale(axes.yaxis, drawn, threshold=BAR_LOG_SPAN)
    if axes.get_yscale() == "log":
        start_below(axes, [value for value in drawn if value > 0])


def draw_lines_over_axis(table, metrics, options, page, only=ANY):
    """Return a Figure: a panel per metric, a line per NIC over an axis of numbers that obeys an AxisRule."""
    for metric in metrics:
        check_metric(table, metric)
    selection = choose(table, options, only)
    if read_numbers(selection.places) is None:
        return draw_bars_over_axis(table, metrics, options, page, only)
    notes = [describe_intervals(selection), *find_unfinished(selection)]
    panels = make_panels(table, metrics, selection)
    return draw_panels({"panels": panels, "notes": notes}, get_looks(selection), page)


def make_panels(table, metrics, selection):
    """Return the panels of metrics over the axis of a selection, which is of numbers, as in figure.json."""
    axis, factor = describe_axis(table, selection.axis)
    numbers = read_numbers(selection.places)
    place_of = {text: number * factor for text, number in zip(selection.places, numbers)}
    x = {**axis, "scale": choose_x_scale(sorted(place_of.values()))}
    panels = []
    for metric in metrics:
        series, intervals = {}, {}
        for name in selection.names:
            rows = [(place_of[p], selection.rows.get((p, name))) for p in selection.places]
            points = sorted((at, *get_value(row, metric)) for at, row in rows if row)
            series[name] = [[at, value] for at, value, _ in points]
            intervals[name] = {at: half for at, _, half in points if half}
        panels.append({"x": x, "y": describe_metric(metric), "series": series, "intervals": intervals})
    return panels


def choose_x_scale(places):
    """Return the "scale" of an axis of rising numbers: logarithmic if they span decades."""
    positive = [place for place in places if place > 0]
    if len(positive) < 2 or positive[-1] < 8 * positive[0]:
        return "linear"
    if places[0] <= 0:
        return "log0" if places[0] == 0 else "linear"
    is_doubling = all(math.log2(place / positive[0]) % 1 == 0 for place in positive)
    return "log2" if is_doubling else "log"
