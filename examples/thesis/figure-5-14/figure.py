# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.14: one to many with a shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.4.1.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option

from .. import common, das6

OPTIONS = {
    "configurations": Option("1,2,3,4,5,6", "1,6", "numbers of Table 5.10"),
    "measured": das6.LONG,
}


def make_rows(results):
    """Return the rows of validation."""
    least = min(das6.get_goodput(results, number, "mean") for number in results)
    total = min(result.summary["streams"]["goodput_gbps"] for result in results.values())
    return [
        compare("least mean of a responder, Gb/s", least, ["ASTRON-thesis-337"]),
        compare("least of all together, Gb/s", total, ["ASTRON-thesis-338"]),
        *make_shape_rows(results),
    ]


def get_spread(result, role):
    """Return Gb/s from the 10 % to the 90 % quantile of a host's goodput."""
    goodput = common.get_measured_goodput(common.get_host(result, role))
    return goodput["p90"] - goodput["p10"]


def make_shape_rows(results):
    """Return the rows of what the thesis states without a number."""
    rows = []
    pairs = [(a, b) for a, b in (("1", "2"), ("3", "4"), ("5", "6")) if a in results and b in results]
    if pairs:
        goodput = [[das6.get_goodput(results, number, "mean") for number in pair] for pair in pairs]
        use = [[das6.get_use(results, number) for number in pair] for pair in pairs]
        text = "; ".join(f"{small:.2f} and {large:.2f} Gb/s" for small, large in goodput)
        is_same = all(abs(large / small - 1) < 0.01 for small, large in goodput)
        rows.append(check("8 and 16 KiB", "the same", text, is_same, ["ASTRON-thesis-731"]))
        text = "; ".join(f"{small:.1f} and {large:.1f} %" for small, large in use)
        is_less = all(large < small for small, large in use)
        rows.append(check("use with 8 and 16 KiB", "higher with 8 KiB", text, is_less, ["ASTRON-thesis-732"]))
    if {"1", "5"} <= set(results):
        spreads = [[get_spread(results[number], role) for number in ("1", "5")] for role in ("receiver", "sender")]
        text = "; ".join(f"{few:.3f} and {many:.3f} Gb/s" for few, many in spreads)
        (few, many), (few_sent, many_sent) = spreads
        is_met = many > 1.1 * few and many_sent <= 1.1 * few_sent
        what = "80 % of samples, 4 and 400 queue pairs: responder; requester"
        rows.append(check(what, "wider; not", text, is_met, ["ASTRON-thesis-733"]))
    text = "one requester, four responders; examples/thesis has the others"
    rows.append(check("topologies", "1-to-1, 1-to-N, N-to-1", text, True, ["ASTRON-thesis-739"]))
    return rows


def run(context):
    """Run all configurations, print the table and write the figure."""
    labels, results = das6.measure(context, das6.CONFIGURATIONS, das6.make_one_to_many, sharedReceiveQueue=True)
    common.finish(
        context,
        labels,
        make_rows(results),
        {"measured": context.options["measured"], "attributes": das6.NIC},
    )
