# SPDX-License-Identifier: GPL-2.0-only
"""The frame of every picture: panels, a legend above them, small print below."""

import io
import math

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from rocelab.draw import own_style, scales, style

# Inches, of the fonts and legend spacings in style.RC.
LEGEND_ROW = 0.165
LEGEND_HANDLE = 0.42  # Handle and gaps of one entry.
NOTE_ROW = 0.125
NOTE_MARGIN = 0.04
COLOR_BAR_WIDTH = 0.08
COLOR_BAR_LENGTH = 1.5  # At least, of a picture that has one: its label stands upright.
X_AXIS = 0.42  # Height of ticks, numbers and label below a panel.
GAP = 0.03  # Between the panels and what stands above or below them.


class Picture(Figure):
    """A matplotlib Figure that a notebook shows when a cell ends with it."""

    def _repr_png_(self):
        made = io.BytesIO()
        with style.paper():
            self.savefig(made, format="png")
        return made.getvalue()


class Canvas:
    """A figure of one column's or one page's width whose panels keep their size.

    Legend and small print get their own strips above and below, so that they never cover data.
    """

    def __init__(self, width, height, rows=1, columns=1, legend=(), notes=(), **subplots):
        """Make panels of `height` inches, room for `legend` labels, and the lines of `notes`."""
        height *= (own_style.get_current().height or style.PANEL_HEIGHT) / style.PANEL_HEIGHT
        notes = [line for note in notes for line in wrap(note, width - 2 * NOTE_MARGIN)]
        self._legend_columns = get_legend_columns(width, legend)
        legend_rows = math.ceil(len(legend) / self._legend_columns)
        top = legend_rows * LEGEND_ROW + (GAP if legend_rows else 0)
        bottom = len(notes) * NOTE_ROW + (GAP if notes else 0)
        total = height + top + bottom
        self.figure = Picture(figsize=(width, total), layout="constrained")
        self.figure.get_layout_engine().set(
            rect=(0, bottom / total, 1, height / total), w_pad=0.03, h_pad=0.03
        )
        self._panel_height = height / rows - X_AXIS
        self.panels = self.figure.subplots(rows, columns, squeeze=False, **subplots).ravel()
        for axes in self.panels:
            scales.set_plain_labels(axes.xaxis)
            scales.set_plain_labels(axes.yaxis)
        for line, note in enumerate(reversed(notes)):
            y = (line * NOTE_ROW + GAP) / total
            x = NOTE_MARGIN / width
            self.figure.text(x, y, note, fontsize=style.SMALL_FONT, va="bottom")

    def add_legend(self):
        """Put one legend above all panels, with each label once."""
        handle_of = {}
        for axes in self.figure.axes:
            for handle, label in zip(*axes.get_legend_handles_labels()):
                handle_of.setdefault(label, handle)
        self.figure.legend(
            handle_of.values(),
            handle_of.keys(),
            loc="upper center",
            ncol=self._legend_columns,
            borderaxespad=0.15,
        )

    def fold_y_labels(self):
        """Break the labels of y axes that are longer than their panels are high."""
        for axes in self.panels:
            lines = wrap(axes.get_ylabel(), self._panel_height, style.FONT)
            if len(lines) > 1:
                axes.set_ylabel("\n".join(lines))

    def add_color_bar(self, mappable, panels, label):
        """Put the scale of colours at the right of the panels, as high as all of them."""
        height = self.figure.get_figheight()
        bar = self.figure.colorbar(
            mappable, ax=list(panels), pad=0.015, fraction=0.06, aspect=height / COLOR_BAR_WIDTH
        )
        bar.set_label(label)
        scales.set_plain_labels(bar.ax.yaxis)
        bar.outline.set_linewidth(0.6)
        bar.ax.grid(False)


def get_text_width(text, size):
    """Return the width of a line of text in inches, at a font size in points."""
    font = FontProperties(family=style.RC["font.sans-serif"], size=size)
    return text_to_path.get_text_width_height_descent(text, font, False)[0] / 72


def wrap(text, width, size=style.SMALL_FONT):
    """Return the lines of a text, none wider than `width` inches unless it is one word."""
    lines = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and get_text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def get_legend_columns(width, labels):
    """Return the number of legend columns for the fewest rows; entries run down the columns."""
    for rows in range(1, len(labels)):
        columns = math.ceil(len(labels) / rows)
        longest = [
            max(get_text_width(label, style.FONT) for label in column)
            for column in split_columns(labels, columns)
        ]
        if sum(LEGEND_HANDLE + length for length in longest) <= width:
            return columns
    return 1


def split_columns(labels, columns):
    """Return the labels of each column, as matplotlib deals them out: the first have one more."""
    rows, longer = divmod(len(labels), columns)
    ends = [rows * column + min(column, longer) for column in range(columns + 1)]
    return [labels[start:end] for start, end in zip(ends, ends[1:])]
