# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of one scenario, each a matplotlib Figure of one column's width.

A NIC whose run was interrupted, or left flows that did not complete, has a star behind its name, is
drawn hollow (bars, markers) and is explained under the picture. NICs whose flows took the same times
share a line, and the legend names them both.
"""

import math
from dataclasses import dataclass, replace

import numpy
from matplotlib.transforms import ScaledTranslation

from rocelab.draw import coincide, own_style, scales, style
from rocelab.draw.bars import draw_bars, place_labels
from rocelab.draw.canvas import Canvas
from rocelab.results.percentile import bootstrap, mean, nearest_rank

MICROSECONDS = "\u00b5s"
MAX_BARS_IN_COLUMN = 4  # More bars in each of two panels need the page's width.
NAME_ANGLE = 40  # Of names below bars, degrees.
SHORT_NAME = 12  # Letters of a name below which a panel has its usual height.
MAX_CDF_POINTS = 500  # More cannot be distinguished in print and make SVG files large.
MAX_SIZE_BINS = 16
MIN_SIZE_BINS = 4
FLOWS_PER_BIN = 200  # At least two flows of such a bin lie above its P99.
BIN_MARKER = 0.85  # Of the usual size: there are many, and error bars between them.
SIDESTEP = 2.2  # Points between the lines of two NICs, so that their error bars can be distinguished.
PERCENT = 99
LOG_MARGIN = 1.25  # Below and above what a log axis shows.
ERROR_BAR_NOTE = "Error bars: 95 % of bootstrap resamples of the bin's flows."
SIDESTEP_NOTE = (
    f"Lines of one bin are shifted by {SIDESTEP} points so that they do not overlap."
)


def get_looks(scenario):
    """Return {NIC name: NicStyle}, with a star behind the label of what is incomplete."""
    styles = style.get_styles([nic.name for nic in scenario.nics])
    return {
        nic.name: replace(
            styles[nic.name], label=styles[nic.name].label + ("" if nic.is_complete else "*")
        )
        for nic in scenario.nics
    }


def get_notes(scenario):
    """Return one starred line for each NIC whose results are not those of a complete run."""
    looks = get_looks(scenario)
    return [
        f"* {looks[nic.name].label[:-1]}: {nic.defect}."
        for nic in scenario.nics
        if not nic.is_complete
    ]


def get_fluid_notes(scenario):
    """Return what to write below a picture of flows: that those which began as a fluid are not in it."""
    looks = get_looks(scenario)
    left = [f"{looks[nic.name].label} {nic.fluid_count:,}" for nic in scenario.nics if nic.fluid_count]
    return [f"Without the flows that began as a fluid ({', '.join(left)})."] if left else []


@dataclass(frozen=True)
class Quantity:
    """What distributions of flows are of."""

    name: str  # Within a sentence.
    axis: dict  # {"label", "unit"}
    get: object  # get(completed flows): an array.
    summarize: object  # summarize(NicResult, "mean" or "p99"): a number, or None.
    least: float  # No value is below it.


FCT = Quantity(
    "FCT",
    {"label": "Flow completion time", "unit": "us"},
    lambda flows: flows["fct_ns"] / 1e3,
    lambda nic, statistic: nic.fct_us(statistic),
    0,
)
SLOWDOWN = Quantity(
    "slowdown",
    {"label": "Slowdown", "unit": "x ideal"},
    lambda flows: flows["slowdown"],
    lambda nic, statistic: nic.slowdown(statistic),
    1,
)


def draw_fct_bars(scenario, page=None):
    """Mean and P99 flow completion time per NIC."""
    return draw_statistics(scenario, FCT, page)


def draw_slowdown_bars(scenario, page=None):
    """Mean and P99 slowdown per NIC."""
    return draw_statistics(scenario, SLOWDOWN, page)


def draw_statistics(scenario, quantity, page=None):
    """Two panels of bars, mean and P99, a bar per NIC that has flows or no other traffic."""
    with_flows = [nic for nic in scenario.nics if nic.started_count or not nic.traffic]
    scenario = replace(scenario, nics=with_flows or scenario.nics)
    page = page or style.Page()
    usual = style.COLUMN_WIDTH if len(scenario.nics) <= MAX_BARS_IN_COLUMN else style.PAGE_WIDTH
    notes = page.take_notes([*get_notes(scenario), *get_fluid_notes(scenario)])
    looks = list(get_looks(scenario).values())
    complete = [nic.is_complete for nic in scenario.nics]
    with style.paper():
        height = style.PANEL_HEIGHT + find_name_height(looks)
        words = [("Mean", "P99")[place] for place in own_style.get_current().choose_panels(("Mean", "P99"))]
        canvas = Canvas(page.choose_width(usual), height, columns=len(words), notes=notes)
        for axes, word in zip(canvas.panels, words):
            statistic = word.lower()
            values = [quantity.summarize(nic, statistic) for nic in scenario.nics]
            draw_bars(axes, looks, values, complete)
            axes.tick_params(axis="x", rotation=NAME_ANGLE)
            for text in axes.get_xticklabels():
                text.set(ha="right", rotation_mode="anchor")
            axes.set_ylabel(describe(word, quantity))
        place_labels(canvas.figure)
        return canvas.figure


def find_name_height(looks):
    """Return the inches that long names below bars take in addition to short ones."""
    longest = max((len(look.label) for look in looks), default=0)
    letter = style.FONT / 72 / 2  # Half as wide as high, on average.
    return max(0, longest - SHORT_NAME) * letter * math.sin(math.radians(NAME_ANGLE))


def describe(word, quantity):
    """Return the label of an axis: "Mean FCT (us)"."""
    return style.get_axis_label({**quantity.axis, "label": f"{word} {quantity.name}"})


def get_lines(scenario):
    """Return (NIC, label, keyword arguments of Axes.plot()) of the lines to draw.

    NICs with the same flow completion times share a line.
    """

    def are_same(name, other):
        return have_same_times(scenario[name], scenario[other])

    looks = get_looks(scenario)
    groups = coincide.group([nic.name for nic in scenario.nics if len(nic.completed)], are_same)
    return [
        (
            scenario[names[0]],
            coincide.join_labels(looks[name].label for name in names),
            style.get_line_look(
                looks[names[0]], order, len(groups), scenario[names[0]].is_complete
            ),
        )
        for order, names in enumerate(groups)
    ]


def have_same_times(nic, other):
    """Return whether the flows of two runs took the same times."""
    return nic.is_complete == other.is_complete and numpy.array_equal(
        nic.completed["fct_ns"], other.completed["fct_ns"]
    )


def make_column_canvas(scenario, lines, height, notes=(), page=None, **subplots):
    """Return a Canvas of usually one column's width with room for a legend of all lines."""
    page = page or style.Page()
    return Canvas(
        page.choose_width(),
        height,
        legend=[label for _, label, _ in lines],
        notes=page.take_notes([*get_notes(scenario), *notes]),
        **subplots,
    )


