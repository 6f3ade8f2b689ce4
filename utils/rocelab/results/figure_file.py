# SPDX-License-Identifier: GPL-2.0-only
"""RESULTS/<figure>/figure.json, the numbers of a figure of examples/."""

from dataclasses import dataclass
from pathlib import Path

from rocelab.results.json_files import FIGURE, read_checked

FILE = "figure.json"


@dataclass(frozen=True)
class FigureResult:
    """What a figure.py has written."""

    name: str
    data: dict


def load_figure(folder):
    """Return the FigureResult of a folder; raises UserError where its file is none of a figure."""
    path = Path(folder) / FILE
    data = read_checked(path, FIGURE)
    name = (data.get("made") or {}).get("figure")
    return FigureResult(name or path.resolve().parent.name, data)


def is_drawable(points):
    """Tell whether all points of a series are pairs of numbers, y maybe missing."""
    return all(
        isinstance(x, (int, float)) and (y is None or isinstance(y, (int, float))) for x, y in points
    )
