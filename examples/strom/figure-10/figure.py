# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 10: reads of objects whose checksum sometimes fails, repeated by the client or by the kernel.

Source: StRoM (EuroSys 2020), section 6.3, "Effect of Failure Rate".
"""

from rocelab.errors import UserError
from rocelab.validate.checks import check
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

METHODS = ("cpu", "kernel")

OPTIONS = {
    "sizes": Option("64,512,4096", "64,4096", "bytes of an object"),
    "rates": Option("0,0.001,0.01,0.1,0.5", "0,0.01,0.1,0.5", "probability that an object is torn"),
    "calls": Option("2000", "400", "objects of each point"),
}

BARELY = 0.02  # Of the latency without failures.
MEASURABLE = 0.05
MINIMAL = 0.25


def read_rates(text):
    """Return the probabilities of "A,B,..." in rising order."""
    try:
        rates = sorted({float(rate) for rate in text.split(",")})
    except ValueError:
        rates = []
    if not rates or rates[0] < 0 or rates[-1] > 1:
        raise UserError(f"option rates: expected probabilities from 0 to 1, got {text!r}")
    return rates


def get_rises(panels, method, rate):
    """Return what a failure rate adds to the latency without failures, for each size."""
    rises = []
    for panel in panels:
        points = dict(map(tuple, panel["series"][method]))
        if 0 in points and rate in points:
            rises.append(points[rate] / points[0] - 1)
    return rises


def format_rises(rises):
    """Return the range of rises."""
    return f"{min(rises):.1%} to {max(rises):.1%}"


def make_checks(panels):
    """Return the rows of validation, for the rates that were measured."""
    rows = []
    rises = get_rises(panels, "cpu", 0.01) + get_rises(panels, "kernel", 0.01)
    if rises:
        rows.append(
            check(
                "both at 1 %",
                "barely affected",
                f"{format_rises(rises)} more",
                max(rises) <= BARELY,
                ["StRoM-155"],
            )
        )
    rises = get_rises(panels, "cpu", 0.1)
    if rises:
        rows.append(
            check(
                "READ + software at 10 %",
                "measurable",
                f"{format_rises(rises)} more",
                min(rises) >= MEASURABLE,
                ["StRoM-156"],
            )
        )
    rises = get_rises(panels, "kernel", 0.5)
    if rises:
        others = get_rises(panels, "cpu", 0.5)
        rows.append(
            check(
                "StRoM at 50 %",
                "minimal",
                f"{format_rises(rises)} more; READ {format_rises(others)}",
                max(rises) <= MINIMAL and max(rises) < min(others) / 2,
                ["StRoM-157"],
            )
        )
    return rows


def run(context):
    """Measure all methods, sizes and rates, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 9, 1 << 20)
    rates = read_rates(context.options["rates"])
    calls = read_number(context.options, "calls", 1, 10**6)
    panels = []
    for size in sizes:
        series = {}
        for method in METHODS:
            series[method] = []
            for rate in rates:
                options = {"size": size, "failure-rate": rate}
                result = common.run_offload(context, "consistency", method, calls, options)
                series[method].append([rate, result["latency_mean_us"]])
        panels.append(
            {
                "x": {"label": "Failure rate", "unit": "", "scale": "log0"},
                "y": {"label": f"Latency, mean, {size} B", "unit": "us", "scale": "linear"},
                "series": series,
            }
        )
    common.finish(
        context, panels, make_checks(panels), {"nic": "strom10g", "calls": calls}
    )
