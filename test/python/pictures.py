# SPDX-License-Identifier: GPL-2.0-only
"""What every picture has to fulfil, read from its matplotlib objects."""

import re
from itertools import combinations
from math import cos, radians, sin

from rocelab.draw import style

LEAST_LABELS = 3
LEAST_MARKER = 3.5  # Points.
# A thousand without its comma, or as a prefix, which reads as a unit.
OTHER_NUMBER = re.compile(r"-?(\d{4,}(\.\d+)?|[\d.]+k)")


def check_picture(figure):
    """Fail unless the picture can be read: see the functions below."""
    with style.paper():  # Ticks get their font when they are first drawn.
        figure.draw_without_rendering()
    texts = get_visible_texts(figure)
    assert find_overlaps(texts) == []
    assert find_clipped(figure, texts) == []
    assert find_sparse_log_axes(figure) == []
    assert find_hidden_series(figure) == []
    assert find_other_numbers(figure) == []
    assert find_small_markers(figure) == []
    for axes in figure.axes:
        assert axes.get_lines() or axes.patches or axes.texts or axes.images or axes.collections, "a panel with nothing in it"


def get_visible_texts(figure):
    """Return all texts that the picture shows."""
    texts = list(figure.texts)
    for legend in figure.legends:
        texts += legend.get_texts()
    for axes in figure.axes:
        texts += [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
        texts += get_tick_labels(axes.xaxis) + get_tick_labels(axes.yaxis)
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def get_tick_labels(axis):
    """Return the labels of the ticks within the ends of an axis."""
    low, high = sorted(axis.get_view_interval())
    return [
        tick.label1
        for tick in axis.get_major_ticks()
        if tick.label1.get_visible()
        and tick.label1.get_text()
        and low * (1 - 1e-9) <= tick.get_loc() <= high * (1 + 1e-9)
    ]


def get_corners(text):
    """Return the corners of a text's box, turned as the text is, in pixels, one after the other."""
    angle, mode = text.get_rotation(), text.get_rotation_mode()
    around = text.get_window_extent()
    text.set(rotation=0, rotation_mode=None)
    flat = text.get_window_extent()
    text.set(rotation=angle, rotation_mode=mode)
    cosine, sine = cos(radians(angle)), sin(radians(angle))
    x, y = (around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2
    halves = [
        (flat.width * right / 2, flat.height * up / 2)
        for right, up in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return [(x + w * cosine - h * sine, y + w * sine + h * cosine) for w, h in halves]


def do_overlap(corners, others):
    """Tell whether two convex shapes overlap: no line of their sides has them on two sides."""
    for shape in (corners, others):
        for (x0, y0), (x1, y1) in zip(shape, shape[1:] + shape[:1]):
            normal = (y1 - y0, x0 - x1)
            spans = [
                [normal[0] * x + normal[1] * y for x, y in points] for points in (corners, others)
            ]
            if max(spans[0]) <= min(spans[1]) or max(spans[1]) <= min(spans[0]):
                return False
    return True


def find_overlaps(texts):
    """Return the pairs of texts that cover parts of each other."""
    shapes = [(text.get_text(), get_corners(text)) for text in texts]
    return [
        (one, other)
        for (one, corners), (other, others) in combinations(shapes, 2)
        if do_overlap(corners, others)
    ]


def find_clipped(figure, texts):
    """Return the texts that reach beyond the picture, by more than half a pixel of the screen."""
    page = figure.bbox
    clipped = []
    for text in texts:
        box = text.get_window_extent()
        room = (box.x0 - page.x0, box.y0 - page.y0, page.x1 - box.x1, page.y1 - box.y1)
        if min(room) < -0.5:
            clipped.append(text.get_text())
    return clipped


def find_sparse_log_axes(figure):
    """Return the names of log axes with fewer than three labels, unless all points have one."""
    sparse = []
    for axes in figure.axes:
        places = {x for line in axes.get_lines() for x in line.get_xdata()}
        for axis in (axes.xaxis, axes.yaxis):
            count = len(get_tick_labels(axis))  # None if another panel has the labels.
            is_full = axis is axes.xaxis and count == len(places)
            if axis.get_scale() != "linear" and 0 < count < LEAST_LABELS and not is_full:
                sparse.append(axis.get_label_text())
    return sparse


def find_other_numbers(figure):
    """Return the numbers of ticks, bars and colours whose thousands are not written as "1,000"."""
    texts = [text for axes in figure.axes for text in axes.texts]
    for axes in figure.axes:
        texts += get_tick_labels(axes.xaxis) + get_tick_labels(axes.yaxis)
    return [text.get_text() for text in texts if OTHER_NUMBER.fullmatch(text.get_text())]


def find_small_markers(figure):
    """Return the labels of lines of a legend whose markers cannot be seen in print."""
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    return [
        line.get_label()
        for line in lines
        if not line.get_label().startswith("_")
        and line.get_marker() not in ("None", None, "")
        and line.get_markersize() < LEAST_MARKER
    ]


def find_hidden_series(figure):
    """Return the labels of lines with the same points in one panel that no note names together."""
    notes = " ".join(text.get_text() for text in figure.texts)
    hidden = []
    for axes in figure.axes:
        lines = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
        for one, other in combinations([line for line in lines if len(line.get_xdata())], 2):
            if list(one.get_xdata()) == list(other.get_xdata()):
                if list(one.get_ydata()) == list(other.get_ydata()):
                    labels = (one.get_label(), other.get_label())
                    if not all(label in notes for label in labels) or " = " not in notes:
                        hidden.append(labels)
    return hidden
