# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 10b: latency of small messages, also with receive work requests that are read ahead.

Source: SRNIC (NSDI 2023), sections 4.3.2 and 6.2, "Latency".
"""

from rocelab.draw import style
from rocelab.draw.bars import draw_bars, place_labels
from rocelab.draw.canvas import Canvas
from rocelab.validate.checks import check, compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number

from .. import common

MESSAGE_BYTES = 64  # SRNIC-085.
ROUND_TRIP_US = 1.1  # Section 6.2: "the average PCIe RTT we measured is 1.1 us", as in the preset.
FACTS = {
    "connectx6": ["SRNIC-086"],
    "srnic": ["SRNIC-085", "SRNIC-004"],
    "tcp": ["SRNIC-088"],
}

# "If Receive WQEs are prefetched and cached, the incoming packet could hit the WQE cache, reducing the latency by one
# PCIe round-trip time (i.e., around 1 us)" (section 4.3.2): a cache for one receive queue.
PREFETCH = ["ns3::rdma::ReceiveWqeCache::Entries=1", "ns3::rdma::ReceiveWqeCache::Prefetch=true"]
# Criterion, stated before the run: the saving is within this part of the mean time of such a PCIe read, and is 1 us in
# whole microseconds.
ONE_ROUND_TRIP = 0.1

OPTIONS = {
    "nics": Option("connectx6,srnic,tcp", "connectx6,srnic,tcp", "presets, and tcp"),
    "iters": Option("1000", "100", "messages of each test"),
}

X_AXIS = {"label": "Message size", "unit": "B"}
Y_AXIS = {"label": "Latency of 64 B", "unit": "us"}


def measure(context, nic, iterations, **options):
    """Return the median latency, us."""
    if nic == common.TCP:
        return common.run_tcp(context, "lat", size=MESSAGE_BYTES)["latency_us"]
    result = common.run_perftest(context, "send_lat", nic, size=MESSAGE_BYTES, iters=iterations, **options)
    return result["typicalUs"]


def get_fetch_time(context):
    """Return the us from the scheduler's choice to the work request: nothing if it were cached."""
    arguments = ["list", "pipeline", "--nic", "srnic", "--bytes", MESSAGE_BYTES, "--json"]
    parts = {part["name"]: part["ns"] for part in context.run_command(arguments)["pcie"]}
    return parts["work request"] / 1000


def make_prefetch_row(latency, prefetched):
    """Return the row of the latency without receive work requests read ahead, less that with them."""
    saved = latency - prefetched
    text = f"{saved:.2f} us, {saved / ROUND_TRIP_US:.2f} PCIe round trips"
    is_met = abs(saved / ROUND_TRIP_US - 1) <= ONE_ROUND_TRIP and round(saved) == get_fact("SRNIC-048").value
    what = "srnic, 64 B: saved by receive work requests that are read ahead"
    return check(what, "one PCIe round trip, around 1 us", text, is_met, ["SRNIC-048"])


def draw(data):
    """Return the picture: a bar per NIC with its value above."""
    looks = style.get_styles(data["series"])
    values = [points[0][1] for points in data["series"].values()]
    with style.paper():
        canvas = Canvas(style.COLUMN_WIDTH, style.PANEL_HEIGHT)
        axes = canvas.panels[0]
        draw_bars(axes, [looks[name] for name in data["series"]], values, [True] * len(values))
        axes.set_ylabel(style.get_axis_label(data["y"]))
        place_labels(canvas.figure)
        return canvas.figure


def run(context):
    """Measure every NIC and write the figure."""
    nics = read_names(context.options)
    iterations = read_number(context.options, "iters", 5, 10**8)
    series = {nic: [[MESSAGE_BYTES, measure(context, nic, iterations)]] for nic in nics}
    comparison = [
        compare(f"{nic}, 64 B, us", series[nic][0][1], facts)
        for nic, facts in FACTS.items()
        if nic in series
    ]
    if "srnic" in series:
        what = "srnic, fetch of a work request by the scheduler, us"
        comparison.append(compare(what, get_fetch_time(context), ["SRNIC-087"]))
        prefetched = measure(context, "srnic", iterations, set=PREFETCH)
        comparison.append(make_prefetch_row(series["srnic"][0][1], prefetched))
    panels = [{"x": X_AXIS, "y": Y_AXIS, "series": series}]
    settings = {"threads": 1, "qp": 1, "size": MESSAGE_BYTES, "iters": iterations}
    common.finish(context, panels, comparison, settings, plot=draw)
