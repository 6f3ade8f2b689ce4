# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.12: many to one with a shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.3.2.
"""

import math

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option

from .. import common, das6

OPTIONS = {
    "configurations": Option("1,2,3,4,5,6,7,8", "1,5,7,8", "numbers of Table 5.8"),
    "measured": das6.LONG,
}


# Table 3.1, and the example of Eq. 2.3.
SUBBANDS, STATIONS, COMPUTE_NODES = 488, 80, 24
SERVERS, PROCESSES = 2, 3


def get_each(results, number, queue_pairs):
    """Return Mb/s of a queue pair of a configuration; None if it was not measured."""
    goodput = das6.get_goodput(results, number, "mean")
    return None if goodput is None else 1000 * goodput / queue_pairs


def make_rows(results):
    """Return the rows of validation."""
    others = [number for number in results if number not in ("3", "4")]
    rows = [
        compare("least 10 % quantile but with 40 queue pairs, Gb/s",
                min(das6.get_goodput(results, number) for number in others), ["ASTRON-thesis-329"]),
        compare("2000 queue pairs, 16 KiB, mean Mb/s of each", get_each(results, "8", 2000), ["ASTRON-thesis-276"]),
        compare("2000 queue pairs, 8 KiB, most, % of a core", das6.get_use(results, "7", "max"), ["ASTRON-thesis-334"]),
        compare("2000 queue pairs, 16 KiB, most, % of a core", das6.get_use(results, "8", "max"), ["ASTRON-thesis-335"]),
        compare("2000 queue pairs, 16 KiB (section 7.1.4), % of a core", das6.get_use(results, "8"), ["ASTRON-thesis-726"]),
        compare("requesters, a thread's measurements from its mean, but with 40, %",
                max(common.get_deviation(results[number], "sender") for number in others), ["ASTRON-thesis-724"]),
        compare("responder, the same, %",
                max(common.get_deviation(results[number], "receiver") for number in others), ["ASTRON-thesis-725"]),
        compare("2000 queue pairs, 16 KiB, mean Gb/s", das6.get_goodput(results, "8", "mean"), ["ASTRON-thesis-740"]),
        compare("queue pairs of a compute node by Eq. 3.1",
                math.ceil(SUBBANDS * STATIONS / COMPUTE_NODES), ["ASTRON-thesis-274"]),
        compare("queue pairs of two servers by Eq. 2.3", SERVERS * PROCESSES**2, ["ASTRON-thesis-702"]),
    ]
    pairs = [(a, b) for a, b in (("1", "2"), ("5", "6"), ("7", "8")) if a in results and b in results]
    shares = [1 - das6.get_use(results, large) / das6.get_use(results, small) for small, large in pairs]
    text = ", ".join(f"{100 * share:.0f} %" for share in shares)
    is_met = all(0.27 <= share <= 0.55 for share in shares)
    rows.append(check("use with 16 KiB below that with 8 KiB", "30 to 50 %", text, is_met, ["ASTRON-thesis-331"]))
    if {"3", "4"} <= set(results):
        boxes = [common.get_measured_goodput(common.get_host(results[number])) for number in ("3", "4")]
        text = "; ".join(f"{box['min']:.1f} to {box['max']:.1f} Gb/s" for box in boxes)
        is_met = all(box["min"] <= 77 and box["max"] >= 81 for box in boxes)  # Both within 10 %.
        rows.append(check("40 queue pairs, samples", "70 to 90 Gb/s", text, is_met, ["ASTRON-thesis-727"]))
        few = max(results[number].summary["cnps"] for number in ("3", "4"))
        most = max(results[number].summary["cnps"] for number in others)
        text = f"{few:,} and {most:,}"
        rows.append(check("CNPs with 40 queue pairs and others", "up to 6 times",
                          text, most > 0 and 2 <= few / most <= 6.6, ["ASTRON-thesis-330"]))
    return rows


def run(context):
    """Run all configurations, print the table and write the figure."""
    labels, results = das6.measure(context, das6.CONFIGURATIONS, das6.make_many_to_one, sharedReceiveQueue=True, has_noise=True)
    common.finish(
        context,
        labels,
        make_rows(results),
        {"measured": context.options["measured"], "attributes": das6.NIC | das6.RATE_LIMIT},
    )
