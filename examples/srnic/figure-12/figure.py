# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 12: FCT and slowdown of NIC designs as the lossy fat-tree grows.

Source: SRNIC (NSDI 2023), section 6.3, "Performance in large-scale lossy networks".
"""

import re

from rocelab.draw.panels import INCOMPLETE_NOTE
from rocelab.errors import UserError
from rocelab.report.compare import RATIOS
from rocelab.terminal.table import divide, format_number, format_ratio, format_table
from rocelab.validate.checks import check, compare, format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_chosen, read_names, read_number

REFERENCE = "srnic"
# Sizes, and into how many parts a fabric of that size can be cut (docs/study/ranks.md).
FAT_TREES = {16: 1, 64: 4, 256: 8, 1024: 64, 4096: 128}

OPTIONS = {
    "servers": Option("16,64,256,1024,4096", "16,64", "fat-tree sizes, out of 16, 64, 256, 1024, 4096"),
    "nics": Option("connectx6,irn,srnic", "connectx6,irn,srnic", "presets; srnic among them"),
    "duration": Option("10ms", "300us", "how long flows arrive"),
    "seed": Option("1", "1", "random seed of the arrivals and of the fabric"),
    "hardware": Option("off", "off", "off, as in the paper's simulation, or on"),
    "precision": Option("off", "off", "off, or a number such as 0.05: measure the steady state"),
    "ranks": Option("2", "1", "how many processes share one fabric, where it can be cut"),
}

# What counts as the paper's words "stable" and "similar", our reading.
STABLE = 1.25  # The largest mean slowdown of srnic over the smallest.
ALIKE = 1.1  # A number of irn over that of srnic.

X_AXIS = {"label": "Fabric size", "unit": "servers", "scale": "log2"}
PANELS = (
    ({"label": "Mean FCT", "unit": "us"}, RATIOS[0][2]),
    ({"label": "P99 FCT", "unit": "us"}, RATIOS[1][2]),
    ({"label": "Mean slowdown", "unit": "x ideal"}, RATIOS[2][2]),
)


# A steady state (docs/study/precision.md): how the run starts, and when it ends at the latest.
STEADY_START = {"fluidStart": "20ms", "warmup": "2ms"}
STEADY_LIMIT = "1s"


def make_steady(scenario, precision):
    """Let the scenario of one size end when its mean slowdown is known to this precision."""
    scenario["workload"]["duration"] = STEADY_LIMIT
    scenario["run"] = {"seed": 1, "precision": precision, **STEADY_START}


def get_scenario(servers, duration, nics, hardware):
    """Return the scenario of one size; switch settings as in examples/start/compare/as-designed.json."""
    return {
        "name": f"fat-tree-{servers}",
        "nics": [{"preset": nic, "name": nic, "hardware": hardware} for nic in nics],
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",  # SRNIC-102
            "fabricRate": "400Gbps",  # SRNIC-103
            "linkDelay": "1us",  # SRNIC-104
            "buffer": "32MiB",
            "ecn": {
                "100Gbps": {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2},
                "400Gbps": {"kmin": "1600kB", "kmax": "6400kB", "pmax": 0.2},
            },
        },
        "workload": {
            "type": "poisson",
            "sizes": "../../../traces/cache-follower.cdf",
            "load": 0.7,  # SRNIC-108
            "duration": duration,
        },
        "run": {"seed": 1, "drain": True},
    }


def read_ranks(text):
    """Return the option ranks as a number."""
    most = max(FAT_TREES.values())
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise UserError(f"option ranks: expected a number from 1 to {most}, got {text!r}")
    return int(text)


def read_duration(text):
    """Return the option duration as it is, if it is a time."""
    is_time = re.fullmatch(r"(\d+\.?\d*|\.\d+)(ps|ns|us|ms|s)", text)
    if not is_time or not re.search("[1-9]", text):
        raise UserError(f'option duration: expected a time such as "10ms", got {text!r}')
    return text


def read_precision(text):
    """Return the option precision as a number; None if it is off."""
    if text == "off":
        return None
    try:
        precision = float(text)
    except ValueError:
        precision = 0
    if not 0 < precision < 1:
        raise UserError(f"option precision: expected off, or a number from 0 to 1, got {text!r}")
    return precision


def read_options(options):
    """Return (sizes, nics, duration, seed, hardware, ranks, precision) from the options' texts."""
    sizes = sorted(map(int, read_chosen(options, "servers", list(map(str, FAT_TREES)))))
    nics = read_names(options)
    if REFERENCE not in nics:
        raise UserError(f"option nics: expected {REFERENCE} among them, got {options['nics']!r}")
    seed = read_number(options, "seed", 0, 2**64 - 1)
    (hardware,) = read_chosen(options, "hardware", ("off", "on"))[:1]
    ranks = read_ranks(options["ranks"])
    precision = read_precision(options["precision"])
    duration = read_duration(options["duration"])
    return sizes, nics, duration, seed, hardware, ranks, precision


