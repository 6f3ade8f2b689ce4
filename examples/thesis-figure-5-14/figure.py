# SPDX-License-Identifier: GPL-2.0-only
"""Figure 5.14 of the radio astronomy thesis: one to many with a shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.4.1.
"""

from rocelab import das6, streams
from rocelab.checks import compare
from rocelab.figure import Option

CONFIGURATIONS = {  # Table 5.10: number, queue pairs, KiB.
    "1": (4, 8),
    "2": (4, 16),
    "3": (40, 8),
    "4": (40, 16),
    "5": (400, 8),
    "6": (400, 16),
    "7": (2000, 8),
    "8": (2000, 16),
}

OPTIONS = {
    "configurations": Option("1,2,3,4,5,6", "1,6", "numbers of Table 5.10"),
    "measured": das6.MEASURED,
}

PAPER = [
    {
        "sources": ["ASTRON-thesis-337"],
        "where": "Figure 5.14",
        "statement": "24.4 Gb/s at each responder up to 400 queue pairs",
    },
    {
        "sources": ["ASTRON-thesis-338"],
        "where": "Section 5.4.2",
        "statement": "97.6 Gb/s in all",
    },
]


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
    labels, results = das6.measure(context, CONFIGURATIONS, das6.make_one_to_many, sharedReceiveQueue=True, sendQueue=200)
    streams.finish(
        context,
        labels,
        make_rows(results),
        PAPER,
        {"measured": context.options["measured"], "attributes": das6.NIC},
    )
