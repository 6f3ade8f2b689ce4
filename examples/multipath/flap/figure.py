# SPDX-License-Identifier: GPL-2.0-only
"""A port fails and comes back: who fails, who recovers, who never returns, by the time that it is down.

Four servers repeat an all-reduce, or server 0 pushes KV caches to server 1. Their NICs have 10 Gb/s, in two or in four ports. The
last port of server 0 goes down once.
"""

import numpy

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.results.series import read_series
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

PREFIX = "ns3::rdma::"
SERVERS = 4
NIC_MBPS = 10_000
BEFORE_MS = 5
RETURNED = 95  # Percent of the goodput before.
LATE = 0.25  # Part of the time after the failure at whose end a design has returned or not.


def select_path(preset, name, **attributes):
    """Return an entry of "nics" with a PathSelector."""
    selected = {f"{PREFIX}{name}::{key}": value for key, value in attributes.items()}
    return {"preset": preset, "attributes": {PREFIX + "RdmaNic::PathSelector": PREFIX + name, **selected}}


#: Preset "uet" and "mrc" have 100 us, for links of 100 Gb/s and more: at 2.5 Gb/s a round trip takes longer.
SLOW_TIMER = {"attributes": {f"{PREFIX}BackoffTimeout::{key}": "1ms" for key in ("RtoLow", "RtoHigh")}}

#: Name in pictures: entry of "nics" without its name, color, marker and dashes.
DESIGNS = {
    "SRNIC fixed": ({"preset": "srnic"}, style.BLACK, "X", "-"),
    "SRNIC renewed": ({"preset": "srnic"}, style.GREY, "P", style.DASHES[6]),
    "SRNIC failover": (select_path("srnic", "FailoverPath"), style.GREEN, "^", style.DASHES[2]),
    "SRNIC failback": (select_path("srnic", "FailbackPath"), style.GREEN, "o", "-"),
    "SRNIC failback 10 ms": (select_path("srnic", "FailbackPath", RetryDelay="10ms"), style.SKY_BLUE, "s", style.DASHES[1]),
    "ConnectX-7 failback 10 ms": (select_path("connectx7", "FailbackPath", RetryDelay="10ms"), style.PURPLE, "h", style.DASHES[4]),
    "UET": ({"preset": "uet", **SLOW_TIMER}, style.BLUE, "D", "-"),
    "MRC": ({"preset": "mrc", **SLOW_TIMER}, style.VERMILLION, "*", style.DASHES[3]),
    "DCP fixed": ({"preset": "dcp"}, style.ORANGE, "v", style.DASHES[5]),
}
RENEWED = "SRNIC renewed"  # The application creates its queue pairs again.
LOOKS = {name: style.NicStyle(name, color, marker, dashes, "") for name, (_, color, marker, dashes) in DESIGNS.items()}

OPTIONS = {
    "ports": Option("2,4", "2", "ports of a NIC of 10 Gb/s"),
    "down": Option("1,10,100,1000", "1,10", "time that the port is down, ms"),
    "after": Option("100", "30", "time after it is up again that is simulated, ms"),
    "renewal": Option("10", "10", "time in which an application creates a queue pair again, ms"),
    "seeds": Option("1,2,3", "1", "random seeds"),
}


def make_all_reduce(ports):
    """Return rings, one per port, over 2 MiB, again and again."""
    return {"type": "collective", "operation": "all-reduce", "size": "2MiB", "channels": ports, "iterations": 1_000_000}


def make_transfer(ports):
    """Return prompts of 512 tokens in 8 layers of 1 KiB per token: caches of 4 MiB, two at a time."""
    return {
        "type": "transfer",
        "prefill": "prefill",
        "decode": "decode",
        "promptTokens": 512,
        "layers": 8,
        "tokenBytes": "1KiB",
        "concurrent": 2,
        "queuePairs": ports,
    }


WORKLOADS = {"all-reduce": make_all_reduce, "KV caches": make_transfer}


def make_nic_name(design):
    """Return the name of a design as name of an entry of "nics"."""
    return design.lower().replace(" ", "-")


