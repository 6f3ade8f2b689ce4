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
    "configurations": Option("5,6,7,8", "7,8", "numbers of Table 5.9"),
    "duration": Option("19ms", "14ms", "of each run, 3 ms of warm-up and 1 ms of cool-down included"),
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


def measure_unmarked(context):
    """Return mean Gb/s of configuration 7 in a switch that marks nothing: pauses alone hold it back."""
    scenario = das6.make_many_to_one(
        "configuration-7-unmarked",
        *CONFIGURATIONS["7"],
        gpu=True,
        sharedReceiveQueue=True,
        sendQueue=200,
        duration=context.options["duration"],
    )
    scenario["fabric"]["ecn"] = "off"
    return streams.get_host(streams.run_streams(context, scenario))["goodput_gbps"]["mean"]


def make_rows(results, unmarked):
    """Return the rows of validation."""
    print(f"2000 queue pairs, 8 KiB, without ECN: {unmarked:.1f} Gb/s")
    return [
        compare("2000 queue pairs, 16 KiB, mean Gb/s", das6.get_goodput(results, "8", "mean"), ["ASTRON-thesis-332"]),
        compare("2000 queue pairs, 8 KiB, mean Gb/s", das6.get_goodput(results, "7", "mean"), ["ASTRON-thesis-333"]),
    ]


def run(context):
    """Run all configurations, print the table and write the figure."""
    labels, results = das6.measure(context, CONFIGURATIONS, das6.make_many_to_one, gpu=True, sharedReceiveQueue=True, sendQueue=200)
    streams.finish(
        context,
        labels,
        make_rows(results, measure_unmarked(context)),
        PAPER,
        {"duration": context.options["duration"], "attributes": das6.NIC | das6.RATE_LIMIT | das6.GPU},
    )
