# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 10c: processor time of one connection over the message size.

Source: SRNIC (NSDI 2023), section 6.2, "CPU overhead".
"""

from rocelab.validate.checks import compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers

from .. import common

LEAST_MESSAGES = 200
MOST_MESSAGES = 50000
BOUND = get_fact("SRNIC-089").value  # Percent of a core.

OPTIONS = {
    "sizes": Option(
        "64,256,1024,4096,16384,65536,262144,1048576", "4096,65536", "message sizes, bytes"
    ),
    "nics": Option("connectx6,srnic,tcp", "connectx6,srnic,tcp", "presets, and tcp"),
    "megabytes": Option("100", "4", "approximate payload of each test, MB"),
}

X_AXIS = {"label": "Message size", "unit": "B", "scale": "log2"}
PANELS = (
    ("client", {"label": "Client CPU", "unit": "% of a core"}),
    ("server", {"label": "Server CPU", "unit": "% of a core"}),
)


def measure(context, nic, size, megabytes):
    """Return {end: percent of a core}. A core that waits for completions is free."""
    if nic == common.TCP:
        result = common.run_tcp(context, "bw", size=size, connections=1, threads=1)
        return {"client": 100 * result["sender_cores"], "server": 100 * result["receiver_cores"]}
    iterations = common.get_iterations(size, megabytes, LEAST_MESSAGES, MOST_MESSAGES)
    measured = common.run_perftest(context, "send_bw", nic, size=size, iters=iterations)["measured"]
    return {end: 100 * measured[end]["cpu"]["cores"] for end, _ in PANELS}


def get_modest_sizes(panels):
    """Return {NIC: smallest size from which on both ends stay below the paper's bound}."""
    sizes = {}
    for nic in panels[0]["series"]:
        points = [panel["series"][nic] for panel in panels]
        busy = [size for series in points for size, value in series if value >= BOUND]
        rest = [size for size, _ in points[0] if size > max(busy, default=0)]
        sizes[nic] = min(rest, default=None)
    return sizes


def make_rows(panels):
    """Return the rows of what the paper prints as numbers: a bound, without the message size."""
    rows = []
    for panel, (end, _) in zip(panels, PANELS):
        most = {nic: max(value for _, value in points) for nic, points in panel["series"].items()}
        for nic in ("srnic", "connectx6"):
            what = f"{nic}, {end}, most, %"
            rows.append(compare(what, most.get(nic), ["SRNIC-089", "SRNIC-005"]))
        what = f"tcp, {end}, most, %"
        rows.append(compare(what, most.get(common.TCP), ["SRNIC-090"]))
    return rows


def run(context):
    """Measure every NIC with every message size and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**31)
    nics = read_names(context.options)
    megabytes = read_number(context.options, "megabytes", 1, 10**5)
    results = {
        nic: {size: measure(context, nic, size, megabytes) for size in sizes} for nic in nics
    }
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {
                nic: [[size, value[end]] for size, value in results[nic].items()] for nic in nics
            },
        }
        for end, axis in PANELS
    ]
    settings = {"threads": 1, "qp": 1, "megabytes": megabytes}
    modest = get_modest_sizes(panels)
    common.finish(context, panels, make_rows(panels), settings, below_bound_from=modest)
    for nic, size in modest.items():
        text = "at no size" if size is None else f"from {size:,} bytes on"
        print(f"{nic} is below {BOUND:g} % of a core {text}")