def draw_fct_cdf(scenario, page=None):
    """Share of the started flows that completed within a time: ends below 1 if some never did."""
    return draw_cdf(scenario, FCT, page)


def draw_slowdown_cdf(scenario, page=None):
    """Share of the started flows that completed with at most a slowdown."""
    return draw_cdf(scenario, SLOWDOWN, page)


def draw_fct_ccdf(scenario, page=None):
    """Share of the started flows that took longer than a time, or never completed."""
    return draw_cdf(scenario, FCT, page, SHARE_ABOVE)


def draw_slowdown_ccdf(scenario, page=None):
    """Share of the started flows with a larger slowdown, or that never completed."""
    return draw_cdf(scenario, SLOWDOWN, page, SHARE_ABOVE)


@dataclass(frozen=True)
class Share:
    """What a cumulative distribution shows."""

    label: str
    is_above: bool  # The share of what is larger, on a log axis.


SHARE_BELOW = Share("Share of", False)
SHARE_ABOVE = Share("Share above, of", True)


def draw_share(axes, sample, share, order, **look):
    """Draw one line: `sample` is (values, number of all, with those that have no value).

    A single value has a marker, and below it a line from the axis.
    """
    values, shares = get_shares(*sample, share)
    if len(values) == 1:
        axes.plot(values, shares, **look)
        if not share.is_above:
            axes.vlines(values, 0, shares, color=look.get("color"))
        return
    axes.plot(values, shares, drawstyle="steps-post", markevery=(0.03 + 0.05 * order, 0.2), **look)


