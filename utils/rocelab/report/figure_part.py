# SPDX-License-Identifier: GPL-2.0-only
"""The part of a report that shows a figure of examples/: RESULTS/<figure>/figure.json."""

from rocelab.draw import style
from rocelab.draw.panels import LOG_SPAN
from rocelab.report.charts import make_chart, make_series
from rocelab.results.figure_file import is_drawable
from rocelab.validate import checks


def is_log_y(panel):
    """Tell whether the picture's y axis is logarithmic (panels.py)."""
    if panel["y"].get("scale") == "linear":
        return False
    values = [y for points in panel["series"].values() for _, y in points if y]
    return bool(values) and min(values) > 0 and max(values) >= LOG_SPAN * min(values)


def make_figure_charts(data):
    """Return a chart for each panel whose axes are of numbers."""
    panels = data.get("panels") or [data]
    looks = style.get_styles(list(dict.fromkeys(name for panel in panels for name in panel["series"])))
    charts = []
    for panel in panels:
        if not all(map(is_drawable, panel["series"].values())):
            continue
        is_log_x = panel["x"].get("scale", "linear") in ("log", "log2")
        lines = []
        for name, points in panel["series"].items():
            # A logarithmic axis has no zero.
            shown = [(x, y) for x, y in points if y is not None and (x > 0 or not is_log_x)]
            if shown:
                lines.append(make_series(looks[name], *zip(*shown), points=True))
        x_axis = style.get_axis_label(panel["x"]), is_log_x
        y_axis = style.get_axis_label(panel["y"]), is_log_y(panel)
        if lines:
            charts.append(make_chart(panel["y"]["label"], x_axis, y_axis, lines))
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
