# SPDX-License-Identifier: GPL-2.0-only
"""Links of the k = 8 fat-tree fail during a permutation, by the time until switches route around them.

Until the routes follow, packets to a failed link are lost: a transport can only send on other routes by itself.
"""

from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
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
    "IRN sprayed by switches",
    "SRNIC",
)

OPTIONS = {
    "k": common.ARITY,
    "rate": common.RATE,
    "failures": Option("2", "1", "failed links between ToRs and aggregates, in different pods"),
    "at": Option("50", "10", "when they fail, us"),
    "repair": Option("0,1000", "0,100", "until routes follow, us"),
    "kibibytes": Option("2048", "256", "flow size, KiB"),
    "seed": common.SEED,
}


def make_events(arity, failures, at, repair):
    """Return "linkEvents": the first links between ToR and aggregate of the first pods go down."""
    if failures > arity:
        raise UserError(f"option failures: expected at most {arity} for k = {arity}, got {failures}")
    servers, half = common.count_servers(arity), arity // 2
    after = {"routesAfter": f"{repair}us"} if repair else {}
    return [
        {"at": f"{at}us", "link": [servers + pod * half, servers + (arity + pod) * half], "state": "down", **after}
        for pod in range(failures)
    ]


def measure(context, repair):
    """Return {design: point}; without a failure if repair is None."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    gigabits, at = read_number(options, "rate", 1, 800), read_number(options, "at", 1, 10**6)
    kibibytes = read_number(options, "kibibytes", 1, 10**5)
    workload = common.make_permutation(common.count_servers(arity), kibibytes, seed)
    more = {}
    if repair is not None:
        more["linkEvents"] = make_events(arity, read_number(options, "failures", 1, 16), at, repair)
    name = "healthy" if repair is None else f"repair-{repair}"
    scenario = common.make_scenario(name, arity, gigabits, DESIGNS, seed, workload=workload, **more)
    return common.measure(context, scenario, DESIGNS)


COLUMNS = (*common.COLUMNS, ("lost", "lost"))


def run(context):
    """Run all points, print the tables and draw the panels."""
    healthy = measure(context, None)
    found = {repair: measure(context, repair) for repair in read_numbers(context.options, "repair", 0, 10**6)}
    common.print_points("us until repair", {"no failure": healthy, **found}, COLUMNS)
    for points in found.values():
        for design, point in points.items():
            point["mean_over_healthy"] = point["mean_us"] / healthy[design]["mean_us"]
            point["last_over_healthy"] = point["last_us"] / healthy[design]["last_us"]
    x = {"label": "Time until routes follow", "unit": "us", "scale": "log0"}
    context.write_panels(
        [
            common.make_panel(found, DESIGNS, x, "mean_over_healthy", "Mean FCT / without failure"),
            common.make_panel(found, DESIGNS, x, "last_over_healthy", "Last FCT / without failure"),
        ],
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=common.make_incomplete(found),
        healthy=healthy,
        points=common.with_text_keys(found),
    )
