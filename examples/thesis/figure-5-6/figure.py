# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.6: 1 to 500 queue pairs, a thread each.

Source: the thesis on RoCE for radio telescopes, section 5.2.3, Tables 5.4 and 5.6, appendix B.1.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

LINKED = 100  # Section 5.2.3.
LINE_GBPS = 100

OPTIONS = {
    "queuePairs": Option("1,5,10,100,500", "1,10", "between the two servers"),
    "milliseconds": Option("14", "4", "measured time, ms, or the time of a list of each queue pair if that is longer"),
}


def get_times(measured, size, queue_pairs):
    """Return times after a first list of each queue pair; as long as another one takes at least."""
    cycle = queue_pairs * LINKED * (size * 1024 * 8 / (LINE_GBPS * 1e9)) * 1e3 * 1.05
    return common.make_times(max(measured, round(cycle)), samples=2, warmup=3 + round(cycle))


def make_growth_rows(use, counts):
    """Return the row of how the use grows from 10 to the most queue pairs, by message size."""
    if not {10, counts[-1]} <= set(counts) or counts[-1] < 100:
        return []
    growth = {size: use[size, counts[-1]] / use[size, 10] for size in (4, 16)}
    text = "; ".join(f"{size} KiB: {factor:.2f} times" for size, factor in growth.items())
    # Figure 5.6 has no numbers; section 7.1.4 has 80 % for 4 KiB, four times those of 16 KiB.
    is_met = growth[4] > 2 and growth[4] > 1.5 * growth[16]
    return [check(f"use from 10 to {counts[-1]} queue pairs", "drastically; gradually", text, is_met, ["ASTRON-thesis-719"])]


def run(context):
    """Run all configurations and write the figure."""
    counts = read_numbers(context.options, "queuePairs", 1, 10_000)
    measured = read_number(context.options, "milliseconds", 1, 1000)
    scenarios = {
        (size, count): common.make_scenario(
            f"{size}KiB-{count}",
            [{"sender": 0, "receiver": 1, "queuePairs": count, "messageBytes": f"{size}KiB"}],
            linked=LINKED,
            solicited=True,
            **get_times(measured, size, count),
        )
        for count in counts
        for size in (4, 16)
    }
    results = common.sweep_streams(context, scenarios)
    goodput = {key: nic.summary["streams"]["goodput_gbps"] for key, nic in results.items()}
    use = {key: common.get_host(nic)["use_percent"]["p10"] for key, nic in results.items()}
    most = {size: common.get_payload_rate(size * 1024) for size in (4, 16)}
    gap = max(most[size] - goodput[size, count] for size, count in results)
    both = [count for count in counts if count >= 100]
    checks = [
        compare("below the most that the link carries, Gb/s", gap, ["ASTRON-thesis-304"]),
        compare(
            "16 KiB less 4 KiB, Mb/s", 1e3 * (goodput[16, counts[0]] - goodput[4, counts[0]]), ["ASTRON-thesis-307"]
        ),
        compare("16 KiB, 500 queue pairs, Gb/s", goodput.get((16, 500)), ["ASTRON-thesis-321", "ASTRON-thesis-324"]),
        compare("CPU, 16 KiB, 500 queue pairs (section 7), %", use.get((16, 500)), ["ASTRON-thesis-354"]),
        compare("CPU, 4 KiB, 500 queue pairs, %", use.get((4, 500)), ["ASTRON-thesis-353"]),
        compare(
            "CPU, 4 KiB, times that of 16 KiB", use[4, both[-1]] / use[16, both[-1]] if both else None,
            ["ASTRON-thesis-323"],
        ),
    ]
    checks += make_growth_rows(use, counts)
    named = {f"{size}K\n{count}": nic for (size, count), nic in results.items()}
    settings = {"measured_ms": measured, "linked": LINKED, "queues": 1000, "regions": 10, "mtu": common.MTU}
    common.finish(context, named, checks, settings, senders=named)
