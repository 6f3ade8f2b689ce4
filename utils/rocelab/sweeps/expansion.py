# SPDX-License-Identifier: GPL-2.0-only
"""From axes to points: every combination of the values of a sweep."""

import itertools
import json
from dataclasses import dataclass

from rocelab.errors import MAX_QUOTED

MAX_POINTS = 100_000
MAX_NAME = 200  # Folders are named by it; file systems end at 255.


@dataclass(frozen=True)
class Point:
    """One value for each axis."""

    axes: tuple
    values: tuple  # AxisValues.

    @property
    def name(self):
        """What run names begin with; empty of a sweep without axes."""
        return ",".join(f"{axis.name}={value.label}" for axis, value in zip(self.axes, self.values))

    def get_ranks(self, default):
        """Return the most that any value asks for."""
        return max((value.ranks for value in self.values if value.ranks), default=default)

    @property
    def settings(self):
        """PATH=VALUE for the engine's --set."""
        return [
            f"{axis.path}={json.dumps(value.value)}" for axis, value in zip(self.axes, self.values)
        ]

    @property
    def columns(self):
        """{axis name: what the table says}; objects and lists by their label."""
        return {
            axis.name: value.label
            if isinstance(value.value, (dict, list, bool, type(None)))
            else value.value
            for axis, value in zip(self.axes, self.values)
        }


def expand(sweep):
    """Return the Points of a Sweep; the axis that is listed last varies fastest."""
    count = 1
    for group in sweep.groups:
        count *= len(group[0].values)
        if count > MAX_POINTS:
            group[0].node.fail(f"at most {MAX_POINTS:,} combinations of values", "more")
    steps = [list(zip(*(axis.values for axis in group))) for group in sweep.groups]
    axes = tuple(sweep.axes)
    points = [
        Point(axes, tuple(itertools.chain.from_iterable(choice)))
        for choice in itertools.product(*steps)
    ]
    for point in points:
        if len(point.name) > MAX_NAME:
            sweep.root.get("axes").fail(
                f"run names of at most {MAX_NAME} characters (name and labels make them shorter)",
                f"{len(point.name)}: {point.name[:MAX_QUOTED]}...",
            )
    return points
