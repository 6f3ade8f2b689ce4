# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of one scenario, each a matplotlib Figure of one column's width.

A NIC whose run was interrupted, or left flows that did not complete, has a star behind its name, is
drawn hollow (bars, markers) and is explained under the picture.
"""

import numpy

from rocelab import style
from rocelab.canvas import Canvas
from rocelab.percentile import mean, nearest_rank

MICROSECONDS = "\u00b5s"
MAX_BARS_IN_COLUMN = 4  # More bars in each of two panels need the page's width.
LOG_BAR_SPAN = 100  # Bars stay on a linear axis up to here; their values are written on them.
MAX_CDF_POINTS = 500  # More cannot be told apart in print and make SVG files large.
MAX_SIZE_BINS = 16
MIN_SIZE_BINS = 4
FLOWS_PER_BIN = 100  # From here on a bin's P99 is not simply its largest value.


def get_notes(scenario):
    """Return one starred line for each NIC whose results are not those of a complete run."""
    return [f"* {nic.name}: {nic.defect}" for nic in scenario.nics if not nic.is_complete]


def get_labels(scenario):
    """Return {NIC name: label}, with a star behind what is incomplete."""
    styles = style.get_styles([nic.name for nic in scenario.nics])
    return {
        nic.name: styles[nic.name].label + ("" if nic.is_complete else "*")
        for nic in scenario.nics
    }


def draw_fct_bars(scenario):
    """Mean and P99 flow completion time per NIC."""
    return draw_bars(scenario, "FCT", "us", lambda nic, statistic: nic.fct_us(statistic))


def draw_slowdown_bars(scenario):
    """Mean and P99 slowdown per NIC."""
    return draw_bars(
        scenario, "slowdown", "x ideal", lambda nic, statistic: nic.slowdown(statistic)
    )


def draw_bars(scenario, label, unit, number):
    """Two panels of bars, mean and P99, a bar per NIC; number(nic, statistic) may be None."""
    width = style.COLUMN_WIDTH if len(scenario.nics) <= MAX_BARS_IN_COLUMN else style.PAGE_WIDTH
    with style.paper():
        canvas = Canvas(width, style.PANEL_HEIGHT, columns=2, notes=get_notes(scenario))
        for axes, word, statistic in zip(canvas.panels, ("Mean", "P99"), ("mean", "p99")):
            draw_bar_panel(axes, scenario, [number(nic, statistic) for nic in scenario.nics])
            axes.set_ylabel(style.get_axis_label({"label": f"{word} {label}", "unit": unit}))
        return canvas.figure


def draw_bar_panel(axes, scenario, values):
    """One bar per NIC with its value above it, in the order of the scenario."""
    styles = style.get_styles([nic.name for nic in scenario.nics])
    for position, (nic, value) in enumerate(zip(scenario.nics, values)):
        look = styles[nic.name]
        bars = axes.bar(
            position,
            value or 0,
            width=0.7,
            facecolor=look.color if nic.is_complete else "white",
            edgecolor="white" if nic.is_complete else look.color,
            linewidth=0 if nic.is_complete else 1,
            hatch=look.hatch,
        )
        axes.bar_label(bars, [format_bar_value(value)], fontsize=style.SMALL_FONT, padding=1.5)
    axes.set_xticks(
        range(len(values)),
        get_labels(scenario).values(),
        rotation=40,
        ha="right",
        rotation_mode="anchor",
    )
    axes.tick_params(axis="x", length=0, pad=2)
    axes.set_xlim(-0.6, len(values) - 0.4)
    style.fit_scale(axes.yaxis, values, threshold=LOG_BAR_SPAN)
    low, high = axes.get_ylim()
    axes.set_ylim(top=high * (high / low) ** 0.08 if axes.get_yscale() == "log" else high * 1.06)


def format_bar_value(value):
    """Return a bar's value as short as it must be to fit: three digits, or all before the point."""
    if value is None:
        return "none"
    if value >= 9999.5:
        return f"{value / 1e3:.3g}k"
    return f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"


def make_column_canvas(scenario, height, **subplots):
    """Return a Canvas of one column's width with room for a legend of all NICs."""
    return Canvas(
        style.COLUMN_WIDTH,
        height,
        legend=list(get_labels(scenario).values()),
        notes=get_notes(scenario),
        **subplots,
    )


