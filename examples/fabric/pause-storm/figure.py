# SPDX-License-Identifier: GPL-2.0-only
"""One NIC of a fat-tree pauses its switch for ever: how far the pauses spread, without and with a PFC watchdog.

Poisson flows between all servers. From a fifth of the time on, the NIC of server 0 pauses class 3. The watchdog is off, drops
the frames of the storm, or ignores the pauses.
"""

import numpy

from rocelab.results.series import read_series
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers, read_reals

SICK = 0
DESIGNS = {
    "ConnectX-7, DCQCN": {"preset": "connectx7", "name": "connectx7"},
    "ConnectX-7, HPCC": {"preset": "connectx7", "name": "hpcc", "congestionControl": "ns3::rdma::Hpcc"},
    "ConnectX-7, adaptive routing": {"preset": "connectx7-ar", "name": "connectx7-ar"},
    "SRNIC": {"preset": "srnic", "name": "srnic"},
}
#: {name: (whether there is a storm, action of the watchdog)}
KINDS = {
    "no storm": (False, None),
    "watchdog off": (True, None),
    "watchdog drops": (True, "drop"),
    "watchdog forwards": (True, "forward"),
}
POINTS = 100  # Samples of a run.

OPTIONS = {
    "servers": Option("64", "16", "servers of the fat-tree: 16, 64 or 256"),
    "load": Option("0.4", "0.4", "load of the flows"),
    "duration": Option("20000", "2000", "of the run, us; the storm begins at a fifth of it"),
    "detection": Option("1000", "200", "detection and restoration time of the watchdog, us"),
    "seeds": Option("1,2,3", "1", "random seeds"),
}


def make_scenario(name, kind, seed, options):
    """Return the scenario of one kind and seed."""
    servers = read_number(options, "servers", 16, 4096)
    duration = read_number(options, "duration", 100, 10**6)
    detection = read_number(options, "detection", 10, 10**6)
    (load,) = read_reals(options, "load", 0.01, 0.9)
    has_storm, action = KINDS[kind]
    fabric = {
        "topology": "fat-tree",
        "servers": servers,
        "hostRate": "100Gbps",
        "fabricRate": "400Gbps",
        "linkDelay": "1us",
        "mtu": 4096,
        "pfc": True,
        "classes": {"3": {"lossless": True}},
    }
    if action:
        fabric["watchdog"] = {"detection": f"{detection}us", "restoration": f"{detection}us", "action": action}
    scenario = {
        "name": name,
        "fabric": fabric,
        "nics": list(DESIGNS.values()),
        "workload": {
            "type": "poisson",
            "sizes": "../../../traces/cache-follower.cdf",
            "load": load,
            "duration": f"{duration}us",
        },
        "run": {"seed": seed, "drain": False},
        "series": {"interval": f"{duration // POINTS}us", "what": ["port", "class"]},
    }
    if has_storm:
        scenario["pauseStorms"] = [{"server": SICK, "class": 3, "at": f"{duration // 5}us"}]
    return scenario


def get_rates(nic, servers):
    """Return (times in us, Gb/s at the wire into all servers but the sick one)."""
    rows = read_series(nic, "port")
    rows = rows[(rows["node"] >= servers) & (rows["peer"] < servers) & (rows["peer"] != SICK)]
    times, starts = numpy.unique(rows["time_ns"], return_index=True)
    return times / 1e3, numpy.array([part.sum() for part in numpy.split(rows["gbps"], starts[1:])])


def get_point(nic, servers, duration):
    """Return the numbers of a run: of the last fifth of its time, and of flows that began in the storm."""
    times, rates = get_rates(nic, servers)
    late = times > 0.8 * duration
    classes = read_series(nic, "class")
    last = classes[(classes["time_ns"] > 0.8 * duration * 1e3) & (classes["class"] == 3)]
    paused = last[last["paused_ns"] > 0]
    flows = nic.flows
    begun = flows[
        (flows["start_ns"] > 0.2 * duration * 1e3)
        & (flows["start_ns"] < 0.6 * duration * 1e3)
        & (flows["dst"] != SICK)
        & (flows["src"] != SICK)
    ]
    return {
        "gbps": float(rates[late].sum() / max(1, late.sum())),
        "paused": len(set(zip(paused["node"].tolist(), paused["peer"].tolist()))),
        "done": float((begun["status"] == "completed").mean()) * 100,
        "storms": nic.summary.get("pause_storms", 0),
        "lost": nic.summary["drops"].get("pause-storm", 0),
    }


def measure(context):
    """Return ({(kind, design): list of a point per seed}, {(kind, design): rates over time of the first seed})."""
    options = context.options
    seeds = read_numbers(options, "seeds", 1, 10**6)
    servers, duration = (read_number(options, key, 1, 10**6) for key in ("servers", "duration"))
    keys = {(kind, seed): make_scenario(f"storm-{order}-{seed}", kind, seed, options) for order, kind in enumerate(KINDS) for seed in seeds}
    points, rates = {}, {}
    for (kind, seed), result in context.sweep(keys).items():
        for design, entry in DESIGNS.items():
            nic = result[entry["name"]]
            points.setdefault((kind, design), []).append(get_point(nic, servers, duration))
            if seed == seeds[0]:
                rates[kind, design] = get_rates(nic, servers)
    return points, rates


def format_range(values, digits=0):
    """Return the least and the highest of some values, or the one."""
    low, high = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def format_points(points):
    """Return the table: a row per design and kind, with the range over the seeds."""
    rows = []
    for design in DESIGNS:
        for kind in KINDS:
            found = points[kind, design]
            rows.append(
                [design, kind]
                + [format_range([one[key] for one in found], digits) for key, digits in (("gbps", 0), ("done", 1))]
                + [format_range([one[key] for one in found]) for key in ("paused", "storms", "lost")]
            )
    headers = ["", "", "into other servers\nGb/s, last fifth", "flows done\n%", "paused\nports", "storms", "packets\nlost"]
    return format_table(headers, rows)


def run(context):
    """Run all kinds and seeds, print the table and draw the rates over time."""
    points, rates = measure(context)
    print(format_points(points))
    panels = [
        {
            "title": design,
            "x": {"label": "Time", "unit": "us", "scale": "linear"},
            "y": {"label": f"{design}: into other servers", "unit": "Gb/s", "scale": "linear"},
            "series": {kind: [[float(x), float(y)] for x, y in zip(*rates[kind, design])] for kind in KINDS},
        }
        for design in DESIGNS
    ]
    context.write_panels(
        panels, points=[{"kind": kind, "design": design, "seeds": found} for (kind, design), found in points.items()]
    )
