# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 9: throughput over the number of connections.

Source: SRNIC (NSDI 2023), section 6.1, "Connection Scalability".
"""

from rocelab import testbed
from rocelab.checks import compare
from rocelab.figure import Option

MESSAGE_BYTES = 512  # SRNIC-070.
THREADS = 16  # SRNIC-069.
LEAST_QUEUE_PAIRS = 128  # SRNIC-072.
MOST_QUEUE_PAIRS = 10000  # SRNIC-073.
COMMERCIAL = ("connectx5", "connectx6")
FULL = 0.9  # Of the throughput with the fewest queue pairs: what counts as no drop.

OPTIONS = {
    "qps": Option("128,256,512,1024,2048,4096,8192,10000", "128,2048", "numbers of queue pairs"),
    "nics": Option("connectx5,connectx6,srnic,tcp", "connectx6,srnic,tcp", "presets, and tcp"),
    "messages": Option("200000", "20000", "of each test, about"),
}

PAPER = [
    {
        "sources": ["SRNIC-074"],
        "where": "Section 6.1, Figure 9",
        "statement": "srnic stays at around 97 Gbit/s from 128 to 10,000 queue pairs",
    },
    {
        "sources": ["SRNIC-077"],
        "where": "Section 6.1, Figure 9",
        "statement": "connectx5 and connectx6 drop when there are more than 256 queue pairs",
    },
    {
        "sources": ["SRNIC-075", "SRNIC-076"],
        "where": "Section 6.1, Figure 9",
        "statement": "TCP reaches 81 to 96 Gbit/s",
    },
]

X_AXIS = {"label": "Queue pairs", "unit": "", "scale": "log2"}
Y_AXIS = {"label": "Throughput", "unit": "Gbit/s"}


def measure(context, nic, connections, messages):
    """Return Gbit/s as the port of the sender counts them."""
    if nic == testbed.TCP:
        result = testbed.run_tcp(
            context, "bw", size=MESSAGE_BYTES, connections=connections, threads=THREADS
        )
        return result["wire_gbps"]
    load = testbed.get_load(connections, messages)
    result = testbed.run_perftest(
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
        ours = testbed.find(series, "srnic", number)
        what = f"srnic, {number:,} queue pairs, Gbit/s"
        rows.append(compare(what, ours, ["SRNIC-074", "SRNIC-003"]))
    rows.append(compare("srnic, most at full rate, queue pairs", get_most(series), ["SRNIC-001"]))
    for nic in COMMERCIAL:
        ours = testbed.find_last(series.get(nic, []), lambda y, first: y >= FULL * first)
        rows.append(compare(f"{nic}, last before the drop, queue pairs", ours, ["SRNIC-077"]))
    tcp = [value for _, value in series.get(testbed.TCP, [])]
    for what, choose, fact in (("least", min, "SRNIC-075"), ("most", max, "SRNIC-076")):
        rows.append(compare(f"tcp, {what}, Gbit/s", choose(tcp, default=None), [fact]))
    return rows


def run(context):
    """Measure every NIC at every number of connections and write the figure."""
    numbers = testbed.read_numbers(context.options, "qps", 1, 16384)
    nics = testbed.read_names(context.options)
    messages = testbed.read_number(context.options, "messages", 1000, 10**8)
    series = {
        nic: [[number, measure(context, nic, number, messages)] for number in numbers]
        for nic in nics
    }
    panels = [{"x": X_AXIS, "y": Y_AXIS, "series": series}]
    settings = {"threads": THREADS, "size": MESSAGE_BYTES, "messages": messages}
    testbed.finish(context, panels, make_rows(series), PAPER, settings)
