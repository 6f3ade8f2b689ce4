# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 10a: throughput and message rate of one connection over the message size.

Source: SRNIC (NSDI 2023), section 6.2, "Throughput".
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers

from .. import common

LINE_RATE_BYTES = 4096  # SRNIC-078.
NEAR = 0.97  # Of the throughput of the largest message: what counts as line rate.
# The number that the paper measured, and the bounds that it derives.
RATES = (("srnic", ("SRNIC-081", "SRNIC-084", "SRNIC-044")), ("connectx6", ("SRNIC-082",)))
MEGABYTES = 100
LEAST_MESSAGES = 200
MOST_MESSAGES = 50000

OPTIONS = {
    "sizes": Option(
        "64,128,256,512,1024,2048,4096,8192,16384,65536,262144,1048576",
        "64,8192",
        "message sizes, bytes",
    ),
    "nics": Option("connectx6,srnic,tcp", "connectx6,srnic,tcp", "presets, and tcp"),
    "megabytes": Option(f"{MEGABYTES}", "4", "approximate payload of each test, MB"),
}

X_AXIS = {"label": "Message size", "unit": "B", "scale": "log2"}
THROUGHPUT = {"label": "Throughput", "unit": "Gbit/s"}
MESSAGE_RATE = {"label": "Message rate", "unit": "M/s"}


def measure(context, nic, size, megabytes):
    """Return (Gbit/s as the port of the sender counts them, million messages per second)."""
    if nic == common.TCP:
        result = common.run_tcp(context, "bw", size=size, connections=1, threads=1)
        return result["wire_gbps"], result["message_rate_mops"]
    iterations = common.get_iterations(size, megabytes, LEAST_MESSAGES, MOST_MESSAGES)
    measured = common.run_perftest(context, "send_bw", nic, size=size, iters=iterations)["measured"]
    return measured["wireGbps"], measured["messageRateMpps"]


def get_line_rate_size(points):
    """Return the KiB from which on the throughput is that of the largest message, within 3 %."""
    below = [size for size, gbps in points if gbps < NEAR * points[-1][1]]
    above = [size for size, _ in points if size > max(below, default=0)]
    return above[0] / 1024 if above else None


def make_rows(throughput, rate):
    """Return the rows of what the paper prints as numbers."""
    rows = []
    for nic in ("srnic", "connectx6"):
        beyond = [value for size, value in throughput.get(nic, []) if size > LINE_RATE_BYTES]
        what = f"{nic}, least beyond 4 KB, Gbit/s"
        rows.append(compare(what, min(beyond, default=None), ["SRNIC-079"]))
        points = throughput.get(nic, [])
        if len(points) > len(beyond) + 1:
            ours = get_line_rate_size(points)
            rows.append(compare(f"{nic}, line rate from, KB", ours, ["SRNIC-078"]))
    tcp = max((value for _, value in throughput.get(common.TCP, [])), default=None)
    rows.append(compare("tcp, most, Gbit/s", tcp, ["SRNIC-080"]))
    for nic, facts in RATES:
        most = max((value for _, value in rate.get(nic, [])), default=None)
        rows += [compare(f"{nic}, most messages, M/s", most, [fact]) for fact in facts]
    return rows


def run(context):
    """Measure every NIC with every message size and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**31)
    nics = read_names(context.options)
    megabytes = read_number(context.options, "megabytes", 1, 10**5)
    throughput = {nic: [] for nic in nics}
    rate = {nic: [] for nic in nics}
    for nic in nics:
        for size in sizes:
            gbps, messages = measure(context, nic, size, megabytes)
            throughput[nic].append([size, gbps])
            rate[nic].append([size, messages])
    panels = [
        {"x": X_AXIS, "y": THROUGHPUT, "series": throughput},
        {"x": X_AXIS, "y": MESSAGE_RATE, "series": rate},
    ]
    settings = {"threads": 1, "qp": 1, "megabytes": megabytes}
    common.finish(context, panels, make_rows(throughput, rate), settings)
