# SPDX-License-Identifier: GPL-2.0-only
"""What figures share that compare systems of clients and stores behind a busy fabric.

56 clients ask 8 servers of a fat-tree of 64 that carries Cache_Follower flows between all: in an
open loop for the latency, in a closed one for the goodput.
"""

from rocelab.draw.panels import INCOMPLETE_NOTE
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.options import read_reals

# Two servers in each rack of 16.
STORES = [[0, 1], [16, 17], [32, 33], [48, 49]]
CLIENTS = [[2, 15], [18, 31], [34, 47], [50, 63]]

KINDS = ("latency", "goodput")

X_AXIS = {"label": "Background load", "unit": "", "scale": "linear"}
LATENCY_PANELS = (
    ("latency", {"label": "P50 latency", "unit": "us"}, lambda rpc: rpc["latency_us"]["p50"]),
    ("latency", {"label": "P99 latency", "unit": "us"}, lambda rpc: rpc["latency_us"]["p99"]),
)
GOODPUT_PANEL = (
    "goodput",
    {"label": "Goodput", "unit": "Gb/s"},
    lambda rpc: rpc["goodput_gbps"],
)


def read_loads(options, name="loads"):
    """Return the loads of an option."""
    return read_reals(options, name, 0, 0.9)


def put_beside_flows(workload, load, duration, **keys):
    """Return the key of a scenario with a workload, beside Poisson flows if their load is not 0.

    Workloads are named after their types, so that their random numbers are those of the workload alone.
    """
    if load == 0:
        return {"workload": workload}
    flows = {
        "name": "poisson",
        "type": "poisson",
        "sizes": "../../../traces/cache-follower.cdf",
        "load": load,
        "duration": duration,
        **keys,
    }
    return {"workloads": [{"name": workload["type"], **workload}, flows]}


def get_summary(nic, workload):
    """Return the summary of a workload of a run, in which it may be the only one."""
    return (nic.select(workload) if nic.workloads else nic).summary


def get_type(scenario):
    """Return the type of the workload that put_beside_flows() was given."""
    workloads = scenario.get("workloads") or [scenario["workload"]]
    return workloads[0]["type"]


def make_scenario(name, nics, workload, load, duration, seed, kernel=None):
    """Return the scenario of one point. nics: entries of "nics"; kernel: of the stores, a type."""
    scenario = {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": 64,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "groups": {"stores": STORES, "clients": CLIENTS},
        "nics": nics,
        **put_beside_flows(workload, load, duration),
        "run": {"seed": seed},
    }
    if kernel:
        scenario["kernels"] = {"stores": [kernel]}
    return scenario


def measure(context, systems, loads, get_scenario):
    """Return {(system, kind, load): the part "rpc" of the summary} and the same of its flows.

    get_scenario(name, system, kind, load, options) makes the scenario of a point.
    """
    scenarios = {
        (system, kind, load): get_scenario(f"{kind}-{order}-{load:g}", system, kind, load, context.options)
        for order, system in enumerate(systems)
        for kind in KINDS
        for load in loads
    }
    flows = {key: result.nics[0] for key, result in context.sweep(scenarios).items()}
    rpcs = {key: get_summary(flows[key], get_type(scenario))["rpc"] for key, scenario in scenarios.items()}
    return rpcs, flows


def format_results(rpcs, systems, loads, title):
    """Return the table: a row per system and load."""
    rows = []
    for system in systems:
        for load in loads:
            open_loop = rpcs[system, "latency", load]
            closed_loop = rpcs[system, "goodput", load]
            latency = open_loop["latency_us"]
            rows.append(
                [
                    system,
                    f"{load:g}",
                    *[format_number(latency[key]) for key in ("p50", "p99", "p999")],
                    f"{open_loop['measured']:,}",
                    format_number(closed_loop["goodput_gbps"]),
                    format_number(closed_loop["latency_us"]["p99"]),
                ]
            )
    headers = [
        title,
        "load",
        "P50\nus",
        "P99\nus",
        "P99.9\nus",
        "requests",
        "goodput\nGb/s",
        "its P99\nus",
    ]
    return format_table(headers, rows)


def run_figure(context, systems, get_scenario, panels, paper, title):
    """Run all points, print the table, draw the panels. panels: kind, axis and number of each."""
    loads = read_loads(context.options)
    rpcs, flows = measure(context, systems, loads, get_scenario)
    drawn = []
    for kind, axis, number in panels:
        series = {
            system: [[load, number(rpcs[system, kind, load])] for load in loads]
            for system in systems
        }
        drawn.append({"x": X_AXIS, "y": axis, "series": series})
    incomplete = {
        system: sorted({load for kind in KINDS for load in loads if flows[system, kind, load].defect})
        for system in systems
    }
    incomplete = {system: found for system, found in incomplete.items() if found}
    print(format_results(rpcs, systems, loads, title))
    if incomplete:
        print(INCOMPLETE_NOTE)
    context.write_figure(
        X_AXIS, panels[0][1], drawn[0]["series"], paper, panels=drawn, incomplete=incomplete
    )
