# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.14: one to many with a shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.4.1.
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option

from .. import common, das6

OPTIONS = {
    "configurations": Option("1,2,3,4,5,6", "1,6", "numbers of Table 5.10"),
    "measured": das6.MEASURED,
}


def make_rows(results):
    """Return the rows of validation."""
    least = min(das6.get_goodput(results, number, "mean") for number in results)
    total = min(result.summary["streams"]["goodput_gbps"] for result in results.values())
    return [
        compare("least mean of a responder, Gb/s", least, ["ASTRON-thesis-337"]),
        compare("least of all together, Gb/s", total, ["ASTRON-thesis-338"]),
    ]


def run(context):
    """Run all configurations, print the table and write the figure."""
    labels, results = das6.measure(context, das6.CONFIGURATIONS, das6.make_one_to_many, sharedReceiveQueue=True, sendQueue=200)
    common.finish(
        context,
        labels,
        make_rows(results),
        {"measured": context.options["measured"], "attributes": das6.NIC},
    )
