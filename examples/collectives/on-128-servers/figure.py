# SPDX-License-Identifier: GPL-2.0-only
"""Rings and an all-to-all on the k = 8 fat-tree of 128 servers: one path per queue pair, and sprayed packets.

Eight rings of 16 random servers each repeat an all-reduce; all 128 servers exchange messages of 64 KiB with 1, 8 and 127
rounds on their way. Each under ECMP, where a queue pair keeps its path, and with packets sprayed over all paths.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

PREFIX = "ns3::rdma::"

#: A LossDetector that tolerates reordering; the build makes it of test/plugins/.
PLUGIN = "test/reorder-tolerant-detector.so"

#: Name in the picture: entry of "nics" without its name, color and marker.
DESIGNS = {
    "SRNIC, one path": ({"preset": "srnic"}, style.BLUE, "o"),
    "IRN, one path": ({"preset": "irn"}, style.GREEN, "s"),
    "IRN, sprayed, reordering tolerated": (
        {
            "preset": "irn",
            "lossDetector": PREFIX + "ReorderTolerantDetector",
            "loadBalancer": PREFIX + "SprayBalancer",
        },
        style.VERMILLION,
        "^",
    ),
}

OPTIONS = {
    "k": Option("8", "4", "ports of a switch of the fat-tree"),
    "rings": Option("8", "2", "rings side by side, of random servers"),
    "mebibytes": Option("1,16", "1", "buffer of a rank of a ring, MiB"),
    "windows": Option("1,8,127", "1,15", "rounds of the all-to-all on their way"),
    "kibibytes": Option("64", "16", "message of the all-to-all, KiB"),
    "seed": Option("1", "1", "random seed: of the rings' servers and of the paths"),
}

LOOKS = {
    name: style.NicStyle(name, color, marker, dashes, "")
    for (name, (_, color, marker)), dashes in zip(DESIGNS.items(), style.DASHES)
}


def make_scenario(context, name, workload):
    """Return the scenario of a collective under all designs."""
    return {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "k": read_number(context.options, "k", 4, 16),
            "hostRate": "100Gbps",
            "fabricRate": "100Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "nics": [{**entry, "name": f"design-{number}"} for number, (entry, _, _) in enumerate(DESIGNS.values())],
        "workload": {"type": "collective", **workload},
        "run": {"seed": read_number(context.options, "seed", 0, 2**31)},
    }


def measure(context, name, workload):
    """Return {design: point}."""
    result = context.run_scenario(make_scenario(context, name, workload), plugins=[PLUGIN])
    by_name = {nic.name: nic for nic in result.nics}
    points = {}
    for number, design in enumerate(DESIGNS):
        nic = by_name[f"design-{number}"]
        collective = nic.summary["collective"]
        points[design] = {
            "mean_us": collective["time_us"]["mean"],
            "max_us": collective["time_us"]["max"],
            "slowdown": collective["slowdown"],
            "busbw_gbps": collective["busbw_gbps"],
            "retransmitted": collective["retransmitted"],
            "timeouts": collective["timeouts"],
            "ecn_marks": nic.summary["ecn_marks"],
            "defect": nic.defect,
        }
    return points


def measure_rings(context):
    """Return {bytes of a buffer: {design: point}}."""
    found = {}
    for mebibytes in read_numbers(context.options, "mebibytes", 1, 1024):
        workload = {
            "operation": "all-reduce",
            "size": f"{mebibytes}MiB",
            "communicators": read_number(context.options, "rings", 1, 64),
            "placement": "random",
        }
        found[mebibytes << 20] = measure(context, f"rings-{mebibytes}", workload)
    return found


def measure_rounds(context):
    """Return {window: {design: point}}."""
    ranks = read_number(context.options, "k", 4, 16) ** 3 // 4
    size = ranks * read_number(context.options, "kibibytes", 1, 1024) << 10
    return {
        window: measure(
            context,
            f"window-{window}",
            {"operation": "all-to-all", "size": size, "window": window, "waitFor": "completion"},
        )
        for window in read_numbers(context.options, "windows", 1, 4096)
    }


def make_panel(found, x, key, label):
    """Return a panel of one number."""
    series = {design: [[place, points[design][key]] for place, points in found.items()] for design in DESIGNS}
    return {"x": x, "y": {"label": label, "unit": ""}, "series": series}


COLUMNS = (
    ("mean us", "mean_us"),
    ("longest us", "max_us"),
    ("slowdown", "slowdown"),
    ("bus Gb/s", "busbw_gbps"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
)


def print_table(title, found):
    """Print a row per point."""
    rows = [
        [f"{place:,}", design, *(format_number(point[key]) for _, key in COLUMNS)]
        for place, points in found.items()
        for design, point in points.items()
    ]
    print(format_table([title, "design", *(label for label, _ in COLUMNS)], rows), end="\n\n")


def run(context):
    """Run all points, print the tables and draw the panels."""
    rings, rounds = measure_rings(context), measure_rounds(context)
    print_table("bytes of the rings", rings)
    print_table("window", rounds)
    size = {"label": "Buffer", "unit": "B", "scale": "log2"}
    window = {"label": "Rounds on their way", "unit": "", "scale": "log"}
    context.write_panels(
        [
            make_panel(rings, size, "slowdown", "Rings: time / empty network"),
            make_panel(rings, size, "busbw_gbps", "Rings: bus bandwidth, Gb/s"),
            make_panel(rounds, window, "slowdown", "All-to-all: time / empty network"),
        ],
        plot=lambda data: draw_panels(data, LOOKS),
        rings={str(size): points for size, points in rings.items()},
        rounds={str(window): points for window, points in rounds.items()},
    )
