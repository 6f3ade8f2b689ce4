# SPDX-License-Identifier: GPL-2.0-only
"""rocelab init: writes a scenario to start from, which runs in seconds."""

import json
import os
import re
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import write_text
from rocelab.places import find_data, get_called
from rocelab.runs.engine import check_scenario

SIZES = find_data("traces", "cache-follower.cdf")
#: Editors complete and check scenarios that name it.
SCHEMA = find_data("examples", "scenario.schema.json")
NAME = re.compile(r"[A-Za-z0-9._+=,@-]+")

LINKS = {"hostRate": "100Gbps", "linkDelay": "1us"}
#: Of each kind that `rocelab list topologies` has and that needs no file.
FABRICS = {
    "fat-tree": {"servers": 64, **LINKS, "fabricRate": "400Gbps", "buffer": "32MiB"},
    "star": {"servers": 9, **LINKS, "buffer": "4MiB"},
    "dumbbell": {"servers": 8, **LINKS, "bottleneckRate": "100Gbps", "buffer": "4MiB"},
    "back-to-back": dict(LINKS),
}
#: Marks from where on a queue is long, in bytes: those of examples/start/compare.
MARKS = {
    "100Gbps": {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2},
    "400Gbps": {"kmin": "1600kB", "kmax": "6400kB", "pmax": 0.2},
}
WORKLOADS = ("poisson", "incast", "flows")
NICS = ("connectx6", "irn", "srnic")


def count_servers(topology, fabric):
    """Return how many servers a fabric has."""
    return {"back-to-back": 2, "dumbbell": 2 * fabric.get("servers", 0)}.get(
        topology, fabric.get("servers")
    )


def make_workload(kind, servers, folder):
    """Return a workload that takes seconds at most; paths start at the scenario's folder."""
    if kind == "poisson":
        sizes = os.path.relpath(SIZES, folder)
        return {"type": kind, "sizes": sizes, "load": 0.5, "duration": "500us"}
    if kind == "incast":
        senders = min(servers - 1, 32)
        return {"type": kind, "senders": senders, "receiver": 0, "bytes": "256kB"}
    flows = [
        {"src": 0, "dst": servers - 1, "bytes": "1MB"},
        {"src": servers - 1, "dst": 0, "bytes": "64kB", "start": "10us"},
    ]
    return {"type": kind, "flows": flows}


def make_scenario(name, folder, topology="fat-tree", nics=NICS, workload="poisson", servers=None):
    """Return a scenario as a dict."""
    fabric = {"topology": topology, **FABRICS[topology]}
    if servers is not None:
        if "servers" not in fabric:
            raise UserError(f"--servers: expected none with {topology}, which has two")
        fabric["servers"] = servers
    if "buffer" in fabric:
        rates = {fabric.get(key) for key in ("hostRate", "fabricRate", "bottleneckRate")}
        fabric["ecn"] = {rate: marks for rate, marks in MARKS.items() if rate in rates}
    count = count_servers(topology, fabric)
    return {
        "$schema": os.path.relpath(SCHEMA, folder),
        "name": name,
        "fabric": fabric,
        "nics": list(nics),
        "workload": make_workload(workload, count, folder),
        "run": {"seed": 1},
    }


def check_word(option, word, known):
    """Raise UserError unless a word is one of those known."""
    if word not in known:
        hint = describe_nearest(word, list(known))
        raise UserError(f"{option}: expected {', '.join(known)} ({hint}), got {word!r}")


def write_lines(scenario):
    """Return a scenario's text, a line per key of the second level."""
    lines = []
    for key, value in scenario.items():
        text = json.dumps(value)
        if key in ("fabric", "workload"):
            parts = [f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
            text = "{\n" + ",\n".join(parts) + "\n  }"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_scenario(options):
    """Carry out the command; returns the paths written."""
    path = Path(options.name)
    if not path.name:
        raise UserError(f"init: expected a name, got {options.name!r}")
    path = path if path.suffix == ".json" else path.with_name(path.name + ".json")
    if not NAME.fullmatch(path.stem):
        raise UserError(
            f"init: expected a name of letters, digits and ._-+=,@, got {path.stem!r}"
        )
    check_word("--topology", options.topology, FABRICS)
    check_word("--workload", options.workload, WORKLOADS)
    if path.exists():
        raise UserError(f"{path}: expected no file of that name yet, got one (it stays as it is)")
    folder = Path(os.path.realpath(path.parent))
    nics = options.nics.split(",")
    scenario = make_scenario(
        path.stem, folder, options.topology, nics, options.workload, options.servers
    )
    text = write_lines(scenario)
    check_scenario(options.build, text, folder)
    written = write_text(path, text)
    print(f"{get_called()} run {path}        # {', '.join(nics)}; results/{path.stem}/<nic>/")
    print(f"{get_called()} compare results/{path.stem}")
    return [written]
