# SPDX-License-Identifier: GPL-2.0-only
"""Ring all-reduce of 64 ranks beside storage traffic: how long an iteration takes, lossless and lossy.

All 64 servers of a fat-tree repeat an all-reduce while Cache_Follower flows run between them; with PFC and without. The
all-reduce begins when the storage traffic has run for a tenth of its time, and ends with it.
"""

from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from ...fabric.common import read_loads
from ..common import FABRIC, NICS, get_results, make_nics, select

OPTIONS = {
    "loads": Option("0,0.4,0.8", "0,0.2", "load of the storage traffic"),
    "kibibytes": Option("256", "16", "buffer of a rank, KiB"),
    "duration": Option("30000", "4000", "of the storage traffic, us"),
}

FABRICS = {"lossless": True, "lossy": False}


def make_scenario(options, kind, load):
    """Return the scenario of one fabric and load."""
    duration = read_number(options, "duration", 10, 10**6)
    training = {
        "name": "training",
        "type": "collective",
        "operation": "all-reduce",
        "size": f"{read_number(options, 'kibibytes', 1, 2**20)}KiB",
        "iterations": 10**5,
        "start": f"{duration // 10}us",
        "end": f"{duration}us",
    }
    storage = {
        "name": "storage",
        "type": "poisson",
        "sizes": "../../../traces/cache-follower.cdf",
        "load": load,
        "duration": f"{duration}us",
    }
    return {
        "name": f"{kind}-{load:g}",
        "fabric": {**FABRIC, "pfc": FABRICS[kind]},
        "nics": make_nics(NICS, hardware="on"),
        "workloads": [training, storage] if load > 0 else [training],
    }


def get_point(nic):
    """Return the numbers of a run."""
    collective = nic.select("training").summary["collective"]
    times = collective.get("time_us", {})
    return {
        "iterations": collective["completed"],
        "mean_us": times.get("mean"),
        "max_us": times.get("max"),
        "busbw_gbps": collective.get("busbw_gbps"),
        "slowdown": collective.get("slowdown"),
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
        "defect": nic.defect,
    }


def measure(context):
    """Return {fabric: {NIC: {load: point}}}."""
    loads = read_loads(context.options)
    scenarios = {(kind, load): make_scenario(context.options, kind, load) for kind in FABRICS for load in loads}
    found = {kind: {name: {} for name in NICS} for kind in FABRICS}
    for (kind, load), result in context.sweep(scenarios).items():
        for name, nic in get_results(result, NICS).items():
            found[kind][name][load] = get_point(nic)
    return found


def make_panel(found, kind, key, label):
    """Return a panel over the load."""
    series = {
        name: [[load, point[key]] for load, point in points.items() if point["iterations"] > 0]
        for name, points in found[kind].items()
    }
    x = {"label": "Load of the storage traffic", "unit": "", "scale": "linear"}
    return {"x": x, "y": {"label": f"{label}, {kind}", "unit": "us", "scale": "log"}, "series": series}


def run(context):
    """Run all points, print the tables and draw the panels."""
    found = measure(context)
    for kind, by_nic in found.items():
        rows = [
            [name, f"{load:g}", str(point["iterations"])]
            + [format_number(point[key]) for key in ("mean_us", "max_us", "busbw_gbps")]
            + [str(point["retransmitted"]), str(point["timeouts"])]
            for name, points in by_nic.items()
            for load, point in points.items()
        ]
        headers = [f"NIC, {kind}", "load", "iterations", "mean us", "longest us", "bus Gb/s", "resent", "timeouts"]
        print(format_table(headers, rows), end="\n\n")
    context.write_panels(
        [
            make_panel(found, kind, key, label)
            for kind in FABRICS
            for key, label in (("mean_us", "Mean iteration"), ("max_us", "Longest iteration"))
        ],
        plot=lambda data: draw_panels(data, select(NICS)),
        points={kind: {name: list(points.values()) for name, points in one.items()} for kind, one in found.items()},
    )
