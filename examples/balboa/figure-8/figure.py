# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 8: throughput and latency with and without packet inspection.

Source: RoCE BALBOA, section 6.4.2.
"""

import json

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.validate.checks import check, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import inspection, testbed
from ...strom import common as strom

NIC = "balboa"
LIMIT = 0.001  # Of a value: what counts as no effect.
SERVICE = {
    "type": "ns3::rdma::InspectionService",
    "attributes": {"ns3::rdma::InspectionService::Weights": str(inspection.NETWORK)},
    "slots": ["receive-parallel"],
}
LOOKS = {
    "without": style.NicStyle("without inspection", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
    "with": style.NicStyle("with inspection", style.GREEN, "o", "-", ""),
}

OPTIONS = {
    "sizes": Option(
        ",".join(str(64 << step) for step in range(0, 15, 2)), "64,4096", "bytes of a WRITE"
    ),
    "iters": Option("100", "10", "repetitions of a latency test"),
}

X_AXIS = {"label": "Buffer size", "unit": "B", "scale": "log2"}
RATE_AXIS = {"label": "WRITE throughput", "unit": "Gbit/s", "scale": "linear"}
LATENCY_AXIS = {"label": "WRITE latency", "unit": "us", "scale": "linear"}


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def measure(context, name, sizes, iterations):
    """Return {size: Gbit/s} of a batch and {size: us} of single buffers, on Figure 4's testbed."""
    arguments = ["--nic", NIC, *testbed.get_network()]
    if name == "with":
        arguments += ["--service", json.dumps(SERVICE)]
    rates, latencies = {}, {}
    for size in sizes:
        rates[size] = testbed.measure_rate(context, "write_bw", size, arguments)
        latencies[size] = testbed.measure_latency(context, "write_lat", size, arguments, iterations)[0]
    return rates, latencies


def make_checks(rates, latencies):
    """Return the rows of validation."""
    rows = []
    for what, values in (("throughput", rates), ("latency", latencies)):
        sign = -1 if what == "throughput" else 1
        worst = max(sign * (values["with"][x] / values["without"][x] - 1) for x in values["with"])
        rows.append(
            check(
                f"{what} with inspection: worse by, worst size",
                "no effect",
                f"{worst:.3%}",
                worst < LIMIT,
                ["BALBOA-204"],
            )
        )
    return rows


def run(context):
    """Measure all sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**20)
    iterations = read_number(context.options, "iters", 5, 10_000)
    rates, latencies = {}, {}
    for name in LOOKS:
        rates[name], latencies[name] = measure(context, name, sizes, iterations)
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {name: [[size, values[name][size]] for size in sizes] for name in LOOKS},
        }
        for axis, values in ((RATE_AXIS, rates), (LATENCY_AXIS, latencies))
    ]
    checks = make_checks(rates, latencies)
    print(strom.format_points(panels))
    print()
    print(format_rows(checks))
    context.write_figure(
        X_AXIS,
        RATE_AXIS,
        panels[0]["series"],
        plot=draw,
        panels=panels,
        checks=checks,
        settings={"nic": NIC, "mtu": testbed.MTU},
    )
