# SPDX-License-Identifier: GPL-2.0-only
"""A picture's look in the words of its user: a file of JSON or TOML, by the names of NICs (docs/study/plots.md)."""

import math
import re
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from matplotlib.colors import is_color_like, to_hex
from matplotlib.lines import Line2D

from rocelab.draw import scales
from rocelab.errors import UserError, describe_nearest, describe_value
from rocelab.files import read_json_object, read_text
from rocelab.sizes import parse_size

KEYS = ("nics", "order", "width", "height", "panels", "bins", "x", "y")
NIC_KEYS = ("label", "color", "marker", "line", "hatch")
AXIS_KEYS = ("label", "range", "scale")
LINES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-.", "none": "none"}
HATCHES = set("/\\|-+xoO.*")
AXIS_SCALES = ("linear", "log")
LEAST_INCHES, MOST_INCHES = 0.5, 50
MOST_BINS = 200
PER_DECADE = "/decade"


@dataclass(frozen=True)
class Bins:
    """Bins of flow size: a number of bins with as many flows each, edges, or bins of equal width on a log axis."""

    count: int = 0
    edges: tuple = ()
    per_decade: int = 0

    def find_edges(self, sizes):
        """Return rising edges around all of some sorted sizes, the last one above them."""
        low, high = float(sizes[0]), float(sizes[-1])
        if self.edges:
            inner = [edge for edge in self.edges if low < edge <= high]
            return [low, *inner, high + 1]
        if self.per_decade:
            first = math.floor(math.log10(max(low, 1)) * self.per_decade)
            last = math.floor(math.log10(max(high, 1)) * self.per_decade) + 1
            return [10 ** (step / self.per_decade) * (1 - 1e-12) for step in range(first, last + 1)]
        return [sizes[len(sizes) * index // self.count] for index in range(self.count)] + [high + 1]


@dataclass(frozen=True)
class OwnStyle:
    """What a style file sets; the rest is the package's."""

    nics: dict = field(default_factory=dict)  # {name: {key of NicStyle: value}}
    order: tuple = ()  # Names of NICs or series.
    width: float | None = None  # Inches.
    height: float | None = None  # Of a panel, inches.
    panels: tuple = ()
    bins: Bins | None = None
    x: tuple = ()  # Of each panel; one for all of them: {"label", "range", "scale"}.
    y: tuple = ()

    def change_look(self, name, look):
        """Return a NicStyle with what is set for a name, or for the NIC at its begin: "srnic, load 0.3"."""
        if name in self.nics:
            return replace(look, **self.nics[name])
        nic = re.split(", |: ", name, maxsplit=1)[0]
        if nic == name or nic not in self.nics:
            return look
        changes = {key: self.nics[nic][key] for key in ("color", "label") if key in self.nics[nic]}
        if "label" in changes:
            changes["label"] += name[len(nic) :]
        return replace(look, **changes)

    def sort(self, names):
        """Return the names, those of `order` first and in its order."""
        rank = {name: place for place, name in enumerate(self.order)}
        nics = [re.split(", |: ", name, maxsplit=1)[0] for name in names]
        places = [rank.get(name, rank.get(nic, len(rank))) for name, nic in zip(names, nics)]
        return [name for _, name in sorted(zip(places, names), key=lambda pair: pair[0])]

    def choose_panels(self, names):
        """Return the places of the panels to draw, of those with such names; raises UserError."""
        known = [name.lower() for name in names]
        for name in self.panels:
            if name not in known:
                raise UserError(f"style: panels: expected a panel of the picture ({', '.join(known)}), got {name!r}")
        return [known.index(name) for name in self.panels] or list(range(len(names)))

    def finish(self, panels):
        """Set labels, scales and ranges of the axes of panels."""
        for name, entries in (("x", self.x), ("y", self.y)):
            for place, axes in enumerate(panels):
                if entries:
                    set_axis(axes, name, entries[min(place, len(entries) - 1)])


def set_axis(axes, name, entry):
    """Apply {"label", "range", "scale"} to the x or y axis of a panel."""
    axis = getattr(axes, f"{name}axis")
    if "scale" in entry and getattr(axes, f"get_{name}scale")() != entry["scale"]:
        axes.set(**{f"{name}scale": entry["scale"]})
        if entry["scale"] == "log":
            axes.autoscale(axis=name)
            scales.label_log_axis(axis)
        else:
            scales.set_plain_labels(axis)
    if "range" in entry:
        low, high = entry["range"]
        if axis.get_scale() == "log" and low <= 0:
            raise UserError(f"style: {name}.range: expected numbers above 0 on a log axis, got {low:g}")
        axes.set(**{f"{name}lim": (low, high)})
        for artist in [*axes.lines, *axes.collections]:
            artist.set_clip_on(True)  # Points beyond the range.
    if "label" in entry:
        axis.set_label_text(entry["label"])


_current = [OwnStyle()]


def get_current():
    """Return the OwnStyle of the pictures that are being drawn."""
    return _current[-1]


@contextmanager
def use(own):
    """Make a context in which pictures have an OwnStyle."""
    _current.append(own)
    try:
        yield own
    finally:
        _current.pop()


class Reader:
    """Reads values of a style file; its errors name the place."""

    def __init__(self, source):
        self.source = source

    def fail(self, place, expected, value):
        raise UserError(f"{self.source}: {place}: expected {expected}, got {describe_value(value)}")

    def read_object(self, place, value, keys=None):
        """Return an object; with `keys` it has no others."""
        if not isinstance(value, dict):
            self.fail(place, "an object", value)
        for key in value:
            if keys and key not in keys:
                raise UserError(f"{self.source}: {place}: expected a known key ({describe_nearest(key, keys)}), got {key!r}")
        return value

    def read_text(self, place, value):
        if not isinstance(value, str) or not value or not value.isprintable():
            self.fail(place, "a text of one line", value)
        return value

    def read_texts(self, place, value):
        if not isinstance(value, list):
            self.fail(place, "a list of texts", value)
        return tuple(self.read_text(f"{place}[{index}]", one) for index, one in enumerate(value))

    def read_number(self, place, value, least=-math.inf, most=math.inf):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not least <= value <= most:
            bounds = f" from {least:g} to {most:g}" if math.isfinite(least) else ""
            self.fail(place, f"a number{bounds}", value)
        return float(value)

    def read_nic(self, place, value):
        """Return what an entry of "nics" sets of a NicStyle."""
        entry = self.read_object(place, value, NIC_KEYS)
        look = {}
        if "label" in entry:
            look["label"] = self.read_text(f"{place}.label", entry["label"])
        if "color" in entry:
            if not isinstance(entry["color"], str) or not is_color_like(entry["color"]):
                self.fail(f"{place}.color", 'a colour as "#0072B2" or "teal"', entry["color"])
            look["color"] = to_hex(entry["color"])
        if "marker" in entry:
            markers = [mark for mark in Line2D.markers if isinstance(mark, str) and len(mark) == 1 and mark.strip()]
            if entry["marker"] not in [*markers, "none"]:
                self.fail(f"{place}.marker", f"none or a marker of matplotlib ({' '.join(markers)})", entry["marker"])
            look["marker"] = entry["marker"]
        if "line" in entry:
            look["dashes"] = self.read_line(f"{place}.line", entry["line"])
        if "hatch" in entry:
            if not isinstance(entry["hatch"], str) or set(entry["hatch"]) - HATCHES:
                self.fail(f"{place}.hatch", f"a text of {' '.join(sorted(HATCHES))}", entry["hatch"])
            look["hatch"] = entry["hatch"]
        return look

    def read_line(self, place, value):
        """Return a matplotlib line style of a name, or of lengths of dashes and gaps."""
        if isinstance(value, list) and value and len(value) % 2 == 0:
            return (0, tuple(self.read_number(place, one, 0.1, 100) for one in value))
        if not isinstance(value, str) or value not in LINES:
            self.fail(place, f"{', '.join(LINES)}, or lengths of dashes and gaps as [4, 1.5]", value)
        return LINES[value]

    def read_axes(self, place, value):
        """Return the entries of "x" or "y": of one for all panels, or of each."""
        return tuple(self.read_axis(place, one) for one in (value if isinstance(value, list) else [value]))

    def read_axis(self, place, value):
        entry = dict(self.read_object(place, value, AXIS_KEYS))
        if "label" in entry:
            self.read_text(f"{place}.label", entry["label"])
        if "scale" in entry and entry["scale"] not in AXIS_SCALES:
            self.fail(f"{place}.scale", " or ".join(AXIS_SCALES), entry["scale"])
        if "range" in entry:
            ends = entry["range"]
            if not isinstance(ends, list) or len(ends) != 2:
                self.fail(f"{place}.range", "two numbers", ends)
            low, high = (self.read_number(f"{place}.range", end) for end in ends)
            if not low < high:
                self.fail(f"{place}.range", "a rising pair of numbers", ends)
            entry["range"] = (low, high)
        return entry

    def read_bins(self, place, value):
        """Return Bins of 12, ["1kB", "100kB"], or "3/decade"; a text has them divided by commas."""
        expected = 'a number of bins, edges as 1kB,100kB, or as 3/decade'
        if isinstance(value, str):
            number = value.removesuffix(PER_DECADE)
            if number.isdecimal() and 1 <= int(number[:9]) <= MOST_BINS:
                return Bins(per_decade=int(number)) if number != value else Bins(count=int(number))
            value = value.split(",")
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_BINS:
            return Bins(count=value)
        if not isinstance(value, list) or not value:
            self.fail(place, expected, value)
        edges = []
        for one in value:
            size = parse_size(one)
            if size is None:
                self.fail(place, expected, one)
            edges.append(float(size))
        if sorted(set(edges)) != edges or len(edges) > MOST_BINS:
            self.fail(place, "rising edges", value)
        return Bins(edges=tuple(edges))

    def read_style(self, value):
        """Return the OwnStyle of an object."""
        entry = self.read_object("style", value, KEYS)
        own = {}
        if "nics" in entry:
            nics = self.read_object("nics", entry["nics"])
            own["nics"] = {name: self.read_nic(f"nics.{name}", one) for name, one in nics.items()}
        for key in ("order", "panels"):
            if key in entry:
                own[key] = self.read_texts(key, entry[key])
        for key in ("width", "height"):
            if key in entry:
                own[key] = self.read_number(key, entry[key], LEAST_INCHES, MOST_INCHES)
        for key in ("x", "y"):
            if key in entry:
                own[key] = self.read_axes(key, entry[key])
        if "bins" in entry:
            own["bins"] = self.read_bins("bins", entry["bins"])
        own["panels"] = tuple(name.lower() for name in own.get("panels", ()))
        return OwnStyle(**own)


def load(path):
    """Return the OwnStyle of a file; raises UserError."""
    if str(path).endswith(".toml"):
        try:
            return Reader(path).read_style(tomllib.loads(read_text(path)))
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"{path}: expected TOML, got: {error}") from None
    return Reader(path).read_style(read_json_object(path))


def make(value, bins=None):
    """Return the OwnStyle of a file, of an object, or of nothing, with bins if they are given."""
    own = OwnStyle()
    if value is not None:
        own = Reader("style").read_style(value) if isinstance(value, dict) else load(value)
    return own if bins is None else replace(own, bins=Reader("--bins").read_bins("bins", bins))