def get_shares(values, total, share):
    """Return (sorted values, share of `total` up to each of them, or from each of them on)."""
    values, shares = get_cdf(values, total)
    # With the value itself: the largest one has its place on a log axis.
    return values, 1 - shares + 1 / max(total, 1) if share.is_above else shares


def label_share(axes, axis, things, share):
    """Label and scale the axes of shares."""
    scales.set_log_x(axes)
    axes.set_xlabel(style.get_axis_label(axis))
    axes.set_ylabel(f"{share.label} {things}")
    if share.is_above:
        axes.set_yscale("log")
        axes.set_ylim(top=1.2)
        scales.label_log_axis(axes.yaxis)
    else:
        axes.set_ylim(0, 1.02)
    axes.grid(axis="both")


def draw_cdf(scenario, quantity, page=None, share=SHARE_BELOW):
    """Share of the started flows over a quantity of theirs."""
    lines = get_lines(scenario)
    with style.paper():
        notes = get_fluid_notes(scenario)
        canvas = make_column_canvas(scenario, lines, style.PANEL_HEIGHT, notes, page)
        axes = canvas.panels[0]
        for order, (nic, label, look) in enumerate(lines):
            sample = (quantity.get(nic.completed), nic.measured_count)
            draw_share(axes, sample, share, order, label=label, **look)
        label_share(axes, quantity.axis, "flows", share)
        say_if_empty(axes, lines)
        canvas.add_legend()
        return canvas.figure


def say_if_empty(axes, lines):
    """Write into a panel without lines why there are none."""
    if not lines:
        axes.text(0.5, 0.5, "no flow completed", transform=axes.transAxes, ha="center")
        axes.set(xticks=[], yticks=[])


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


def draw_slowdown_by_size(scenario, page=None):
    """Mean (top) and P99 (bottom) slowdown in bins of flow size with equal numbers of flows."""
    return draw_by_size(scenario, SLOWDOWN, page)


def draw_fct_by_size(scenario, page=None):
    """Mean (top) and P99 (bottom) flow completion time in the same bins."""
    return draw_by_size(scenario, FCT, page)


@dataclass(frozen=True)
class ErrorBars:
    """Which numbers of a bin have error bars, and their ends."""

    find: object  # find(NicResult, edges, summarize, quantity): [(low, high)] over bins that have flows.
    of: tuple  # The functions that summarize values.


def find_resampled(nic, edges, summarize, quantity):
    """Return between which values 95 % of the P99s of resampled flows of each bin lie."""
    return summarize_by_size(nic.completed, edges, lambda values: bootstrap(values, PERCENT), quantity)[1]


def fit_shifted(axes, values):
    """Scale the y axis of lines that are shifted: matplotlib does not find their ends on a log axis."""
    if scales.fit_scale(axes.yaxis, values):
        positive = [value for value in values if value > 0]
        axes.set_ylim(min(positive) / LOG_MARGIN, max(positive) * LOG_MARGIN)


def get_sidestep(axes, order, count):
    """Return the transform of line `order` of `count`: beside its place by some points."""
    inches = SIDESTEP * (order - (count - 1) / 2) / 72
    return axes.transData + ScaledTranslation(inches, 0, axes.figure.dpi_scale_trans)


def draw_error_bars(axes, sizes, values, bounds, **look):
    """Draw bars from the low to the high end around each value."""
    below = [value - low for value, (low, _) in zip(values, bounds)]
    above = [high - value for value, (_, high) in zip(values, bounds)]
    axes.errorbar(sizes, values, [below, above], **look, **style.ERROR_BARS)


