# SPDX-License-Identifier: GPL-2.0-only
"""Load balancers and transports on a k = 8 fat-tree: who gains from spraying, and who collapses.

Eight load balancers under four transports: Cache_Follower flows between all servers at three loads,
and a permutation in which each of 128 servers sends one flow and receives one.
"""

import random

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from ..common import read_loads

PREFIX = "ns3::rdma::"

#: A LossDetector that tolerates reordering; the build makes it of test/plugins/.
PLUGIN = "test/reorder-tolerant-detector.so"

#: Name in the picture: class, its attributes, color and marker.
BALANCERS = {
    "ECMP": ("EcmpBalancer", {}, style.BLACK, "o"),
    "Flowlet": ("FlowletBalancer", {}, style.GREY, "s"),
    "CONGA": ("CongaBalancer", {}, style.ORANGE, "D"),
    "Spray": ("SprayBalancer", {}, style.SKY_BLUE, "^"),
    "Round robin": ("RoundRobinBalancer", {}, style.BLUE, "v"),
    "Two choices": ("DrillBalancer", {"Memory": 0}, style.PURPLE, "<"),
    "DRILL": ("DrillBalancer", {}, style.GREEN, ">"),
    "Adaptive": ("AdaptiveBalancer", {}, style.VERMILLION, "P"),
}

#: Entries of "nics" without name and load balancer.
TRANSPORTS = {
    "go-back-N": {"preset": "connectx6"},
    "IRN": {"preset": "irn"},
    "SRNIC": {"preset": "srnic"},
    "tolerant": {"preset": "irn", "lossDetector": PREFIX + "ReorderTolerantDetector"},
}
TOLERANT = "tolerant"
COMPARED = tuple(TRANSPORTS)

#: Shows what the timer of go-back-N contributes: InfiniBand's, 67 ms.
CONSTANT_TIMER = "go-back-N with constant timer"
TRANSPORTS[CONSTANT_TIMER] = {
    **TRANSPORTS["go-back-N"],
    "retransmissionTimeout": PREFIX + "FixedTimeout",
}

OPTIONS = {
    "k": Option("8", "4", "ports of a switch of the fat-tree"),
    "loads": Option("0.3,0.5,0.7", "0.4,0.7", "load of the Cache_Follower flows"),
    "duration": Option("1000", "100", "of their arrivals, us"),
    "kibibytes": Option("256,1024,4096", "64,256", "flows of the permutation, KiB"),
    "seed": Option("1", "1", "random seed"),
}

PAPER = [
    {
        "where": "Dixit et al., INFOCOM 2013",
        "statement": "packets sprayed over all equal paths of a fat-tree use these evenly, and flows are faster than with ECMP",
    },
    {
        "where": "CONGA, SIGCOMM 2014",
        "statement": "flowlets on the least used path are faster than ECMP",
    },
    {
        "where": "DRILL, SIGCOMM 2017",
        "statement": "per-packet choices by local queues are faster than CONGA and ECMP, above all at high load",
    },
]

LOOKS = {
    name: style.NicStyle(name, color, marker, dashes, "")
    for (name, (_, _, color, marker)), dashes in zip(BALANCERS.items(), style.DASHES)
}


def make_name(transport, balancer):
    """Return the name of an entry of "nics"."""
    return f"{transport}-{balancer}".lower().replace(" ", "-")


def make_nic(transport, balancer):
    """Return an entry of "nics"."""
    type_name, attributes, _, _ = BALANCERS[balancer]
    full = {f"{PREFIX}{type_name}::{key}": value for key, value in attributes.items()}
    return {
        **TRANSPORTS[transport],
        "name": make_name(transport, balancer),
        "loadBalancer": {"type": PREFIX + type_name, "attributes": full},
    }


def make_scenario(name, arity, pairs, workload, seed):
    """Return the scenario of some pairs of a transport and a load balancer."""
    return {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "k": arity,
            "hostRate": "100Gbps",
            "fabricRate": "100Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "nics": [make_nic(*pair) for pair in pairs],
        "workload": workload,
        "run": {"seed": seed},
    }


def make_permutation(servers, kibibytes, seed):
    """Return a workload: one flow from each server to the next of a random circle of all."""
    circle = list(range(servers))
    random.Random(seed).shuffle(circle)
    pairs = zip(circle, circle[1:] + circle[:1])
    flows = [{"src": src, "dst": dst, "bytes": f"{kibibytes}KiB", "start": "0us"} for src, dst in sorted(pairs)]
    return {"type": "flows", "flows": flows}


def get_point(result):
    """Return the numbers of a run that the tables and the picture have."""
    summary, flows = result.summary, result.completed
    packets = int(flows["packets"].sum())
    return {
        "mean_slowdown": summary["slowdown"]["mean"],
        "p99_slowdown": summary["slowdown"]["p99"],
        "mean_fct_us": summary["fct_us"]["mean"],
        "last_fct_us": float(flows["fct_ns"].max()) / 1e3,
        "ideal_us": float(flows["ideal_ns"].max()) / 1e3,
        "retransmitted_percent": 100 * summary["retransmitted"] / packets,
        "timeouts": summary["timeouts"],
        "drops": summary["fabric_drops"],
        "pfc_pauses": summary["pfc_pauses"],
        "defect": result.defect,
    }


