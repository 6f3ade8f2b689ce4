# SPDX-License-Identifier: GPL-2.0-only
"""Storage beside training: one class for all, two weighted classes, strict priority, and a wrong map of DSCPs.

An all-reduce of all servers repeats while Cache_Follower flows of storage run between them. Each arrangement of classes changes
the time of a training step and the tail of the storage flows.
"""

from rocelab.results.percentile import nearest_rank
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers, read_reals

TRAINING, STORAGE = 3, 4
TRAINING_DSCP, STORAGE_DSCP = 26, 34
LOSSLESS = {"lossless": True}

#: {arrangement: (classes of the fabric, further keys of the fabric)}
ARRANGEMENTS = {
    "training alone": ({"3": LOSSLESS, "4": LOSSLESS}, {}),
    "one class": ({"3": LOSSLESS}, {"attributes": {"ns3::rdma::FabricSwitch::DscpMap": "26:3,34:3"}}),
    "weights 80 : 20": ({"3": LOSSLESS | {"weight": 80}, "4": LOSSLESS | {"weight": 20}}, {}),
    "weights 50 : 50": ({"3": LOSSLESS | {"weight": 50}, "4": LOSSLESS | {"weight": 50}}, {}),
    "storage strict": ({"3": LOSSLESS, "4": LOSSLESS}, {}),
    "training strict": ({"3": LOSSLESS | {"level": 4}, "4": LOSSLESS | {"level": 3}}, {}),
    # The switches take storage for class 0, which is lossy and has no weight of its own.
    "wrong map": (
        {"3": LOSSLESS | {"weight": 80}, "4": LOSSLESS | {"weight": 20}},
        {"attributes": {"ns3::rdma::FabricSwitch::DscpMap": "26:3,34:0"}},
    ),
}
DESIGNS = {
    "ConnectX-7, DCQCN": {"preset": "connectx7", "name": "connectx7"},
    "ConnectX-7, HPCC": {"preset": "connectx7", "name": "hpcc", "congestionControl": "ns3::rdma::Hpcc"},
    "IRN": {"preset": "irn", "name": "irn"},
    "SRNIC": {"preset": "srnic", "name": "srnic"},
    "BALBOA": {"preset": "balboa", "name": "balboa"},
}

OPTIONS = {
    "servers": Option("64", "16", "servers of the fat-tree: 16, 64 or 256"),
    "load": Option("0.4", "0.3", "load of the storage flows"),
    "kibibytes": Option("1024", "256", "buffer of a rank, KiB"),
    "duration": Option("20000", "1500", "of storage and training, us"),
    "seeds": Option("1,2,3", "1", "random seeds"),
}


def make_scenario(name, arrangement, seed, options):
    """Return the scenario of an arrangement and a seed."""
    classes, more = ARRANGEMENTS[arrangement]
    duration = read_number(options, "duration", 100, 10**6)
    (load,) = read_reals(options, "load", 0.01, 0.9)
    training = {
        "name": "training",
        "type": "collective",
        "operation": "all-reduce",
        "dscp": TRAINING_DSCP,
        "size": f"{read_number(options, 'kibibytes', 1, 2**20)}KiB",
        "iterations": 10**5,
        "start": f"{duration // 10}us",
        "end": f"{duration}us",
    }
    storage = {
        "name": "storage",
        "type": "poisson",
        "dscp": STORAGE_DSCP,
        "sizes": "../../../traces/cache-follower.cdf",
        "load": load,
        "duration": f"{duration}us",
    }
    return {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": read_number(options, "servers", 16, 4096),
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "mtu": 4096,
            "pfc": True,
            "classes": classes,
            **more,
        },
        "nics": list(DESIGNS.values()),
        "workloads": [training] if arrangement == "training alone" else [training, storage],
        "run": {"seed": seed},
    }


def get_point(nic, has_storage):
    """Return the numbers of a run."""
    part = (nic.select("training") if nic.workloads else nic).summary["collective"]
    flows = nic.select("storage").completed if has_storage else None
    return {
        "step": part.get("time_us", {}).get("mean"),
        "steps": part["completed"],
        "tail": nearest_rank(flows["slowdown"], 99) if has_storage else None,
        "mean": float(flows["slowdown"].mean()) if has_storage else None,
        "pauses": nic.summary["pfc_pauses"],
        "drops": nic.summary["fabric_drops"],
    }


def measure(context):
    """Return {(arrangement, design): list of a point per seed}."""
    options = context.options
    seeds = read_numbers(options, "seeds", 1, 10**6)
    scenarios = {
        (arrangement, seed): make_scenario(f"classes-{order}-{seed}", arrangement, seed, options)
        for order, arrangement in enumerate(ARRANGEMENTS)
        for seed in (seeds if order else seeds[:1])
    }
    points = {}
    for (arrangement, _), result in context.sweep(scenarios).items():
        for design, entry in DESIGNS.items():
            point = get_point(result[entry["name"]], arrangement != "training alone")
            points.setdefault((arrangement, design), []).append(point)
    return points


def format_range(points, key, digits):
    """Return the least and the highest value of a key over the seeds."""
    values = [one[key] for one in points if one[key] is not None]
    if not values:
        return "-"
    low, high = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def get_mean(points, key):
    """Return the mean of a key over the seeds that have it; None if none has."""
    values = [one[key] for one in points if one[key] is not None]
    return sum(values) / len(values) if values else None


def run(context):
    """Run all arrangements, print the table and draw step times and tails."""
    points = measure(context)
    columns = (("step", 0), ("steps", 0), ("tail", 1), ("mean", 2), ("pauses", 0), ("drops", 0))
    rows = [
        [design, arrangement] + [format_range(points[arrangement, design], *column) for column in columns]
        for design in DESIGNS
        for arrangement in ARRANGEMENTS
    ]
    headers = ["", "", "training step\nus", "steps", "storage P99\nslowdown", "mean\nslowdown", "pauses", "drops"]
    print(format_table(headers, rows))
    names = list(ARRANGEMENTS)
    x_axis = {"label": "Arrangement", "unit": "", "scale": "linear"}
    panels = [
        {
            "x": x_axis,
            "y": {"label": label, "unit": unit, "scale": scale},
            "series": {
                design: [
                    [number, get_mean(points[name, design], key)]
                    for number, name in enumerate(names)
                    if get_mean(points[name, design], key) is not None
                ]
                for design in DESIGNS
            },
        }
        for key, label, unit in (("step", "Training step", "us"), ("tail", "Storage P99 slowdown", "x ideal"))
        for scale in ["log"]
    ]
    context.write_panels(
        panels,
        notes=["Arrangements: " + ", ".join(f"{number} {name}" for number, name in enumerate(names)) + "."],
        points=[{"arrangement": name, "design": design, "seeds": found} for (name, design), found in points.items()],
    )
