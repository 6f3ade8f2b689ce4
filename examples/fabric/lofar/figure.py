# SPDX-License-Identifier: GPL-2.0-only
"""LOFAR's transpose through a busy fat-tree, and while a link is down: which data come in time.

The thesis on RoCE for radio telescopes asks for an unreliable connection (R5) and measures five
hosts on one switch, on their own. Here stations send their subbands to nodes of a fat-tree that
carries Cache_Follower flows between all servers, over UC and over RC, with several NICs.
"""

from rocelab.errors import UserError
from rocelab.results.csv_table import read_table
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_reals

from ..common import put_beside_flows, read_loads

NICS = ("connectx6", "srnic", "balboa")
SERVICES = ("UC", "RC")
STATION_GBPS = 3  # Thesis, section 2.1.1.
SUBBANDS = 488
MESSAGE_BYTES = 8192
PER_RACK = {16: 16, 64: 16, 256: 32, 1024: 16, 4096: 32}  # Servers: docs/models/topologies.md.

#: BALBOA has room for 500 queue pairs "by default" (section 4.1); a node has 1,220 here.
ROOM = {"balboa": {"ns3::rdma::RdmaNic::MaxQueuePairs": 2000}}

OPTIONS = {
    "nics": Option(",".join(NICS), "connectx6", "presets of all servers"),
    "loads": Option("0,0.3,0.6", "0,0.4", "load of the background, 0 to 0.9"),
    "outages": Option("0.05,0.2,1,4", "0.2", "how long a node's link is down, ms"),
    "outage_load": Option("0.2", "0", "load of the background then"),
    "stations": Option("40", "8", "sending stations"),
    "nodes": Option("16", "4", "receiving nodes"),
    "servers": Option("64", "16", "servers of the fat-tree"),
    "duration": Option("12", "4", "ms"),
    "load_deadline": Option("0.1", "0.1", "time from when a message is due until it is late, ms: by load"),
    "outage_deadline": Option("1", "1", "the same while a link is down"),
    "seed": Option("1", "1", "random seed"),
}

PAPER = [
    {
        "where": "Thesis, section 2.2, R5",
        "statement": "data must be sent without retransmissions, since the system cannot send them again",
    },
    {
        "where": "Thesis, section 2.1.1",
        "statement": "small amounts of missing data do not matter much, but it must be known which",
    },
]


def make_scenario(name, nic, service, load, outage, options):
    """Return the scenario of one point. outage: of the first node's link, ms; 0: none."""
    stations, nodes = int(options["stations"]), int(options["nodes"])
    duration = float(options["duration"])
    workload = {
        "type": "lofar",
        "senders": "stations",
        "receivers": "nodes",
        "subbands": SUBBANDS,
        "messageBytes": MESSAGE_BYTES,
        "rate": f"{STATION_GBPS}Gbps",
        "service": service,
        "linked": 1,
        "sharedReceiveQueue": True,
        "receiveQueue": 20000,
        # A station's subbands follow each other at its rate.
        "startInterval": f"{round(MESSAGE_BYTES * 8 / STATION_GBPS)}ns",
        "deadline": f"{options['outage_deadline' if outage else 'load_deadline']}ms",
        "duration": f"{duration:g}ms",
    }
    scenario = {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": int(options["servers"]),
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
            "mtu": 4096,
        },
        "groups": spread(int(options["servers"]), stations, nodes),
        "nics": [{"preset": nic, "hardware": "on", "attributes": ROOM.get(nic, {})}],
        **put_beside_flows(workload, load, f"{duration:g}ms"),
        "run": {"seed": int(options["seed"]), "drain": False},
    }
    if outage:
        node = scenario["groups"]["nodes"][0]
        servers = int(options["servers"])
        tor = servers + node // PER_RACK[servers]
        begin = duration / 4
        scenario["linkEvents"] = [
            {"at": f"{begin:g}ms", "link": [node, tor], "state": "down"},
            {"at": f"{begin + outage:g}ms", "link": [node, tor], "state": "up"},
        ]
    return scenario


