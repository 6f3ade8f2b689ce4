# SPDX-License-Identifier: GPL-2.0-only
"""Loss recovery of every NIC design: goodput and completion times of single flows over lossy links.

No flow meets another, so that loss recovery and congestion control's window alone decide.
"""

from rocelab.errors import UserError
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_chosen, read_names, read_numbers, read_reals

#: Farthest pairs of servers use all tiers: the last rack is as large as the first.
PER_RACK = {16: 4, 64: 16, 256: 32}

OPTIONS = {
    "losses": Option("0.01,0.1,0.25,1,2", "0.1,1", "loss of a packet on each link, %"),
    "nics": Option("connectx6,connectx7,cx5-measured,irn,srnic,balboa,strom100g,uet,mrc", "connectx6,srnic", "presets"),
    "servers": Option("64,256", "16", "sizes of the fat-tree, out of 16, 64, 256"),
    "hardware": Option("off,on", "off", "hardware of the NICs: off, on or both"),
    "long_megabytes": Option("20", "1", "size of the long flow, MB"),
    "short_kibibytes": Option("16", "16", "size of the short flows, KiB"),
    "short_flows": Option("320", "32", "number of short flows"),
    "seed": Option("1", "1", "random seed"),
}

SHORT_PERIOD_US = 20  # Between starts of short flows, each of which uses links of its own pair.
LONG, SHORT = "long", "short"

X_AXIS = {"label": "Loss of each link", "unit": "%", "scale": "log"}


def make_flows(kind, servers, options):
    """Return the flows of a run, each between the first and the last rack."""
    if kind == LONG:
        return [{"src": 0, "dst": servers - 1, "bytes": f"{options['long_megabytes']}MB", "start": "0us"}]
    pairs = PER_RACK[servers]
    return [
        {
            "src": index % pairs,
            "dst": servers - 1 - index % pairs,
            "bytes": f"{options['short_kibibytes']}KiB",
            "start": f"{index * SHORT_PERIOD_US}us",
        }
        for index in range(read_numbers(options, "short_flows", 1, 10**5)[0])
    ]


def make_scenario(kind, servers, hardware, loss, nics, options):
    """Return the scenario of one table row of all designs."""
    return {
        "name": f"{kind}-{servers}-hardware-{hardware}-{loss:g}",
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
            "pfc": False,
            "lossRate": loss / 100,
        },
        "nics": [{"preset": nic, "name": nic, "hardware": hardware} for nic in nics],
        "workload": {"type": "flows", "flows": make_flows(kind, servers, options)},
        "run": {"seed": read_numbers(options, "seed", 0, 2**31)[0]},
    }


def get_point(nic, count):
    """Return the numbers of one run; all flows must have completed."""
    summary, flows = nic.summary, nic.completed
    if len(flows) != count:
        return {"failed": count - len(flows)}
    slowdown = flows["fct_ns"] / flows["ideal_ns"]
    lost = summary["drops"]["link-loss"]
    return {
        "failed": 0,
        "goodput_gbps": float(flows["bytes"].sum() * 8 / flows["fct_ns"].sum()),
        "slowdown": float(slowdown.mean()),
        "p99_slowdown": float(sorted(slowdown)[-(-99 * len(slowdown) // 100) - 1]),
        "timeouts": int(flows["timeouts"].sum()),
        "lost": lost,
        "resent_per_lost": float(flows["retransmitted"].sum() / lost) if lost else None,
    }


def measure(context):
    """Return {(kind, servers, hardware): {NIC: {loss: point}}}."""
    options = context.options
    nics, losses = read_names(options), read_reals(options, "losses", 1e-6, 99)
    sizes = read_numbers(options, "servers", 16, 256)
    if not set(sizes) <= set(PER_RACK):
        raise UserError(f"option servers: expected some of {list(PER_RACK)}, got {options['servers']!r}")
    scenarios = {
        ((kind, servers, hardware), loss): make_scenario(kind, servers, hardware, loss, nics, options)
        for servers in sizes
        for hardware in read_chosen(options, "hardware", ("off", "on"))
        for kind in (LONG, SHORT)
        for loss in losses
    }
    found = {}
    for (key, loss), result in context.sweep(scenarios).items():
        points = found.setdefault(key, {nic: {} for nic in nics})
        for nic in result.nics:
            points[nic.name][loss] = get_point(nic, len(scenarios[key, loss]["workload"]["flows"]))
    return found


def format_point(point, kind):
    """Return a cell: FCT over ideal, timeouts and packets sent again per lost one."""
    if point["failed"]:
        return f"{point['failed']} failed"
    tail = f", P99 {format_number(point['p99_slowdown'])}" if kind == SHORT else ""
    resent = "" if point["resent_per_lost"] is None else f", {format_number(point['resent_per_lost'])}"
    return f"{format_number(point['slowdown'])}{tail} ({point['timeouts']}{resent})"


def format_results(found):
    """Return a table per kind, size and hardware: a row per design, a column per loss."""
    tables = []
    for (kind, servers, hardware), by_nic in found.items():
        losses = list(next(iter(by_nic.values())))
        headers = [f"{kind}, {servers} servers, hardware {hardware}"] + [f"{loss:g} %" for loss in losses]
        rows = [[nic, *(format_point(point, kind) for point in points.values())] for nic, points in by_nic.items()]
        tables.append(format_table(headers, rows))
    title = "FCT over ideal (timeouts, packets sent again per lost packet of any kind)"
    return title + "\n\n" + "\n\n".join(tables)


def make_panel(found, kind, servers, hardware):
    """Return the panel of one table: FCT over ideal over loss."""
    label = f"{kind.capitalize()} flows, {servers} servers, hardware {hardware}"
    series = {
        nic: [[loss, point["slowdown"]] for loss, point in points.items() if not point["failed"]]
        for nic, points in found[kind, servers, hardware].items()
    }
    return {"x": X_AXIS, "y": {"label": label, "unit": "x ideal", "scale": "log"}, "series": series}


def run(context):
    """Run all points, print the tables and draw a panel for each."""
    found = measure(context)
    print(format_results(found))
    rows = [
        {"kind": kind, "servers": servers, "hardware": hardware, "nic": nic, "loss_percent": loss, **point}
        for (kind, servers, hardware), by_nic in found.items()
        for nic, points in by_nic.items()
        for loss, point in points.items()
    ]
    context.write_panels([make_panel(found, *key) for key in found], paper=[], points=rows)
