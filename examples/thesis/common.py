# SPDX-License-Identifier: GPL-2.0-only
"""Streams between programs on hosts: runs, their goodput and use of cores, box plots, stacked tasks.

What the figures of the thesis on RoCE for radio telescopes share: its testbed (chapter 3, appendix
A and B), one run per configuration, and the look of its box plots.
"""

import math

import numpy

from rocelab.draw import style, task_bars
from rocelab.draw.canvas import Canvas
from rocelab.results.csv_table import read_table
from rocelab.terminal.table import format_table
from rocelab.validate.checks import format_rows, get_measured

MTU = 4096  # Appendix B.1.
RATE = "100Gbps"
#: A switch with shallow buffers (Table A.1); ECN by appendix B.1, PFC by the preset.
FABRIC = {
    "topology": "star",
    "hostRate": RATE,
    "linkDelay": "10ns",  # Cables of 2 m: our estimate.
    "mtu": MTU,
    "buffer": "16MB",
    "ecn": {RATE: {"kmin": "300kB", "kmax": "3MB", "pmax": 1.0}},
}
#: As measured with Linux' osnoise tracer: docs/models/host.md.
NOISE = {
    "ns3::rdma::HostNoise::TimerPeriod": "1ms",
    "ns3::rdma::HostNoise::ServiceInterval": "91ms",
}
#: Our choice, said with the figures: ten seconds of the thesis are ten milliseconds here.
TIMES = {"duration": "14ms", "warmup": "3ms", "cooldown": "1ms", "sampleInterval": "1ms"}
BOX_NOTE = "Boxes: quartiles and median; whiskers: up to 1.5 times their distance. Axes of goodput do not start at 0."
QUANTILES = ("min", "p10", "p25", "p50", "p75", "p90", "max")


def make_scenario(name, streams, servers=2, attributes=None, fabric=None, has_noise=False, **workload):
    """Return the scenario of streams on the testbed's switch; workload keys replace the defaults."""
    return {
        "name": name,
        "fabric": {**FABRIC, "servers": servers, **(fabric or {})},
        "nics": [{"preset": "connectx6", "hardware": "on"}],
        "attributes": (NOISE if has_noise else {}) | (attributes or {}),
        "workload": {"type": "streams", "streams": streams, **TIMES, **workload},
        "run": {"drain": False},  # Else what is in the send queues at the end is sent, too.
    }


def make_times(measured, samples, warmup=3):
    """Return times of a workload, in ms: so many are measured, in so many samples."""
    return {
        "duration": f"{measured + warmup + 1}ms",
        "warmup": f"{warmup}ms",
        "cooldown": "1ms",
        "sampleInterval": f"{1000 * measured // samples}us",
    }


