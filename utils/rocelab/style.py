# SPDX-License-Identifier: GPL-2.0-only
"""How every picture looks: sizes for a two-column paper, fonts, and a fixed look for each NIC.

Colours are the eight of Okabe and Ito (2008), which stay apart under the common kinds of colour
blindness; markers, dashes and hatches differ as well, so that a grey print stays readable.
"""

import zlib
from dataclasses import dataclass

import matplotlib
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from rocelab.files import write_whole

COLUMN_WIDTH = 3.4  # Inches; one column of the usual two-column conference paper.
PAGE_WIDTH = 7.0  # Inches; both columns.
PANEL_HEIGHT = 2.3  # Inches.
SMALL_FONT = 7  # Points; value labels and footnotes. Everything else is 8.

ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
BLACK = "#000000"


@dataclass(frozen=True)
class NicStyle:
    """The look of one NIC: the same in every picture."""

    label: str
    color: str
    marker: str
    dashes: object  # A matplotlib line style.
    hatch: str


WELL_KNOWN_NICS = {
    "connectx5": NicStyle("ConnectX-5", PURPLE, "v", (0, (5, 1, 1, 1, 1, 1)), "\\\\\\\\"),
    "connectx6": NicStyle("ConnectX-6", VERMILLION, "s", (0, (4, 1.5)), "////"),
    "irn": NicStyle("IRN", BLUE, "^", (0, (4, 1.2, 1, 1.2)), "...."),
    "srnic": NicStyle("SRNIC", GREEN, "o", "-", ""),
    "balboa": NicStyle("BALBOA", ORANGE, "D", (0, (1, 1)), "xxxx"),
    "strom10g": NicStyle("StRoM 10G", SKY_BLUE, "<", (0, (6, 2, 2, 2)), "----"),
    "strom100g": NicStyle("StRoM 100G", BLACK, ">", (0, (2, 1)), "||||"),
}

# What NICs are compared with, and is none.
OTHER_STACKS = {"tcp": NicStyle("TCP", BLACK, "p", (0, (1, 1.5)), "++++")}

# Looks for NICs that a user names: other markers, so that they never pass for a well-known NIC.
OTHER_LOOKS = (
    (BLACK, "P", (0, (3, 1)), "++++"),
    (SKY_BLUE, "X", (0, (1, 0.7)), "oooo"),
    (PURPLE, "*", (0, (5, 1, 1, 1)), "**"),
    (YELLOW, "d", "-", "\\\\"),
    (VERMILLION, "P", (0, (3, 1, 1, 1, 1, 1)), "//"),
    (BLUE, "X", (0, (2, 2)), "xx"),
    (GREEN, "*", (0, (6, 1)), "||"),
    (ORANGE, "d", (0, (1, 2)), "--"),
)

RC = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.columnspacing": 1.0,
    "legend.handletextpad": 0.5,
    "legend.borderpad": 0.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#d0d0d0",
    "grid.linewidth": 0.4,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "lines.linewidth": 1.2,
    "hatch.linewidth": 0.5,
    "savefig.dpi": 200,
    "svg.hashsalt": "rocelab",
    "svg.fonttype": "path",
}


def paper():
    """Return the context in which pictures are drawn and saved."""
    return matplotlib.rc_context(RC)


def get_styles(names):
    """Return {name: NicStyle} for NICs that appear in one picture.

    A well-known name always looks the same. Another name starts from a look picked by its own
    checksum and moves on only if a NIC of the same picture has it already.
    """
    known = WELL_KNOWN_NICS | OTHER_STACKS
    styles = {name: known[name] for name in names if name in known}
    taken = set()
    for name in sorted(set(names) - set(styles)):
        slot = zlib.crc32(name.encode()) % len(OTHER_LOOKS)
        while slot in taken and len(taken) < len(OTHER_LOOKS):
            slot = (slot + 1) % len(OTHER_LOOKS)
        taken.add(slot)
        styles[name] = NicStyle(name, *OTHER_LOOKS[slot])
    return styles


def get_line_look(look, order, count, is_complete=True):
    """Return the keyword arguments of Axes.plot() for line `order` of `count`.

    Markers shrink from line to line and have a white rim, so that of two lines with the same values
    both stay visible.
    """
    return {
        "color": look.color,
        "linestyle": look.dashes,
        "marker": look.marker,
        "markersize": 4.5 + 2.5 * (count - 1 - order) / max(count - 1, 1),
        "markerfacecolor": look.color if is_complete else "white",
        "markeredgecolor": "white" if is_complete else look.color,
        "markeredgewidth": 0.5 if is_complete else 0.9,
    }


def get_axis_label(axis):
    """Return "label (unit)" of {"label": ..., "unit": ...}, with print's signs for units."""
    unit = axis.get("unit", "")
    if unit == "us":
        unit = "\u00b5s"
    elif unit.startswith("x "):
        unit = "\u00d7" + unit[1:]
    return f"{axis['label']} ({unit})" if unit else axis["label"]


def fit_scale(axis, values, threshold=10):
    """Give a matplotlib x or y axis a log scale if the drawn values span more than `threshold`.

    A linear axis starts at zero, so that heights compare as the numbers do. Returns True for log.
    """
    positive = [value for value in values if value and value > 0]
    is_log = bool(positive) and max(positive) > threshold * min(positive)
    name = axis.axis_name
    if is_log:
        axis.axes.set(**{f"{name}scale": "log"})
        label_log_axis(axis, max(positive) / min(positive))
    else:
        # Room above the highest value, so that its marker is whole.
        top = 1.08 * max(positive) if positive else None
        axis.axes.set(**{f"{name}lim": (0, top)})
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    return is_log


def set_log_x(axes):
    """Give the x axis a log scale with one or three labels per decade, if anything is drawn."""
    drawn = [x for line in axes.get_lines() for x in line.get_xdata() if x > 0]
    if drawn:
        axes.set_xscale("log")
        is_short = max(drawn) < 100 * min(drawn)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_short else (1,), numticks=12))
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.xaxis.set_minor_formatter(NullFormatter())


def label_log_axis(axis, span):
    """Label a log axis in plain numbers: 1, 2, 5 per decade if it spans less than two decades."""
    if span < 100:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    else:
        axis.set_major_locator(LogLocator(numticks=6))
        large = EngFormatter(sep="")
        # Not "100m": that reads as a unit.
        axis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{value:g}" if value < 1 else large(value))
        )
    axis.set_minor_formatter(NullFormatter())


def save(figure, stem):
    """Write STEM.png and STEM.svg, the same bytes for the same picture; returns both paths."""
    paths = []
    with paper():
        for kind, metadata in (("png", None), ("svg", {"Date": None})):
            target = f"{stem}.{kind}"
            paths.append(write_whole(target, lambda path: figure.savefig(path, metadata=metadata)))
            # The layout is found by the first drawing; to search again takes most of the time.
            figure.set_layout_engine("none")
    return paths
