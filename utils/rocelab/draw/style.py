# SPDX-License-Identifier: GPL-2.0-only
"""How every picture looks: sizes for a two-column paper, fonts, and a fixed look for each NIC.

Colours are those of Okabe and Ito (2008), which stay apart under the common kinds of colour
blindness; grey replaces their yellow, of which thin lines on white cannot be seen. Names that are no
preset have those of Tol ("Colour Schemes", 2021, scheme muted), without the pale ones. Markers, dashes
and hatches differ as well, so that a grey print stays readable.
"""

import math
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, replace

import matplotlib

from rocelab.draw import own_style
from rocelab.files import write_whole

# Inches. USENIX's paper template: text of 7 x 9 inches in two columns, 0.33 inches between them,
# hence (7 - 0.33) / 2; ACM's acmart (sigconf) has columns of 241.15 pt = 3.34 inches and a text of
# 506.3 pt = 7.0 inches. IEEE's columns, 3.5 inches, are a little wider.
COLUMN_WIDTH = 3.33
PAGE_WIDTH = 7.0
PANEL_HEIGHT = 2.3  # Inches.
# Kinds of files, with the metadata that would differ from run to run.
FILE_KINDS = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FONT = 8  # Points.
SMALL_FONT = 7  # Value labels and footnotes.

ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
BLACK = "#000000"
GREY = "#777777"


#: For amounts, from nearly white to dark, so that a grey print stays readable.
HEAT_COLORS = ("#fde3b0", ORANGE, VERMILLION, "#4a1200")


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
    "cx5-measured": NicStyle("ConnectX-5 as measured", GREY, "h", (0, (3, 1.5)), "OO"),
    "strom100g": NicStyle("StRoM 100G", BLACK, ">", (0, (2, 1)), "||||"),
}

# Presets beyond those: other markers, since eight colours are not enough.
OTHER_PRESETS = {
    "uet": NicStyle("UET", SKY_BLUE, "X", (0, (1, 0.7)), "oooo"),
    "mrc": NicStyle("MRC", BLACK, "P", (0, (3, 1)), "++++"),
    "connectx7": NicStyle("ConnectX-7", ORANGE, "*", (0, (1, 2)), "--"),
    "connectx7-ar": NicStyle("ConnectX-7 AR", GREY, "d", "-", "\\\\"),
    "bluefield3": NicStyle("BlueField-3", PURPLE, "d", (0, (5, 1, 1, 1)), "**"),
    "uet-rccc": NicStyle("UET RCCC", BLUE, "X", (0, (2, 2)), "xx"),
    "dcp": NicStyle("DCP", VERMILLION, "d", (0, (4, 1, 1, 1)), "..."),
    "kv-direct": NicStyle("KV-Direct", GREEN, "*", (0, (6, 1)), "||"),
    "fpga-sender": NicStyle("FPGA sender", VERMILLION, "P", (0, (3, 1, 1, 1, 1, 1)), "//"),
}

# What NICs are compared with, and is none.
OTHER_STACKS = {"tcp": NicStyle("TCP", BLACK, "p", (0, (1, 1.5)), "++")}

#: Names whose look is the same in every picture.
FIXED_LOOKS = WELL_KNOWN_NICS | OTHER_PRESETS | OTHER_STACKS

# Looks for NICs that a user names: no colour of a preset.
OTHER_LOOKS = (
    ("#332288", "P", (0, (3, 1)), "++++"),  # Indigo.
    ("#CC6677", "X", (0, (1, 0.7)), "oooo"),  # Rose.
    ("#999933", "*", (0, (5, 1, 1, 1)), "**"),  # Olive.
    ("#882255", "d", "-", "\\\\"),  # Wine.
    ("#44AA99", "P", (0, (3, 1, 1, 1, 1, 1)), "//"),  # Teal.
    ("#AA4499", "X", (0, (2, 2)), "xx"),  # Purple.
    ("#117733", "*", (0, (6, 1)), "||"),  # Green.
    ("#4477AA", "d", (0, (1, 2)), "--"),  # Blue, of the scheme bright.
)

#: Dashes of lines, each of them different in a grey print as well.
DASHES = (
    "-",
    (0, (4, 1.5)),
    (0, (1, 1)),
    (0, (4, 1.2, 1, 1.2)),
    (0, (6, 2, 2, 2)),
    (0, (2, 1)),
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (1, 2.5)),
)

# Marker and dashes of the second, third, ... workload of one NIC: its colour tells the NIC.
WORKLOAD_LOOKS = (
    ("P", (0, (2, 1))),
    ("X", (0, (1, 1.5))),
    ("*", (0, (6, 1, 1, 1))),
    ("d", (0, (3, 3))),
)

RC = {
    "font.family": "sans-serif",  # A reader without the first one gets the system's own.
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": FONT,
    "axes.labelsize": FONT,
    "axes.titlesize": FONT,
    "xtick.labelsize": FONT,
    "ytick.labelsize": FONT,
    "legend.fontsize": FONT,
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
    "svg.fonttype": "none",  # Text stays text: it can be searched, and edited in a drawing program.
    "pdf.fonttype": 42,  # TrueType, likewise; publishers refuse matplotlib's default, Type 3.
}