def get_payload_rate(message_bytes, rate_gbps=100):
    """Return Gb/s of payload that a link carries with messages of this size, framing counted.

    82 B per packet: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, preamble 8, FCS 4, gap 12; RETH and
    immediate data, 20 B, once per message.
    """
    packets = -(-message_bytes // MTU)
    return rate_gbps * message_bytes / (message_bytes + 82 * packets + 20)


def sweep_streams(context, scenarios):
    """Return {key: NicResult} of {key: scenario of make_scenario()}."""
    return {key: result.nics[0] for key, result in context.sweep(scenarios).items()}


def sweep_seeds(context, scenarios, seeds):
    """Return {key: {seed: NicResult}} of {key: scenario}, each with all seeds."""
    several = {
        (key, seed): {**scenario, "name": f"{scenario['name']}-seed-{seed}", "run": {**scenario["run"], "seed": seed}}
        for key, scenario in scenarios.items()
        for seed in seeds
    }
    found = sweep_streams(context, several)
    return {key: {seed: found[key, seed] for seed in seeds} for key in scenarios}


def get_host(nic, role="receiver", server=None):
    """Return what summary.json says of the streams of one role of a server, by default the first."""
    hosts = nic.summary["streams"]["hosts"]
    return next(
        host for host in hosts if host["role"] == role and (server is None or host["server"] == server)
    )


def get_measured_goodput(host):
    """Return quantiles of Gb/s of a host by the messages that its threads take, as in the thesis (section 3.4.2).

    Without measurements of all threads in time, by the messages that arrive.
    """
    return host["measured_gbps"] or host["goodput_gbps"]


def get_deviation(result, role):
    """Return the largest deviation of a measurement of one of a role's threads from the thread's mean, %."""
    rows = read_table(result.folder, "threads.csv")
    rows = rows[(rows["role"] == role) & ~numpy.isnan(rows["mean_gbps"])]
    far = numpy.maximum(rows["most_gbps"] / rows["mean_gbps"] - 1, 1 - rows["least_gbps"] / rows["mean_gbps"])
    return 100 * far.max().item()


def get_box(quantiles):
    """Return a box of matplotlib: quartiles, and whiskers up to 1.5 of their distance."""
    low, high = quantiles["p25"], quantiles["p75"]
    reach = 1.5 * (high - low)
    return {
        "med": quantiles["p50"],
        "q1": low,
        "q3": high,
        "whislo": max(quantiles["min"], low - reach),
        "whishi": min(quantiles["max"], high + reach),
        "fliers": [],
    }


def make_panels(configurations, role="receiver"):
    """Return panels of {label: NicResult}: goodput, use and use by task of one role."""
    hosts = {label: get_host(nic, role) for label, nic in configurations.items()}
    x = {"label": "Configuration", "unit": ""}
    panels = []
    for key, name, unit in (
        ("goodput_gbps", "Goodput", "Gb/s"),
        ("use_percent", f"CPU, {role}", "%"),
    ):
        panels.append(
            {
                "x": x,
                "y": {"label": name, "unit": unit, "scale": "linear"},
                "labels": list(hosts),
                "boxes": {label: host[key] for label, host in hosts.items()},
                "series": {
                    "median": [[place, host[key]["p50"]] for place, host in enumerate(hosts.values())]
                },
            }
        )
    tasks = task_bars.find_tasks([host["use_percent_by_task"] for host in hosts.values()])
    panels.append(
        {
            "x": x,
            "y": {"label": f"CPU, {role}", "unit": "%", "scale": "linear"},
            "labels": list(hosts),
            "stacked": True,
            "series": {
                task: [
                    [place, host["use_percent_by_task"][task]] for place, host in enumerate(hosts.values())
                ]
                for task in tasks
            },
        }
    )
    return panels


def draw(data):
    """Return the picture of panels of make_panels(): boxes, or bars of tasks one on the other."""
    panels = data["panels"]
    tasks = list(dict.fromkeys(name for panel in panels if panel.get("stacked") for name in panel["series"]))
    with style.paper():
        canvas = Canvas(
            style.PAGE_WIDTH,
            len(panels) * 0.72 * style.PANEL_HEIGHT,
            len(panels),
            1,
            legend=tasks,
            notes=[*data.get("notes", []), *([BOX_NOTE] if any("boxes" in panel for panel in panels) else [])],
        )
        for axes, panel in zip(canvas.panels, panels):
            draw_panel(axes, panel)
        canvas.add_legend()
        return canvas.figure


def draw_panel(axes, panel):
    """Draw one panel over its configurations."""
    places = range(len(panel["labels"]))
    if panel.get("stacked"):
        stacks = [{task: points[place][1] for task, points in panel["series"].items()} for place in places]
        task_bars.draw_stacks(axes, places, stacks)
    else:
        boxes = [get_box(panel["boxes"][label]) for label in panel["labels"]]
        look = {"color": style.BLUE, "linewidth": 1}
        axes.bxp(boxes, positions=places, widths=0.6, showfliers=False, boxprops=look, medianprops=look)
    axes.set_xticks(places, panel["labels"])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.6, len(panel["labels"]) - 0.4)
    is_goodput = panel["y"]["unit"] == "Gb/s"  # Its differences are small.
    axes.set_ylim(bottom=0.97 * min(box["whislo"] for box in boxes) if is_goodput else 0)
    axes.set_xlabel(style.get_axis_label(panel["x"]))
    axes.set_ylabel(style.get_axis_label(panel["y"]))


