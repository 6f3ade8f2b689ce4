# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 8: latency and throughput of WRITEs with and without deep packet inspection.

Source: RoCE BALBOA, section 6.4.2, "Deep Packet Inspection".
"""

import json

from rocelab import style
from rocelab.checks import check, format_rows
from rocelab.errors import UserError
from rocelab.figure import Option
from rocelab.panels import draw_panels
from rocelab.table import format_number, format_table

SIZES = ",".join(str(64 << step) for step in range(0, 15, 2))
BATCH = 64
# As in balboa-figure-4: a switch and two cables.
NETWORK = ["--fabric", "16", "--rate", "100Gbps", "--delay", "400ns", "-m", "4096"]
# Of a figure that does not see the difference: the paper's own deviations are larger.
NEGLIGIBLE = 0.001

OPTIONS = {
    "sizes": Option(SIZES, "64,4096,65536,1048576", "buffer sizes in bytes"),
    "iters": Option("100", "20", "repetitions of a latency test"),
    "service": Option(
        "ns3::rdma::PassThroughService",
        "ns3::rdma::PassThroughService",
        "type of the service in the parallel slot: its defaults have the inspection's 44 ns",
    ),
}

PAPER = [
    {
        "sources": ["BALBOA-204"],
        "where": "Section 6.4.2, Figure 8",
        "statement": "the model alongside the stack has no negative impact on latency or throughput",
    },
]

X_AXIS = {"label": "Buffer size", "unit": "B", "scale": "log2"}
PANELS = (
    ("write_bw", {"label": "WRITE throughput", "unit": "Gbit/s"}),
    ("write_lat", {"label": "WRITE latency", "unit": "us"}),
)
WITHOUT, WITH = "Without inspection", "With inspection"
LOOKS = {
    WITHOUT: style.NicStyle(WITHOUT, style.BLUE, "o", "-", ""),
    WITH: style.NicStyle(WITH, style.VERMILLION, "s", (0, (4, 2)), ""),
}


def read_sizes(text):
    """Return the sizes of "A,B,..." in rising order."""
    words = text.split(",")
    if not all(word.isdigit() and int(word) > 0 for word in words):
        raise UserError(f"option sizes: expected numbers from 1 on, got {text!r}")
    return sorted({int(word) for word in words})


def measure(context, test, size, services):
    """Return us of a single buffer, or Gbit/s of a batch."""
    arguments = ["perftest", test, "--nic", "balboa", "--hardware", "on", *NETWORK]
    arguments += ["-s", str(size), "--json"]
    arguments += [word for service in services for word in ("--service", json.dumps(service))]
    if test.endswith("_lat"):
        result = context.run_command([*arguments, "-n", context.options["iters"]])
        return result["results"][0]["typicalUs"]
    result = context.run_command([*arguments, "-n", str(BATCH), "-t", str(BATCH), "-Q", "1"])
    return result["results"][0]["averageMiBps"] * 2**20 * 8 / 1e9


def make_rows(panels):
    """Return the row of validation."""
    words, worst = [], 0
    for panel in panels:
        without, served = (dict(map(tuple, panel["series"][name])) for name in (WITHOUT, WITH))
        sign = 1 if panel["y"]["unit"] == "us" else -1
        changes = [sign * (served[size] / without[size] - 1) for size in without]
        worst = max(worst, *changes)
        words.append(f"{panel['y']['label']} at most {100 * max(changes):.2f} % worse")
    what = "latency and throughput with inspection"
    return [check(what, "no effect", "; ".join(words), worst <= NEGLIGIBLE, ["BALBOA-204"])]


def format_results(panels):
    """Return the table of all points, a column per series."""
    rows = []
    for panel in panels:
        unit = f"{panel['y']['label']}, {panel['y']['unit']}"
        for index, (size, _) in enumerate(panel["series"][WITHOUT]):
            values = [format_number(panel["series"][name][index][1]) for name in LOOKS]
            rows.append([unit if index == 0 else "", f"{size:,}", *values])
    return format_table(["", "bytes", "without", "with"], rows)


def draw(data):
    """Return the picture: throughput left, latency right."""
    return draw_panels(data, LOOKS)


def run(context):
    """Measure both panels, print the tables and write the figure."""
    sizes = read_sizes(context.options["sizes"])
    service = {"type": context.options["service"], "slots": ["receive-parallel"]}
    panels = []
    for test, axis in PANELS:
        series = {
            name: [[size, measure(context, test, size, services)] for size in sizes]
            for name, services in ((WITHOUT, []), (WITH, [service]))
        }
        panels.append({"x": X_AXIS, "y": axis, "series": series})
    print(format_results(panels))
    checks = make_rows(panels)
    print()
    print(format_rows(checks))
    first = panels[0]
    context.write_figure(
        first["x"], first["y"], first["series"], PAPER, plot=draw, panels=panels, checks=checks
    )
