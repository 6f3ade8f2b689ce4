# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.7: 100 to 750 queue pairs that share a receive queue and a thread.

Source: the thesis on RoCE for radio telescopes, section 5.2.3, Tables 5.5 and 5.6, appendix B.1.
"""

from statistics import mean

from rocelab.terminal.table import format_table
from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common, das6

LINKED = 100  # Section 5.2.3.
SAMPLE_MS = 10  # As the thesis samples (the beginning of chapter 5).
WARMUP_MS = 30

OPTIONS = {
    "queuePairs": Option("100,500,750", "100", "between the two servers"),
    "sizes": Option("4,8,16", "4,16", "size of messages, KiB"),
    "milliseconds": Option("300", "20", "measured time of each run, ms, in samples of 10 ms"),
    "seeds": Option("1,2,3", "1", "random seeds, a run of each"),
}


def make_scenario(size, count, measured):
    """Return the scenario of a message size in KiB and a number of queue pairs."""
    return common.make_scenario(
        f"{size}KiB-{count}",
        [{"sender": 0, "receiver": 1, "queuePairs": count, "messageBytes": f"{size}KiB"}],
        linked=LINKED,
        attributes=das6.NIC,
        fabric=das6.FABRIC,
        solicited=True,
        sharedReceiveQueue=True,
        duration=f"{WARMUP_MS + measured}ms",
        warmup=f"{WARMUP_MS}ms",
        cooldown="0ms",
        sampleInterval=f"{SAMPLE_MS}ms",
    )


def make_thread_scenario(count, measured, seed):
    """Return the scenario of a queue and a thread per queue pair, 16 KiB (Table 5.6)."""
    scenario = make_scenario(16, count, measured)
    scenario["name"] += "-threads"
    scenario["run"] = {**scenario["run"], "seed": seed}
    scenario["workload"] |= das6.make_times(count, 16, measured, is_shared=False) | {"sharedReceiveQueue": False}
    return scenario


def make_thread_rows(context, use, measured, seed):
    """Return the rows of a thread per queue pair, and of what the shared queue saves (Table 5.6)."""
    facts = {100: ("ASTRON-thesis-310", "ASTRON-thesis-714"), 500: ("ASTRON-thesis-311", "ASTRON-thesis-715")}
    scenarios = {count: make_thread_scenario(count, measured, seed) for count in facts if (16, count) in use}
    rows = []
    for count, nic in common.sweep_streams(context, scenarios).items():
        threads = common.get_host(nic)["use_percent"]["p10"]
        saved = 100 * (1 - use[16, count] / threads)
        thread_fact, saved_fact = facts[count]
        rows.append(compare(f"CPU, 16 KiB, {count} queue pairs, a thread each, %", threads, [thread_fact]))
        rows.append(compare(f"CPU that the shared queue saves, {count} queue pairs, %", saved, [saved_fact]))
    return rows


def make_shape_rows(results, goodput, use):
    """Return the rows of what the thesis states without a number."""
    rows = []
    small = [nic for (size, _), runs in results.items() if size == 4 for nic in runs.values()]
    if small:
        cnps, pauses = (min(nic.summary[key] for nic in small) for key in ("cnps", "pfc_pauses"))
        text = f"at least {cnps:,} and {pauses:,}"
        rows.append(check("4 KiB: CNPs and pauses", "both", text, cnps > 0 and pauses > 0, ["ASTRON-thesis-716"]))
    for size, fact in ((16, "ASTRON-thesis-717"), (8, "ASTRON-thesis-718")):
        counts = [count for kib, count in results if kib == size]
        if len(counts) < 2:
            continue
        ends = [min(counts), max(counts)]
        if size == 16:
            growth, change = (values[16, ends[1]] / values[16, ends[0]] for values in (use, {k: mean(v) for k, v in goodput.items()}))
            text = f"use {growth:.2f} times, goodput {change:.3f} times"
            is_met = growth > 1.1 and abs(change - 1) < 0.01
            rows.append(check("16 KiB, most over fewest queue pairs", "grows; stays", text, is_met, [fact]))
            continue
        spreads = []
        for count in ends:
            boxes = [common.get_measured_goodput(common.get_host(nic)) for nic in results[8, count].values()]
            spreads.append(mean(box["p75"] - box["p25"] for box in boxes))
        text = "{:.2f} and {:.2f} Gb/s".format(*spreads)
        rows.append(check("8 KiB, quartiles, fewest and most queue pairs", "wider", text, spreads[1] > 1.1 * spreads[0], [fact]))
    return rows


def get_values(runs):
    """Return Gb/s and the 10 % quantile of % of a core of each seed."""
    goodput = [nic.summary["streams"]["goodput_gbps"] for nic in runs.values()]
    use = [common.get_host(nic)["use_percent"]["p10"] for nic in runs.values()]
    return goodput, use


def format_seeds(results):
    """Return the table of all seeds."""
    rows = []
    for (size, count), runs in results.items():
        goodput, use = get_values(runs)
        rows.append(
            [
                f"{size} KiB, {count}",
                ", ".join(f"{value:.2f}" for value in goodput),
                ", ".join(f"{value:.2f}" for value in use),
            ]
        )
    return format_table(["", "Gb/s by seed", "CPU %, 10 %, by seed"], rows)


def run(context):
    """Run all configurations and write the figure."""
    counts = read_numbers(context.options, "queuePairs", 1, 10_000)
    sizes = read_numbers(context.options, "sizes", 1, 1 << 20)
    seeds = read_numbers(context.options, "seeds", 0, 2**32 - 1)
    samples = read_number(context.options, "milliseconds", SAMPLE_MS, 10_000) // SAMPLE_MS
    measured = samples * SAMPLE_MS
    scenarios = {(size, count): make_scenario(size, count, measured) for count in counts for size in sizes}
    results = common.sweep_seeds(context, scenarios, seeds)
    goodput = {key: get_values(runs)[0] for key, runs in results.items()}
    use = {key: mean(get_values(runs)[1]) for key, runs in results.items()}
    small = [value for (size, _), values in goodput.items() if size == 4 for value in values]
    medium = goodput.get((8, 100))
    checks = [
        compare("4 KiB, most of a run, Gb/s", max(small, default=None), ["ASTRON-thesis-309"]),
        compare("8 KiB, 100 queue pairs, Gb/s", mean(medium) if medium else None, ["ASTRON-thesis-316"]),
        compare("CPU, 16 KiB, 100 queue pairs, %", use.get((16, 100)), ["ASTRON-thesis-312"]),
        compare("CPU, 16 KiB, 500 queue pairs, %", use.get((16, 500)), ["ASTRON-thesis-313"]),
        compare("CPU, 16 KiB, 750 queue pairs, %", use.get((16, 750)), ["ASTRON-thesis-314"]),
    ]
    checks += make_thread_rows(context, use, measured, seeds[0]) + make_shape_rows(results, goodput, use)
    print(format_seeds(results) + "\n")
    named = {f"{size}K\n{count}": runs[seeds[0]] for (size, count), runs in results.items()}
    settings = {
        "measured_ms": measured,
        "seeds": seeds,
        "linked": LINKED,
        "shared_queue": 2000,
        "regions": 10,
        "mtu": common.MTU,
    }
    common.finish(context, named, checks, settings)
