# SPDX-License-Identifier: GPL-2.0-only
"""All-to-all with more and more queue pairs per NIC: where contexts no longer fit the NIC's cache.

64 servers hold 1, 2, 4 or 8 ranks each. A rank has a queue pair to each rank of other servers and one from it, and
sends one message of the same size to each. The second iteration counts, in which every queue pair has been used before.
"""

from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from ..common import FABRIC, SERVERS, get_results, make_nics, select

NIC_NAMES = ("ConnectX-6", "BALBOA", "SRNIC")

OPTIONS = {
    "ranks": Option("1,2,4,8", "1,2", "ranks per server"),
    "bytes": Option("4096", "4096", "of a message"),
}

BITS = 8


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
        "name": f"ranks-{ranks}",
        "fabric": FABRIC,
        "nics": make_nics(NIC_NAMES, hardware="on"),
        "workload": workload,
    }


def get_point(nic, per_server, size):
    """Return the numbers of a run."""
    collective = nic.summary["collective"]
    messages = per_server * (SERVERS - 1) * per_server  # Of a server to others.
    time = 1e3 * collective["time_us"]["mean"]
    return {
        "queue_pairs": 2 * messages,
        "goodput_gbps": messages * size * BITS / time,
        "slowdown": collective["slowdown"],
        "misses_per_message": nic.summary["hardware"]["context_misses"] / (2 * 2 * SERVERS * messages),
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
        "defect": nic.defect,
    }


def measure(context):
    """Return {NIC: [point]}."""
    size = read_number(context.options, "bytes", 1, 2**20)
    points = {name: [] for name in NIC_NAMES}
    for per_server in read_numbers(context.options, "ranks", 1, 16):
        result = context.run_scenario(make_scenario(per_server, size))
        for name, nic in get_results(result, NIC_NAMES).items():
            points[name].append(get_point(nic, per_server, size))
    return points


def make_panel(points, key, label, unit=""):
    """Return a panel over the queue pairs of a NIC."""
    series = {name: [[one["queue_pairs"], one[key]] for one in found] for name, found in points.items()}
    x = {"label": "Queue pairs per NIC", "unit": "", "scale": "log2"}
    return {"x": x, "y": {"label": label, "unit": unit}, "series": series}


COLUMNS = (
    ("Gb/s", "goodput_gbps"),
    ("slowdown", "slowdown"),
    ("misses per\nmessage", "misses_per_message"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
)


def run(context):
    """Run all points, print the table and draw the panels."""
    points = measure(context)
    rows = [
        [name, str(one["queue_pairs"]), *(format_number(one[key]) for _, key in COLUMNS)]
        for name, found in points.items()
        for one in found
    ]
    print(format_table(["NIC", "queue pairs", *(label for label, _ in COLUMNS)], rows))
    context.write_panels(
        [
            make_panel(points, "goodput_gbps", "Goodput of a NIC", "Gb/s"),
            make_panel(points, "slowdown", "Time / empty network"),
            make_panel(points, "misses_per_message", "Context misses per message"),
        ],
        plot=lambda data: draw_panels(data, select(NIC_NAMES)),
        points=points,
    )
