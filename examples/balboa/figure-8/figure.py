# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 8: throughput and latency with and without packet inspection.

Source: RoCE BALBOA, section 6.4.2.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.validate.checks import check, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import inspection, inspection_data
from ...strom import common as strom

NIC = "balboa"
MTU = 4096
BATCH = 64  # BALBOA section 6.1.
DATA_BYTES = 1 << 16
NUMBER = 20_000  # Of the table that is sent: one held out from training.
LIMIT = 0.001  # Of a value: what counts as no effect.
LOOKS = {
    "write": style.NicStyle("without inspection", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
    "kernel": style.NicStyle("with inspection", style.GREEN, "o", "-", ""),
}

OPTIONS = {
    "sizes": Option(
        ",".join(str(64 << step) for step in range(0, 11, 2)), "64,4096", "bytes of a WRITE"
    ),
    "iters": Option("20", "5", "round trips of a latency"),
}

X_AXIS = {"label": "Buffer size", "unit": "B", "scale": "log2"}
RATE_AXIS = {"label": "WRITE throughput", "unit": "Gbit/s", "scale": "linear"}
LATENCY_AXIS = {"label": "WRITE latency", "unit": "us", "scale": "linear"}


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def measure(context, method, source, sizes, iterations):
    """Return {size: Gbit/s} of a batch and {size: us} of half a round trip."""
    rates, latencies = {}, {}
    more = {"weights": inspection.NETWORK} if method == "kernel" else {}
    for size in sizes:
        options = {"size": size, "data": source, **more}
        batch = options | {"messages": BATCH}
        result = strom.run_offload(context, "inspection", method, 1, batch, NIC, (), MTU)
        rates[size] = result["details"]["writeGbps"]
        if result["details"].get("badPackets"):
            raise UserError(f"{source}: expected a table that is not taken for an executable")
        single = options | {"messages": 1, "echo": "true"}
        result = strom.run_offload(
            context, "inspection", method, iterations, single, NIC, (), MTU
        )
        latencies[size] = result["latency_us"]["p50"] / 2
    return rates, latencies


def make_checks(rates, latencies):
    """Return the rows of validation."""
    rows = []
    for what, values in (("throughput", rates), ("latency", latencies)):
        sign = -1 if what == "throughput" else 1
        worst = max(sign * (values["kernel"][x] / values["write"][x] - 1) for x in values["write"])
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
    iterations = read_number(context.options, "iters", 1, 10_000)
    context.results.mkdir(parents=True, exist_ok=True)
    source = context.results / "table.csv"
    source.write_bytes(inspection_data.make_benign("csv", NUMBER, DATA_BYTES))
    rates, latencies = {}, {}
    for method in LOOKS:
        rates[method], latencies[method] = measure(context, method, source, sizes, iterations)
    source.unlink()
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {
                method: [[size, values[method][size]] for size in sizes] for method in LOOKS
            },
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
        settings={"nic": NIC, "mtu": MTU},
    )
