# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.13: GPU memory, many to one, shared receive queue.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.3.3.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE
from rocelab.validate.figure import Option

from .. import common, das6

OPTIONS = {
    "configurations": Option("5,6,7,8", "7,8", "numbers of Table 5.9"),
    "measured": das6.MEASURED,
}


def make_scenario(context, name, number, **workload):
    """Return the scenario of a configuration."""
    pairs = das6.CONFIGURATIONS[number]
    times = das6.make_times(*pairs, context.options["measured"], is_shared=True)
    return das6.make_many_to_one(name, *pairs, sharedReceiveQueue=True, **times, **workload)


def measure_others(context):
    """Return {what is different: mean Gb/s of configuration 7}: what holds it back."""
    unmarked, packets = (make_scenario(context, f"configuration-7-{name}", "7", gpu=True) for name in ("unmarked", "packets"))
    unmarked["fabric"]["ecn"] = "off"
    packets["attributes"] = packets["attributes"] | {"ns3::rdma::WqeFetcher::PacedBurstBytes": 0}
    scenarios = {"the switch marks nothing": unmarked, "queue pairs are paced packet by packet": packets}
    results = common.sweep_streams(context, scenarios)
    return {what: common.get_host(nic)["goodput_gbps"]["mean"] for what, nic in results.items()}


def measure_main_memory(context, numbers):
    """Return {number: NicResult} of the same configurations in main memory."""
    scenarios = {number: make_scenario(context, f"main-memory-{number}", number) for number in numbers}
    return common.sweep_streams(context, scenarios)


def make_memory_rows(results, others):
    """Return the row of GPU memory against main memory: mean goodput and use within 10 %."""
    ratios = [
        [get(results, number, "mean") / get(others, number, "mean") for get in (das6.get_goodput, das6.get_use)]
        for number in others
    ]
    text = "; ".join(f"{number}: {goodput:.3f}, {use:.3f}" for number, (goodput, use) in zip(others, ratios))
    is_met = all(abs(ratio - 1) <= TOLERANCE for pair in ratios for ratio in pair)
    return [check("GPU over main memory, goodput and use", "the same, but in 7", text, is_met, ["ASTRON-thesis-728"])]


def make_rows(results):
    """Return the rows of validation."""
    return [
        compare("2000 queue pairs, 16 KiB, mean Gb/s", das6.get_goodput(results, "8", "mean"), ["ASTRON-thesis-332"]),
        compare("2000 queue pairs, 8 KiB, mean Gb/s", das6.get_goodput(results, "7", "mean"), ["ASTRON-thesis-333"]),
        *make_congestion_rows(results),
        *make_miss_rows(results),
    ]


def make_miss_rows(results):
    """Return the row of misses of GPU pages with 16 KiB, below those with 8 KiB in the same time; none if not both were run."""
    if not {"7", "8"} <= results.keys():
        return []
    small, large = (results[number].summary["hardware"].get("gpu_page_misses", 0) for number in ("7", "8"))
    return [compare("misses with 16 KiB below those with 8 KiB, %", 100 * (1 - large / small), ["ASTRON-thesis-730"])]


def make_congestion_rows(results):
    """Return the row of CNPs by message size, of as many queue pairs."""
    pairs = [(small, large) for small, large in (("5", "6"), ("7", "8")) if small in results and large in results]
    cnps = [[results[number].summary["cnps"] for number in pair] for pair in pairs]
    text = "; ".join(f"{small:,} and {large:,}" for small, large in cnps)
    is_met = bool(cnps) and all(large < small for small, large in cnps)
    return [check("CNPs with 8 and with 16 KiB", "fewer with 16 KiB", text, is_met, ["ASTRON-thesis-729"])]


def run(context):
    """Run all configurations, print the table and write the figure."""
    for what, goodput in measure_others(context).items():
        print(f"2000 queue pairs, 8 KiB, if {what}: {goodput:.1f} Gb/s")
    labels, results = das6.measure(context, das6.CONFIGURATIONS, das6.make_many_to_one, gpu=True, sharedReceiveQueue=True)
    others = measure_main_memory(context, [number for number in results if number != "7"])
    common.finish(
        context,
        labels,
        make_rows(results) + make_memory_rows(results, others),
        {"measured": context.options["measured"], "attributes": das6.NIC | das6.RATE_LIMIT | das6.GPU},
    )
