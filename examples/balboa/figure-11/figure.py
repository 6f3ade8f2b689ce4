# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 11: latency of a batch on its way to the GPU, directly and by the host's memory.

Source: RoCE BALBOA, section 8.2.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.validate.checks import check, compare, format_rows, get_measured
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import gpu_ingest
from ...strom import common as strom

METHODS = ("host", "gpu")
LOOKS = {name: gpu_ingest.LOOKS[name] for name in METHODS}
LOOKS["saved"] = style.NicStyle("saved", style.BLACK, "D", (0, (1, 1)), "")

OPTIONS = {
    "sizes": Option(
        ",".join(str(64 << step) for step in range(0, 15, 2)), "64,65536,1048576", "bytes of a batch"
    ),
    "iters": Option("20", "3", "batches of each size, one after the other"),
}

LATENCY_AXIS = {"label": "Latency", "unit": "us"}


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def make_checks(latencies, saved):
    """Return the rows of validation."""
    sizes = sorted(saved)
    return [
        compare(f"saved, {sizes[0]:,} B: us", saved[sizes[0]], ["BALBOA-248"]),
        compare(f"saved, {sizes[-1]:,} B: us", saved[sizes[-1]], ["BALBOA-249"]),
        check(
            "saved: share of the latency by the host's memory",
            "a shorter way",
            f"{min(saved[x] / latencies['host'][x] for x in sizes):.0%} to "
            f"{max(saved[x] / latencies['host'][x] for x in sizes):.0%}",
            all(value > 0 for value in saved.values()),
            ["BALBOA-248", "BALBOA-249"],
        ),
    ]


def run(context):
    """Measure all sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 4, 2**22)
    calls = read_number(context.options, "iters", 1, 10_000)
    values = {}
    for method in METHODS:
        values[method] = {
            size: gpu_ingest.run(context, method, calls, size, 1)["latency_p50_us"]
            for size in sizes
        }
    values["saved"] = {size: values["host"][size] - values["gpu"][size] for size in sizes}
    panel = {
        "x": gpu_ingest.SIZE_AXIS,
        "y": LATENCY_AXIS,
        "series": {name: [[size, one[size]] for size in sizes] for name, one in values.items()},
    }
    checks = get_measured(make_checks(values, values["saved"]))
    print(strom.format_points([panel]))
    print()
    print(format_rows(checks))
    context.write_panels([panel], plot=draw, checks=checks, settings=gpu_ingest.SETTINGS)
