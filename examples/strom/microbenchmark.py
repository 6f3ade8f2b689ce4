# SPDX-License-Identifier: GPL-2.0-only
"""Latency, throughput and message rate of one NIC by message size: the panels that NIC papers share.

Two NICs of a preset, cabled to each other, run perftest with hardware on. Beside the measured lines
stand those that the wire alone would allow.
"""

from dataclasses import dataclass, replace

from rocelab.draw import style
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from . import common

# Of each packet on the wire: preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4, gap 12.
PACKET_OVERHEAD = 82
RETH = 16  # Of the first packet of a WRITE.
READS = 128  # Under way per queue pair.
DEPTH = 256  # Messages posted at a time.
COMPLETION_EVERY = 64  # Messages.
WIRE_BOUND = 0.97  # Of what the wire allows: from here on it is the limit.

WRITE, READ, IDEAL = "WRITE", "READ", "ideal"
LOOKS = {
    WRITE: style.NicStyle("WRITE", style.BLUE, "o", "-", ""),
    READ: style.NicStyle("READ", style.VERMILLION, "s", (0, (4, 1.5)), ""),
    IDEAL: style.NicStyle("what the wire allows", style.GREY, "", (0, (1, 1.5)), ""),
}
LATENCY_SIZES = [64 << step for step in range(5)]  # 64 B to 1 KiB.
THROUGHPUT_SIZES = [64 << step for step in range(15)]  # 64 B to 1 MiB.
READ_NS = 1500  # Mean of a PCIe read (StRoM, section 6.2), as in the presets.
JITTER = Option("0", "0", "range of a PCIe read's latency around its mean, ns")


@dataclass(frozen=True)
class Bench:
    """Two NICs of a preset at the two ends of a cable."""

    nic: str
    gbps: int
    mtu: int
    payload: int  # Bytes of a throughput test; at least 32 messages.
    iterations: int  # Of a latency test.
    jitter: int = 0  # Range of a PCIe read's latency, ns; 0: all reads take READ_NS.

    def with_jitter(self, context):
        """Return this bench with the option JITTER."""
        return replace(self, jitter=read_number(context.options, "jitter", 0, 2 * READ_NS))

    def get_arguments(self, test, size):
        """Return the command line of one point."""
        arguments = ["perftest", test, "--nic", self.nic, "--hardware", "on", "-s", str(size)]
        arguments += ["--rate", f"{self.gbps}Gbps", "--delay", "10ns", "-m", str(self.mtu)]
        if self.jitter:
            least = READ_NS - self.jitter / 2
            arguments += ["--set", f"ns3::rdma::PcieLink::ReadLatency={least}ns"]
            arguments += ["--set", f"ns3::rdma::PcieLink::ReadJitter={self.jitter}ns"]
        if test.endswith("_lat"):
            return [*arguments, "-n", str(self.iterations), "--json"]
        count = min(max(self.payload // size, 32), 4096)
        arguments += ["-n", str(count), "-t", str(DEPTH), "-Q", str(min(COMPLETION_EVERY, count))]
        if test == "read_bw":
            arguments += ["--outs", str(READS)]
        return [*arguments, "--json"]

    def get_ideal_gbps(self, size):
        """Return the payload rate of WRITEs of this size if the wire is never idle."""
        packets = -(-size // self.mtu)
        return self.gbps * size / (size + packets * PACKET_OVERHEAD + RETH)

    def get_ideal_mpps(self, size):
        """Return messages per microsecond at that rate."""
        return self.get_ideal_gbps(size) * 1000 / 8 / size


def measure_latency(context, bench, sizes):
    """Return the panel of latencies: half a ping-pong of WRITEs, a whole READ; median, P1, P99."""
    series, spread = {}, {}
    for name, test in ((WRITE, "write_lat"), (READ, "read_lat")):
        points, bounds = [], []
        for size in sizes:
            result = context.run_command(bench.get_arguments(test, size))["results"][0]
            points.append([size, result["typicalUs"]])
            bounds.append([size, result["p1Us"], result["p99Us"]])
        series[name], spread[name] = points, bounds
    axis = {"label": "Payload", "unit": "B", "scale": "log2"}
    return {
        "x": axis,
        "y": {"label": "Latency, median", "unit": "us", "scale": "linear"},
        "series": series,
        "spread": spread,
    }


def format_spread(panel):
    """Return the sentence about the longest whisker of a panel of latencies."""
    longest = max(high - low for bounds in panel["spread"].values() for _, low, high in bounds)
    return f"Latency: P99 less P1 is at most {1000 * longest:,.0f} ns."


def measure_throughput(context, bench, sizes):
    """Return the panels of throughput and message rate, from the same runs."""
    rates = {WRITE: [], READ: [], IDEAL: []}
    messages = {WRITE: [], READ: [], IDEAL: []}
    for size in sizes:
        for name, test in ((WRITE, "write_bw"), (READ, "read_bw")):
            result = context.run_command(bench.get_arguments(test, size))["results"][0]
            gbps = result["measured"]["goodputGbps"]
            rates[name].append([size, gbps])
            messages[name].append([size, gbps * 1000 / 8 / size])
        rates[IDEAL].append([size, bench.get_ideal_gbps(size)])
        messages[IDEAL].append([size, bench.get_ideal_mpps(size)])
    axis = {"label": "Payload", "unit": "B", "scale": "log2"}
    return [
        {"x": axis, "y": {"label": "Throughput", "unit": "Gbit/s", "scale": "linear"}, "series": rates},
        {"x": axis, "y": {"label": "Message rate", "unit": "M/s", "scale": "log"}, "series": messages},
    ]


def get_bound_size(panel, part=WIRE_BOUND):
    """Return the smallest size from which on WRITEs reach this part of what the wire allows."""
    ideal = dict(panel["series"][IDEAL])
    reached = [size for size, rate in panel["series"][WRITE] if rate < part * ideal[size]]
    sizes = [size for size, _ in panel["series"][WRITE]]
    above = [size for size in sizes if not reached or size > max(reached)]
    return min(above) if above else None


def make_rate_rows(panels, peak_fact, small_fact):
    """Return the rows of the largest throughput, and of what limits the smallest messages."""
    throughput, messages = (panel["series"] for panel in panels[1:])
    peak = max(gbps for _, gbps in throughput[WRITE])
    size, rate = messages[WRITE][0]
    ideal = dict(map(tuple, messages[IDEAL]))[size]
    text = f"{rate:.2f} M/s; the wire allows {ideal:.2f}"
    is_bound = rate < WIRE_BOUND * ideal
    return [
        compare("WRITE, most, Gbit/s", peak, [peak_fact]),
        check(f"WRITE, {size} B", "message rate", text, is_bound, [small_fact]),
    ]


def format_panels(panels):
    """Return the table of all points, a column per line."""
    rows = []
    for panel in panels:
        unit = f"{panel['y']['label']}, {panel['y']['unit']}"
        columns = {name: dict(points) for name, points in panel["series"].items()}
        for index, (size, _) in enumerate(panel["series"][WRITE]):
            values = [
                format_number(columns[name][size]) if name in columns else ""
                for name in (WRITE, READ, IDEAL)
            ]
            rows.append([unit if index == 0 else "", f"{size:,}", *values])
    return format_table(["", "bytes", WRITE, READ, IDEAL], rows)


def draw(data):
    """Return the picture: latency, throughput, message rate."""
    names = {name for panel in data["panels"] for name in panel["series"]}
    return common.draw_with_whiskers(data, {name: LOOKS[name] for name in LOOKS if name in names})
