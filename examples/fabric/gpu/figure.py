# SPDX-License-Identifier: GPL-2.0-only
"""Batches from storage into GPU memory, behind a fabric with background traffic: BALBOA against copies.

BALBOA section 8 measures three ways of a batch to a GPU between two hosts. Here storage servers of a
fat-tree stream batches to servers with a GPU in other racks, while Cache_Follower flows go between
all. How much reaches the GPUs, and what do the cores of their hosts do meanwhile?
"""

from rocelab.errors import UserError
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option

from ...balboa import gpu_ingest
from ..common import get_summary, put_beside_flows, read_loads

PER_RACK = {16: 16, 64: 16, 256: 32}  # Servers: docs/models/topologies.md.
SENDERS = 2  # Storage servers of a GPU server.

# The costs of cores as Figure 10 has them (SoftwareCosts): prepare 6.22 Gb/s, copy 20 us + 56 Gb/s.
COPY_TIME = "20us"
COPY_GBPS = 56.0
PREPARE_GBPS = 6.22

PREPROCESSING = {"type": "ns3::rdma::PreprocessingService", "slots": ["receive"], "peers": "storage"}
GPU_PATH = dict(setting.split("=") for setting in gpu_ingest.GPU_PATH)

OPTIONS = {
    "loads": Option("0,0.2,0.4", "0,0.4", "load of all links by the background, 0 to 0.9"),
    "batch": Option("262144", "262144", "bytes of a batch, whole features of 4 bytes"),
    "servers": Option("64", "16", "servers of the fat-tree"),
    "gpus": Option("4", "1", "servers with a GPU"),
    "duration": Option("4", "4", "ms, of which the first quarter is not measured"),
    "seed": Option("1", "1", "random seed"),
}

X_AXIS = {"label": "Background load", "unit": "", "scale": "linear"}
PANELS = (
    ("gbps", {"label": "Into a GPU", "unit": "Gb/s", "scale": "linear"}),
    ("cores", {"label": "Cores of its host", "unit": "", "scale": "linear"}),
    ("background", {"label": "Background's P99 slowdown", "unit": "x ideal", "scale": "linear"}),
)


def get_groups(servers, gpus):
    """Return servers with a GPU, at equal distances, and the storage of each in the racks behind it."""
    if servers not in PER_RACK:
        raise UserError(f"option servers: expected one of {', '.join(map(str, PER_RACK))}, got {servers}")
    if not 1 <= gpus * (1 + SENDERS) <= servers:
        raise UserError(f"option gpus: expected 1 to {servers // (1 + SENDERS)}, got {gpus}")
    step = servers // gpus
    places = [index * step for index in range(gpus)]
    storage = {}
    taken = set(places)
    for index, gpu in enumerate(places):
        first = places[(index + 1) % gpus] + 1  # In the rack of the next one.
        free = [first + offset for offset in range(servers) if (first + offset) % servers not in taken]
        storage[gpu] = [server % servers for server in free[:SENDERS]]
        taken.update(storage[gpu])
    return places, storage


def make_streams(system, options):
    """Return what the streams of a set-up have beside the storage and the receivers."""
    streams = {"memory": "host"}
    if system == "gpu":
        streams["memory"] = "gpu"
    else:
        per_gbps = 1 / COPY_GBPS + (1 / PREPARE_GBPS if system == "cpu" else 0)
        streams["copy"] = {"time": COPY_TIME, "rate": f"{1 / per_gbps:.4f}Gbps"}
    return streams


def make_scenario(name, system, load, options):
    """Return the scenario of one point."""
    servers, gpus = int(options["servers"]), int(options["gpus"])
    duration = float(options["duration"])
    batch = int(options["batch"])
    if batch < 4 or batch % 4:
        raise UserError(f"option batch: expected whole features of 4 bytes, got {batch}")
    places, storage = get_groups(servers, gpus)
    senders = sorted(server for two in storage.values() for server in two)
    workload = {
        "type": "streams",
        "streams": [
            {"sender": sender, "receiver": gpu, "messageBytes": batch}
            for gpu, two in storage.items()
            for sender in two
        ],
        "service": "RC",
        "linked": 1,
        "regions": 16,
        "receiveQueue": 4,  # What waits for the core is little: the sender waits instead.
        "sendQueue": 16,
        "duration": f"{duration:g}ms",
        "warmup": f"{duration / 4:g}ms",
        **make_streams(system, options),
    }
    # What storage sends to a GPU passes the service: batches only.
    flows = {"sources": "others"}
    scenario = {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
            "mtu": gpu_ingest.MTU,
        },
        "groups": {
            "gpus": places,
            "storage": senders,
            "others": [server for server in range(servers) if server not in senders + places],
        },
        "nics": [{"preset": gpu_ingest.NIC, "hardware": "on", "attributes": GPU_PATH}],
        **put_beside_flows(workload, load, f"{duration:g}ms", **flows),
        "run": {"seed": int(options["seed"]), "drain": False},
    }
    if system != "cpu":
        scenario["kernels"] = {"gpus": [PREPROCESSING]}
    return scenario


def get_point(nic, gpus, load):
    """Return what reached the GPUs at one point, and what it cost."""
    streams = get_summary(nic, "streams")["streams"]
    hosts = [host for host in streams["hosts"] if host["role"] == "receiver"]
    return {
        "gbps": streams["goodput_gbps"] / gpus,
        "cores": sum(host["use_percent"]["mean"] for host in hosts) / 100 / len(hosts),
        "background": nic.slowdown("p99") if load > 0 else None,
        "fabric": nic.summary["fabric_drops"],
        "credits": nic.summary["drops"].get("no-receive-credits", 0),
        "discards": nic.summary["nic_discards"],
    }


def format_points(points):
    """Return the table: a row per set-up and load."""
    rows = [
        [
            gpu_ingest.LOOKS[system].label,
            f"{load:g}",
            format_number(point["gbps"]),
            f"{point['cores']:.2f}",
            format_number(point["background"]),
            f"{point['fabric']:,}",
            f"{point['credits']:,}",
            f"{point['discards']:,}",
        ]
        for (system, load), point in points.items()
    ]
    headers = ["", "load", "Gb/s\nper GPU", "cores\nper GPU", "background\nP99 slowdown"]
    headers += ["fabric\ndrops", "for want\nof credits", "all NIC\ndiscards"]
    return format_table(headers, rows)


def run(context):
    """Run all points, print the table, draw the panels."""
    loads = read_loads(context.options)
    scenarios = {
        (system, load): make_scenario(f"{system}-load-{load:g}", system, load, context.options)
        for system in gpu_ingest.LOOKS
        for load in loads
    }
    gpus = int(context.options["gpus"])
    points = {key: get_point(result.nics[0], gpus, key[1]) for key, result in context.sweep(scenarios).items()}
    print(format_points(points))
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {
                system: [[load, points[system, load][key]] for load in loads]
                for system in gpu_ingest.LOOKS
            },
        }
        for key, axis in PANELS
    ]
    rows = [{"system": system, "load": load, **point} for (system, load), point in points.items()]
    context.write_panels(panels, paper=[], plot=gpu_ingest.draw, points=rows)
