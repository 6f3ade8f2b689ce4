# SPDX-License-Identifier: GPL-2.0-only
"""Scales of axes and their ticks: at least three labels on each, and no more than there is room for."""

import math

from matplotlib.ticker import (
    EngFormatter,
    FixedLocator,
    FuncFormatter,
    Locator,
    LogLocator,
    MaxNLocator,
    NullFormatter,
)

LEAST_LABELS = 3
FEW_LABELS = 4  # A log axis gets so many if its range allows it.
LETTER_WIDTH = 5.2  # Points, of a digit in a label.
LABEL_GAP = 4  # Points between two labels of an x axis.
LABEL_HEIGHT = 16  # Points that a label of a y axis takes, with its gap to the next.
# Mantissas of the labels of a log axis, every how many decades, from 10^n on: the fewest first.
LONG_STEPS = tuple(((1,), stride, n) for stride in (6, 4, 3, 2) for n in range(stride))
SHORT_STEPS = tuple((mantissas, 1, 0) for mantissas in ((1,), (1, 3), (1, 2, 5), range(1, 10)))
LINEAR_STEPS = (1, 2, 2.5, 5, 10)
ZERO_LABEL_WIDTH = 30  # Points for a label of such a broken axis: "0.001" is the longest.
ZERO_GAP = 0.7  # Decades between zero and the first value on an axis with scale "log0".

LOG_SPAN = 10  # An axis of values that span more is logarithmic.
MILLION = 1_000_000  # From here on labels have a prefix.

format_large = EngFormatter(sep="")


def does_span(values, threshold):
    """Tell whether the positive ones of some numbers, or None, span more than a factor: their axis is then a log one."""
    positive = [value for value in values if value and value > 0]
    return bool(positive) and max(positive) > threshold * min(positive)


def fit_scale(axis, values, threshold=LOG_SPAN):
    """Give a matplotlib x or y axis a log scale if the drawn values span more than `threshold`.

    A linear axis starts at zero, so that heights compare as the numbers do. Returns True for log.
    """
    positive = [value for value in values if value and value > 0]
    is_log = does_span(positive, threshold)
    name = axis.axis_name
    if is_log:
        axis.axes.set(**{f"{name}scale": "log"})
        label_log_axis(axis)
    else:
        # Room above the highest value, so that its marker is whole.
        top = 1.08 * max(positive) if positive else 1
        axis.axes.set(**{f"{name}lim": (0, top)})
        axis.set_major_locator(MaxNLocator(6, steps=LINEAR_STEPS))
        set_plain_labels(axis)
    return is_log


def set_log_x(axes):
    """Give the x axis a log scale, if anything is drawn."""
    if any(x > 0 for line in axes.get_lines() for x in line.get_xdata()):
        axes.set_xscale("log")
        label_log_axis(axes.xaxis)


def set_log2_x(axes, places, unit=""):
    """Give the x axis a log scale with a tick at each of the rising `places`, labels as they fit."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(ThinnedLocator(places))
    axes.xaxis.set_minor_locator(FixedLocator(places))
    axes.xaxis.set_minor_formatter(NullFormatter())
    write = format_bytes if unit == "B" else format_plain
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: write(value)))
    axes.set_xlim(places[0] / 1.5, places[-1] * 1.5)


def set_log0_x(axes, places):
    """Give the x axis a log scale with zero, one of the rising `places`, in front of a broken axis.

    Without a zero among them it is a log scale.
    """
    positive = [place for place in places if place > 0]
    if not positive or len(positive) == len(places):
        set_log_x(axes)
        return
    least = positive[0]
    axes.set_xscale("symlog", linthresh=least, linscale=ZERO_GAP * 0.9)  # See SymmetricalLogScale.
    axes.xaxis.set_major_locator(LogLocatorWithZero(least))
    axes.xaxis.set_minor_locator(FixedLocator(get_log_places(least, positive[-1], *SHORT_STEPS[-1])))
    set_plain_labels(axes.xaxis)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(-0.3 * least, positive[-1] * 1.3)
    gap = {"facecolor": "white", "edgecolor": "none", "pad": 0.2}
    middle = axes.get_xaxis_transform()
    axes.text(0.5 * least, 0, "//", transform=middle, ha="center", va="center", size=7, bbox=gap)


def label_log_axis(axis):
    """Label a log axis in plain numbers."""
    axis.set_major_locator(PlainLogLocator())
    set_plain_labels(axis)
    axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=9))
    axis.set_minor_formatter(NullFormatter())


def set_plain_labels(axis):
    """Write the numbers of an axis as all pictures do."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_plain(value)))