def get_interval(down):
    """Return the time between samples, us: a twentieth of the time down, from 0.1 to 1 ms."""
    return min(max(down * 1000 // 20, 100), 1000)


def make_scenario(workload, ports, down, seed, after, renewal=None):
    """Return the scenario of a workload; times are in ms. With `renewal` that of the RENEWED design, else of all others."""
    end = BEFORE_MS + down + after
    made = WORKLOADS[workload](ports)
    made |= {"end": f"{end}ms"} if workload == "all-reduce" else {"duration": f"{end}ms"}
    made |= {"renewal": f"{renewal}ms"} if renewal else {}
    port = {"server": 0, "port": ports - 1}
    return {
        "name": "-".join([workload.lower().replace(" ", "-"), str(ports), str(down), str(seed)] + ["renewed"] * bool(renewal)),
        "fabric": {
            "topology": "star",
            "servers": SERVERS,
            "hostRate": f"{NIC_MBPS // ports}Mbps",
            "linkDelay": "1us",
            "mtu": 4096,
            "portsPerNic": ports,
        },
        "groups": {"prefill": [0], "decode": [1]},
        "linkEvents": [
            {"at": f"{BEFORE_MS}ms", **port, "state": "down"},
            {"at": f"{BEFORE_MS + down}ms", **port, "state": "up"},
        ],
        "nics": [
            {**design[0], "name": make_nic_name(name)}
            for name, design in DESIGNS.items()
            if (name == RENEWED) == bool(renewal)
        ],
        "workloads": [{"name": "traffic", **made}],
        "run": {"seed": seed, "drain": False, "stallLimit": "1000s"},
        "series": {"interval": f"{get_interval(down)}us", "what": ["goodput"]},
    }


def get_rates(nic):
    """Return (times in ms, goodput in percent of that before the failure), by interval that ends then."""
    rows = read_series(nic, "goodput")
    times, rates = rows["time_ns"] / 1e6, rows["goodput_gbps"]
    before = rates[(times > 1) & (times <= BEFORE_MS)].mean()
    return times, 100 * rates / before, before


def average(times, rates, begin, end):
    """Return the mean rate between two times, ms; 0 after the last sample: the run has ended, since nothing was left to do."""
    step = times[1] - times[0]
    return float(rates[(times > begin) & (times <= end)].sum() * step / (end - begin))


def find_return(times, rates, up, end):
    """Return the ms from `up` until the goodput of 2 ms has returned for the first time; None if it has not."""
    step = times[1] - times[0]
    count = max(round(2 / step), 1)
    late = rates[(times > up) & (times <= end)]
    means = numpy.convolve(late, numpy.ones(count) / count, "valid") if len(late) >= count else numpy.array([])
    found = numpy.flatnonzero(means >= RETURNED)
    return float(found[0] * step) if len(found) else None


def get_point(nic, down, after):
    """Return the numbers of a run, ms and percent of the goodput before."""
    times, rates, before = get_rates(nic)
    up, end = BEFORE_MS + down, BEFORE_MS + down + after
    late = average(times, rates, end - LATE * after, end)
    failed = nic.summary["workloads"]["traffic"].get("rpc", {}).get("status", {}).get("failed", 0)
    back = find_return(times, rates, up, end) if late >= RETURNED else None
    return {
        "before_gbps": float(before),
        "during": average(times, rates, BEFORE_MS, up),
        "late": late,
        "return_ms": back,
        "failed": failed,
    }


def measure(context):
    """Return ({(workload, ports, down, design): list of a point per seed}, {the same: (times, rates) of the first seed})."""
    options = context.options
    after, renewal = read_number(options, "after", 4, 10**4), read_number(options, "renewal", 1, 10**4)
    seeds = read_numbers(options, "seeds", 1, 10**6)
    keys = {
        (workload, ports, down, seed, kind): make_scenario(workload, ports, down, seed, after, kind)
        for down in sorted(read_numbers(options, "down", 1, 10**4), reverse=True)  # The longest runs first.
        for workload in WORKLOADS
        for ports in read_numbers(options, "ports", 2, 8)
        for seed in seeds
        for kind in (None, renewal)
    }
    points, rates = {}, {}
    for (workload, ports, down, seed, kind), result in context.sweep(keys).items():
        for design in DESIGNS:
            if (design == RENEWED) == bool(kind):
                nic, place = result[make_nic_name(design)], (workload, ports, down, design)
                points.setdefault(place, []).append(get_point(nic, down, after))
                if seed == seeds[0]:
                    rates[place] = get_rates(nic)[:2]
    return points, rates


def format_range(values, digits=0):
    """Return the least and the highest of some values, or the one."""
    low, high = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def describe(found):
    """Return ms, "no", "failed" (requests) or "stopped": whether a design returns, in the runs of all seeds."""
    returns = [one["return_ms"] for one in found]
    if all(time is not None for time in returns):
        return format_range(returns, 1) + (", failed" if any(one["failed"] for one in found) else "")
    if any(one["late"] < 1 for one in found):
        return "stopped"
    return "failed" if any(one["failed"] for one in found) else "no"


def format_points(points):
    """Return the table: a row per workload, number of ports and design, two columns per time down."""
    downs = sorted({down for _, _, down, _ in points})
    rows = []
    for workload, ports in dict.fromkeys((key[0], key[1]) for key in sorted(points)):
        for design in DESIGNS:
            found = [points[workload, ports, down, design] for down in downs]
            cells = [[format_range([point["during"] for point in one]), describe(one)] for one in found]
            rows.append([workload, str(ports), design, format_range([p["before_gbps"] for p in found[0]], 1), *sum(cells, [])])
    headers = ["", "ports", "", "before\nGb/s"]
    for down in downs:
        headers += [f"{down} ms:\nduring, %", "back\nafter ms"]
    return format_table(headers, rows)


def make_time_panel(rates, workload, ports, down, after):
    """Return a panel: goodput over time, means of a fifth of the time down."""
    series = {}
    for design in DESIGNS:
        times, values = rates[workload, ports, down, design]
        edges = numpy.arange(-BEFORE_MS, down + after + 0.01, down / 5)
        series[design] = [
            [float(begin + down / 10), average(times - BEFORE_MS, values, begin, end)]
            for begin, end in zip(edges, edges[1:])
        ]
    return {
        "x": {"label": f"Time since the failure, {down} ms down", "unit": "ms", "scale": "linear"},
        "y": {"label": f"{workload}, {ports} ports", "unit": "% of before", "scale": "linear"},
        "series": series,
    }


def make_late_panel(points, workload, ports):
    """Return a panel: goodput at the end by the time that the port was down."""
    downs = sorted({down for _, _, down, _ in points})
    series = {
        design: [[down, float(numpy.mean([one["late"] for one in points[workload, ports, down, design]]))] for down in downs]
        for design in DESIGNS
    }
    return {
        "x": {"label": "Time that the port is down", "unit": "ms", "scale": "log"},
        "y": {"label": f"{workload}, at the end", "unit": "% of before", "scale": "linear"},
        "series": series,
    }


def run(context):
    """Run all points, print the table and draw goodput over time and at the end."""
    points, rates = measure(context)
    print(format_points(points))
    ports = min(ports for _, ports, _, _ in points)
    downs = sorted({down for _, _, down, _ in points})
    shown = downs[min(1, len(downs) - 1)]
    after = min(read_number(context.options, "after", 4, 10**4), 3 * shown)
    panels = [make_time_panel(rates, workload, ports, shown, after) for workload in WORKLOADS]
    panels += [make_late_panel(points, workload, ports) for workload in WORKLOADS]
    context.write_panels(
        panels,
        plot=lambda data: draw_panels(data, LOOKS),
        points=[
            {"workload": workload, "ports": ports, "down_ms": down, "design": design, "seeds": found}
            for (workload, ports, down, design), found in points.items()
        ],
    )
