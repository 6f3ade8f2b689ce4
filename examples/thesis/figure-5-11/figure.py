# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.11: goodput over time of two runs of one configuration, many to one, a thread per queue pair.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.3.1.
"""

from rocelab.validate.checks import check, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import common, das6

CONFIGURATION = "6"  # Table 5.8: 400 queue pairs, 16 KiB.
LOW, HIGH = 60.5, 81  # Gb/s: within 10 % of 55 and 90.

OPTIONS = {
    "runs": Option("1,2", "1,2", "seeds, a run each: noise and first lists differ"),
    "measured": Option("200", "20", "ms that are measured of each run, a multiple of 10"),
}


def run(context):
    """Run the configuration with each seed and write the figure."""
    pairs, kibibytes = das6.CONFIGURATIONS[CONFIGURATION]
    times = das6.make_times(pairs, kibibytes, context.options["measured"], is_shared=False)
    scenario = das6.make_many_to_one("run", pairs, kibibytes, has_noise=True, **times)
    seeds = read_numbers(context.options, "runs", 1, 1 << 31)
    runs = common.sweep_seeds(context, {CONFIGURATION: scenario}, seeds)[CONFIGURATION]
    results = {f"run {seed}": nic for seed, nic in runs.items()}
    boxes = [common.get_host(nic)["goodput_gbps"] for nic in results.values()]
    low, high = min(box["min"] for box in boxes), max(box["max"] for box in boxes)
    is_met = low <= LOW and high >= HIGH
    rows = [check("400 queue pairs, 16 KiB", "55 to 90 Gb/s", f"{low:.1f} to {high:.1f} Gb/s", is_met, ["ASTRON-thesis-327"])]
    print(common.format_configurations(results))
    print("\n" + format_rows(rows))
    context.write_panels(
        common.make_time_panels(results, columns=("goodput",)),
        plot=common.draw_over_time,
        checks=rows,
        settings={"measured": context.options["measured"], "attributes": das6.NIC | das6.RATE_LIMIT | common.NOISE},
        notes=["Samples of 10 ms, from the start of the run."],
    )
