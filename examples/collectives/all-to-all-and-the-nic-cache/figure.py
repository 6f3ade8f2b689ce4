# SPDX-License-Identifier: GPL-2.0-only
"""All-to-all with more and more queue pairs per NIC: where contexts no longer fit the NIC's cache.

64 servers hold 1, 2, 4 or 8 ranks each. A rank has a queue pair to each rank of other servers and one from it, and
sends one message of the same size to each. The second iteration counts, in which every queue pair has been used before.
"""

from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from ..common import FABRIC, SERVERS, get_results, make_nics, select

NIC_NAMES = ("ConnectX-6", "BALBOA", "SRNIC")
#: Queue pairs that a NIC holds at most, where there are fewer than these runs need: RdmaNic::MaxQueuePairs of the preset.
MOST = {"BALBOA": 500}

OPTIONS = {
    "ranks": Option("1,2,4,8", "1,2", "ranks per server"),
    "bytes": Option("256,4096", "256", "of a message"),
}

BITS = 8


def count_messages(per_server):
    """Return the messages of a server to others: each rank sends one to each rank of other servers."""
    return per_server * (SERVERS - 1) * per_server


def list_nics(per_server):
    """Return the names of the NICs that hold the queue pairs."""
    return [name for name in NIC_NAMES if 2 * count_messages(per_server) <= MOST.get(name, 2**32)]


def make_scenario(per_server, size):
    """Return the scenario of one number of ranks per server."""
    ranks = SERVERS * per_server
    workload = {
        "type": "collective",
        "operation": "all-to-all",
        "size": ranks * size,
        "ranksPerServer": per_server,
        "iterations": 2,
        "warmup": 1,
    }
    if per_server > 1:
        # The rate of NVLink 4 per direction (NVIDIA H100 data sheet: 900 GB/s both); the latency is our estimate.
        workload["local"] = {"rate": "3600Gbps", "latency": "1us"}
    return {
        "name": f"ranks-{ranks}-bytes-{size}",
        "fabric": FABRIC,
        "nics": make_nics(list_nics(per_server), hardware="on"),
        "workload": workload,
    }


def get_point(nic, per_server, size):
    """Return the numbers of a run."""
    collective = nic.summary["collective"]
    messages = count_messages(per_server)
    time = 1e3 * collective["time_us"]["mean"]
    return {
        "queue_pairs": 2 * messages,
        "goodput_gbps": messages * size * BITS / time,
        "misses_per_message": nic.summary["hardware"]["context_misses"] / (2 * 2 * SERVERS * messages),
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
        "defect": nic.defect,
    }


def measure(context, size):
    """Return {NIC: [point]} of one size of messages."""
    points = {name: [] for name in NIC_NAMES}
    for per_server in read_numbers(context.options, "ranks", 1, 16):
        result = context.run_scenario(make_scenario(per_server, size))
        for name, nic in get_results(result, list_nics(per_server)).items():
            points[name].append(get_point(nic, per_server, size))
    return points


def make_panel(points, key, label, unit=""):
    """Return a panel over the queue pairs of a NIC."""
    series = {name: [[one["queue_pairs"], one[key]] for one in found] for name, found in points.items()}
    x = {"label": "Queue pairs per NIC", "unit": "", "scale": "log2"}
    return {"x": x, "y": {"label": label, "unit": unit}, "series": series}


COLUMNS = (
    ("Gb/s", "goodput_gbps"),
    ("misses per\nmessage", "misses_per_message"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
)


def run(context):
    """Run all points, print the table and draw the panels."""
    points = {size: measure(context, size) for size in read_numbers(context.options, "bytes", 1, 2**20)}
    rows = [
        [f"{size:,}", name, f"{one['queue_pairs']:,}", *(format_number(one[key]) for _, key in COLUMNS)]
        for size, by_nic in points.items()
        for name, found in by_nic.items()
        for one in found
    ]
    print(format_table(["bytes", "NIC", "queue pairs", *(label for label, _ in COLUMNS)], rows))
    panels = [make_panel(found, "goodput_gbps", f"Goodput of a NIC, {size:,} B", "Gb/s") for size, found in points.items()]
    smallest = points[min(points)]
    context.write_panels(
        [*panels, make_panel(smallest, "misses_per_message", f"Context misses per message, {min(points):,} B")],
        plot=lambda data: draw_panels(data, select(NIC_NAMES)),
        points={str(size): found for size, found in points.items()},
    )
