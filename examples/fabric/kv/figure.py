# SPDX-License-Identifier: GPL-2.0-only
"""Key-value stores by KV-Direct, cores and READs, behind a fabric with background traffic.

KV-Direct (SOSP 2017) measures one server beside a packet generator, section 5. Here 56 clients work
on 8 stores of a fat-tree of 64 that carries Cache_Follower flows between all.
"""

from rocelab.validate.figure import Option

from .. import common

KERNEL = "ns3::rdma::KvDirectKernel"
KEY_BYTES = 8

# Name in the picture: NICs of the stores and of the clients, who carries operations out.
SYSTEMS = {
    "KV-Direct, its own NIC": ("kv-direct", "kv-direct", "kernel"),
    "KV-Direct, BALBOA clients": ("kv-direct", "balboa", "kernel"),
    "KV-Direct, ConnectX-6 clients": ("kv-direct", "connectx6", "kernel"),
    "Two-sided, ConnectX-6": ("connectx6", "connectx6", "cores"),
    "Two-sided, SRNIC": ("srnic", "srnic", "cores"),
    "One-sided GETs, ConnectX-6": ("connectx6", "connectx6", "read"),
    "One-sided GETs, SRNIC": ("srnic", "srnic", "read"),
}

OPTIONS = {
    "loads": Option("0,0.2,0.4,0.6,0.8", "0,0.4", "load of the background, 0 to 0.9"),
    "latency": Option("1ms", "100us", "time in which requests and flows arrive, for the latencies"),
    "goodput": Option("300us", "60us", "the same for the goodput"),
    "warmup": Option("50us", "20us", "part of the duration without measurement"),
    "rate": Option("100000", "100000", "operations per second of each client, for the latencies"),
    "outstanding": Option("8", "8", "messages of each client under way, for the goodput"),
    "batch": Option("16", "16", "operations in a message, for the goodput (READs have one)"),
    "cores": Option("8", "8", "cores that serve a two-sided store"),
    "value": Option("54", "54", "bytes of a value; keys have 8: slabs of 64 bytes have room for 62"),
    "memory": Option("2MiB", "1MiB", "memory of each store, half of it filled"),
    "get": Option("0.95", "0.95", "share of GETs; one-sided stores have GETs alone"),
    "zipf": Option("0.99", "0.99", "exponent of the keys' popularity"),
    "seed": Option("1", "1", "random seed"),
}

PAPER = [
    {
        "where": "KV-Direct sections 5.2.2 and 5.2.4, one server beside a packet generator",
        "statement": "180 million operations per second under a long tail, below 10 us",
    },
]

PANELS = (
    *common.LATENCY_PANELS,
    ("latency", {"label": "P99.9 latency", "unit": "us"}, lambda rpc: rpc["latency_us"]["p999"]),
    common.GOODPUT_PANEL,
)


def get_kv_workload(who, kind, options):
    """Return the workload of KV-Direct or of cores."""
    workload = {
        "type": "kv",
        "clients": "clients",
        "servers": "stores",
        "get": float(options["get"]),
        "zipf": float(options["zipf"]),
        "keyBytes": KEY_BYTES,
        "valueBytes": int(options["value"]),
        "memory": options["memory"],
        "duration": options[kind],
        "warmup": options["warmup"],
    }
    if who == "cores":
        workload["cores"] = int(options["cores"])
    if kind == "latency":
        workload["operationsPerSecond"] = float(options["rate"])
        workload["outstanding"] = 64
    else:
        workload["batch"] = int(options["batch"])
        workload["outstanding"] = int(options["outstanding"])
    return workload


def get_read_workload(kind, options):
    """Return the workload of READs: the entry of a hash table, then the value."""
    workload = {
        "type": "rpc",
        "clients": "clients",
        "servers": "stores",
        "request": "read",
        "keys": 100_000,
        "valueBytes": int(options["value"]),
        "zipf": float(options["zipf"]),
        "occupancy": 0.1,
        "duration": options[kind],
        "warmup": options["warmup"],
    }
    if kind == "latency":
        workload["requestsPerSecond"] = float(options["rate"])
    else:
        workload["outstanding"] = int(options["outstanding"]) * int(options["batch"])
    return workload


def get_scenario(name, system, kind, load, options):
    """Return the scenario of one point. kind: "latency" (an open loop) or "goodput" (a closed one)."""
    stores, clients, who = SYSTEMS[system]
    if who == "read":
        workload = get_read_workload(kind, options)
    else:
        workload = get_kv_workload(who, kind, options)
    if stores == clients:
        nics = [{"preset": stores, "hardware": "on"}]
    else:
        groups = {
            group: {"preset": preset, "hardware": "on"}
            for group, preset in (("stores", stores), ("clients", clients))
        }
        nics = [{"name": "mixed", "groups": groups}]
    return common.make_scenario(
        name,
        nics,
        workload,
        load,
        options[kind],
        int(options["seed"]),
        KERNEL if who == "kernel" else None,
    )


def run(context):
    """Run the experiment."""
    common.run_figure(context, SYSTEMS, get_scenario, PANELS, PAPER, "store")
