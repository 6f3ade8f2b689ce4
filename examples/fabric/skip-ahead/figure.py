# SPDX-License-Identifier: GPL-2.0-only
"""Windows of packets between stretches of fluid: a tenth of the work, and what it does to the means.

A sampled simulation (Wunderlich et al., "SMARTS", ISCA 2003): a window of packets out of each period is
simulated, and between windows flows share the servers' links as a fluid (run.fluidStart).
"""

import math

import numpy

from rocelab.errors import UserError
from rocelab.results.confidence import get_interval
from rocelab.results.folders import COMPLETED
from rocelab.terminal.table import format_count, format_number, format_table
from rocelab.validate.figure import Option

OPTIONS = {
    "nics": Option("srnic,irn,connectx6", "srnic", "designs"),
    "servers": Option("64", "16", "fat-tree size, out of 16, 64, 256, 1024"),
    "load": Option("0.7", "0.3", "of the servers' links, above 0 and at most 0.9"),
    "sizes": Option("cache-follower", "cache-follower", "distribution of flow sizes, a file of traces/"),
    "begin": Option("20", "1", "ms of fluid before the first window"),
    "windows": Option("8", "2", "windows, at least 2"),
    "warmup": Option("1000", "50", "us of packets before a window's flows count"),
    "measured": Option("1000", "100", "us in which the flows that end count"),
    "share": Option("0.1", "0.5", "of the time that is simulated as packets, above 0 and at most 1"),
    "seed": Option("1", "1", "random seed"),
}

SIZES = (16, 64, 256, 1024)
MEANS = {"slowdown": "mean slowdown", "fct_ns": "mean FCT"}


def read_number(options, name, least, most, kind=float):
    """Return an option as a number from `least` to `most`."""
    try:
        value = kind(options[name])
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise UserError(f"option {name}: expected a number from {least:g} to {most:g}, got {options[name]!r}")
    return value


class Plan:
    """When packets are simulated. Times are in us, from the first flow of the fluid on."""

    def __init__(self, options):
        self.begin = 1000 * read_number(options, "begin", 1, 1000)
        self.count = read_number(options, "windows", 2, 1000, int)
        self.warmup = read_number(options, "warmup", 1, 100_000)
        self.measured = read_number(options, "measured", 1, 100_000)
        self.period = (self.warmup + self.measured) / read_number(options, "share", 0.001, 1)
        self.end = self.begin + self.count * self.period

    @property
    def windows(self):
        """(begin of the packets, begin and end of the time whose flows count) of each window."""
        begins = [self.begin + index * self.period for index in range(self.count)]
        return [(at, at + self.warmup, at + self.warmup + self.measured) for at in begins]


def make_scenario(name, plan, begin, end, options):
    """Return the scenario that simulates packets from `begin` to `end`, us, and a fluid before."""
    servers = read_number(options, "servers", min(SIZES), max(SIZES), int)
    if servers not in SIZES:
        raise UserError(f"option servers: expected one of {SIZES}, got {servers}")
    return {
        "name": name,
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "nics": options["nics"].split(","),
        "workload": {
            "type": "poisson",
            "sizes": f"../../../traces/{options['sizes']}.cdf",
            "load": read_number(options, "load", 0.01, 0.9),
            "duration": f"{end:g}us",
        },
        "run": {
            "seed": read_number(options, "seed", 0, 2**32, int),
            "fluidStart": f"{begin:g}us",
            "drain": False,
        },
    }


def select(nic, begin, end):
    """Return the flows of a result that completed between two times, us."""
    flows = nic.flows[nic.flows["status"] == COMPLETED]
    ends = (flows["start_ns"] + flows["fct_ns"]) / 1e3
    return flows[(ends >= begin) & (ends < end)]


def get_mean(windows, column):
    """Return the mean over the flows of all windows."""
    return float(numpy.mean(numpy.concatenate([flows[column] for flows in windows])))


