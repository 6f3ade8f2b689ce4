# SPDX-License-Identifier: GPL-2.0-only
"""All-reduce and all-to-all of 64 ranks on the k = 8 fat-tree by transport, alone and beside background flows."""

import random

from rocelab.draw.panels import draw_panels
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

DESIGNS = (
    "UET mixed",
    "UET REPS",
    "UET one path",
    "UET RCCC",
    "MRC",
    "ConnectX-7 AR",
    "ConnectX-6",
    "IRN",
    "SRNIC",
)

#: Name: keys of the workload without its size.
OPERATIONS = {
    "ring": {"operation": "all-reduce", "algorithm": "ring"},
    "double tree": {"operation": "all-reduce", "algorithm": "double-tree", "slices": 8},
    "all-to-all": {"operation": "all-to-all"},
}

FLOW_BYTES = 256 << 10  # Of a background flow.

OPTIONS = {
    "k": common.ARITY,
    "rate": common.RATE,
    "ranks": Option("64", "8", "servers with a rank, spread evenly over all servers"),
    "mebibytes": Option("4", "1", "buffer of a rank, MiB"),
    "loads": Option("0,30", "0,30", "of background flows of 256 KiB between all servers, %"),
    "duration": Option("1000", "100", "of their arrivals, us"),
    "seed": common.SEED,
}


def make_flows(options, servers, load):
    """Return flows of one size between random servers, with exponential gaps."""
    generator = random.Random(common.read_seed(options))
    duration = read_number(options, "duration", 1, 10**6) * 1000  # ns.
    gap = FLOW_BYTES * 8 / (read_number(options, "rate", 1, 800) * servers * load / 100)  # ns, mean.
    flows, now = [], generator.expovariate(1 / gap)
    while now < duration:
        src, dst = generator.sample(range(servers), 2)
        flows.append({"src": src, "dst": dst, "bytes": FLOW_BYTES, "start": f"{int(now)}ns"})
        now += generator.expovariate(1 / gap)
    return flows


def make_workloads(options, operation, load):
    """Return the workloads of one point."""
    servers = common.count_servers(common.read_arity(options))
    ranks = read_number(options, "ranks", 2, servers)
    mebibytes = read_number(options, "mebibytes", 1, 1024)
    collective = {
        "name": "collective",
        "type": "collective",
        **OPERATIONS[operation],
        "size": f"{mebibytes}MiB",
        "group": "ranks",
        "placement": "random",
    }
    background = {"name": "background", "type": "flows", "flows": make_flows(options, servers, load) if load else []}
    members = [[number * servers // ranks] * 2 for number in range(ranks)]
    workloads = [collective, background] if load else [collective]
    return {"groups": {"ranks": members}, "workloads": workloads}


def measure(context, operation, load):
    """Return {design: point}."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    gigabits = read_number(options, "rate", 1, 800)
    name = f"{operation.replace(' ', '-')}-{load}"
    parts = make_workloads(options, operation, load)
    scenario = common.make_scenario(name, arity, gigabits, DESIGNS, seed, **parts)
    points = {}
    for design, nic in common.get_nics(context.run_scenario(scenario), DESIGNS).items():
        background = nic.select("background").summary["slowdown"]["mean"] if load else None
        points[design] = {
            **common.get_collective(nic.select("collective")),
            "background_slowdown": background,
            "trims": nic.summary["trims"],
            "defect": nic.defect,
        }
    return points


COLUMNS = (
    ("time us", "time_us"),
    ("slowdown", "slowdown"),
    ("bus Gb/s", "busbw_gbps"),
    ("background's slowdown", "background_slowdown"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
    ("trimmed", "trims"),
)


def run(context):
    """Run all points, print the tables and draw the panels."""
    loads = read_numbers(context.options, "loads", 0, 90)
    found = {operation: {load: measure(context, operation, load) for load in loads} for operation in OPERATIONS}
    x = {"label": "Background load", "unit": "%"}
    panels, incomplete = [], {}
    for operation, by_load in found.items():
        common.print_points(f"load %, {operation}", by_load, COLUMNS)
        incomplete |= common.make_incomplete(by_load)
        label = f"{operation.capitalize()}: time / empty network"
        panels.append(common.make_panel(by_load, DESIGNS, x, "slowdown", label))
    context.write_panels(
        panels,
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=incomplete,
        points={operation: common.with_text_keys(by_load) for operation, by_load in found.items()},
    )
