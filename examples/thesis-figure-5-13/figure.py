# SPDX-License-Identifier: GPL-2.0-only
"""Figure 5.13 of the radio astronomy thesis: GPU memory, many to one, shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.3.3.
"""

from rocelab import das6, streams
from rocelab.checks import compare
from rocelab.figure import Option

CONFIGURATIONS = {  # Table 5.9: number, queue pairs, KiB.
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
    "configurations": Option("1,2,3,4,5,6,7,8", "7,8", "numbers of Table 5.9"),
    "duration": Option("34ms", "14ms", "of each run, 3 ms of warm-up and 1 ms of cool-down included"),
}

PAPER = [
    {
        "sources": ["ASTRON-thesis-332"],
        "where": "Figure 5.13",
        "statement": "above 90 Gb/s on average with 2000 queue pairs and 16 KiB",
    },
    {
        "sources": ["ASTRON-thesis-333"],
        "where": "Figure 5.13",
        "statement": "80 Gb/s with 2000 queue pairs and 8 KiB, the only configuration that deviates from main memory",
    },
]


def measure(context):
    """Return {label: NicResult} and {number: NicResult} of the chosen configurations."""
    labels, results = {}, {}
    for number in context.options["configurations"].split(","):
        queue_pairs, kibibytes = CONFIGURATIONS[number]
        scenario = das6.make_many_to_one(
            f"configuration-{number}",
            queue_pairs,
            kibibytes,
            gpu=True,
            sharedReceiveQueue=True,
            sendQueue=200,
            duration=context.options["duration"],
        )
        result = streams.run_streams(context, scenario)
        labels[f"{number}: {queue_pairs} x {kibibytes} KiB"] = result
        results[number] = result
    return labels, results


def get_goodput(results, number, quantile="p10"):
    """Return Gb/s of a configuration at the responder; None if it was not measured."""
    if number not in results:
        return None
    return streams.get_host(results[number])["goodput_gbps"][quantile]


def get_use(results, number, quantile="p50"):
    """Return % of a core of a configuration at the responder; None if it was not measured."""
    if number not in results:
        return None
    return streams.get_host(results[number])["use_percent"][quantile]


def make_rows(results):
    """Return the rows of validation."""
    return [
        compare("2000 queue pairs, 16 KiB, mean Gb/s", get_goodput(results, "8", "mean"), ["ASTRON-thesis-332"]),
        compare("2000 queue pairs, 8 KiB, mean Gb/s", get_goodput(results, "7", "mean"), ["ASTRON-thesis-333"]),
    ]


def run(context):
    """Run all configurations, print the table and write the figure."""
    labels, results = measure(context)
    streams.finish(
        context,
        labels,
        make_rows(results),
        PAPER,
        {"duration": context.options["duration"], "attributes": das6.NIC | das6.RATE_LIMIT | das6.GPU},
    )
