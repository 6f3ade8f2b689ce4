# SPDX-License-Identifier: GPL-2.0-only
"""An all-to-all of all servers of the k = 8 fat-tree, by transport and by messages that a rank has in flight."""

from rocelab.draw.panels import draw_panels
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

DESIGNS = (
    "UET mixed",
    "UET oblivious",
    "UET one path",
    "UET RCCC",
    "MRC",
    "ConnectX-7 AR",
    "ConnectX-6",
    "IRN",
    "SRNIC",
)

OPTIONS = {
    "k": common.ARITY,
    "rate": common.RATE,
    "windows": Option("1,8,127", "1,15", "messages of a rank in flight"),
    "kibibytes": Option("64", "16", "size of a message, KiB"),
    "seed": common.SEED,
}


def measure(context, window):
    """Return {design: point}."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    size = common.count_servers(arity) * read_number(options, "kibibytes", 1, 1024) << 10
    workload = {
        "type": "collective",
        "operation": "all-to-all",
        "size": size,
        "window": window,
        "waitFor": "completion",
    }
    gigabits = read_number(options, "rate", 1, 800)
    scenario = common.make_scenario(f"window-{window}", arity, gigabits, DESIGNS, seed, workload=workload)
    points = {}
    for design, nic in common.get_nics(context.run_scenario(scenario), DESIGNS).items():
        points[design] = {
            **common.get_collective(nic),
            "trims": nic.summary["trims"],
            "defect": nic.defect,
        }
    return points


COLUMNS = (
    ("time us", "time_us"),
    ("slowdown", "slowdown"),
    ("bus Gb/s", "busbw_gbps"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
    ("trimmed", "trims"),
)


def run(context):
    """Run all points, print the table and draw the panels."""
    found = {window: measure(context, window) for window in read_numbers(context.options, "windows", 1, 4096)}
    common.print_points("window", found, COLUMNS)
    x = {"label": "Messages in flight", "unit": "", "scale": "log"}
    context.write_panels(
        [
            common.make_panel(found, DESIGNS, x, "slowdown", "Time / empty network"),
            common.make_panel(found, DESIGNS, x, "busbw_gbps", "Bus bandwidth", "Gb/s"),
        ],
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=common.make_incomplete(found),
        points=common.with_text_keys(found),
    )