def get_look(scenario, order):
    """Return the keyword arguments of Axes.plot() for the scenario's NIC number `order`."""
    nic = scenario.nics[order]
    look = style.get_styles([nic.name for nic in scenario.nics])[nic.name]
    return style.get_line_look(look, order, len(scenario.nics), nic.is_complete)


def draw_fct_cdf(scenario):
    """Share of the started flows that completed within a time: ends below 1 if some never did."""
    labels = get_labels(scenario)
    with style.paper():
        canvas = make_column_canvas(scenario, style.PANEL_HEIGHT)
        axes = canvas.panels[0]
        for order, nic in enumerate(scenario.nics):
            times, shares = get_cdf(nic.completed["fct_ns"] / 1e3, nic.started_count)
            axes.plot(
                times,
                shares,
                drawstyle="steps-post",
                label=labels[nic.name],
                markevery=(0.03 + 0.05 * order, 0.2),
                **get_look(scenario, order),
            )
        style.set_log_x(axes)
        axes.set_xlabel(f"Flow completion time ({MICROSECONDS})")
        axes.set_ylabel("Share of flows")
        axes.set_ylim(0, 1.02)
        axes.grid(axis="both")
        canvas.add_legend()
        return canvas.figure


def get_cdf(values, total):
    """Return (sorted values, cumulative share of `total`), thinned to MAX_CDF_POINTS ranks."""
    values = numpy.sort(values)
    count = len(values)
    if count == 0:
        return values, values
    ranks = numpy.arange(1, count + 1)
    if count > MAX_CDF_POINTS:
        ranks = numpy.unique(numpy.linspace(1, count, MAX_CDF_POINTS).round().astype(int))
    return values[ranks - 1], ranks / total


def draw_slowdown_by_size(scenario):
    """Mean (top) and P99 (bottom) slowdown in bins of flow size with equal numbers of flows."""
    labels = get_labels(scenario)
    edges = get_size_edges([nic.completed["bytes"] for nic in scenario.nics])
    with style.paper():
        canvas = make_column_canvas(scenario, 1.5 * style.PANEL_HEIGHT, rows=2, sharex=True)
        for axes, word, summarize in zip(canvas.panels, ("Mean", "P99"), (mean, get_p99)):
            drawn = []
            for order, nic in enumerate(scenario.nics):
                sizes, slowdowns = summarize_by_size(nic.completed, edges, summarize)
                axes.plot(sizes, slowdowns, label=labels[nic.name], **get_look(scenario, order))
                drawn += slowdowns
            style.fit_scale(axes.yaxis, drawn)
            axes.set_ylabel(style.get_axis_label({"label": f"{word} slowdown", "unit": "x ideal"}))
        style.set_log_x(axes)
        axes.set_xlabel("Flow size (bytes)")
        canvas.figure.align_ylabels()
        canvas.add_legend()
        return canvas.figure


def get_p99(values):
    """Return the 99th percentile by nearest rank."""
    return nearest_rank(values, 99)


def get_size_edges(size_arrays):
    """Return rising bin edges that cut all sizes together into bins of equal numbers of flows.

    Sizes that many flows share may make bins collapse; the last edge lies above every size.
    """
    sizes = numpy.sort(numpy.concatenate(size_arrays))
    if len(sizes) == 0:
        return sizes
    fewest = min(len(sizes_of_nic) for sizes_of_nic in size_arrays)
    count = int(numpy.clip(fewest // FLOWS_PER_BIN, MIN_SIZE_BINS, MAX_SIZE_BINS))
    cuts = [sizes[len(sizes) * index // count] for index in range(count)]
    return numpy.unique(cuts + [sizes[-1] + 1])


def summarize_by_size(flows, edges, summarize):
    """Return ([median size of bin], [summarize(slowdowns of bin)]) over bins that have flows."""
    sizes, values = [], []
    for low, high in zip(edges[:-1], edges[1:]):
        inside = flows[(flows["bytes"] >= low) & (flows["bytes"] < high)]
        if len(inside):
            sizes.append(float(numpy.median(inside["bytes"])))
            values.append(summarize(inside["slowdown"]))
    return sizes, values
