# SPDX-License-Identifier: GPL-2.0-only
"""Ingest from storage through services on the NIC, behind a fabric with background traffic and loss.

16 clients write blocks to 4 servers of a fat-tree of 64 BALBOA NICs, 4 at a time to each, while
Cache_Follower flows go between all. Does a service that holds line rate alone still do so under
incast and go-back-N replay?
"""

import random

import numpy

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.results.folders import COMPLETED
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_reals

# One of each rack of 16; its clients are in the rack before it.
SERVERS = [0, 16, 32, 48]
CLIENTS = [[1, 4], [17, 20], [33, 36], [49, 52]]
LINE_RATE = 100e9
ALL = range(64)

KEY = "000102030405060708090a0b0c0d0e0f"  # FIPS 197, appendix C.1.
AES = {"type": "ns3::rdma::AesService", "attributes": {"ns3::rdma::AesService::Key": KEY}}
HALF = {
    "type": "ns3::rdma::PassThroughService",
    "attributes": {
        "ns3::rdma::PassThroughService::Interval": 2,
        "ns3::rdma::PassThroughService::Parallel": "false",
    },
}

# Name in the picture: services at the servers.
SYSTEMS = {
    "No service": [],
    "AES, a word per cycle": [AES],
    "A word per two cycles": [HALF],
}
LOOKS = {
    "No service": style.NicStyle("No service", style.BLUE, "o", "-", ""),
    "AES, a word per cycle": style.NicStyle(
        "AES, a word per cycle", style.VERMILLION, "s", (0, (4, 2)), ""
    ),
    "A word per two cycles": style.NicStyle(
        "A word per two cycles", style.BLACK, "^", (0, (1, 1)), ""
    ),
}

OPTIONS = {
    "losses": Option("0,0.0001,0.001,0.01", "0,0.001", "loss probability of each packet on each link"),
    "ingest": Option("0.8", "0.8", "load of the servers' links by blocks"),
    "load": Option("0.3", "0.3", "load of all links by the background"),
    "block": Option("65536", "65536", "bytes, a multiple of 16"),
    "duration": Option("400", "100", "us in which blocks and flows start"),
    "seed": Option("1", "1", "random seed"),
}

X_AXIS = {"label": "Packet loss per link", "unit": "", "scale": "log0"}
PANELS = (
    {"label": "Mean block time", "unit": "us"},
    {"label": "P99 block time", "unit": "us"},
    {"label": "Packets dropped for credits", "unit": ""},
)


def read_sizes(path):
    """Return [(bytes, probability of at most so many)] of a CDF file."""
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    points = [(float(words[0]), float(words[-1])) for words in lines if len(words) >= 2]
    top = points[-1][1]
    return [(size, share / top) for size, share in points]


def draw_size(points, chance):
    """Return bytes of a flow: on the line between two points."""
    low, below = points[0][0], 0.0
    for size, share in points:
        if chance <= share:
            part = (chance - below) / (share - below) if share > below else 1
            return max(1, round(low + part * (size - low)))
        low, below = size, share
    return round(points[-1][0])


def get_mean(points):
    """Return the mean of the same distribution."""
    mean, (low, below) = points[0][0] * points[0][1], points[0]
    for size, share in points[1:]:
        mean += (share - below) * (low + size) / 2
        low, below = size, share
    return mean


def get_clients():
    """Return the clients' numbers, those of a server one behind the other."""
    return [client for first, last in CLIENTS for client in range(first, last + 1)]


