# SPDX-License-Identifier: GPL-2.0-only
"""GETs by READs, TCP and kernels on the NIC, behind a fabric with background traffic.

StRoM (EuroSys 2020) compares the three between two hosts on one cable, sections 6.1 and 6.2. Here
56 clients ask 8 servers of a fat-tree of 64 that carries Cache_Follower flows between all.
"""

import re

from rocelab.errors import UserError
from rocelab.figure import Option
from rocelab.panels import INCOMPLETE_NOTE
from rocelab.table import format_number, format_table

# Two servers in each rack of 16.
STORES = [[0, 1], [16, 17], [32, 33], [48, 49]]
CLIENTS = [[2, 15], [18, 31], [34, 47], [50, 63]]

# So low that keys are where their hash says: the best case, which the paper has, too.
OCCUPANCY = 0.1

# Name in the picture: NICs of all 64 servers, and what a request is.
SYSTEMS = {
    "READ, ConnectX-6": ("connectx6", {"request": "read"}),
    "TCP, ConnectX-6": ("connectx6", {"request": "tcp", "cores": 4}),
    "READ, StRoM": ("strom100g", {"request": "read"}),
    "Kernel, StRoM": ("strom100g", {"request": "get-kernel"}),
}

OPTIONS = {
    "loads": Option("0,0.2,0.4,0.6,0.8", "0,0.4", "of the background, 0 to 0.9"),
    "latency": Option("2ms", "150us", "how long clients ask and flows arrive, for the latencies"),
    "goodput": Option("1ms", "100us", "the same for the goodput"),
    "warmup": Option("200us", "50us", "of these, without measurement"),
    "rate": Option("40000", "40000", "requests per second of each client, for the latencies"),
    "outstanding": Option("8", "8", "requests of each client under way, for the goodput"),
    "value": Option("512B", "512B", "size of a value"),
    "keys": Option("8000", "2000", "of all servers together"),
    "zipf": Option("0", "0", "exponent of the keys' popularity"),
    "seed": Option("1", "1", "of everything random"),
}

PAPER = [
    {
        "where": "StRoM section 6.2, Figure 8, two hosts on a cable",
        "statement": "a GET by the kernel is about 5 us faster than one by two READs",
    },
    {
        "where": "StRoM section 6.2, Figure 8, two hosts on a cable",
        "statement": "TCP-based RPC suffers from values of 256 B on",
    },
]

X_AXIS = {"label": "Background load", "unit": "", "scale": "linear"}
PANELS = (
    ("latency", {"label": "P50 latency", "unit": "us"}, lambda rpc: rpc["latency_us"]["p50"]),
    ("latency", {"label": "P99 latency", "unit": "us"}, lambda rpc: rpc["latency_us"]["p99"]),
    ("goodput", {"label": "Goodput", "unit": "Gb/s"}, lambda rpc: rpc["goodput_gbps"]),
)


def get_scenario(name, system, kind, load, options):
    """Return the scenario of one point. kind: "latency" (an open loop) or "goodput" (a closed one)."""
    nic, request = SYSTEMS[system]
    workload = {
        "type": "rpc",
        "clients": "clients",
        "servers": "stores",
        **request,
        "keys": int(options["keys"]),
        "valueBytes": options["value"],
        "zipf": float(options["zipf"]),
        "occupancy": OCCUPANCY,
        "duration": options[kind],
        "warmup": options["warmup"],
    }
    if kind == "latency":
        workload["requestsPerSecond"] = float(options["rate"])
    else:
        workload["outstanding"] = int(options["outstanding"])
    if load > 0:
        workload["background"] = {
            "type": "poisson",
            "sizes": "../../traces/cache-follower.cdf",
            "load": load,
            "duration": options[kind],
        }
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
        "nics": [{"preset": nic, "hardware": "on"}],
        "workload": workload,
        "run": {"seed": int(options["seed"])},
    }
    if request["request"] == "get-kernel":
        scenario["kernels"] = {"stores": ["ns3::rdma::GetKernel"]}
    return scenario


def read_loads(text):
    """Return the option loads as numbers."""
    loads = [float(word) if re.fullmatch(r"\d*\.?\d+", word) else -1 for word in text.split(",")]
    if not all(0 <= load <= 0.9 for load in loads):
        raise UserError(f"option loads: expected numbers from 0 to 0.9, got {text!r}")
    return sorted(set(loads))


def measure(context, loads):
    """Return {(system, kind, load): the part "rpc" of the summary} and the same of its flows."""
    rpcs, flows = {}, {}
    for order, system in enumerate(SYSTEMS):
        for kind in ("latency", "goodput"):
            for load in loads:
                name = f"{kind}-{order}-{load:g}"
                scenario = get_scenario(name, system, kind, load, context.options)
                (nic,) = context.run_scenario(scenario).nics
                rpcs[system, kind, load] = nic.summary["rpc"]
                flows[system, kind, load] = nic
    return rpcs, flows


def format_results(rpcs, loads):
    """Return the table: a row per system and load."""
    rows = []
    for system in SYSTEMS:
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
        "GET by",
        "load",
        "P50\nus",
        "P99\nus",
        "P99.9\nus",
        "requests",
        "goodput\nGb/s",
        "its P99\nus",
    ]
    return format_table(headers, rows)


def run(context):
    """Run the experiment."""
    loads = read_loads(context.options["loads"])
    rpcs, flows = measure(context, loads)
    panels = []
    for kind, axis, number in PANELS:
        series = {
            system: [[load, number(rpcs[system, kind, load])] for load in loads]
            for system in SYSTEMS
        }
        panels.append({"x": X_AXIS, "y": axis, "series": series})
    incomplete = {
        system: sorted(
            {
                load
                for kind in ("latency", "goodput")
                for load in loads
                if flows[system, kind, load].defect
            }
        )
        for system in SYSTEMS
    }
    incomplete = {system: found for system, found in incomplete.items() if found}
    print(format_results(rpcs, loads))
    if incomplete:
        print(INCOMPLETE_NOTE)
    context.write_figure(
        X_AXIS, PANELS[0][1], panels[0]["series"], PAPER, panels=panels, incomplete=incomplete
    )
