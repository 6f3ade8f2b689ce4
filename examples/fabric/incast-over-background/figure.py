# SPDX-License-Identifier: GPL-2.0-only
"""Incasts of 60 servers to one over a Poisson background: what each costs the other, by NIC design.

The mix of HPCC's evaluation (Li et al., SIGCOMM 2019, section 5): flows between all servers at a load of
0.3 or 0.5, and on top many servers that send to one at the same time.
"""

from rocelab.results.percentile import nearest_rank
from rocelab.terminal.table import divide, format_number, format_table
from rocelab.validate.figure import Option

from ..common import X_AXIS, read_loads

#: Name in the picture: the entry of "nics".
SYSTEMS = {
    "ConnectX-6, DCQCN": "connectx6",
    "ConnectX-6, HPCC": {"preset": "connectx6", "name": "hpcc", "congestionControl": "ns3::rdma::Hpcc"},
    "ConnectX-6, Swift": {"preset": "connectx6", "name": "swift", "congestionControl": "ns3::rdma::Swift"},
    "IRN": "irn",
    "SRNIC": "srnic",
}
BACKGROUND, INCAST = "background", "incast"
SMALL = 100_000  # Bytes; as in SRNIC section 6.3.

OPTIONS = {
    "loads": Option("0.3,0.5", "0.3", "load of the background, 0 to 0.9"),
    "duration": Option("2ms", "200us", "time in which flows of the background arrive"),
    "sizes": Option("hadoop", "hadoop", "distribution of their sizes, a file of traces/"),
    "senders": Option("60", "20", "servers of an incast that send"),
    "bytes": Option("50kB", "20kB", "message of each"),
    "period": Option("500us", "100us", "time between two incasts"),
    "servers": Option("64", "64", "servers of the fat-tree"),
    "seed": Option("1", "1", "random seed"),
}


def make_scenario(name, load, has_incast, options):
    """Return the scenario of a load with or without incasts. Both have the same background."""
    background = {
        "name": BACKGROUND,
        "type": "poisson",
        "sizes": f"../../../traces/{options['sizes']}.cdf",
        "load": load,
        "duration": options["duration"],
    }
    incast = {
        "name": INCAST,
        "type": "incast",
        "senders": int(options["senders"]),
        "bytes": options["bytes"],
        "start": options["period"],
        "end": options["duration"],
        "period": options["period"],
        "repeats": 1000,
    }
    return {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": int(options["servers"]),
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "nics": list(SYSTEMS.values()),
        "workloads": [background, incast] if has_incast else [background],
        "run": {"seed": int(options["seed"])},
    }


def get_name(entry):
    """Return the name of an entry of "nics"."""
    return entry if isinstance(entry, str) else entry["name"]


def get_small_p99(nic):
    """Return the P99 slowdown of the small flows of a result."""
    flows = nic.completed
    return nearest_rank(flows["slowdown"][flows["bytes"] < SMALL], 99)


def get_longest_round(nic):
    """Return the longest time from the start of an incast to its last completion, us."""
    flows = nic.completed
    return max(flows["fct_ns"]) / 1e3


def measure(context, loads):
    """Return {load: {system: {number: value}}}."""
    scenarios = {
        (load, has_incast): make_scenario(
            f"load-{load:g}-{'incast' if has_incast else 'alone'}", load, has_incast, context.options
        )
        for load in loads
        for has_incast in (False, True)
    }
    results = context.sweep(scenarios)
    return {load: get_points(*(results[load, has_incast] for has_incast in (False, True))) for load in loads}


def get_points(without, with_incast):
    """Return {system: {number: value}} of the results without and with incasts."""
    points = {}
    for system, entry in SYSTEMS.items():
        alone, both = (results[get_name(entry)] for results in (without, with_incast))
        background, incast = both.select(BACKGROUND), both.select(INCAST)
        points[system] = {
            "alone": get_small_p99(alone),
            "both": get_small_p99(background),
            "mean": divide(background.slowdown("mean"), alone.slowdown("mean")),
            "round": get_longest_round(incast),
            "incasts": incast.completed_count,
            "flows": background.completed_count,
            "pauses": both.summary["pfc_pauses"],
            "drops": both.summary["fabric_drops"],
            "defect": both.defect or alone.defect,
        }
    return points


def format_points(points, loads):
    """Return the table: a row per system and load."""
    rows = [
        [system, f"{load:g}"]
        + [format_number(points[load][system][key]) for key in ("alone", "both", "mean", "round")]
        + [f"{points[load][system][key]:,}" for key in ("pauses", "drops", "flows", "incasts")]
        for system in SYSTEMS
        for load in loads
    ]
    headers = ["", "load", "P99 <100kB\nalone", "P99 <100kB\nwith incasts", "mean, with\n/ alone", "incast\nus"]
    return format_table([*headers, "PFC\npauses", "drops", "flows", "of incasts"], rows)


PANELS = (
    ("both", {"label": "Small flows' P99 slowdown", "unit": "x ideal"}),
    ("mean", {"label": "Mean slowdown with / without incasts", "unit": "", "scale": "linear"}),
    ("round", {"label": "Longest incast", "unit": "us", "scale": "linear"}),
)


def run(context):
    """Run all points, print the table and draw the panels."""
    loads = [load for load in read_loads(context.options) if load > 0]
    points = measure(context, loads)
    print(format_points(points, loads))
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {system: [[load, points[load][system][key]] for load in loads] for system in SYSTEMS},
        }
        for key, axis in PANELS
    ]
    incomplete = {
        system: [load for load in loads if points[load][system]["defect"]] for system in SYSTEMS
    }
    context.write_panels(panels, incomplete={system: found for system, found in incomplete.items() if found})