def make_blocks(options):
    """Return the ingest: every client starts a block at the same time, again and again."""
    block, ingest = int(options["block"]), float(options["ingest"])
    clients = get_clients()
    per_server = len(clients) // len(SERVERS)
    period = per_server * block * 8 / (ingest * LINE_RATE) * 1e9  # ns.
    flows = []
    for turn in range(int(float(options["duration"]) * 1e3 / period)):
        for order, client in enumerate(clients):
            server = SERVERS[(order // per_server + 1) % len(SERVERS)]
            start = f"{round(turn * period)}ns"
            flows.append({"src": client, "dst": server, "bytes": f"{block}B", "start": start})
    return flows


def make_background(points, options):
    """Return Cache_Follower flows between all servers, arrivals as of a Poisson process."""
    generator = random.Random(int(options["seed"]))
    load, end = float(options["load"]), float(options["duration"]) * 1e3
    flows, now = [], 0.0
    clients = get_clients()
    if load == 0:
        return flows
    gap = get_mean(points) * 8 / (load * LINE_RATE * len(ALL)) * 1e9  # ns.
    while True:
        now += generator.expovariate(1 / gap)
        if now >= end:
            return flows
        src, dst = generator.sample(ALL, 2)
        while src in clients and dst in SERVERS:  # These pass the services: blocks only.
            src, dst = generator.sample(ALL, 2)
        size = draw_size(points, generator.random())
        flows.append({"src": src, "dst": dst, "bytes": f"{size}B", "start": f"{round(now)}ns"})


def make_scenario(name, services, loss, flows, options):
    """Return the scenario of one point."""
    scenario = {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": 64,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
            "mtu": 4096,
            "lossRate": loss,
        },
        "groups": {"servers": [[server, server] for server in SERVERS], "clients": CLIENTS},
        "nics": [{"preset": "balboa", "hardware": "on"}],
        "workload": {"type": "flows", "flows": flows},
        "run": {"seed": int(options["seed"])},
    }
    kernels = {}
    for service in services:
        at_servers = {**service, "slots": ["receive"], "peers": "clients"}
        kernels.setdefault("servers", []).append(at_servers)
        if service is AES:
            at_clients = {**service, "slots": ["transmit"], "peers": "servers"}
            kernels.setdefault("clients", []).append(at_clients)
    if kernels:
        scenario["kernels"] = kernels
    return scenario


def measure(context, system, loss, arrivals):
    """Return what became of the blocks at one point."""
    name = f"{list(SYSTEMS).index(system)}-{loss:g}"
    scenario = make_scenario(name, SYSTEMS[system], loss, arrivals, context.options)
    (nic,) = context.run_scenario(scenario).nics
    block = int(context.options["block"])
    flows = nic.flows
    is_block = numpy.isin(flows["src"], get_clients()) & numpy.isin(flows["dst"], SERVERS)
    blocks = flows[is_block & (flows["bytes"] == block)]
    done = blocks["status"] == COMPLETED
    if not done.all():
        raise UserError(f"{name}: {int((~done).sum())} blocks did not end")
    times = numpy.sort(blocks["fct_ns"]) / 1e3
    return {
        "blocks": len(blocks),
        "mean": float(times.mean()),
        "p99": float(times[-(-99 * len(times) // 100) - 1]),
        "credits": nic.summary["drops"].get("no-receive-credits", 0),
        "resent": float(blocks["retransmitted"].sum() / blocks["packets"].sum()),
        "timeouts": int(blocks["timeouts"].sum()),
    }


def format_results(points):
    """Return the table: a row per system and loss rate."""
    rows = [
        [
            system,
            f"{loss:g}",
            f"{point['blocks']:,}",
            format_number(point["mean"]),
            format_number(point["p99"]),
            f"{point['credits']:,}",
            f"{100 * point['resent']:.1f}",
            f"{point['timeouts']:,}",
        ]
        for (system, loss), point in points.items()
    ]
    headers = ["", "loss", "blocks", "mean\nus", "P99\nus", "credit\ndrops", "resent\n%", "timeouts"]
    return format_table(headers, rows)


def draw(data):
    """Return the picture: a panel each for mean, tail and drops."""
    return draw_panels(data, LOOKS)


def run(context):
    """Run all points, print the table, draw the panels."""
    losses = read_reals(context.options, "losses", 0, 0.99)
    points = read_sizes(context.folder / "../../../traces/cache-follower.cdf")
    flows = make_blocks(context.options) + make_background(points, context.options)
    flows.sort(key=lambda flow: int(flow["start"][:-2]))
    measured = {
        (system, loss): measure(context, system, loss, flows)
        for system in SYSTEMS
        for loss in losses
    }
    print(format_results(measured))
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {
                system: [[loss, measured[system, loss][key]] for loss in losses]
                for system in SYSTEMS
            },
        }
        for axis, key in zip(PANELS, ("mean", "p99", "credits"))
    ]
    rows = [{"system": system, "loss": loss, **one} for (system, loss), one in measured.items()]
    context.write_panels(panels, paper=[], plot=draw, points=rows)