def measure(context, name, pairs, workload):
    """Return {(transport, load balancer): the point of its run} of such pairs."""
    options = context.options
    arity = read_number(options, "k", 4, 16)
    scenario = make_scenario(name, arity, pairs, workload, read_number(options, "seed", 0, 2**31))
    results = {nic.name: nic for nic in context.run_scenario(scenario, plugins=[PLUGIN]).nics}
    return {pair: get_point(results[make_name(*pair)]) for pair in pairs}


def make_pairs(transports):
    """Return all load balancers under each of the transports."""
    return [(transport, balancer) for transport in transports for balancer in BALANCERS]


def measure_loads(context, loads, duration):
    """Return {load: what measure() gives}: the highest load also with a constant timer."""
    found = {}
    for load in loads:
        workload = {
            "type": "poisson",
            "sizes": "../../../traces/cache-follower.cdf",
            "load": load,
            "duration": f"{duration}us",
        }
        extra = [(CONSTANT_TIMER, "DRILL")] if load == loads[-1] else []
        found[load] = measure(context, f"load-{load:g}", make_pairs(COMPARED) + extra, workload)
    return found


def measure_permutations(context, sizes, seed):
    """Return {KiB: what measure() gives}: the largest flows under all transports."""
    servers = read_number(context.options, "k", 4, 16) ** 3 // 4
    found = {}
    for kibibytes in sizes:
        transports = COMPARED if kibibytes == sizes[-1] else [TOLERANT]
        workload = make_permutation(servers, kibibytes, seed)
        found[kibibytes] = measure(context, f"permutation-{kibibytes}", make_pairs(transports), workload)
    return found


def make_load_panel(by_load, transport):
    """Return the panel of one transport: mean slowdown over load."""
    series = {
        name: [[load, points[transport, name]["mean_slowdown"]] for load, points in by_load.items()]
        for name in BALANCERS
    }
    x = {"label": "Load", "unit": "", "scale": "linear"}
    return {"x": x, "y": {"label": f"Slowdown, {transport}", "unit": ""}, "series": series}


def make_permutation_panel(by_size, key, label):
    """Return a panel of the permutation: how much longer than alone the tolerant transport takes."""
    series = {
        name: [
            [size * 1024, points[TOLERANT, name][key] / points[TOLERANT, name]["ideal_us"]]
            for size, points in by_size.items()
        ]
        for name in BALANCERS
    }
    x = {"label": "Flow size", "unit": "B", "scale": "log2"}
    return {"x": x, "y": {"label": label, "unit": ""}, "series": series}


def format_points(title, points, columns):
    """Return a table with a row per load balancer and, for each transport, the columns' numbers."""
    transports = [transport for transport in COMPARED if (transport, "ECMP") in points]
    headers = [title] + [f"{transport}\n{label}" for transport in transports for label, _ in columns]
    rows = [
        [balancer] + [format_number(points[transport, balancer][key]) for transport in transports for _, key in columns]
        for balancer in BALANCERS
    ]
    return format_table(headers, rows)


def describe_timer(points):
    """Return two lines: go-back-N under DRILL with its own timer and with a constant one."""
    return "\n".join(
        f"{name}, DRILL: mean slowdown {format_number(point['mean_slowdown'])}, {point['timeouts']} timeouts, "
        f"resent {format_number(point['retransmitted_percent'])} %"
        for name in ("go-back-N", CONSTANT_TIMER)
        for point in [points[name, "DRILL"]]
    )


LOAD_COLUMNS = (("mean", "mean_slowdown"), ("P99", "p99_slowdown"), ("resent %", "retransmitted_percent"))
FLOW_COLUMNS = (("mean us", "mean_fct_us"), ("last us", "last_fct_us"), ("resent %", "retransmitted_percent"))


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def flatten(points):
    """Return the points of measure() as a list for figure.json."""
    return [{"transport": one, "balancer": other, **point} for (one, other), point in points.items()]


def run(context):
    """Run all points, print the tables and draw the panels."""
    options = context.options
    sizes = read_numbers(options, "kibibytes", 1, 10**5)
    by_load = measure_loads(context, read_loads(options), read_number(options, "duration", 1, 10**5))
    by_size = measure_permutations(context, sizes, read_number(options, "seed", 0, 2**31))
    for load, points in by_load.items():
        print(format_points(f"slowdown, load {load:g}", points, LOAD_COLUMNS), end="\n\n")
        if (CONSTANT_TIMER, "DRILL") in points:
            print(describe_timer(points), end="\n\n")
    for size, points in by_size.items():
        print(format_points(f"permutation, {size} KiB", points, FLOW_COLUMNS), end="\n\n")
    panels = [make_load_panel(by_load, transport) for transport in COMPARED]
    panels.append(make_permutation_panel(by_size, "mean_fct_us", "Mean FCT / ideal, tolerant"))
    panels.append(make_permutation_panel(by_size, "last_fct_us", "Last FCT / ideal, tolerant"))
    context.write_panels(
        panels,
        paper=PAPER,
        plot=draw,
        loads={f"{load:g}": flatten(points) for load, points in by_load.items()},
        permutations={str(size): flatten(points) for size, points in by_size.items()},
    )
