# SPDX-License-Identifier: GPL-2.0-only
"""Points of a figure's series, [[x, y], ...]: searches, and their table."""

from rocelab.terminal.table import format_number, format_table


def find_last(points, is_kept):
    """Return the last x of [[x, y], ...] before the first y that is_kept(y, first y) denies.

    None if all are kept, or none: then the limit lies beyond what was measured.
    """
    lost = [index for index, (_, y) in enumerate(points) if not is_kept(y, points[0][1])]
    return points[lost[0] - 1][0] if lost and lost[0] else None


def find(series, name, x):
    """Return y of a series at x; None if it was not measured."""
    return dict(map(tuple, series.get(name, []))).get(x)


def format_points(panels):
    """Return the table of all points: a line per x, a column per panel and series."""
    headers = [panels[0]["x"]["label"]]
    columns = []
    for panel in panels:
        for name, points in panel["series"].items():
            headers.append(f"{panel['y']['label']}\n{name}\n{panel['y']['unit']}")
            columns.append(dict(map(tuple, points)))
    places = sorted({x for column in columns for x in column})
    rows = [[f"{x:,}"] + [format_number(column.get(x)) for column in columns] for x in places]
    return format_table(headers, rows)