def format_plain(value):
    """Return a tick's value as "1e-5", "0.1", "2,500" or "1.5M"; not "100m" or "10k", which read as units."""
    text = f"{value:,g}" if abs(value) < MILLION else format_large(value)
    return text.replace("e-0", "e-")


def format_bytes(value):
    """Return a number of bytes as "512" or "64Ki"."""
    for factor, prefix in ((2**30, "Gi"), (2**20, "Mi"), (2**10, "Ki")):
        if value >= factor:
            return f"{value / factor:.4g}{prefix}"
    return f"{value:g}"


def get_log_places(low, high, mantissas, stride, start):
    """Return mantissa x 10^n from `low` to `high`, for every `stride`-th n, `start` among them."""
    first = math.floor((math.log10(low) - start) / stride) * stride + start
    last = math.ceil(math.log10(high))
    places = [m * 10.0**n for n in range(first, last + 1, stride) for m in mantissas]
    return [place for place in places if low * (1 - 1e-9) <= place <= high * (1 + 1e-9)]


def get_linear_places(low, high):
    """Return at least LEAST_LABELS round numbers from `low` to `high`."""
    places = []
    intervals = LEAST_LABELS
    while len(places) < LEAST_LABELS:
        candidates = MaxNLocator(intervals, steps=LINEAR_STEPS).tick_values(low, high)
        places = [place for place in candidates if low <= place <= high]
        intervals += 1
    return places


def get_length(axis):
    """Return the length of an axis in points."""
    box = axis.axes.get_window_extent()
    return (box.width if axis.axis_name == "x" else box.height) * 72 / axis.figure.dpi


def get_extent(axis, place):
    """Return how many points the label at `place` takes of an axis, with a gap."""
    if axis.axis_name == "y":
        return LABEL_HEIGHT
    return LABEL_GAP + LETTER_WIDTH * len(axis.get_major_formatter()(place))


def do_fit(axis, places, low, high):
    """Tell whether a log axis from `low` to `high` has room for the labels of rising places."""
    scale = get_length(axis) / math.log(high / low)
    return all(
        math.log(other / place) * scale >= (get_extent(axis, place) + get_extent(axis, other)) / 2
        for place, other in zip(places, places[1:])
    )


def keep_fitting(axis, places, low, high):
    """Return the first of rising places and each later one whose label has room beside those before it."""
    kept = places[:1]
    for place in places[1:]:
        if do_fit(axis, [kept[-1], place], low, high):
            kept.append(place)
    return kept


class PlainLogLocator(Locator):
    """Ticks of a log axis at round numbers: decades, or parts of them where the range is short."""

    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin, vmax):
        """Return the places of the labels from `vmin` to `vmax`, both positive."""
        low, high = sorted((vmin, vmax))
        if not 0 < low < high < math.inf:
            return []
        choices = [get_log_places(low, high, *step) for step in LONG_STEPS + SHORT_STEPS]
        for least in (FEW_LABELS, LEAST_LABELS):
            for places in choices:
                if len(places) >= least and do_fit(self.axis, places, low, high):
                    return places
        places = get_linear_places(low, high)
        kept = keep_fitting(self.axis, places, low, high)
        return kept if len(kept) >= LEAST_LABELS else places


class LogLocatorWithZero(Locator):
    """Ticks at zero and at decades from the first value on."""

    def __init__(self, least):
        self.least = least

    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin, vmax):
        """Return zero and the places of the labels up to `vmax`."""
        for step in SHORT_STEPS:
            places = get_log_places(self.least, vmax, *step)
            if len(places) >= LEAST_LABELS - 1:
                break
        room = get_length(self.axis) / ZERO_LABEL_WIDTH - 1
        return [0, *places[:: math.ceil(len(places) / room)]]


class ThinnedLocator(Locator):
    """Ticks of a log axis at given places, without those for whose labels there is no room."""

    def __init__(self, places):
        self.places = list(places)

    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin, vmax):
        """Return the places that get a label: if they can be so, equally far from each other."""
        for factor in (1, 2, 4, 8, 16, 32):
            kept = [place for place in self.places if is_power(place / self.places[0], factor)]
            if len(kept) >= LEAST_LABELS and do_fit(self.axis, kept, vmin, vmax):
                return kept
        return keep_fitting(self.axis, self.places, vmin, vmax)


def is_power(number, base):
    """Tell whether a number is a power of a base with a whole exponent; base 1 is for any number."""
    exponent = 0 if base == 1 else math.log(number, base)
    return abs(exponent - round(exponent)) < 1e-9
