# SPDX-License-Identifier: GPL-2.0-only
"""GETs by READs, TCP and kernels on the NIC, behind a fabric with background traffic.

StRoM (EuroSys 2020) compares the three between two hosts on one cable, sections 6.1 and 6.2. Here
56 clients ask 8 servers of a fat-tree of 64 that carries Cache_Follower flows between all.
"""

from rocelab.validate.figure import Option

from .. import common

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
    "loads": Option("0,0.2,0.4,0.6,0.8", "0,0.4", "load of the background, 0 to 0.9"),
    "latency": Option("2ms", "150us", "time in which requests and flows arrive, for the latencies"),
    "goodput": Option("1ms", "100us", "the same for the goodput"),
    "warmup": Option("200us", "50us", "part of the duration without measurement"),
    "rate": Option("40000", "40000", "requests per second of each client, for the latencies"),
    "outstanding": Option("8", "8", "requests of each client under way, for the goodput"),
    "value": Option("512B", "512B", "size of a value"),
    "keys": Option("8000", "2000", "keys of all servers together"),
    "zipf": Option("0", "0", "exponent of the keys' popularity"),
    "seed": Option("1", "1", "random seed"),
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

PANELS = (*common.LATENCY_PANELS, common.GOODPUT_PANEL)


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
    kernel = "ns3::rdma::GetKernel" if request["request"] == "get-kernel" else None
    return common.make_scenario(
        name,
        [{"preset": nic, "hardware": "on"}],
        workload,
        load,
        options[kind],
        int(options["seed"]),
        kernel,
    )


def run(context):
    """Run the experiment."""
    common.run_figure(context, SYSTEMS, get_scenario, PANELS, PAPER, "GET by")
