# SPDX-License-Identifier: GPL-2.0-only
"""What studies of several routes share: NIC designs and their looks, the fat-tree, permutations, points and tables."""

import random
import re
from pathlib import Path

from rocelab.draw import style
from rocelab.errors import UserError
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

PREFIX = "ns3::rdma::"
ENTROPY = PREFIX + "RdmaNic::EntropySelector"
REPS = PREFIX + "RepsEntropy"

#: The first permutation of the connection matrices that were made for uet-htsim.
FIRST_MATRIX = Path(__file__).parent / "permutation" / "perm128-s1.cm"


def select_entropy(name, **attributes):
    """Return an entry of "nics": Ultra Ethernet with another entropy selector."""
    return {"preset": "uet", "attributes": {ENTROPY: f"{PREFIX}{name}Entropy", **attributes}}


#: Name in pictures: entry of "nics" without its name, color, marker and dashes.
DESIGNS = {
    "UET mixed": ({"preset": "uet"}, style.BLUE, "o", "-"),
    "UET bitmap": (select_entropy("Bitmap"), style.SKY_BLUE, "s", style.DASHES[1]),
    "UET REPS": (select_entropy("Reps"), style.GREEN, "^", style.DASHES[2]),
    "UET REPS as published": (
        select_entropy(
            "Reps",
            **{REPS + "::Paths": 65536, REPS + "::ExploresBdp": True, REPS + "::FreezesOnLoss": True},
        ),
        style.GREEN,
        "v",
        style.DASHES[3],
    ),
    "UET oblivious": (select_entropy("Oblivious"), style.ORANGE, "D", style.DASHES[4]),
    "UET one path": (select_entropy("Fixed"), style.BLACK, "X", style.DASHES[5]),
    "UET sprayed by switches": (
        {**select_entropy("Fixed"), "loadBalancer": PREFIX + "SprayBalancer"},
        style.ORANGE,
        "d",
        style.DASHES[6],
    ),
    "UET RCCC": ({"preset": "uet-rccc"}, style.BLUE, "P", style.DASHES[1]),
    "MRC": ({"preset": "mrc"}, style.VERMILLION, "*", style.DASHES[3]),
    "ConnectX-7 AR": ({"preset": "connectx7-ar"}, style.PURPLE, "h", style.DASHES[4]),
    "ConnectX-6": ({"preset": "connectx6"}, style.VERMILLION, "s", style.DASHES[2]),
    "IRN": ({"preset": "irn"}, style.GREY, "^", style.DASHES[7]),
    "IRN sprayed by switches": ({"preset": "irn", "loadBalancer": PREFIX + "SprayBalancer"}, style.GREY, "v", style.DASHES[6]),
    "SRNIC": ({"preset": "srnic"}, style.GREEN, "o", "-"),
}

LOOKS = {
    name: style.NicStyle(name, color, marker, dashes, "") for name, (_, color, marker, dashes) in DESIGNS.items()
}

#: Options that the studies on this fat-tree have.
ARITY = Option("8", "4", "ports of a switch of the fat-tree")
SEED = Option("1", "1", "random seed: of the paths and, for other matrices than the first, of the permutation")
RATE = Option("100", "100", "rate of all links, Gb/s")


def read_arity(options):
    """Return the number of ports of a switch."""
    arity = read_number(options, "k", 4, 16)
    if arity % 2:
        raise UserError(f"option k: expected an even number, got {arity}")
    return arity


def read_seed(options):
    """Return the random seed."""
    return read_number(options, "seed", 0, 2**31)


def count_servers(arity):
    """Return the number of servers of a fat-tree."""
    return arity**3 // 4


def make_nic_name(design):
    """Return the name of a design as name of an entry of "nics"."""
    return design.lower().replace(" ", "-")


def make_scenario(name, arity, gigabits, designs, seed, **parts):
    """Return a scenario of some designs on a fat-tree whose links all have one rate.

    Links, MTU and framing are those of the public simulator's runs (multipath studies of uet-htsim).
    parts: "workload" or "workloads", "linkEvents"; "fabric" has more keys of the fabric.
    """
    fabric = {
        "topology": "fat-tree",
        "k": arity,
        "hostRate": f"{gigabits}Gbps",
        "linkDelay": "1us",
        "mtu": 4096,
        "framing": "none",
        **parts.pop("fabric", {}),
    }
    nics = [{**DESIGNS[design][0], "name": make_nic_name(design)} for design in designs]
    return {"name": name, "fabric": fabric, "nics": nics, "run": {"seed": seed}, **parts}


