# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 8: throughput and latency with and without packet inspection, and with the traffic sniffer.

Source: RoCE BALBOA, sections 6.4.2 and 4.7.
"""

import json
import struct

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
# "A fully performance-preserving traffic sniffer for bidirectional 100G network traffic on both the RX and TX path that
# captures all traversing packets" (section 4.7). Criterion, stated before the run: with a capture, throughput and latency
# are worse by less than LIMIT at all sizes, and the capture of a batch has all its packets and their acknowledgments.
SNIFFER = "with the traffic sniffer"
PCAP_HEADER, RECORD_HEADER = 24, 16  # Bytes of the file and of a record.
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
    captures = {
        kind: ["--pcap", "--out", str(context.results / f"sniffer-{kind}")] if name == SNIFFER else []
        for kind in ("batches", "buffers")
    }
    rates, latencies = {}, {}
    for size in sizes:
        rates[size] = testbed.measure_rate(context, "write_bw", size, arguments + captures["batches"])
        latencies[size] = testbed.measure_latency(
            context, "write_lat", size, arguments + captures["buffers"], iterations
        )[0]
    return rates, latencies


def count_captured(context, size):
    """Return the packets in the capture of a batch of one size."""
    data = (context.results / "sniffer-batches" / f"client-{size}.pcap").read_bytes()
    place, packets = PCAP_HEADER, 0
    while place < len(data):
        place += RECORD_HEADER + struct.unpack_from("<I", data, place + 8)[0]
        packets += 1
    return packets


def make_sniffer_row(context, rates, latencies):
    """Return the row of the traffic sniffer."""
    sizes = list(rates[SNIFFER])
    slower = max(1 - rates[SNIFFER][size] / rates["without"][size] for size in sizes)
    later = max(latencies[SNIFFER][size] / latencies["without"][size] - 1 for size in sizes)
    # Of each packet of a batch there is an acknowledgment.
    missing = sum(2 * testbed.BATCH * -(-size // testbed.MTU) - count_captured(context, size) for size in sizes)
    text = f"throughput {slower:.3%}, latency {later:.3%}; {missing} packets not captured"
    what = "with the traffic sniffer: worse by, worst size"
    is_met = max(slower, later) < LIMIT and missing == 0
    return check(what, "no effect", text, is_met, ["BALBOA-705"])


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
    for name in (*LOOKS, SNIFFER):
        rates[name], latencies[name] = measure(context, name, sizes, iterations)
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {name: [[size, values[name][size]] for size in sizes] for name in LOOKS},
        }
        for axis, values in ((RATE_AXIS, rates), (LATENCY_AXIS, latencies))
    ]
    checks = [*make_checks(rates, latencies), make_sniffer_row(context, rates, latencies)]
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
