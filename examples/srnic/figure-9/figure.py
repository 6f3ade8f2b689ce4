# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 9: throughput over the number of connections.

Source: SRNIC (NSDI 2023), section 6.1, "Connection Scalability".
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers
from rocelab.validate.points import find, find_last

from .. import common

MESSAGE_BYTES = 512  # SRNIC-070.
THREADS = 16  # SRNIC-069.
LEAST_QUEUE_PAIRS = 128  # SRNIC-072.
MOST_QUEUE_PAIRS = 10000  # SRNIC-073.
COMMERCIAL = ("connectx5", "connectx6")
FULL = 0.9  # Of the throughput with the fewest queue pairs: what counts as no drop.

OPTIONS = {
    "qps": Option("128,256,512,1024,2048,4096,8192,10000", "128,2048", "numbers of queue pairs"),
    "nics": Option("connectx5,connectx6,srnic,tcp", "connectx6,srnic,tcp", "presets, and tcp"),
    "messages": Option("200000", "20000", "approximate number of messages of each test"),
}

X_AXIS = {"label": "Queue pairs", "unit": "", "scale": "log2"}
Y_AXIS = {"label": "Throughput", "unit": "Gbit/s"}


def measure(context, nic, connections, messages):
    """Return Gbit/s as the port of the sender counts them."""
    if nic == common.TCP:
        result = common.run_tcp(
            context,
            "bw",
            size=MESSAGE_BYTES,
            connections=connections,
            threads=THREADS,
            depth=common.DEPTH,
        )
        return result["wire_gbps"]
    load = common.get_load(connections, messages)
    result = common.run_perftest(
        context, "send_bw", nic, size=MESSAGE_BYTES, threads=THREADS, **load
    )
    return result["measured"]["wireGbps"]


def get_most(series):
    """Return the most queue pairs with which srnic has its full rate; None if it was not asked."""
    points = series.get("srnic", [])
    return max((number for number, y in points if y >= FULL * points[0][1]), default=None)


def make_rows(series):
    """Return the rows of what the paper prints as numbers."""
    rows = []
    for number in (LEAST_QUEUE_PAIRS, MOST_QUEUE_PAIRS):
        ours = find(series, "srnic", number)
        what = f"srnic, {number:,} queue pairs, Gbit/s"
        rows.append(compare(what, ours, ["SRNIC-074", "SRNIC-003"]))
    rows.append(compare("srnic, most at full rate, queue pairs", get_most(series), ["SRNIC-001"]))
    for nic in COMMERCIAL:
        ours = find_last(series.get(nic, []), lambda y, first: y >= FULL * first)
        rows.append(compare(f"{nic}, last before the drop, queue pairs", ours, ["SRNIC-077"]))
    tcp = [value for _, value in series.get(common.TCP, [])]
    for what, choose, fact in (("least", min, "SRNIC-075"), ("most", max, "SRNIC-076")):
        rows.append(compare(f"tcp, {what}, Gbit/s", choose(tcp, default=None), [fact]))
    return rows


def run(context):
    """Measure every NIC at every number of connections and write the figure."""
    numbers = read_numbers(context.options, "qps", 1, 16384)
    nics = read_names(context.options)
    messages = read_number(context.options, "messages", 1000, 10**8)
    series = {
        nic: [[number, measure(context, nic, number, messages)] for number in numbers]
        for nic in nics
    }
    panels = [{"x": X_AXIS, "y": Y_AXIS, "series": series}]
    settings = {"threads": THREADS, "size": MESSAGE_BYTES, "messages": messages}
    common.finish(context, panels, make_rows(series), settings)
