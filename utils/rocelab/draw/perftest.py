# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of results of `rocelab perftest --out DIR`: throughput by queue pairs, parts of a latency."""

from dataclasses import dataclass
from pathlib import Path

from rocelab.draw import style
from rocelab.draw.canvas import Canvas
from rocelab.draw.panels import draw_panels
from rocelab.draw.sweep_plots import choose_x_scale
from rocelab.errors import UserError
from rocelab.results.latency import get_write_path
from rocelab.results.json_files import PERFTEST, read_checked
from rocelab.results.quantities import read_gbps, read_ns
from rocelab.runs.engine import run_json_command

FILE = "perftest.json"
BAR_HEIGHT = 0.62
ROW_HEIGHT = 0.34  # Inches of a bar with its distance to the next.
MARGIN = 0.5  # Inches of the axis below the bars.
#: Key of perftest.json, label and unit of an axis, and what numbers are multiplied by.
QUEUE_PAIRS = ("qp", "Queue pairs", "", 1)
LOSS = ("loss", "Loss rate", "%", 100)
PARTS = {  # The looks of what get_write_path() names, from the host's post on.
    "post and ring": (style.GREY, ""),
    "doorbell": (style.SKY_BLUE, ""),
    "payload read": (style.BLUE, "////"),
    "transmit pipeline": (style.ORANGE, ""),
    "links": ("#d0d0d0", ""),
    "receive pipeline": (style.VERMILLION, "...."),
    "payload write": (style.GREEN, "\\\\\\\\"),
}


@dataclass(frozen=True)
class PerftestResult:
    """What a perftest.json says."""

    folder: Path
    data: dict

    @property
    def series(self):
        """NIC, and with it what the hardware is set to."""
        return self.data["nic"]


def load_perftest(folder):
    """Return the PerftestResult of a folder; raises UserError."""
    path = Path(folder) / FILE
    return PerftestResult(Path(folder), read_checked(path, PERFTEST))


def get_test(results, suffix, wanted):
    """Return the test that all results are of; raises UserError unless its name ends so."""
    tests = sorted({result.data["test"] for result in results})
    if len(tests) != 1 or not tests[0].endswith(suffix):
        raise UserError(f"{results[0].folder}: expected results of {wanted}, got {', '.join(tests)}")
    return tests[0]


def draw_throughput(results, page=None, over=QUEUE_PAIRS):
    """Return the picture: goodput over a setting of the tests, a line per NIC and message size."""
    test = get_test(results, "_bw", "one throughput test, as write_bw")
    key, label, unit, factor = over
    sizes = {entry["size"] for result in results for entry in result.data["results"]}
    series, nics = {}, {}
    for result in results:
        for entry in result.data["results"]:
            measured = entry.get("measured") or {}
            if measured.get("goodputGbps") is None:
                raise UserError(f"{result.folder / FILE}: expected goodputGbps, got none")
            name = result.series + (f", {entry['size']} B" if len(sizes) > 1 else "")
            nics[name] = result.series
            place = result.data[key] * factor
            if place in series.setdefault(name, {}):
                raise UserError(f"{result.folder}: expected one test of {name} for each {label.lower()}, got two")
            series[name][place] = measured["goodputGbps"]
    points = {name: sorted(map(list, found.items())) for name, found in series.items()}
    places = sorted({x for found in series.values() for x in found})
    if over == LOSS and len(places) < 2:
        raise UserError(f"{results[0].folder}: expected tests of several loss rates, got one")
    settings = sorted({f"hardware {result.data.get('hardware', 'off')}" for result in results})
    size = f"{next(iter(sizes)):,} B messages, " if len(sizes) == 1 else ""
    panel = {
        "x": {"label": label, "unit": unit, "scale": choose_x_scale(places)},
        "y": {"label": "Goodput", "unit": "Gb/s", "scale": "linear"},
        "series": points,
    }
    notes = [f"{test}, {size}{' and '.join(settings)}."]
    own = len(set(nics.values())) == len(nics)
    styles = style.get_styles(list(nics.values())) if own else style.get_styles(list(nics))
    looks = {name: styles[nic if own else name] for name, nic in nics.items()}
    return draw_panels({"panels": [panel], "notes": notes}, looks, page)


def find_parts(result, build):
    """Return ({part: ns} of the NIC's own account, ns that perftest found) of a latency test."""
    data, entry = result.data, result.data["results"][0]
    if data.get("hardware") != "on" or data["test"] != "write_lat" or data.get("fabric"):
        raise UserError(
            f"{result.folder / FILE}: expected write_lat --hardware on, back to back: only there the"
            " parts of a latency are known"
        )
    if data.get("inline", 0) >= entry["size"]:
        raise UserError(
            f"{result.folder / FILE}: expected a payload that the NIC reads (write_lat -I 0), got one"
            f" of {entry['size']} bytes within the work request"
        )
    arguments = ["list", "pipeline", "--nic", data["nic"], "--bytes", str(entry["size"]), "--json"]
    account = run_json_command(build, arguments)
    rate, delay = read_gbps(data["rate"]), read_ns(data["delay"])
    return get_write_path(account, rate, [delay]), entry["typicalUs"] * 1000


def draw_latency_split(results, build, page=None):
    """Return the picture: the parts of a WRITE's latency on each other, a bar per result."""
    page = page or style.Page()
    looks = style.get_styles([result.series for result in results])
    found = [(result, *find_parts(result, build)) for result in results]
    sizes = {result.data["results"][0]["size"] for result in results}
    names = []
    for result in results:
        size = f", {result.data['results'][0]['size']} B" if len(sizes) > 1 else ""
        names.append(looks[result.series].label + size)
    used = [part for part in PARTS if any(parts.get(part) for _, parts, _ in found)]
    notes = [
        "From post to the peer's memory, half a ping-pong. Bars: the time of each part by itself;"
        " mark: what write_lat measured."
    ]
    if len(sizes) == 1:
        notes.insert(0, f"{next(iter(sizes))} B.")
    with style.paper():
        canvas = Canvas(
            page.choose_width(),
            MARGIN + ROW_HEIGHT * len(found),
            legend=[*(part.capitalize() for part in used), "Measured"],
            notes=page.take_notes(notes),
        )
        draw_parts(canvas.panels[0], found, names, used)
        canvas.add_legend()
        return canvas.figure


def draw_parts(axes, found, names, used):
    """Draw the bars and what was measured."""
    left = [0.0] * len(found)
    for part in used:
        color, hatch = PARTS[part]
        values = [parts.get(part, 0) for _, parts, _ in found]
        axes.barh(
            range(len(found)),
            values,
            BAR_HEIGHT,
            left=left,
            label=part.capitalize(),
            color=color,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.4,
        )
        left = [start + value for start, value in zip(left, values)]
    measured = [value for *_, value in found]
    mark = {"marker": "D", "color": "black", "markersize": 4, "markeredgecolor": "white"}
    axes.plot(measured, range(len(found)), linestyle="none", label="Measured", **mark)
    axes.set_xlim(0, 1.06 * max([*left, *measured]))
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.grid(False)
    axes.grid(True, axis="x")
    axes.set_xlabel("Time (ns)")
