# SPDX-License-Identifier: GPL-2.0-only
"""The frame of every picture: panels, a legend above them, small print below."""

import math
import textwrap

from matplotlib.figure import Figure

from rocelab import style

# Inches, of the fonts and legend spacings in style.RC.
LEGEND_ROW = 0.165
LEGEND_HANDLE = 0.42  # Handle and gaps of one entry.
LEGEND_LETTER = 0.07
NOTE_ROW = 0.125
NOTE_LETTER = 0.054
GAP = 0.03  # Between the panels and what stands above or below them.


class Canvas:
    """A figure of one column's or one page's width whose panels keep their size.

    Legend and small print get their own strips above and below, so that they never cover data.
    """

    def __init__(self, width, height, rows=1, columns=1, legend=(), notes=(), **subplots):
        """Make panels of `height` inches, room for `legend` labels, and the lines of `notes`."""
        notes = [line for note in notes for line in textwrap.wrap(note, int(width / NOTE_LETTER))]
        self._legend_columns = get_legend_columns(width, legend)
        legend_rows = math.ceil(len(legend) / self._legend_columns)
        top = legend_rows * LEGEND_ROW + (GAP if legend_rows else 0)
        bottom = len(notes) * NOTE_ROW + (GAP if notes else 0)
        total = height + top + bottom
        self.figure = Figure(figsize=(width, total), layout="constrained")
        self.figure.get_layout_engine().set(
            rect=(0, bottom / total, 1, height / total), w_pad=0.03, h_pad=0.03
        )
        self.panels = self.figure.subplots(rows, columns, squeeze=False, **subplots).ravel()
        for line, note in enumerate(reversed(notes)):
            y = (line * NOTE_ROW + GAP) / total
            self.figure.text(0.012, y, note, fontsize=style.SMALL_FONT, va="bottom")

    def add_legend(self):
        """Put the legend of the first panel above all panels."""
        handles, labels = self.panels[0].get_legend_handles_labels()
        self.figure.legend(
            handles, labels, loc="upper center", ncol=self._legend_columns, borderaxespad=0.15
        )


def get_legend_columns(width, labels):
    """Return the largest number of legend columns that fits; entries run down the columns."""
    for columns in range(len(labels), 1, -1):
        rows = math.ceil(len(labels) / columns)
        longest = [
            max(len(label) for label in labels[start : start + rows])
            for start in range(0, len(labels), rows)
        ]
        if sum(LEGEND_HANDLE + LEGEND_LETTER * length for length in longest) <= width:
            return columns
    return 1
