# SPDX-License-Identifier: GPL-2.0-only
"""NCCL's all-reduce on a fabric that loses packets: what a lost tail costs with a timeout of 4.29 s.

16 ranks repeat a ring all-reduce by NCCL, over NICs with different loss recovery, at growing loss rates; and once more
with the NIC's own timeout instead of NCCL's.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_reals

from ..common import NICS, select

#: Without adaptive retransmission the timeout of the queue pair counts.
CONSTANT = "ConnectX-6, constant timer"
PRESETS = ("ConnectX-6", "ConnectX-7", "IRN", "SRNIC")
DESIGNS = {name: {"preset": NICS[name], "name": NICS[name]} for name in PRESETS}
DESIGNS[CONSTANT] = {
    "preset": NICS["ConnectX-6"],
    "name": "connectx6-constant",
    "retransmissionTimeout": "ns3::rdma::FixedTimeout",
}
LOOKS = {
    **select(PRESETS),
    CONSTANT: style.NicStyle(CONSTANT, style.BLACK, "X", style.DASHES[5], ""),
}

OPTIONS = {
    "losses": Option("0,1e-6,1e-5,1e-4,1e-3", "0,1e-4", "loss probability of a packet on a link"),
    "iterations": Option("50", "5", "all-reduces"),
    "kibibytes": Option("1024", "256", "buffer of a rank, KiB"),
}

LIBRARIES = {"NCCL's timeout": "nccl", "the NIC's timeout": "none"}


def make_scenario(options, library, loss):
    """Return the scenario of one library and loss rate."""
    return {
        "name": f"{library}-{loss:g}",
        "fabric": {
            "topology": "star",
            "servers": 16,
            "hostRate": "100Gbps",
            "linkDelay": "1us",
            "lossRate": loss,
        },
        "nics": list(DESIGNS.values()),
        "workload": {
            "type": "collective",
            "operation": "all-reduce",
            "library": library,
            "size": f"{read_number(options, 'kibibytes', 1, 2**20)}KiB",
            "iterations": read_number(options, "iterations", 1, 10**4),
        },
        "run": {"stallLimit": "60s"},
    }


def get_point(nic):
    """Return the numbers of a run."""
    collective = nic.summary["collective"]
    return {
        "period_us": collective["period_us"],
        "p50_us": collective["time_us"]["p50"],
        "max_us": collective["time_us"]["max"],
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
        "defect": nic.defect,
    }


def measure(context):
    """Return {library: {NIC: {loss: point}}}."""
    losses = read_reals(context.options, "losses", 0, 0.99)
    scenarios = {
        (title, loss): make_scenario(context.options, library, loss)
        for title, library in LIBRARIES.items()
        for loss in losses
    }
    found = {title: {name: {} for name in DESIGNS} for title in LIBRARIES}
    for (title, loss), result in context.sweep(scenarios).items():
        for name, design in DESIGNS.items():
            found[title][name][loss] = get_point(result[design["name"]])
    return found


def make_panel(found, title, key, label):
    """Return a panel over the loss rate, without the point of no loss, which a logarithmic axis cannot show."""
    series = {
        name: [[loss, point[key]] for loss, point in points.items() if loss > 0] for name, points in found[title].items()
    }
    x = {"label": "Loss probability", "unit": "", "scale": "log"}
    return {"x": x, "y": {"label": f"{label}, {title}", "unit": "us", "scale": "log"}, "series": series}


def run(context):
    """Run all points, print the tables and draw the panels."""
    found = measure(context)
    for title, by_nic in found.items():
        rows = [
            [name, f"{loss:g}", *(format_number(point[key]) for key in ("period_us", "p50_us", "max_us"))]
            + [str(point["retransmitted"]), str(point["timeouts"])]
            for name, points in by_nic.items()
            for loss, point in points.items()
        ]
        headers = [f"NIC, {title}", "loss", "per iteration us", "P50 us", "longest us", "resent", "timeouts"]
        print(format_table(headers, rows), end="\n\n")
    context.write_panels(
        [
            make_panel(found, title, key, label)
            for title in LIBRARIES
            for key, label in (("period_us", "Time per iteration"), ("max_us", "Longest iteration"))
        ],
        plot=lambda data: draw_panels(data, LOOKS),
        points={title: {name: list(points.values()) for name, points in one.items()} for title, one in found.items()},
    )