def read_first_matrix():
    """Return [(source, destination)] of the first permutation."""
    lines = FIRST_MATRIX.read_text(encoding="utf-8").splitlines()
    found = [re.match(r"(\d+)->(\d+) ", line) for line in lines]
    return [(int(one[1]), int(one[2])) for one in found if one]


def make_pairs(servers, seed):
    """Return [(source, destination)]: the first matrix for 128 servers and seed 1, else a random circle."""
    if servers == 128 and seed == 1:
        return read_first_matrix()
    circle = list(range(servers))
    random.Random(seed).shuffle(circle)
    return sorted(zip(circle, circle[1:] + circle[:1]))


def make_permutation(servers, kibibytes, seed):
    """Return a workload: each server sends one flow and receives one, all from time 0."""
    flows = [
        {"src": src, "dst": dst, "bytes": kibibytes << 10, "start": "0us"} for src, dst in make_pairs(servers, seed)
    ]
    return {"type": "flows", "flows": flows}


def get_point(nic):
    """Return the numbers of a run, or of one of its workloads, that tables and pictures have."""
    summary, flows = nic.summary, nic.completed
    last = float(flows["fct_ns"].max()) / 1e3 if len(flows) else None
    ideal = float(flows["ideal_ns"].max()) / 1e3 if len(flows) else None
    return {
        "mean_us": summary["fct_us"]["mean"],
        "p99_us": summary["fct_us"]["p99"],
        "last_us": last,
        "ideal_us": ideal,
        "mean_slowdown": summary["slowdown"]["mean"],
        "last_over_ideal": last / ideal if ideal else None,
        "retransmitted": summary["retransmitted"],
        "timeouts": summary["timeouts"],
        "lost": summary["fabric_drops"],
        "trims": summary["trims"],
        "ecn_marks": summary["ecn_marks"],
        "pfc_pauses": summary["pfc_pauses"],
        "defect": nic.defect,
    }


def get_nics(result, designs):
    """Return {design: result of its run}."""
    by_name = {nic.name: nic for nic in result.nics}
    return {design: by_name[make_nic_name(design)] for design in designs}


def measure(context, scenario, designs):
    """Run a scenario; return {design: point}."""
    return {design: get_point(nic) for design, nic in get_nics(context.run_scenario(scenario), designs).items()}


def make_panel(found, designs, x, key, label, unit=""):
    """Return a panel: one number of the points of {x: {design: point}} over x."""
    series = {design: [[place, points[design][key]] for place, points in found.items()] for design in designs}
    return {"x": x, "y": {"label": label, "unit": unit}, "series": series}


COLUMNS = (
    ("mean us", "mean_us"),
    ("last us", "last_us"),
    ("slowdown", "mean_slowdown"),
    ("last / alone", "last_over_ideal"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
    ("trimmed", "trims"),
)


def format_cell(value):
    """Return a number for a table, "-" if there is none."""
    return "-" if value is None else format_number(value)


def print_points(title, found, columns=COLUMNS):
    """Print a row per point of {place: {design: point}}."""
    rows = [
        [str(place), design + ("*" if point["defect"] else ""), *(format_cell(point[key]) for _, key in columns)]
        for place, points in found.items()
        for design, point in points.items()
    ]
    print(format_table([title, "design", *(label for label, _ in columns)], rows), end="\n\n")


def get_collective(nic):
    """Return the numbers of a collective; None for a time if it has not ended."""
    collective = nic.summary["collective"]
    return {
        "time_us": collective["time_us"]["mean"] if "time_us" in collective else None,
        "slowdown": collective.get("slowdown"),
        "busbw_gbps": collective.get("busbw_gbps"),
        "retransmitted": collective["retransmitted"],
        "timeouts": collective["timeouts"],
    }


def make_incomplete(found):
    """Return {design: [place]} of runs with a defect, for pictures."""
    incomplete = {}
    for place, points in found.items():
        for design, point in points.items():
            if point["defect"]:
                incomplete.setdefault(design, []).append(place)
    return incomplete


def with_text_keys(found):
    """Return {place: points} with keys that JSON has."""
    return {str(place): points for place, points in found.items()}
