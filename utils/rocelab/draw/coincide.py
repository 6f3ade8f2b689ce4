# SPDX-License-Identifier: GPL-2.0-only
"""Series of a picture that have the same values: one line for all of them, or a note below."""

from dataclasses import replace

TOLERANCE = 1e-3  # Of the larger value: three digits, as the tables print them.


def is_same(points, others):
    """Tell whether two series, [[x, y], ...] with y None for no value, have the same points."""
    return len(points) == len(others) and all(
        x == other_x and is_close(y, other_y)
        for (x, y), (other_x, other_y) in zip(points, others)
    )


def is_close(value, other):
    """Tell whether two numbers, or None for no value, are the same to TOLERANCE."""
    if value is None or other is None:
        return value is other
    return abs(value - other) <= TOLERANCE * max(abs(value), abs(other))


def group(names, are_same):
    """Return the names in groups whose members are the same as the first of the group."""
    groups = []
    for name in names:
        for members in groups:
            if are_same(members[0], name):
                members.append(name)
                break
        else:
            groups.append([name])
    return groups


def join_labels(labels):
    """Return "A = B" of ["A", "B"]."""
    return " = ".join(labels)


def merge(panels, styles, incomplete):
    """Let series that are the same in all panels share one line; returns (panels, styles).

    The line looks like the first of them and its label names all.
    """

    def are_same(name, other):
        return incomplete.get(name, []) == incomplete.get(other, []) and all(
            is_same(panel["series"].get(name, []), panel["series"].get(other, []))
            for panel in panels
        )

    groups = group(styles, are_same)
    styles = {
        members[0]: replace(
            styles[members[0]], label=join_labels(styles[name].label for name in members)
        )
        for members in groups
    }
    panels = [
        {**panel, "series": {n: points for n, points in panel["series"].items() if n in styles}}
        for panel in panels
    ]
    return panels, styles


def get_notes(panels, styles):
    """Return a line for each set of series that are the same in some panel, and hide each other."""
    places = {}  # {"A = B": [label of a panel, ...]}
    for panel in panels:
        series = {name: points for name, points in panel["series"].items() if has_values(points)}
        for members in group(series, lambda name, other: is_same(series[name], series[other])):
            if len(members) > 1:
                text = join_labels(styles[name].label for name in members)
                places.setdefault(text, []).append(panel["y"]["label"])
    return [f"{text} in: {', '.join(labels)}." for text, labels in places.items()]


def has_values(points):
    """Tell whether a series has a value at all."""
    return any(y is not None for _, y in points)
