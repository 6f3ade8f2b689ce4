# SPDX-License-Identifier: GPL-2.0-only
"""A permutation while a few links of the k = 8 fat-tree are slow: which transports avoid them.

Either all links from cores to the first aggregate of the first pod are slow, or four random links between ToRs and aggregates, in
both directions.
"""

import random

from rocelab.draw.panels import draw_panels
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

DESIGNS = (
    "UET mixed",
    "UET bitmap",
    "UET REPS",
    "UET REPS as published",
    "UET oblivious",
    "UET one path",
    "UET RCCC",
    "MRC",
    "ConnectX-7 AR",
    "IRN sprayed by switches",
    "SRNIC",
)

OPTIONS = {
    "k": common.ARITY,
    "rate": common.RATE,
    "percent": Option("100,25", "100,25", "rate of the slow links, % of the others'"),
    "kibibytes": Option("2048", "256", "flow size, KiB"),
    "uplinks": Option("4", "1", "slow links between ToRs and aggregates, at random places of the seed"),
    "seed": common.SEED,
}


def list_core_downlinks(arity):
    """Return [[core, aggregate]] of the first aggregate; servers come first, then ToRs, aggregates, cores."""
    servers, per_tier = common.count_servers(arity), arity * arity // 2
    aggregate, cores = servers + per_tier, servers + 2 * per_tier
    return [[cores + number, aggregate] for number in range(arity // 2)]


def choose_uplinks(arity, count, seed):
    """Return [[ToR, aggregate]]: so many different random links of all pods."""
    servers, half = common.count_servers(arity), arity // 2
    links = [
        [servers + pod * half + tor, servers + arity * half + pod * half + aggregate]
        for pod in range(arity)
        for tor in range(half)
        for aggregate in range(half)
    ]
    return sorted(random.Random(seed).sample(links, count))


def list_slow_links(case, options, percent):
    """Return the entries of "linkRates" of a case."""
    arity, gigabits = common.read_arity(options), read_number(options, "rate", 1, 800)
    rate = f"{gigabits * percent * 10}Mbps"
    if case == "core downlinks":
        return [{"link": link, "direction": "forward", "rate": rate} for link in list_core_downlinks(arity)]
    count = read_number(options, "uplinks", 1, arity**3 // 4)
    return [{"link": link, "rate": rate} for link in choose_uplinks(arity, count, common.read_seed(options))]


CASES = ("core downlinks", "ToR uplinks")


def measure(context, case, percent):
    """Return {design: point}; 100 % has no slow link and is the same of both cases."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    gigabits = read_number(options, "rate", 1, 800)
    kibibytes = read_number(options, "kibibytes", 1, 10**5)
    workload = common.make_permutation(common.count_servers(arity), kibibytes, seed)
    name = f"{case.split(' ', maxsplit=1)[0].lower()}-{percent}"
    fabric = {} if percent == 100 else {"linkRates": list_slow_links(case, options, percent)}
    scenario = common.make_scenario(name, arity, gigabits, DESIGNS, seed, workload=workload, fabric=fabric)
    return common.measure(context, scenario, DESIGNS)


def measure_all(context):
    """Return {case: {percent: {design: point}}}."""
    found = {case: {} for case in CASES}
    for percent in reversed(read_numbers(context.options, "percent", 1, 100)):
        for case in CASES:
            is_known = percent == 100 and case != CASES[0]
            found[case][percent] = found[CASES[0]][100] if is_known else measure(context, case, percent)
    return found


def run(context):
    """Run all points, print the tables and draw the panels."""
    found = measure_all(context)
    x = {"label": "Rate of slow links", "unit": "% of the others"}
    panels, incomplete = [], {}
    for case, by_percent in found.items():
        common.print_points(f"%, {case}", by_percent)
        incomplete |= common.make_incomplete(by_percent)
        panels.append(common.make_panel(by_percent, DESIGNS, x, "mean_slowdown", f"Mean slowdown, {case}"))
        panels.append(common.make_panel(by_percent, DESIGNS, x, "last_over_ideal", f"Last FCT / alone, {case}"))
    context.write_panels(
        panels,
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=incomplete,
        points={case: common.with_text_keys(by_percent) for case, by_percent in found.items()},
    )
