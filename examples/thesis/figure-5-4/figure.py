# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.4: goodput and use of cores over time while receive queues run empty.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), sections 5.2.1, 5.2.2.
"""

from rocelab.errors import UserError
from rocelab.terminal.table import format_table
from rocelab.validate.checks import check, compare, format_rows, get_measured
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from .. import common, das6

#: Label: KiB, linked work requests.
RUNS = {
    "4 KiB, 1 linked": (4, 1),  # Figure 5.4: configuration 1 of Table 5.3.
    "4 KiB, 10 linked": (4, 10),  # Section 5.2.1.
    "16 KiB, 10 linked": (16, 10),
}
SINGLE, SMALL, LARGE = RUNS

#: Laid over the run of 4 KiB with 10 linked: key of the NIC, attributes.
VARIANTS = {
    "as above": ({}, {}),
    "without a wait: messages are dropped": ({}, {"ns3::rdma::ReceiveWqeCache::EmptyTimeout": "0s"}),
    "DCQCN with NVIDIA's parameters": ({"parameters": "nvidia"}, {}),
    "no other program, measured noise alone": ({}, {"ns3::rdma::HostNoise::ProgramPeriod": "0s"}),
}

RECOVERED = 0.99  # Of the median: the thesis has 97 of 98 Gb/s.
EMPTY = 10  # Requests of 1,000 that are left when the thread looks: it has just lost them.
DIP = 0.95  # Of the median.
LEAST_LOSS, MOST_LOSS = 9, 22  # Gb/s: within 10 % of 10 to 20.

OPTIONS = {
    "milliseconds": Option("300", "200", "length of each run, ms, at least 100"),
    "period": Option("100", "100", "ms between two time slices of another program on each core"),
    "variants": Option("no", "no", "whether 4 KiB with 10 linked is also run with other settings"),
}


def make_scenario(context, name, kibibytes, linked, nic=(), attributes=()):
    """Return the scenario of a run. nic, attributes: changes."""
    length = read_number(context.options, "milliseconds", 100, 60_000)
    period = read_number(context.options, "period", 1, 60_000)
    times = {"duration": f"{length}ms", "warmup": f"{das6.SAMPLE_MS}ms", "cooldown": "0ms"}
    scenario = das6.make_one_to_one(name, 1, kibibytes, linked=linked, solicited=False, has_noise=True, **times)
    scenario["nics"][0] |= dict(nic)
    scenario["attributes"] |= das6.STALL | {"ns3::rdma::HostNoise::ProgramPeriod": f"{period}ms"} | dict(attributes)
    return scenario


def get_median(samples):
    """Return the median goodput."""
    return sorted(sample["goodput"] for sample in samples)[len(samples) // 2]


def find_dips(samples):
    """Return [(place of the first sample, place behind the last, lowest Gb/s)] of dips of the goodput.

    A dip ends with the first sample that has recovered.
    """
    median = get_median(samples)
    dips, place = [], 0
    while place < len(samples):
        begin = place
        place += 1
        if samples[begin]["goodput"] < DIP * median:
            while place < len(samples) and samples[place]["goodput"] < RECOVERED * median:
                place += 1
            dips.append((begin, place, min(sample["goodput"] for sample in samples[begin:place])))
    return dips


def split_dips(nic):
    """Return [(lowest Gb/s, ms or None)] of dips with an empty receive queue, and [lost Gb/s] of the others.

    ms: from the begin of the first sample to recovery; None: the run ended before.
    """
    samples = common.read_samples(nic)
    empty, others = [], []
    for begin, end, lowest in find_dips(samples):
        if any(sample["fill"] is not None and sample["fill"] <= EMPTY for sample in samples[begin:end]):
            empty.append((lowest, das6.SAMPLE_MS * (end - begin) if end < len(samples) else None))
        else:
            others.append(get_median(samples) - lowest)
    return empty, others


def make_row(dips, label, fact):
    """Return the row of the lowest sample of a run's dips."""
    if not dips[label][0]:
        return check(f"{label}, lowest sample", f"{get_fact(fact).value:g} Gb/s", "no dip", False, [fact])
    return compare(f"{label}, lowest sample, Gb/s", min(lowest for lowest, _ in dips[label][0]), [fact])


def make_rows(results, dips):
    """Return the rows of validation."""
    losses = [loss for _, others in dips.values() for loss in others]
    text = f"{min(losses):.1f} to {max(losses):.1f} Gb/s" if losses else "no dip"
    is_met = losses and min(losses) >= LEAST_LOSS and max(losses) <= MOST_LOSS
    times = [time for _, time in dips[SMALL][0] if time is not None]
    lost = max(results[label].summary["streams"]["missing_blocks"] * RUNS[label][0] * 1.024 for label in RUNS)
    return [
        make_row(dips, SMALL, "ASTRON-thesis-294"),
        compare("4 KiB, 10 linked, to 97 Gb/s, ms", max(times, default=0), ["ASTRON-thesis-295"]),
        check("sender without its core, one sample", "10 to 20 Gb/s", text, is_met, ["ASTRON-thesis-296"]),
        make_row(dips, SINGLE, "ASTRON-thesis-298"),
        compare("lost in a run, most, kB", lost, ["ASTRON-thesis-707"]),
    ]


def format_runs(results, dips):
    """Return a table of {label: NicResult}."""
    lines = []
    for label, nic in results.items():
        empty, others = dips[label]
        lines.append(
            [
                label,
                ", ".join(f"{lowest:.1f}" for lowest, _ in empty) or "none",
                ", ".join("-" if time is None else str(time) for _, time in empty) or "-",
                ", ".join(f"{loss:.1f}" for loss in others) or "none",
                f"{nic.summary['streams']['missing_blocks']:,}",
                f"{nic.summary['cnps']:,}",
                f"{nic.summary['pfc_pauses']:,}",
            ]
        )
    headers = ["", "lowest\nGb/s", "recovery\nms", "sender\nloses Gb/s", "missing", "CNPs", "pauses"]
    return format_table(headers, lines)


def run_variants(context):
    """Print the run of 4 KiB and 10 linked with other settings."""
    scenarios = {
        name: make_scenario(context, f"variant-{place}", *RUNS[SMALL], *changes)
        for place, (name, changes) in enumerate(VARIANTS.items())
    }
    results = common.sweep_streams(context, scenarios)
    dips = {name: split_dips(nic) for name, nic in results.items()}
    print(f"\n{SMALL}\n" + format_runs(results, dips))


def run(context):
    """Run the three configurations, print their dips and write the figure."""
    if context.options["variants"] not in ("yes", "no"):
        raise UserError(f"--option variants: expected yes or no, got {context.options['variants']!r}")
    scenarios = {label: make_scenario(context, f"run-{place}", *RUNS[label]) for place, label in enumerate(RUNS)}
    results = common.sweep_streams(context, scenarios)
    dips = {label: split_dips(nic) for label, nic in results.items()}
    print(format_runs(results, dips))
    if context.options["variants"] == "yes":
        run_variants(context)
    rows = get_measured(make_rows(results, dips))
    print("\n" + format_rows(rows))
    context.write_panels(
        common.make_time_panels(results),
        plot=common.draw_over_time,
        checks=rows,
        settings={"attributes": das6.NIC | das6.STALL | common.NOISE},
        notes=[
            "Samples of 10 ms. Once per period another program takes a time slice of 3 ms from each core, at another time",
            "from the sender's than from the receiver's.",
        ],
    )
