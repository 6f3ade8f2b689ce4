# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.10: many to one, a thread per queue pair.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.3.1.
"""

from rocelab.errors import UserError
from rocelab.terminal.table import format_table
from rocelab.validate.checks import check, compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option

from .. import common, das6

OPTIONS = {
    "configurations": Option("1,2,3,4,5,6,7,8", "1,4,6", "numbers of Table 5.8"),
    "measured": das6.MEASURED,
    "variants": Option("yes", "no", "whether configuration 6 is also run with other settings, one more at a time"),
}

#: Looked for: what holds goodput at 72 Gb/s. Each is laid over DAS6's settings, and marks follow.
BURST = {"ns3::rdma::RdmaNic::PortRateBurst": 2_000_000}
PACKETS = {"ns3::rdma::WqeFetcher::PacedBurstBytes": 0}
SINGLE = {"ns3::rdma::ContextCache::MaxMisses": 1}
VARIANTS = {
    "as Figure 5.10": {},
    "rate limit 10 % too high": {"ns3::rdma::RdmaNic::PortRateLimit": "25.3Gbps"},
    "2 MB per sender at once at the start": BURST,
    "the same, paced packet by packet": BURST | PACKETS,
    "the same, and one context fetched at a time": BURST | PACKETS | SINGLE,
    "one context at a time, without the start": PACKETS | SINGLE,
    "one context at a time, paced by bursts": BURST | SINGLE,
}


def measure_variants(context):
    """Print goodput, CNPs and pauses of configuration 6 with other settings."""
    times = das6.make_times(*das6.CONFIGURATIONS["6"], context.options["measured"], is_shared=False)
    scenarios = {}
    for place, (name, changes) in enumerate(VARIANTS.items()):
        scenario = das6.make_many_to_one(f"variant-{place}", *das6.CONFIGURATIONS["6"], **times)
        scenarios[name] = {**scenario, "attributes": scenario["attributes"] | changes}
    rows = []
    for name, result in common.sweep_streams(context, scenarios).items():
        box = common.get_host(result)["goodput_gbps"]
        goodput = [f"{box[quantile]:.1f}" for quantile in ("min", "mean", "max")]
        rows.append([name, *goodput, f"{result.summary['cnps']:,}", f"{result.summary['pfc_pauses']:,}"])
    print("\nConfiguration 6\n" + format_table(["", "Gb/s\nleast", "Gb/s\nmean", "Gb/s\nmost", "CNPs", "pauses"], rows))


def make_rows(results):
    """Return the rows of validation."""
    means = {number: common.get_host(nic)["goodput_gbps"]["mean"] for number, nic in results.items()}
    base = means.get("1")
    falls = [das6.CONFIGURATIONS[n][0] for n, mean in means.items() if base and mean < 0.95 * base]
    many = [mean for number, mean in means.items() if number in ("5", "6", "7", "8")]
    rows = [
        compare("400 queue pairs, 16 KiB, mean Gb/s", means.get("6"), ["ASTRON-thesis-325"]),
        compare("400 or 2000 queue pairs, most, Gb/s", max(many) if many else None, ["ASTRON-thesis-355"]),
        compare("4 queue pairs, mean Gb/s", base, ["ASTRON-thesis-336"]),
        compare("largest deviation of a queue pair, 2000, %", common.get_deviation(results["8"], "sender") if "8" in results else None, ["ASTRON-thesis-328"]),
    ]
    text = f"from {min(falls)}" if falls else "nowhere"
    stated = get_fact("ASTRON-thesis-326").value
    is_met = falls and min(falls) == stated
    rows.append(check("goodput falls", f"from {stated:g} queue pairs", text, is_met, ["ASTRON-thesis-326"]))
    return rows


def run(context):
    """Run all configurations, print the table and write the figure."""
    if context.options["variants"] not in ("yes", "no"):
        raise UserError(f"--option variants: expected yes or no, got {context.options['variants']!r}")
    if context.options["variants"] == "yes":
        measure_variants(context)
    labels, results = das6.measure(context, das6.CONFIGURATIONS, das6.make_many_to_one)
    common.finish(
        context,
        labels,
        make_rows(results),
        {"measured": context.options["measured"], "attributes": das6.NIC | das6.RATE_LIMIT},
    )
