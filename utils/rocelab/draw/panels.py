# SPDX-License-Identifier: GPL-2.0-only
"""The default picture of a paper figure: panels of lines over one x axis, a line per series."""

import math

from rocelab.draw import coincide, own_style, scales, style
from rocelab.draw.canvas import Canvas

INCOMPLETE_NOTE = (
    "interrupted, flows that did not complete, precision not reached, or a broken invariant"
)
MAX_COLUMNS = 3
LOG_SPAN = 20  # An axis of values that span more is logarithmic, unless its "scale" is "linear".


def draw_panels(figure_data, styles=None, page=None):
    """Return a matplotlib Figure of the dict that figure.json holds.

    The keys "x", "y" and "series" describe a single panel; "panels", if present, is a list of such
    dicts and wins. "incomplete" lists, per series, the x values to draw hollow. The "paper" entries
    are never drawn: they were not measured. `styles`, {series: NicStyle}, replaces the looks that
    the names of the series give.

    "intervals" of a panel, {series: {x: half width}}, are drawn as error bars, which end at the "least" value of
    "y" if it has one; "notes" of the whole
    are lines below it.  `page` says how wide the picture is; else that follows from the panels.

    Series with the same values share a line; a panel in which all values are zero, or that has
    none, is left out. The legend, or a line below the panels, says so.
    """
    panels = figure_data.get("panels") or [figure_data]
    names = own_style.get_current().sort(list(dict.fromkeys(name for panel in panels for name in panel["series"])))
    panels = [{**panel, "series": {name: panel["series"][name] for name in names if name in panel["series"]}} for panel in panels]
    styles = styles or style.get_styles(names)
    incomplete = figure_data.get("incomplete", {})
    panels, notes = leave_out_panels(panels)
    drawn = [name for name in names if is_drawn(name, panels)]
    notes += [f"{styles[name].label}: no values." for name in names if name not in drawn]
    panels, styles = coincide.merge(panels, {name: styles[name] for name in drawn}, incomplete)
    notes += coincide.get_notes(panels, styles)
    if any(incomplete.values()):
        notes.append(f"Hollow: {INCOMPLETE_NOTE}.")
    notes += figure_data.get("notes", [])
    return draw_canvas(panels, styles, incomplete, notes, page or style.Page())


def leave_out_panels(panels):
    """Return the panels that have something to show, and a note for each of the others."""
    kept, notes = [], []
    for panel in panels:
        values = [y for points in panel["series"].values() for _, y in points if y is not None]
        if any(values):
            kept.append(panel)
        else:
            text = "0 throughout" if values else "no values"
            notes.append(f"Not drawn: {panel['y']['label']}, {text}.")
    return kept, notes


def is_drawn(name, panels):
    """Tell whether a series has a value in one of the panels."""
    return any(coincide.has_values(panel["series"].get(name, [])) for panel in panels)


def draw_canvas(panels, styles, incomplete, notes, page):
    """Return the Figure of the panels, which may be none, with a legend above and notes below."""
    columns = 2 if len(panels) == 4 else max(min(len(panels), MAX_COLUMNS), 1)
    width = page.choose_width(style.COLUMN_WIDTH if columns == 1 else style.PAGE_WIDTH)
    if width < style.PAGE_WIDTH:
        columns = 1
    rows = -(-len(panels) // columns) or 1
    with style.paper():
        canvas = Canvas(
            width,
            rows * (style.PANEL_HEIGHT if columns == 1 else 0.85 * style.PANEL_HEIGHT),
            rows,
            columns,
            legend=[look.label for look in styles.values()],
            notes=page.take_notes(notes),
        )
        for axes, panel in zip(canvas.panels, panels):
            draw_panel(axes, panel, styles, incomplete)
        for axes in canvas.panels[len(panels) :]:
            axes.remove()
        canvas.fold_y_labels()
        canvas.add_legend()
        return canvas.figure


def draw_panel(axes, panel, styles, incomplete):
    """Draw one panel: y over x, a line per series, with the points of `incomplete` hollow."""
    ends = []  # Of the error bars.
    order_of = {name: order for order, name in enumerate(styles)}
    for name, points in panel["series"].items():
        drawn = [(x, y) for x, y in points if y is not None]
        look = style.get_line_look(styles[name], order_of[name], len(styles))
        axes.plot(*split(drawn), label=styles[name].label, **look)
        hollow = [(x, y) for x, y in drawn if x in incomplete.get(name, ())]
        look = style.get_line_look(styles[name], order_of[name], len(styles), is_complete=False)
        axes.plot(*split(hollow), **look | {"linestyle": "none"})
        widths = {float(x): half for x, half in panel.get("intervals", {}).get(name, {}).items()}  # Texts in JSON.
        bars = [(x, y, widths[x]) for x, y in drawn if widths.get(x)]
        if bars:
            xs, ys, halves = zip(*bars)
            axes.errorbar(xs, ys, style.get_half_widths(ys, halves, panel["y"]), ecolor=styles[name].color, **style.ERROR_BARS)
            ends += [y + width for _, y, width in bars]
    is_linear = panel["y"].get("scale") == "linear"
    scales.fit_scale(
        axes.yaxis,
        [y for points in panel["series"].values() for _, y in points] + ends,
        threshold=math.inf if is_linear else LOG_SPAN,
    )
    set_x_scale(axes, panel)
    axes.set_xlabel(style.get_axis_label(panel["x"]))
    axes.set_ylabel(style.get_axis_label(panel["y"]))


def split(points):
    """Return ([x, ...], [y, ...]) of [(x, y), ...]."""
    return [x for x, _ in points], [y for _, y in points]


def set_x_scale(axes, panel):
    """Apply the x axis' "scale".

    "linear" is the default; "log"; "log2" has a tick at each point; "log0" has zero, too.
    """
    scale = panel["x"].get("scale", "linear")
    places = sorted({x for points in panel["series"].values() for x, _ in points})
    if scale == "log":
        scales.set_log_x(axes)
    elif scale == "log2":
        scales.set_log2_x(axes, places, panel["x"].get("unit"))
    elif scale == "log0":
        scales.set_log0_x(axes, places)
