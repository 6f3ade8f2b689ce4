# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC's Figure 12 with Ultra Ethernet beside its three designs: Cache_Follower at load 0.7 on its fat-trees."""

from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

DESIGNS = ("UET mixed", "UET RCCC", "MRC", "ConnectX-7 AR", "ConnectX-6", "IRN", "SRNIC")
SIZES = (16, 64, 256, 1024, 4096)

OPTIONS = {
    "servers": Option("64", "16,64", "sizes of the fat-tree, out of 16, 64, 256, 1024, 4096"),
    "duration": Option("1000", "50", "how long flows arrive, us"),
    "load": Option("50,70", "70", "of the servers' links, %"),
    "mtu": Option("1024", "1024", "payload of a packet, B"),
    "seed": common.SEED,
}


def make_scenario(options, servers, load):
    """Return the scenario of one size, as in srnic/figure-12."""
    return {
        "name": f"fat-tree-{servers}-{load}",
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",  # SRNIC-102
            "fabricRate": "400Gbps",  # SRNIC-103
            "linkDelay": "1us",  # SRNIC-104
            "buffer": "32MiB",
            "mtu": read_number(options, "mtu", 64, 9216),
        },
        "nics": [{**common.DESIGNS[design][0], "name": common.make_nic_name(design)} for design in DESIGNS],
        "workload": {
            "type": "poisson",
            "sizes": "../../../traces/cache-follower.cdf",
            "load": load / 100,
            "duration": f"{read_number(options, 'duration', 1, 10**6)}us",
        },
        "run": {"seed": common.read_seed(options), "drain": True},
    }


def measure(context, servers, load):
    """Return {design: point}, with the mean slowdown over that of SRNIC."""
    result = context.run_scenario(make_scenario(context.options, servers, load))
    nics = common.get_nics(result, DESIGNS)
    points = {design: common.get_point(nic) for design, nic in nics.items()}
    for design, nic in nics.items():
        points[design]["p99_slowdown"] = nic.summary["slowdown"]["p99"]
        points[design]["small_slowdown"] = nic.small_flow_slowdown
        points[design]["over_srnic"] = points[design]["mean_slowdown"] / points["SRNIC"]["mean_slowdown"]
    return points


COLUMNS = (
    ("mean us", "mean_us"),
    ("P99 us", "p99_us"),
    ("slowdown", "mean_slowdown"),
    ("P99", "p99_slowdown"),
    ("flows to 100 kB", "small_slowdown"),
    ("over SRNIC", "over_srnic"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
    ("trimmed", "trims"),
)


def run(context):
    """Run all points, print the tables and draw the panels."""
    sizes = read_numbers(context.options, "servers", 16, 4096)
    if not set(sizes) <= set(SIZES):
        raise UserError(f"option servers: expected some of {SIZES}, got {context.options['servers']!r}")
    loads = read_numbers(context.options, "load", 1, 100)
    found = {load: {size: measure(context, size, load) for size in sizes} for load in loads}
    for load, by_size in found.items():
        common.print_points(f"servers, load {load} %", by_size, COLUMNS)
    if len(sizes) > 1:
        x = {"label": "Fabric size", "unit": "servers", "scale": "log2"}
        shown = found[loads[-1]]
    else:
        x = {"label": "Load", "unit": "%"}
        shown = {load: by_size[sizes[0]] for load, by_size in found.items()}
    context.write_panels(
        [
            common.make_panel(shown, DESIGNS, x, "mean_us", "Mean FCT", "us"),
            common.make_panel(shown, DESIGNS, x, "p99_us", "P99 FCT", "us"),
            common.make_panel(shown, DESIGNS, x, "mean_slowdown", "Mean slowdown"),
        ],
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=common.make_incomplete(shown),
        points={str(load): common.with_text_keys(by_size) for load, by_size in found.items()},
    )
