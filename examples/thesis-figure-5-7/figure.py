# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.7: 100 to 750 queue pairs that share a receive queue and a thread.

Source: the thesis on RoCE for radio telescopes, section 5.2.3, Tables 5.5 and 5.6, appendix B.1.
"""

from rocelab import das6, streams, testbed
from rocelab.checks import compare
from rocelab.figure import Option

LINKED = 100  # Section 5.2.3.

OPTIONS = {
    "queuePairs": Option("100,500,750", "100", "between the two servers"),
    "sizes": Option("4,8,16", "4,16", "of messages, KiB"),
    "milliseconds": Option("30", "8", "that are measured"),
}

PAPER = [
    {
        "sources": ["ASTRON-thesis-309", "ASTRON-thesis-316"],
        "where": "Section 5.2.3, Figure 5.7",
        "statement": "4 KiB: below 60 Gb/s, the receiving NIC is the limit; 8 KiB and 100 queue pairs: 97.5 Gb/s",
    },
    {
        "sources": ["ASTRON-thesis-312", "ASTRON-thesis-313", "ASTRON-thesis-314"],
        "where": "Table 5.6",
        "statement": "16 KiB: 11, 17 and 20 % of a core at 100, 500 and 750 queue pairs",
    },
]


def run(context):
    """Run all configurations and write the figure."""
    counts = testbed.read_numbers(context.options, "queuePairs", 1, 10_000)
    sizes = testbed.read_numbers(context.options, "sizes", 1, 1 << 20)
    measured = testbed.read_number(context.options, "milliseconds", 1, 1000)
    results = {
        (size, count): streams.run_streams(
            context,
            streams.make_scenario(
                f"{size}KiB-{count}",
                [{"sender": 0, "receiver": 1, "queuePairs": count, "messageBytes": f"{size}KiB"}],
                linked=LINKED,
                attributes=das6.NIC,
                fabric=das6.FABRIC,
                solicited=True,
                sharedReceiveQueue=True,
                **streams.make_times(measured, samples=6, warmup=10),
            ),
        )
        for count in counts
        for size in sizes
    }
    goodput = {key: nic.summary["streams"]["goodput_gbps"] for key, nic in results.items()}
    use = {key: streams.get_host(nic)["use_percent"]["p10"] for key, nic in results.items()}
    small = [goodput[4, count] for count in counts if 4 in sizes]
    checks = [
        compare("4 KiB, most, Gb/s", max(small, default=None), ["ASTRON-thesis-309"]),
        compare("8 KiB, 100 queue pairs, Gb/s", goodput.get((8, 100)), ["ASTRON-thesis-316"]),
        compare("CPU, 16 KiB, 100 queue pairs, %", use.get((16, 100)), ["ASTRON-thesis-312"]),
        compare("CPU, 16 KiB, 500 queue pairs, %", use.get((16, 500)), ["ASTRON-thesis-313"]),
        compare("CPU, 16 KiB, 750 queue pairs, %", use.get((16, 750)), ["ASTRON-thesis-314"]),
    ]
    named = {f"{size}K\n{count}": nic for (size, count), nic in results.items()}
    settings = {"measured_ms": measured, "linked": LINKED, "shared_queue": 2000, "regions": 10, "mtu": streams.MTU}
    streams.finish(context, named, checks, PAPER, settings)
