# SPDX-License-Identifier: GPL-2.0-only
"""The default picture of a paper figure: panels of lines over one x axis, a line per series."""

import math

from matplotlib.ticker import FuncFormatter, NullLocator

from rocelab import style
from rocelab.canvas import Canvas

INCOMPLETE_NOTE = (
    "interrupted, flows that did not complete, precision not reached, or a broken invariant"
)
MAX_COLUMNS = 3
LOG_SPAN = 20  # An axis of values that span more is logarithmic, unless its "scale" is "linear".


def draw_panels(figure_data):
    """Return a matplotlib Figure of the dict that figure.json holds.

    The keys "x", "y" and "series" describe a single panel; "panels", if present, is a list of such
    dicts and wins. "incomplete" lists, per series, the x values to draw hollow. The "paper" entries
    are never drawn: they were not measured.
    """
    panels = figure_data.get("panels") or [figure_data]
    names = list(dict.fromkeys(name for panel in panels for name in panel["series"]))
    incomplete = figure_data.get("incomplete", {})
    columns = 2 if len(panels) == 4 else min(len(panels), MAX_COLUMNS)
    rows = -(-len(panels) // columns)
    styles = style.get_styles(names)
    with style.paper():
        canvas = Canvas(
            style.COLUMN_WIDTH if columns == 1 else style.PAGE_WIDTH,
            rows * (style.PANEL_HEIGHT if columns == 1 else 0.85 * style.PANEL_HEIGHT),
            rows,
            columns,
            legend=[styles[name].label for name in names],
            notes=[f"Hollow: {INCOMPLETE_NOTE}."] if any(incomplete.values()) else [],
        )
        for axes, panel in zip(canvas.panels, panels):
            draw_panel(axes, panel, styles, incomplete)
        for axes in canvas.panels[len(panels) :]:
            axes.remove()
        canvas.add_legend()
        return canvas.figure


def draw_panel(axes, panel, styles, incomplete):
    """Draw one panel: y over x, a line per series, with the points of `incomplete` hollow."""
    for order, (name, points) in enumerate(panel["series"].items()):
        drawn = [(x, y) for x, y in points if y is not None]
        look = style.get_line_look(styles[name], order, len(styles))
        axes.plot(*split(drawn), label=styles[name].label, **look)
        hollow = [(x, y) for x, y in drawn if x in incomplete.get(name, ())]
        look = style.get_line_look(styles[name], order, len(styles), is_complete=False)
        axes.plot(*split(hollow), **look | {"linestyle": "none"})
    is_linear = panel["y"].get("scale") == "linear"
    style.fit_scale(
        axes.yaxis,
        [y for points in panel["series"].values() for _, y in points],
        threshold=math.inf if is_linear else LOG_SPAN,
    )
    set_x_scale(axes, panel)
    axes.set_xlabel(style.get_axis_label(panel["x"]))
    axes.set_ylabel(style.get_axis_label(panel["y"]))


def split(points):
    """Return ([x, ...], [y, ...]) of [(x, y), ...]."""
    return [x for x, _ in points], [y for _, y in points]


def set_x_scale(axes, panel):
    """Apply the x axis' "scale": "linear" (default), "log", or "log2" with a tick at each point."""
    scale = panel["x"].get("scale", "linear")
    if scale == "log":
        style.set_log_x(axes)
    elif scale == "log2":
        places = sorted({x for points in panel["series"].values() for x, _ in points})
        axes.set_xscale("log", base=2)
        axes.set_xticks(places)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlim(places[0] / 1.5, places[-1] * 1.5)
