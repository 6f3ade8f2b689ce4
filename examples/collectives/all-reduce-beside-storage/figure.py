# SPDX-License-Identifier: GPL-2.0-only
"""Ring all-reduce of 64 ranks beside storage traffic: how long an iteration takes, lossless and lossy.

All 64 servers of a fat-tree repeat an all-reduce while Cache_Follower flows run between them; with PFC and without.
"""

from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from ...fabric.common import put_beside_flows, read_loads
from ..common import FABRIC, NICS, get_results, make_nics, select

OPTIONS = {
    "loads": Option("0,0.2,0.4,0.6,0.8", "0,0.4", "load of the storage traffic"),
    "kibibytes": Option("1024", "256", "buffer of a rank, KiB"),
    "iterations": Option("20", "4", "all-reduces"),
    "duration": Option("4000", "500", "of the storage traffic, us"),
}

FABRICS = {"lossless": True, "lossy": False}


def make_scenario(options, kind, load):
    """Return the scenario of one fabric and load."""
    workload = {
        "type": "collective",
        "operation": "all-reduce",
        "size": f"{read_number(options, 'kibibytes', 1, 2**20)}KiB",
        "iterations": read_number(options, "iterations", 1, 10**4),
    }
    return {
        "name": f"{kind}-{load:g}",
        "fabric": {**FABRIC, "pfc": FABRICS[kind]},
        "nics": make_nics(NICS),
        **put_beside_flows(workload, load, f"{read_number(options, 'duration', 1, 10**6)}us"),
    }


def get_point(nic):
    """Return the numbers of a run."""
    whole = nic.select("collective") if nic.workloads else nic
    collective = whole.summary["collective"]
    return {
        "mean_us": collective["time_us"]["mean"],
        "p99_us": collective["time_us"]["p99"],
        "busbw_gbps": collective["busbw_gbps"],
        "slowdown": collective["slowdown"],
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
        "defect": nic.defect,
    }


def measure(context):
    """Return {fabric: {NIC: {load: point}}}."""
    found = {}
    for kind in FABRICS:
        found[kind] = {name: {} for name in NICS}
        for load in read_loads(context.options["loads"]):
            result = context.run_scenario(make_scenario(context.options, kind, load))
            for name, nic in get_results(result, NICS).items():
                found[kind][name][load] = get_point(nic)
    return found


def make_panel(found, kind, key, label):
    """Return a panel over the load."""
    series = {name: [[load, point[key]] for load, point in points.items()] for name, points in found[kind].items()}
    x = {"label": "Load of the storage traffic", "unit": "", "scale": "linear"}
    return {"x": x, "y": {"label": f"{label}, {kind}", "unit": "us", "scale": "log"}, "series": series}


def run(context):
    """Run all points, print the tables and draw the panels."""
    found = measure(context)
    for kind, by_nic in found.items():
        rows = [
            [name, f"{load:g}", *(format_number(point[key]) for key in ("mean_us", "p99_us", "busbw_gbps"))]
            + [str(point["retransmitted"]), str(point["timeouts"])]
            for name, points in by_nic.items()
            for load, point in points.items()
        ]
        headers = [f"NIC, {kind}", "load", "mean us", "P99 us", "bus Gb/s", "resent", "timeouts"]
        print(format_table(headers, rows), end="\n\n")
    context.write_panels(
        [
            make_panel(found, kind, key, label)
            for kind in FABRICS
            for key, label in (("mean_us", "Mean iteration"), ("p99_us", "P99 iteration"))
        ],
        plot=lambda data: draw_panels(data, select(NICS)),
        points={kind: {name: list(points.values()) for name, points in one.items()} for kind, one in found.items()},
    )