def make_panel(axis, number, results, nics):
    """Return one panel: number(NIC result) over fabric size, and its ratio to srnic."""
    values = {
        nic: [[size, number(result[nic])] for size, result in results.items()] for nic in nics
    }
    ratios = {
        nic: [
            [size, divide(value, base)]
            for (size, value), (_, base) in zip(values[nic], values[REFERENCE])
        ]
        for nic in nics
    }
    return {"x": X_AXIS, "y": axis, "series": values, "ratio": {"to": REFERENCE, "series": ratios}}


def format_results(panels, incomplete):
    """Return the table that the command prints: per size and NIC, each number and its ratio."""
    headers = ["servers", "NIC"]
    for panel in panels:
        headers += [f"{panel['y']['label']}\n{panel['y']['unit']}", f"ratio to\n{REFERENCE}"]
    rows = []
    nics = list(panels[0]["series"])
    for index, (size, _) in enumerate(panels[0]["series"][nics[0]]):
        for nic in nics:
            row = [str(size), nic + ("*" if size in incomplete[nic] else "")]
            for panel in panels:
                row.append(format_number(panel["series"][nic][index][1]))
                row.append(format_ratio(panel["ratio"]["series"][nic][index][1]))
            rows.append(row)
    text = format_table(headers, rows)
    if any(incomplete.values()):
        text += f"\n\n* {INCOMPLETE_NOTE}"
    return text


def get_ratios(panels, nic):
    """Return {servers: [ratio to srnic in each panel]} of what both have."""
    columns = [panel["ratio"]["series"].get(nic, []) for panel in panels]
    table = {points[0][0]: [ratio for _, ratio in points] for points in zip(*columns)}
    return {size: ratios for size, ratios in table.items() if None not in ratios}


def format_range(values):
    """Return "1.02 to 1.31"."""
    return f"{min(values):.2f} to {max(values):.2f}"


def make_rows(panels):
    """Return the rows of validation."""
    rows = []
    slower, alike = (get_ratios(panels, nic) for nic in ("connectx6", "irn"))
    for size, ratios in slower.items():
        what = f"connectx6 over srnic, {size} servers"
        rows.append(compare(f"{what}, least of the three", min(ratios), ["SRNIC-110"]))
        rows.append(compare(f"{what}, most of the three", max(ratios), ["SRNIC-111"]))
    fact = ["SRNIC-112"]
    slowdown = [value for _, value in panels[2]["series"][REFERENCE] if value is not None]
    if len(slowdown) > 1:
        text = format_range(slowdown)
        is_met = max(slowdown) <= STABLE * min(slowdown)
        rows.append(check("srnic, mean slowdown over the sizes", "stable", text, is_met, fact))
    if len(slower) > 1:
        first, *_, last = slower.values()
        text = "; ".join(f"{a:.2f} to {b:.2f}" for a, b in zip(first, last))
        is_met = all(a < b for a, b in zip(first, last))
        what = "connectx6 over srnic, smallest to largest fabric"
        rows.append(check(what, "widens", text, is_met, fact))
    if alike:
        values = [ratio for ratios in alike.values() for ratio in ratios]
        is_met = all(1 / ALIKE <= value <= ALIKE for value in values)
        rows.append(check("irn over srnic", "about the same", format_range(values), is_met, fact))
    return rows


def choose_ranks(sizes, ranks):
    """Return {size: ranks}, fewer where a fabric has fewer parts; says so where that is the case."""
    chosen = {size: min(ranks, FAT_TREES[size]) for size in sizes}
    fewer = [f"{size} servers: {count}" for size, count in chosen.items() if count < ranks]
    if fewer:
        print(f"Fewer than {ranks} ranks where a fabric has fewer parts ({', '.join(fewer)})")
    return chosen


def run(context):
    """Run every size with every NIC, print the table and write the figure."""
    sizes, nics, duration, seed, hardware, ranks, precision = read_options(context.options)
    results = {}
    for size, count in choose_ranks(sizes, ranks).items():
        scenario = get_scenario(size, duration, nics, hardware)
        if precision:
            make_steady(scenario, precision)
        results[size] = context.run_scenario(scenario, nics, seed, ranks=count)
    panels = [make_panel(axis, number, results, nics) for axis, number in PANELS]
    incomplete = {
        nic: [size for size in sizes if not results[size][nic].is_complete] for nic in nics
    }
    checks = make_rows(panels)
    print(format_results(panels, incomplete) + "\n\n" + format_statements(context.paper))
    print("\n" + format_rows(checks))
    settings = {"duration": duration, "seed": seed, "hardware": hardware, "ranks": ranks}
    if precision:
        settings = {**settings, "duration": STEADY_LIMIT, "precision": precision, **STEADY_START}
    context.write_panels(panels, incomplete=incomplete, checks=checks, settings=settings)