# Points, of a line's markers, their rim included: of the last line drawn and of the first.
LEAST_MARKER, MOST_MARKER = 4.8, 7.4

ERROR_BARS = {"fmt": "none", "elinewidth": 0.7, "capsize": 1.5, "capthick": 0.7}


class Page:
    """The place of a picture in a paper: its width, and whether notes stand below it.

    Without notes these are for the caption; `notes` has them once the picture is drawn.
    """

    def __init__(self, width=None, has_notes=True):
        """Without a width the picture chooses between one column and both."""
        self.notes = []
        self._width = width
        self._has_notes = has_notes

    def choose_width(self, usual=COLUMN_WIDTH):
        """Return the width in inches, `usual` if none is given."""
        return self._width or usual

    def take_notes(self, notes):
        """Keep the lines of small print; returns those to be drawn."""
        self.notes = list(notes)
        return self.notes if self._has_notes else []


@contextmanager
def paper():
    """Make a context in which pictures are drawn and saved: matplotlib's defaults and RC.

    What a matplotlibrc of the user or of the working folder sets would change pictures unseen.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        yield


def get_styles(names):
    """Return {name: NicStyle} for NICs that appear in one picture.

    The name of a preset always looks the same. Another name has a look picked by its own checksum, or the next
    one if a name before it in the alphabet has that look in this picture. The name NIC: WORKLOAD, of a list of
    workloads, has the NIC's colour, and the NIC's marker and dashes for the first workload. The user's own style
    changes these looks.
    """
    parts = {name: name.partition(": ") for name in names}
    nics = get_nic_styles({nic for nic, _, _ in parts.values()})
    order = list(dict.fromkeys(workload for _, _, workload in parts.values() if workload))
    styles = {}
    for name, (nic, _, workload) in parts.items():
        styles[name] = nics[nic]
        if workload:
            styles[name] = replace(styles[name], label=f"{nics[nic].label}: {workload}")
            place = order.index(workload)
            if place > 0:
                marker, dashes = WORKLOAD_LOOKS[(place - 1) % len(WORKLOAD_LOOKS)]
                styles[name] = replace(styles[name], marker=marker, dashes=dashes)
    own = own_style.get_current()
    return {name: own.change_look(name, look) for name, look in styles.items()}


def get_nic_styles(names):
    """Return {name: NicStyle} for names without a workload."""
    styles = {name: FIXED_LOOKS[name] for name in names if name in FIXED_LOOKS}
    taken = set()
    for name in sorted(set(names) - set(styles)):
        slot = zlib.crc32(name.encode()) % len(OTHER_LOOKS)
        while slot in taken and len(taken) < len(OTHER_LOOKS):
            slot = (slot + 1) % len(OTHER_LOOKS)
        taken.add(slot)
        styles[name] = NicStyle(spell(name), *OTHER_LOOKS[slot])
    return styles


def spell(name):
    """Return the label of a name: "connectx6, UC" begins with the NIC as all pictures spell it."""
    nic, comma, rest = name.partition(", ")
    return (FIXED_LOOKS[nic].label if nic in FIXED_LOOKS else nic) + comma + rest


def get_line_look(look, order, count, is_complete=True):
    """Return the keyword arguments of Axes.plot() for line `order` of `count`.

    Lines and markers shrink from line to line, markers have a white rim, so that of two lines with
    nearly the same values both stay visible.
    """
    depth = (count - 1 - order) / max(count - 1, 1)
    return {
        "color": look.color,
        "linestyle": look.dashes,
        "marker": look.marker,
        "clip_on": False,  # Markers on an axis, at zero, are whole.
        "in_layout": False,  # They need no place outside the axes.
        "linewidth": 1.1 + 0.4 * depth,
        "markersize": LEAST_MARKER + (MOST_MARKER - LEAST_MARKER) * depth,
        "markerfacecolor": look.color if is_complete else "white",
        "markeredgecolor": "white" if is_complete else look.color,
        "markeredgewidth": 0.5 if is_complete else 0.9,
    }


def get_axis_label(axis):
    """Return "label (unit)" of {"label": ..., "unit": ...}, with print's signs for units."""
    unit = write_unit(axis.get("unit", ""))
    return f"{axis['label']} ({unit})" if unit else axis["label"]


def get_half_widths(values, halves, axis):
    """Return ([below], [above]) of error bars that end at the "least" value of an axis, if it has one."""
    least = axis.get("least", -math.inf)
    return [max(min(half, value - least), 0) for value, half in zip(values, halves)], list(halves)


def write_unit(unit):
    """Return a unit with print's signs."""
    if unit == "us":
        return "\u00b5s"
    return "\u00d7" + unit[1:] if unit.startswith("x ") else unit


def save(figure, stem, kinds=tuple(FILE_KINDS)):
    """Write STEM.png, .svg and .pdf, the same bytes for the same picture; returns the paths."""
    paths = []
    with paper():
        for kind in kinds:
            metadata = FILE_KINDS[kind]
            target = f"{stem}.{kind}"
            paths.append(write_whole(target, lambda path: figure.savefig(path, metadata=metadata)))
            # The layout is found by the first drawing; to search again takes most of the time.
            figure.set_layout_engine("none")
    return paths