def spread(servers, stations, nodes):
    """Return the groups: nodes at equal distances, stations on what is left."""
    if servers not in PER_RACK:
        raise UserError(f"option servers: expected one of {', '.join(map(str, PER_RACK))}, got {servers}")
    if stations + nodes > servers:
        raise UserError(f"option servers: expected room for {stations + nodes}, got {servers}")
    places = [index * servers // nodes for index in range(nodes)]
    return {
        "nodes": places,
        "stations": [server for server in range(servers) if server not in places][:stations],
    }


def get_late_share(rows):
    """Return the share of messages that were due and did not come in time, %."""
    due = int(rows["due"].sum())
    return 100 * (1 - int(rows["in_time"].sum()) / due) if due else 0


def measure(context, points):
    """Return {point: numbers} of points (NIC, service, load, outage)."""
    scenarios = {
        point: make_scenario(
            "{}-{}-load-{:g}-outage-{:g}".format(point[0], point[1].lower(), *point[2:]), *point, context.options
        )
        for point in points
    }
    results = context.sweep(scenarios)
    return {point: get_point(results[point].nics[0], scenarios[point]["groups"]["nodes"][0]) for point in points}


def get_point(nic, node):
    """Return the numbers of a run: late shares of the node whose link fails, and of the others."""
    rows = read_table(nic.folder, "streams.csv")
    return {
        "all": get_late_share(rows),
        "node": get_late_share(rows[rows["dst"] == node]),
        "others": get_late_share(rows[rows["dst"] != node]),
        "lost": int((rows["sent"] - rows["received"]).sum()),
        "retransmitted": int(rows["retransmitted"].sum()),
        "pauses": nic.summary["pfc_pauses"],
    }


def run(context):
    """Run all points, print the tables and draw the panels."""
    options = context.options
    nics = options["nics"].split(",")
    loads = read_loads(options)
    outages = read_reals(options, "outages", 1e-6)
    (outage_load,) = read_loads(options, "outage_load")
    systems = [(nic, service) for nic in nics for service in SERVICES]
    keys = {(s, load): (*s, load, 0) for s in systems for load in loads}
    failures = {(s, time): (*s, outage_load, time) for s in systems for time in outages}
    found = measure(context, [*keys.values(), *failures.values()])
    by_load, by_outage = ({key: found[point] for key, point in points.items()} for points in (keys, failures))
    late = {"label": "Not in time", "unit": "%", "scale": "linear"}
    panels = [
        {
            "x": {"label": "Background load", "unit": "", "scale": "linear"},
            "y": late,
            "series": {name_of(s): [[load, by_load[s, load]["all"]] for load in loads] for s in systems},
        }
    ]
    panels.append(
        {
            "x": {"label": "Node's link down", "unit": "ms", "scale": "log"},
            "y": {**late, "label": "Not in time, of that node"},
            "series": {
                name_of(s): [[time, by_outage[s, time]["node"]] for time in outages] for s in systems
            },
        }
    )
    print(format_points(by_load, "load"))
    print(format_points(by_outage, "link down\nms"))
    context.write_panels(panels, paper=PAPER)


def name_of(system):
    """Return a system's name in the picture."""
    return f"{system[0]}, {system[1]}"


def format_points(points, label):
    """Return the table of points {(system, x): numbers}."""
    rows = [
        [
            name_of(system),
            f"{x:g}",
            *[f"{point[key]:.2f}" for key in ("all", "node", "others")],
            *[f"{point[key]:,}" for key in ("lost", "retransmitted", "pauses")],
        ]
        for (system, x), point in points.items()
    ]
    headers = ["", label, "not in time\n%", "first node\n%", "others\n%", "not received", "sent again", "pauses"]
    return format_table(headers, rows)

