# SPDX-License-Identifier: GPL-2.0-only
"""A permutation on the k = 8 fat-tree: five entropy selectors, credits, adaptive routing, one path per queue pair.

Each of 128 servers sends one flow and receives one, all from time 0, by flow size and link rate. The largest flows of the first
matrix at 100 Gb/s have the settings of runs of a public Ultra Ethernet simulator.
"""

from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import common

DESIGNS = tuple(design for design in common.DESIGNS if design != "UET REPS as published")

OPTIONS = {
    "k": common.ARITY,
    "rates": Option("100,400", "100", "rate of all links, Gb/s"),
    "kibibytes": Option("256,2048", "64,256", "flow sizes, KiB"),
    "seed": common.SEED,
}

#: Mean and last FCT of uet-htsim (commit 40ccb05) for the first matrix, 2 MiB, 100 Gb/s, us.
PUBLIC_SIMULATOR = {
    "UET oblivious": (204.1, 219.5),
    "UET bitmap": (199.2, 211.5),
    "UET REPS": (203.4, 210.6),
    "UET mixed": (199.4, 207.6),
    "UET one path": (414.7, 926.5),
}
COMPARED = (8, 100, 2048, 1)  # k, rate, KiB and seed of these.


def measure(context, gigabits):
    """Return {KiB: {design: point}} at one link rate."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    found = {}
    for kibibytes in read_numbers(options, "kibibytes", 1, 10**5):
        workload = common.make_permutation(common.count_servers(arity), kibibytes, seed)
        name = f"permutation-{gigabits}-{kibibytes}"
        scenario = common.make_scenario(name, arity, gigabits, DESIGNS, seed, workload=workload)
        found[kibibytes] = common.measure(context, scenario, DESIGNS)
    return found


def compare(options, found):
    """Return the rows beside the public simulator's; none if its run is not among these."""
    arity, gigabits, kibibytes, seed = COMPARED
    if (common.read_arity(options), common.read_seed(options)) != (arity, seed):
        return []
    points = found.get(gigabits, {}).get(kibibytes, {})
    return [
        {"design": design, "number": name, "public": theirs, "ours": points[design][key]}
        for design, numbers in PUBLIC_SIMULATOR.items()
        if design in points
        for name, key, theirs in zip(("mean", "last"), ("mean_us", "last_us"), numbers)
    ]


def print_comparison(rows):
    """Print our numbers beside those of the public simulator."""
    cells = [
        [row["design"], row["number"], format_number(row["public"]), format_number(row["ours"])]
        + [f"{100 * (row['ours'] / row['public'] - 1):+.1f}"]
        for row in rows
    ]
    print(format_table(["design", "FCT", "uet-htsim us", "ours us", "%"], cells), end="\n\n")


def run(context):
    """Run all points, print the tables and draw the panels."""
    rates = read_numbers(context.options, "rates", 1, 800)
    found = {gigabits: measure(context, gigabits) for gigabits in rates}
    x = {"label": "Flow size", "unit": "KiB", "scale": "log"}
    panels, incomplete = [], {}
    for gigabits, by_size in found.items():
        common.print_points(f"KiB, {gigabits} Gb/s", by_size)
        incomplete |= common.make_incomplete(by_size)
        panels.append(common.make_panel(by_size, DESIGNS, x, "mean_slowdown", f"Mean slowdown, {gigabits} Gb/s"))
        panels.append(common.make_panel(by_size, DESIGNS, x, "last_over_ideal", f"Last FCT / alone, {gigabits} Gb/s"))
    comparison = compare(context.options, found)
    if comparison:
        print_comparison(comparison)
    context.write_panels(
        panels,
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=incomplete,
        public_simulator=comparison,
        points={str(gigabits): common.with_text_keys(by_size) for gigabits, by_size in found.items()},
    )
