# SPDX-License-Identifier: GPL-2.0-only
"""The part of a report that shows a figure of examples/: RESULTS/<figure>/figure.json."""

from rocelab.draw import scales, style
from rocelab.draw.panels import LOG_SPAN
from rocelab.report.charts import make_axis, make_chart, make_series
from rocelab.results.figure_file import is_drawable
from rocelab.validate import checks


def make_x_axis(panel):
    """Return the axis of a chart with the scale of the picture's x axis (panels.py)."""
    label, scale = style.get_axis_label(panel["x"]), panel["x"].get("scale", "linear")
    if scale == "log2" and panel["x"].get("unit") == "B":
        return make_axis(label, scale, binary=True)
    places = {x for points in panel["series"].values() for x, _ in points}
    positive = [x for x in places if x > 0]
    if scale == "log0" and positive:
        return make_axis(label, scale, least=min(positive)) if 0 in places else make_axis(label, "log")
    return make_axis(label, scale)


def make_y_axis(panel, lines):
    """Return the same of its y axis, of charts.make_series() lines."""
    label = style.get_axis_label(panel["y"])
    values = [y for line in lines for y in [*line["y"], *line.get("high", ())]]
    is_log = panel["y"].get("scale") != "linear" and scales.does_span(values, LOG_SPAN)
    return make_axis(label, "log" if is_log else "linear")


def make_line(look, points, halves, hollow, y_axis):
    """Return the series of points, with bars of {x as text: half width}, those at the places of `hollow` hollow."""
    widths = [halves.get(str(x)) or 0 for x, _ in points]
    below, above = style.get_half_widths([y for _, y in points], widths, y_axis)
    bounds = [(y - low, y + high) if high else None for (_, y), low, high in zip(points, below, above)]
    return make_series(look, *zip(*points), points=True, bounds=bounds if any(bounds) else None, hollow=hollow)


def make_figure_charts(data, looks=None):
    """Return a chart for each panel whose axes are of numbers; `looks` are those of its series by name."""
    panels = data.get("panels") or [data]
    looks = looks or style.get_styles(list(dict.fromkeys(name for panel in panels for name in panel["series"])))
    incomplete = data.get("incomplete", {})
    charts = []
    for panel in panels:
        if not all(map(is_drawable, panel["series"].values())):
            continue
        x_axis = make_x_axis(panel)
        lines = []
        for name, points in panel["series"].items():
            # A logarithmic axis has no zero.
            shown = [(x, y) for x, y in points if y is not None and (x > 0 or x_axis["scale"] in ("linear", "log0"))]
            if shown:
                halves = panel.get("intervals", {}).get(name, {})
                lines.append(make_line(looks[name], shown, halves, incomplete.get(name, ()), panel["y"]))
        if lines:
            charts.append(make_chart(panel["y"]["label"], x_axis, make_y_axis(panel, lines), lines))
    return charts


def describe_statement(entry):
    """Return what a paper states, and where."""
    where = entry.get("where") or ", ".join(entry.get("sources", []))
    return f"{where}: {entry['statement']}." if where else f"{entry['statement']}."


def add_figure(page, figure, number):
    """Append the plots of a figure, its rows of validation, what the paper states, and its origin."""
    page.add_heading(figure.name, number)
    page.add_charts(make_figure_charts(figure.data))
    rows = [
        row
        for key in ("comparison", "checks")
        for row in figure.data.get(key, [])
        if "met" in row and "facts" in row
    ]
    if rows:
        page.add("<h2>Beside the paper</h2>")
        page.add_table(checks.HEADERS, [checks.get_cells(row) for row in rows])
    if figure.data.get("paper"):
        page.add("<h2>The paper states</h2>")
        page.add_list("limits", map(describe_statement, figure.data["paper"]))
    made = figure.data.get("made") or {}
    options = " ".join(f"{name}={value}" for name, value in made.get("options", {}).items())
    words = [f"rocelab {made.get('version', 'of an unknown version')}", made.get("commit", ""), options]
    page.add_note(", ".join(filter(None, words)) + ("; a quick run" if made.get("quick") else ""))
