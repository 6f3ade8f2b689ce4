# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.7: 100 to 750 queue pairs that share a receive queue and a thread.

Source: the thesis on RoCE for radio telescopes, section 5.2.3, Tables 5.5 and 5.6, appendix B.1.
"""

from statistics import mean

from rocelab.terminal.table import format_table
from rocelab.validate.checks import compare
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


def run_seeds(context, size, count, measured, seeds):
    """Return {seed: NicResult} of one configuration."""
    runs = {}
    for seed in seeds:
        scenario = make_scenario(size, count, measured)
        scenario["name"] += f"-seed-{seed}"
        scenario["run"] = {**scenario["run"], "seed": seed}
        runs[seed] = common.run_streams(context, scenario)
    return runs


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
    results = {
        (size, count): run_seeds(context, size, count, measured, seeds) for count in counts for size in sizes
    }
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
