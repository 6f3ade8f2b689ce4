# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Table 5.1: UDP through the kernel beside RoCE, by message size.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.1.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import compare, format_rows
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option

from ..common import get_host, make_scenario, sweep_streams

UDP = "udp"
ROCE = "roce"
PAPER = "thesis-"

# bytes: Gb/s, % of a core.
UDP_FACTS = {
    9000: ("ASTRON-thesis-278", "ASTRON-thesis-279"),
    32000: ("ASTRON-thesis-282", "ASTRON-thesis-283"),
    64000: ("ASTRON-thesis-286", "ASTRON-thesis-287"),
}
ROCE_FACTS = {
    9000: ("ASTRON-thesis-280", "ASTRON-thesis-281"),
    32000: ("ASTRON-thesis-284", "ASTRON-thesis-285"),
    64000: ("ASTRON-thesis-288", "ASTRON-thesis-289"),
    1000000: ("ASTRON-thesis-290", "ASTRON-thesis-291"),
}
UDP_TABLE, ROCE_TABLE = (
    {size: tuple(get_fact(name).value for name in facts) for size, facts in table.items()}
    for table in (UDP_FACTS, ROCE_FACTS)
)
LARGEST_COMMON = 64000
JUMBO = 8972  # Fills a packet of 9000 bytes.
FRAMING = 24  # Preamble 8, FCS 4, gap 12: the thesis leaves them out.

# qperf 0.4.10 (linux-rdma/qperf, src/rdma.c): 1024 WRITEs with immediate data under way, and as many
# receive requests, each posted by a call of its own. Both ends do the same over and over: get an
# event (the call sleeps if there is none), arm, acknowledge it, poll once for all completions that
# there are, post as many requests. No memory manager, no measurements in between.
QPERF = {
    "service": "RC",
    "linked": 1,
    "regions": 1,
    "signaledEvery": 1,
    "sendQueue": 1024,
    "receiveQueue": 1024,
    "polling": "event-once",
    "measureInterval": "0ns",
}
NO_MEMORY_MANAGER = {
    "ns3::rdma::HostCosts::Lock": "0ns",
    "ns3::rdma::HostCosts::RegionLookup": "0ns",
    "ns3::rdma::HostCosts::Check": "0ns",
}
NIC = {"ns3::rdma::PcieLink::Generation": 4}  # Section 3.1.

OPTIONS = {
    "duration": Option("14ms", "6ms", "duration of each run, 3 ms of warm-up and 1 ms of cool-down included"),
}


def measure_udp(context, size):
    """Return Gb/s, and % of the receiver's cores, all of the machine as qperf counts them."""
    (row,) = context.measure("udp-bw", size=size)
    return row["goodput_gbps"], 100 * (row["reader_cores"] + row["softirq_cores"])


def measure_efficiency(context):
    """Return the payload of a jumbo frame as % of its bytes."""
    (row,) = context.measure("udp-bw", size=JUMBO)
    return 100 * JUMBO / (row["wire_bytes"] - FRAMING)


def measure_roce(context):
    """Return {size: (Gb/s, % of the receiver's cores, interrupts too, as qperf counts them)}."""
    scenarios = {
        size: make_scenario(
            f"roce-{size}",
            [{"sender": 0, "receiver": 1, "messageBytes": size}],
            attributes=NIC | NO_MEMORY_MANAGER,
            **QPERF | {"duration": context.options["duration"]},
        )
        for size in ROCE_TABLE
    }
    found = {}
    for size, nic in sweep_streams(context, scenarios).items():
        receiver = get_host(nic)
        use = receiver["use_percent"]["mean"] + receiver["interrupt_percent"]
        found[size] = (nic.summary["streams"]["goodput_gbps"], use)
    return found


def make_rows(udp, roce, efficiency):
    """Return the rows of validation."""
    rows = []
    for name, facts, ours in (("UDP", UDP_FACTS, udp), ("RoCE", ROCE_FACTS, roce)):
        for size, (speed_fact, use_fact) in facts.items():
            rows.append(compare(f"{name}, {size:,} B, Gb/s", ours[size][0], [speed_fact]))
            rows.append(compare(f"{name}, {size:,} B, % of a core", ours[size][1], [use_fact]))
    speed, use = (roce[LARGEST_COMMON][i] / udp[LARGEST_COMMON][i] for i in (0, 1))
    rows.append(
        compare("RoCE over UDP, 64 kB: throughput per processor use", speed / use, ["ASTRON-thesis-352"])
    )
    rows.append(compare("UDP, a packet of 9000 B, % payload", efficiency, ["ASTRON-thesis-255"]))
    return rows


def draw(data):
    """Return the picture: throughput left, use of cores right."""
    looks = {
        UDP: style.NicStyle("UDP", style.BLUE, "s", "-", ""),
        PAPER + UDP: style.NicStyle("UDP, thesis", style.SKY_BLUE, "P", (0, (1, 1)), ""),
        ROCE: style.NicStyle("RoCE", style.VERMILLION, "o", "-", ""),
        PAPER + ROCE: style.NicStyle("RoCE, thesis", style.ORANGE, "X", (0, (1, 1)), ""),
    }
    return draw_panels(data, looks)


def make_panel(column, label, unit, udp, roce):
    """Return the panel of one column of both protocols, ours and the thesis'."""
    return {
        "x": {"label": "Message size", "unit": "kB", "scale": "log2"},
        "y": {"label": label, "unit": unit},
        "series": {
            name: [[size / 1000, row[column]] for size, row in table.items()]
            for name, table in (
                (UDP, udp),
                (PAPER + UDP, UDP_TABLE),
                (ROCE, roce),
                (PAPER + ROCE, ROCE_TABLE),
            )
        },
    }


def run(context):
    """Measure both protocols, print the table and write the figure."""
    udp = {size: measure_udp(context, size) for size in UDP_TABLE}
    roce = measure_roce(context)
    lines = []
    for name, table, ours in (("UDP", UDP_TABLE, udp), ("RoCE", ROCE_TABLE, roce)):
        for size, row in table.items():
            values = (row[0], ours[size][0], row[1], ours[size][1])
            lines.append([name, f"{size:,}", *map(format_number, values)])
    headers = ["", "bytes", "Gb/s\nthesis", "Gb/s\nours", "CPU %\nthesis", "CPU %\nours"]
    checks = make_rows(udp, roce, measure_efficiency(context))
    print(format_table(headers, lines))
    print()
    print(format_rows(checks))
    panels = [
        make_panel(0, "Throughput", "Gbit/s", udp, roce),
        make_panel(1, "CPU use", "% of a core", udp, roce),
    ]
    context.write_panels(panels, plot=draw, checks=checks, settings=QPERF | NIC | NO_MEMORY_MANAGER)