def get_half_width(windows, column):
    """Return the half width of the 95 % interval of that mean, relative to it.

    Windows are batches: the variance is that of a ratio (Cochran, "Sampling Techniques", 3rd ed.,
    1977, section 6.4), of a window's sum to its number of flows.
    """
    mean = get_mean(windows, column)
    count = numpy.mean([len(flows) for flows in windows])
    residuals = [float(numpy.sum(flows[column] - mean)) / count / mean for flows in windows]
    return get_interval(residuals)[1]


class Comparison:
    """One design: all time as packets, and windows of packets."""

    def __init__(self, whole, windows, plan):
        begin = plan.begin + plan.warmup
        self.whole = [select(whole, begin, plan.end)]
        self.same = [select(whole, first, last) for _, first, last in plan.windows]
        self.windows = [
            select(nic, first, last) for nic, (_, first, last) in zip(windows, plan.windows, strict=True)
        ]
        for flows in (*self.same, *self.windows):
            if not len(flows):
                raise UserError("option measured: expected a time in which flows end, got a window without one")
        hops = sum(nic.summary["packet_hops"] for nic in windows)
        self.work = hops / whole.summary["packet_hops"]

    def get_errors(self, column):
        """Return the errors of the windows' mean: in all, of the fluid, by chance; and the half width.

        Relative to the mean of packets at all times; of the fluid: to that of packets in the same
        windows; by chance: what the same windows of packets have.
        """
        all_time, same, sampled = (
            get_mean(flows, column) for flows in (self.whole, self.same, self.windows)
        )
        return sampled / all_time - 1, sampled / same - 1, same / all_time - 1, get_half_width(self.windows, column)

    def get_points(self, flows, plan):
        """Return [[ms, mean slowdown], ...] of the windows' flows."""
        return [
            [(first + last) / 2e3, get_mean([part], "slowdown")]
            for part, (_, first, last) in zip(flows, plan.windows, strict=True)
        ]


def format_results(results):
    """Return the table: a row per design and mean."""
    rows = []
    for name, comparison in results.items():
        for column, label in MEANS.items():
            unit = 1e3 if column == "fct_ns" else 1
            errors = comparison.get_errors(column)
            rows.append(
                [name, label]
                + [
                    format_number(get_mean(flows, column) / unit)
                    for flows in (comparison.whole, comparison.windows)
                ]
                + [f"{100 * error:+.1f} %" for error in errors[:3]]
                + [f"{100 * errors[3]:.1f} %", format_count(sum(map(len, comparison.windows)))]
                + [f"{comparison.work:.3f}"]
            )
    headers = ["", "mean of\n(FCT in us)", "packets\nalways", "windows", "error", "of the\nfluid", "by\nchance"]
    return format_table([*headers, "interval\n+-", "flows in\nwindows", "packet-hops\nwindows/always"], rows)


def run(context):
    """Run the whole time and the windows, print the table and draw a panel per design."""
    options = context.options
    plan = Plan(options)
    whole = context.run_scenario(make_scenario("always", plan, plan.begin, plan.end, options))
    windows = [
        context.run_scenario(make_scenario(f"window-{index}", plan, begin, last, options))
        for index, (begin, _, last) in enumerate(plan.windows)
    ]
    results = {
        nic.name: Comparison(nic, [window[nic.name] for window in windows], plan) for nic in whole.nics
    }
    print(format_results(results))
    panels = [
        {
            "x": {"label": "Time", "unit": "ms", "scale": "linear"},
            "y": {"label": f"Mean slowdown, {name}", "unit": "", "scale": "linear"},
            "series": {
                "packets always": comparison.get_points(comparison.same, plan),
                "windows of packets": comparison.get_points(comparison.windows, plan),
            },
        }
        for name, comparison in results.items()
    ]
    errors = {
        name: {column: comparison.get_errors(column) for column in MEANS} | {"work": comparison.work}
        for name, comparison in results.items()
    }
    context.write_panels(panels, errors=errors)
