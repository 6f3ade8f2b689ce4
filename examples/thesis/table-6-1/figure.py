# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Table 6.1: Coyote's WRITEs from FPGA to FPGA, by message size.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 6.4.1.
"""

from statistics import mean

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, compare, format_rows
from rocelab.validate.facts import TOLERANCE, get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from ...srnic import common as srnic

NIC = "balboa"
PAPER_NAME = "thesis"
SIZES = (128, 256, 512, 1024)
PROJECTED = 4096

# Mb/s, us.
FACTS = {
    128: ("ASTRON-thesis-339", "ASTRON-thesis-340"),
    256: ("ASTRON-thesis-341", "ASTRON-thesis-342"),
    512: ("ASTRON-thesis-343", "ASTRON-thesis-344"),
    1024: ("ASTRON-thesis-345", "ASTRON-thesis-346"),
}
TABLE = {size: [get_fact(name).value for name in facts] for size, facts in FACTS.items()}

# A switch and two cables, as the delay of its two links: as in balboa/figure-4.
NETWORK = {"rate": "100Gbps", "delay": "400ns", "fabric": 16}

# A command is four registers of 8 bytes (Coyote, cProc and cThread without AVX), each a store of
# 100 ns, which is what strom10g and strom100g have for one (fitted there, to StRoM's message rate).
# Nothing else is written for it.
STORES = 4
STORE_NS = 100
# An FPGA's round trip over PCIe (StRoM section 6.2): of a DMA read, and of the register that tells
# the processor what has arrived, which it reads over and over: from the event to its knowledge half
# a round trip until the next read samples it, and half back.
ROUND_TRIP = "1500ns"


def get_settings(stores):
    """Return attributes of Coyote as its processor drives it with so many stores per command."""
    return {
        "ns3::rdma::HostCpu::PostCost": "0ns",
        "ns3::rdma::HostCpu::DoorbellCost": f"{stores * STORE_NS}ns",
        "ns3::rdma::HostCpu::PollCost": "0ns",
        "ns3::rdma::PcieLink::ReadLatency": ROUND_TRIP,
        "ns3::rdma::PcieLink::WriteLatency": ROUND_TRIP,
    }


OPTIONS = {
    "iters": Option("1000", "200", "messages of each test (1000 as the thesis has)"),
}


def measure(context, test, size, iterations, stores=STORES):
    """Return Mb/s of a batch that is posted at once, or us of one message on its way."""
    options = NETWORK | {"mtu": max(size, 1024), "size": size, "iters": iterations, "inline": 0}
    options["set"] = [f"{name}={value}" for name, value in get_settings(stores).items()]
    if test == "write_bw":
        options |= {"tx_depth": iterations, "cq_mod": 1}
    result = srnic.run_perftest(context, test, NIC, **options)
    if test == "write_bw":
        return result["averageMiBps"] * 2**20 * 8 / 1e6
    return result["typicalUs"]


def make_rows(throughput, latency, projected):
    """Return the rows of validation."""
    rows = []
    for size, (speed_fact, time_fact) in FACTS.items():
        rows.append(compare(f"throughput, {size} B, Mb/s", throughput[size], [speed_fact]))
        rows.append(compare(f"latency, {size} B, us", latency[size], [time_fact]))
    rows.append(compare("mean latency, us", mean(latency.values()), ["ASTRON-thesis-347"]))
    rows.append(
        compare("throughput, 1024 B, Gb/s", throughput[1024] / 1000, ["ASTRON-thesis-348"])
    )
    rows.append(compare("throughput, 4096 B, Gb/s", projected / 1000, ["ASTRON-thesis-349"]))
    rates = [throughput[size] / size for size in SIZES]
    off = max(rates) / min(rates) - 1
    rows.append(check("messages per second over the sizes", "linear", f"{off:.1%} apart", off < TOLERANCE, ["ASTRON-thesis-736"]))
    return rows


def draw(data):
    """Return the picture: throughput left, latency right."""
    looks = style.get_styles([NIC])
    looks[PAPER_NAME] = style.NicStyle("Thesis, Table 6.1", style.BLACK, "o", (0, (1, 1)), "")
    return draw_panels(data, looks)


def run(context):
    """Measure both columns, print them beside the thesis' and write the figure."""
    iterations = read_number(context.options, "iters", 20, 100000)
    throughput = {size: measure(context, "write_bw", size, iterations) for size in SIZES}
    latency = {size: measure(context, "write_lat", size, iterations) for size in SIZES}
    projected = measure(context, "write_bw", PROJECTED, iterations)
    one_store = measure(context, "write_bw", SIZES[0], iterations, stores=1)
    rows = [
        [f"{size:,}", *map(format_number, (TABLE[size][0], throughput[size], TABLE[size][1], latency[size]))]
        for size in SIZES
    ]
    headers = ["bytes", "Mb/s\nthesis", "Mb/s\nours", "us\nthesis", "us\nours"]
    checks = make_rows(throughput, latency, projected)
    print(format_table(headers, rows))
    print(f"\n4096 B: {format_number(projected)} Mb/s; 128 B with one store: {format_number(one_store)}")
    print()
    print(format_rows(checks))
    x = {"label": "Message size", "unit": "B", "scale": "log2"}
    panels = [
        {
            "x": x,
            "y": {"label": label, "unit": unit},
            "series": {
                NIC: [[size, ours[size]] for size in SIZES],
                PAPER_NAME: [[size, TABLE[size][column]] for size in SIZES],
            },
        }
        for column, (label, unit, ours) in enumerate(
            (("Throughput", "Mbit/s", throughput), ("Latency", "us", latency))
        )
    ]
    context.write_figure(
        x,
        panels[0]["y"],
        panels[0]["series"],
        plot=draw,
        panels=panels,
        checks=checks,
        one_store=one_store,
        settings=get_settings(STORES) | NETWORK,
    )