def get_p99(values):
    """Return the 99th percentile by nearest rank."""
    return nearest_rank(values, PERCENT)


def get_size_edges(size_arrays):
    """Return rising bin edges that cut all sizes together into bins of equal numbers of flows, or the user's own.

    Sizes that many flows share may make bins collapse; the last edge lies above every size.
    """
    sizes = numpy.sort(numpy.concatenate(size_arrays))
    if len(sizes) == 0:
        return sizes
    fewest = min(len(sizes_of_nic) for sizes_of_nic in size_arrays)
    own = own_style.get_current().bins
    if own:
        return numpy.unique(own.find_edges(sizes))
    count = int(numpy.clip(fewest // FLOWS_PER_BIN, MIN_SIZE_BINS, MAX_SIZE_BINS))
    cuts = [sizes[len(sizes) * index // count] for index in range(count)]
    return numpy.unique(cuts + [sizes[-1] + 1])


def summarize_by_size(flows, edges, summarize, quantity=SLOWDOWN):
    """Return ([median size of bin], [summarize(values of bin)]) over bins that have flows."""
    sizes, values = [], []
    for low, high in zip(edges[:-1], edges[1:]):
        inside = flows[(flows["bytes"] >= low) & (flows["bytes"] < high)]
        if len(inside):
            sizes.append(float(numpy.median(inside["bytes"])))
            values.append(summarize(quantity.get(inside)))
    return sizes, values


RESAMPLED = ErrorBars(find_resampled, (get_p99,))
STATISTICS = (("Mean", mean), ("P99", get_p99))


def draw_by_size(scenario, quantity, page=None, bars=None, notes=()):
    """Mean (top) and P99 (bottom) of a quantity in bins of flow size.

    `bars` are those of one run's P99, by the bootstrap, unless others are given.
    """
    lines = get_lines(scenario)
    edges = get_size_edges([nic.completed["bytes"] for nic in scenario.nics])
    notes = [*get_fluid_notes(scenario), *notes]
    notes += [ERROR_BAR_NOTE] if lines and not bars else []
    notes += [SIDESTEP_NOTE] if len(lines) > 1 else []
    places = own_style.get_current().choose_panels([word for word, _ in STATISTICS])
    with style.paper():
        height = (1.5 if len(places) > 1 else 1) * style.PANEL_HEIGHT
        canvas = make_column_canvas(scenario, lines, height, notes, page, rows=len(places), sharex=True)
        for axes, (word, summarize) in zip(canvas.panels, [STATISTICS[place] for place in places]):
            draw_size_lines(axes, lines, edges, quantity, summarize, bars or RESAMPLED)
            axes.set_ylabel(describe(word, quantity))
        label_sizes(axes)
        canvas.figure.align_ylabels()
        canvas.add_legend()
        return canvas.figure


def draw_size_lines(axes, lines, edges, quantity, summarize, bars):
    """Draw a statistic of each bin of flow size, a line per NIC of get_lines()."""
    drawn = []
    for order, (nic, label, look) in enumerate(lines):
        place = get_sidestep(axes, order, len(lines))
        sizes, values = summarize_by_size(nic.completed, edges, summarize, quantity)
        smaller = {**look, "markersize": BIN_MARKER * look["markersize"]}
        axes.plot(sizes, values, label=label, transform=place, **smaller)
        drawn += values
        if summarize in bars.of and sizes:
            bounds = bars.find(nic, edges, summarize, quantity)
            draw_error_bars(axes, sizes, values, bounds, transform=place, ecolor=look["color"])
            drawn += [end for ends in bounds for end in ends]
    fit_shifted(axes, drawn)
    say_if_empty(axes, lines)


def label_sizes(axes):
    """Label and scale an axis of flow sizes."""
    scales.set_log_x(axes)
    axes.set_xlabel("Flow size (bytes)")
