# SPDX-License-Identifier: GPL-2.0-only
"""A bar per NIC, its value above it: filled, or hollow if the results are not of a complete run."""

from rocelab.draw import scales, style

LOG_SPAN = 100  # Bars stay on a linear axis up to here; their values are written on them.
LABEL_PAD = 1.5  # Points between a bar and its label.
LABEL_GAP = 3  # Points, at least, between two labels.


def draw_bars(axes, looks, values, complete, log_span=LOG_SPAN):
    """Draw bars beside each other: a NicStyle, a value or None, and a bool of each."""
    for place, (look, value, is_complete) in enumerate(zip(looks, values, complete)):
        bars = axes.bar(
            place,
            value or 0,
            width=0.7,
            facecolor=look.color if is_complete else "white",
            edgecolor="white" if is_complete else look.color,
            linewidth=0 if is_complete else 1,
            hatch=look.hatch,
        )
        text = format_bar_value(value)
        axes.bar_label(bars, [text], fontsize=style.SMALL_FONT, padding=LABEL_PAD)
    axes.tick_params(axis="x", length=0, pad=2)
    axes.set_xticks(range(len(values)), [look.label for look in looks])
    axes.set_xlim(-0.6, len(values) - 0.4)
    scales.fit_scale(axes.yaxis, values, threshold=log_span)
    if axes.get_yscale() == "log":
        start_below(axes, [value for value in values if value])


def start_below(axes, values):
    """Let a log axis start well below the lowest bar, so that this one can be seen."""
    axes.set_ylim(bottom=min(values) / (max(values) / min(values)) ** 0.15)


def format_bar_value(value):
    """Return a bar's value as short as it must be to fit: three digits, or all before the point."""
    if value is None:
        return "none"
    if value >= scales.MILLION - 0.5:
        return f"{value / scales.MILLION:.3g}M"
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"


def place_labels(figure):
    """Turn the labels of all bars if some of them touch, and make room for them above the bars."""
    figure.draw_without_rendering()
    if any(has_touching_labels(axes) for axes in figure.axes):
        for label in (label for axes in figure.axes for label in axes.texts):
            label.set_rotation(90)
        figure.draw_without_rendering()
    for axes in figure.axes:
        make_headroom(axes)


def has_touching_labels(axes):
    """Tell whether two labels of a panel are closer to each other than LABEL_GAP."""
    gap = LABEL_GAP * axes.figure.dpi / 72
    boxes = sorted((label.get_window_extent() for label in axes.texts), key=lambda box: box.x0)
    return any(
        other.x0 - box.x1 < gap and box.y0 < other.y1 + gap and other.y0 < box.y1 + gap
        for box, other in zip(boxes, boxes[1:])
    )


def make_headroom(axes):
    """Raise the y axis until the highest label is below its end."""
    frame = axes.get_window_extent()
    top = max((label.get_window_extent().y1 for label in axes.texts), default=frame.y0)
    excess = (top - frame.y1) / frame.height  # As a share of the axis; its labels keep their size.
    if excess <= 0:
        return
    low, high = axes.get_ylim()
    factor = 1 / (1 - excess)
    if axes.get_yscale() == "log":
        axes.set_ylim(top=low * (high / low) ** factor)
    else:
        axes.set_ylim(top=low + (high - low) * factor)
