# SPDX-License-Identifier: GPL-2.0-only
"""The part of a report that shows a sweep: RESULTS/<sweep>/sweep-summary.csv."""

from rocelab.draw import style
from rocelab.draw.sweep_plots import (
    ANY,
    METRICS,
    describe_intervals,
    describe_metric,
    find_unfinished,
    get_looks,
    make_panels,
    read_numbers,
)
from rocelab.errors import UserError
from rocelab.report.figure_part import make_figure_charts
from rocelab.results.sweep_table import get_value, list_texts, select
from rocelab.terminal.table import format_number

#: Metrics that have a chart, if the sweep has them.
DRAWN = ("fct_us_mean", "fct_us_p99", "slowdown_mean", "slowdown_p99", "goodput_to_last_start_gbps", "goodput_gbps")


def format_mean(row, metric):
    """Return the mean of a metric with the half width of its confidence interval."""
    mean, half = get_value(row, metric)
    return format_number(mean) + (f" \u00b1 {format_number(half)}" if half else "")


def get_cells(table, metrics):
    """Return (headers, rows) of the table of means: axes, NIC, results, metrics."""
    headers = [*table.axes, "NIC", "results/\nruns"]
    axes = map(describe_metric, metrics)
    headers += [f"{axis['label']}\n{style.write_unit(axis['unit'])}" for axis in axes]
    rows = [
        [*(row[axis] for axis in table.axes), row["nic"], f"{row['results']}/{row['runs']}"]
        + [format_mean(row, metric) for metric in metrics]
        for row in table.rows
    ]
    return headers, rows


def choose_axis(table):
    """Return the axis of the charts: the first one of several numbers; None if there is none."""
    found = ((axis, list_texts(table.rows, axis)) for axis in table.axes)
    return next((axis for axis, texts in found if len(texts) > 1 and read_numbers(texts)), None)


def make_sweep_charts(table, selection):
    """Return a chart per metric: its mean over the axis, a line per NIC and value of the other axes."""
    panels = make_panels(table, [metric for metric in DRAWN if metric in table.metrics], selection)
    for panel in panels:
        for name, halves in panel["intervals"].items():
            panel["intervals"][name] = {str(place): half for place, half in halves.items()}
    return make_figure_charts({"panels": panels}, get_looks(selection))


def add_sweep(page, table, number):
    """Append the means of a sweep as a table, and as charts over its first axis of numbers."""
    page.add_heading(table.name, number)
    page.add_note(
        f"Sweep over {', '.join(table.axes) or 'seeds only'}: means, and half widths of their 95 % confidence intervals."
    )
    page.add("<h2>Results</h2>")
    page.add_table(*get_cells(table, [metric for metric in METRICS if metric in table.metrics]))
    axis = choose_axis(table)
    if axis is None:
        return
    try:
        selection = select(table, {}, axis, ANY)
    except UserError as error:
        page.add_note(f"No plots: {error}.")
        return
    page.add("<h2>Means over the first axis</h2>")
    page.add_charts(make_sweep_charts(table, selection))
    page.add_list("limits", [describe_intervals(selection), *find_unfinished(selection)])