def format_configurations(configurations, role="receiver"):
    """Return a table of {label: NicResult}."""
    rows = []
    for label, nic in configurations.items():
        host = get_host(nic, role)
        tasks = sorted(host["use_percent_by_task"].items(), key=lambda item: -item[1])
        rows.append(
            [
                label,
                f"{host['goodput_gbps']['p10']:.2f}",
                f"{host['goodput_gbps']['p50']:.2f}",
                f"{host['use_percent']['p10']:.1f}",
                f"{host['use_percent']['p50']:.1f}",
                str(host["least_queue_fill"]),
                str(nic.summary["streams"]["missing_blocks"]),
                ", ".join(f"{task} {use:.1f}" for task, use in tasks[:4] if use > 0.05),
            ]
        )
    headers = ["", "Gb/s\n10 %", "Gb/s\nmedian", "CPU %\n10 %", "CPU %\nmedian", "queue\nleast", "missing", "CPU %"]
    return format_table(headers, rows)


def read_samples(nic, role="receiver", server=None):
    """Return the samples of a role of a server, by default the first, as dicts of numbers.

    `time` in s; `goodput` in Gb/s, as data arrive, `measured`, as the program measures it, NaN: not in time; `use` in % of a core;
    `fill`: least requests in a queue, None: no thread looked.
    """
    server = get_host(nic, role, server)["server"]
    rows = read_table(nic.folder, "samples.csv")
    return [
        {
            "time": row["time_ns"].item() / 1e9,
            "goodput": row["goodput_gbps"].item(),
            "measured": row["measured_gbps"].item(),
            "use": row["use_percent"].item(),
            "fill": None if math.isnan(row["least_queue_fill"]) else int(row["least_queue_fill"]),
        }
        for row in rows[(rows["role"] == role) & (rows["server"] == server)]
    ]


def make_time_panels(runs, role="receiver", columns=("goodput", "use")):
    """Return panels over time of {label: NicResult}: for each run a panel per column."""
    units = {"goodput": ("Goodput", "Gb/s"), "measured": ("Goodput", "Gb/s"), "use": (f"CPU, {role}", "%")}
    panels = []
    for label, nic in runs.items():
        samples = read_samples(nic, role)
        for column in columns:
            name, unit = units[column]
            panels.append(
                {
                    "x": {"label": f"Time, {label}", "unit": "s"},
                    "y": {"label": name, "unit": unit, "scale": "linear"},
                    "series": {label: [[sample["time"], sample[column]] for sample in samples if not math.isnan(sample[column])]},
                }
            )
    return panels


def draw_over_time(data):
    """Return the picture of panels of make_time_panels(): a line each, without markers."""
    panels = data["panels"]
    with style.paper():
        canvas = Canvas(
            style.PAGE_WIDTH,
            len(panels) * 0.6 * style.PANEL_HEIGHT,
            len(panels),
            1,
            legend=[],
            notes=data.get("notes", []),
        )
        for axes, panel in zip(canvas.panels, panels):
            for points in panel["series"].values():
                axes.plot(*zip(*points), color=style.BLUE, linewidth=0.8)
            axes.set_ylim(bottom=0)
            axes.set_xlabel(style.get_axis_label(panel["x"]))
            axes.set_ylabel(style.get_axis_label(panel["y"]))
        return canvas.figure


def finish(context, configurations, checks, settings, senders=None, notes=()):
    """Print tables and what the paper states, and write the figure.

    `configurations` and `senders`, {label: NicResult}, are drawn from the receiver's and the
    sender's side.
    """
    panels = make_panels(configurations)
    print(format_configurations(configurations))
    if senders:
        panels += make_panels(senders, "sender")[1:]
        print("\nSenders\n" + format_configurations(senders, "sender"))
    rows = get_measured(checks)
    print("\n" + format_rows(rows))
    return context.write_panels(panels, plot=draw, checks=rows, settings=settings, notes=list(notes))
