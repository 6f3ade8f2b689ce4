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
    "measured": das6.MEASURED,
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


def measure_other(context, name, change):
    """Return mean Gb/s of configuration 7 after change(scenario)."""
    scenario = das6.make_many_to_one(
        f"configuration-7-{name}",
        *CONFIGURATIONS["7"],
        gpu=True,
        sharedReceiveQueue=True,
        sendQueue=200,
        **das6.make_times(*CONFIGURATIONS["7"], context.options["measured"], is_shared=True),
    )
    change(scenario)
    return streams.get_host(streams.run_streams(context, scenario))["goodput_gbps"]["mean"]


def measure_others(context):
    """Return {what is different: mean Gb/s of configuration 7}: what holds it back."""

    def mark_nothing(scenario):
        scenario["fabric"]["ecn"] = "off"

    def pace_packets(scenario):
        scenario["attributes"] = scenario["attributes"] | {"ns3::rdma::WqeFetcher::PacedBurstBytes": 0}

    return {
        "the switch marks nothing": measure_other(context, "unmarked", mark_nothing),
        "queue pairs are paced packet by packet": measure_other(context, "packets", pace_packets),
    }


def make_rows(results):
    """Return the rows of validation."""
    return [
        compare("2000 queue pairs, 16 KiB, mean Gb/s", das6.get_goodput(results, "8", "mean"), ["ASTRON-thesis-332"]),
        compare("2000 queue pairs, 8 KiB, mean Gb/s", das6.get_goodput(results, "7", "mean"), ["ASTRON-thesis-333"]),
    ]


def run(context):
    """Run all configurations, print the table and write the figure."""
    for what, goodput in measure_others(context).items():
        print(f"2000 queue pairs, 8 KiB, if {what}: {goodput:.1f} Gb/s")
    labels, results = das6.measure(context, CONFIGURATIONS, das6.make_many_to_one, gpu=True, sharedReceiveQueue=True, sendQueue=200)
    streams.finish(
        context,
        labels,
        make_rows(results),
        PAPER,
        {"measured": context.options["measured"], "attributes": das6.NIC | das6.RATE_LIMIT | das6.GPU},
    )
