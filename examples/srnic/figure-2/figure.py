# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 2: throughput and extra PCIe traffic of commercial NICs over the queue pairs.

Source: SRNIC (NSDI 2023), section 2.2, "Connection Scalability Issue".
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers
from rocelab.validate.points import find, find_last

from .. import common

MESSAGE_BYTES = 512  # SRNIC-070; the paper does not state it for Figure 2.
THREADS = 16  # SRNIC-069; likewise.
MOST_QUEUE_PAIRS = 16384
FULL = 0.9  # Of the throughput with the fewest queue pairs.
GROWTH = 2  # Times the extra PCIe traffic with the fewest queue pairs.

OPTIONS = {
    "qps": Option("128,256,512,1024,2048,4096,8192,16384", "128,2048", "numbers of queue pairs"),
    "nics": Option("connectx5,connectx6", "connectx5,connectx6", "presets"),
    "messages": Option("200000", "20000", "approximate number of messages of each test"),
}

X_AXIS = {"label": "Queue pairs", "unit": "", "scale": "log2"}


def get_throughput(measured):
    """Return what the port of the sender counts, Gbit/s."""
    return measured["wireGbps"]


def get_extra_pcie(measured):
    """Return PCIe less network throughput of the sender, Gbit/s."""
    return measured["client"]["pcie"]["extraGbps"]


def get_miss_rate(measured):
    """Return cache misses of the sender, millions per second."""
    microseconds = measured["toUs"] - measured["fromUs"]
    return common.get_misses(measured["client"]) / microseconds


PANELS = (
    ({"label": "Throughput", "unit": "Gbit/s"}, get_throughput),
    ({"label": "Extra PCIe", "unit": "Gbit/s"}, get_extra_pcie),
    ({"label": "Cache misses", "unit": "M/s"}, get_miss_rate),
)


def measure(context, nic, queue_pairs, messages):
    """Return what one test measured."""
    load = common.get_load(queue_pairs, messages)
    result = common.run_perftest(
        context, "send_bw", nic, size=MESSAGE_BYTES, threads=THREADS, **load
    )
    return result["measured"]


def make_rows(panels):
    """Return the rows of what the paper prints as numbers."""
    throughput, extra = (panel["series"] for panel in panels[:2])
    first = find(throughput, "connectx6", 128)
    last = find(throughput, "connectx6", MOST_QUEUE_PAIRS)
    rows = [
        compare("connectx6, 128 queue pairs, Gbit/s", first, ["SRNIC-013"]),
        compare("connectx6, 16,384 queue pairs, Gbit/s", last, ["SRNIC-014"]),
    ]
    if first and last:
        drop = 100 * (first - last) / first
        rows.append(compare("connectx6, drop, %", drop, ["SRNIC-015"]))
    for nic, points in throughput.items():
        ours = find_last(points, lambda y, first: y >= FULL * first)
        rows.append(compare(f"{nic}, last before the drop, queue pairs", ours, ["SRNIC-016"]))
        ours = find_last(extra[nic], lambda y, first: y <= GROWTH * first)
        rows.append(compare(f"{nic}, last before extra PCIe, queue pairs", ours, ["SRNIC-017"]))
    return rows + make_shape_rows(*(panel["series"] for panel in panels))


def make_shape_rows(throughput, extra, misses):
    """Return the rows of what the paper states without a number, from the first and the last points."""
    ends = [
        [series[nic][place][1] for place in (0, -1)] for nic in throughput for series in (throughput, extra, misses)
    ]
    falls = all(ends[first][0] > ends[first][1] for first in range(0, len(ends), 3))
    grows = all(ends[place][0] < ends[place][1] for place in range(len(ends)) if place % 3)
    text = "; ".join(f"{first:.3g} to {last:.3g}" for first, last in ends)
    rows = [
        check("throughput, extra PCIe, misses, each NIC", "fall, grow, grow", text, falls and grows, ["SRNIC-700"])
    ]
    if {"connectx5", "connectx6"} <= set(throughput):
        last = [throughput[nic][-1][1] for nic in ("connectx5", "connectx6")]
        text = "{:.1f} and {:.1f} Gb/s".format(*last)
        is_alike = last[1] <= (1 + TOLERANCE) * last[0]
        rows.append(check("most queue pairs, connectx5 and connectx6", "no improvement", text, is_alike, ["SRNIC-701"]))
    return rows


def run(context):
    """Measure every NIC at every number of queue pairs and write the figure."""
    numbers = read_numbers(context.options, "qps", 1, MOST_QUEUE_PAIRS)
    nics = read_names(context.options)
    messages = read_number(context.options, "messages", 1000, 10**8)
    results = {
        nic: {number: measure(context, nic, number, messages) for number in numbers}
        for nic in nics
    }
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {
                nic: [[number, get(results[nic][number])] for number in numbers] for nic in nics
            },
        }
        for axis, get in PANELS
    ]
    settings = {"threads": THREADS, "size": MESSAGE_BYTES, "messages": messages}
    common.finish(context, panels, make_rows(panels), settings)
