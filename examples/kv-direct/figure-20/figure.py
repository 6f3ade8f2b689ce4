# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 20: a server with one to ten NICs, each with one PCIe link and its own keys.

Source: KV-Direct (SOSP 2017), section 6.2; the delays of Table 3 for ten NICs.

The paper does not state how many operations its clients have outstanding. The rule, stated before the
numbers are compared: throughput is the largest over all windows that is sustained (section 5.2.1), of seed 1 with
the most NICs; delays are those of the smallest window with 90 % of it. Table 3 and Figure 17 have the same rule.
With a large window the queue of the busiest NIC still grows when a run ends, and the others are busier than they
can stay: its share of the answers is then below its share of the operations.

Each NIC has 4 GiB of DRAM (section 4) and at most a tenth of the server's 128 GiB (section 5): the ratio of both is
5/16, not the 1/16 of one NIC. The number of keys decides how popular the first ones are, so the stores count accesses
without bytes.
"""

from functools import cache
from statistics import mean, stdev

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE, get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

PAIR = 10  # Bytes: Table 3.
DEFAULT_SEED = 1
SUSTAINED = 0.98  # Of the busiest NIC's share of the operations, its share of the answers at least.
CACHE_RATIO = 4 / 12.8  # Of a NIC's DRAM over its store: 4 GiB (section 4), 128 GiB of ten NICs (section 5).
RATES = {"GET": 122, "PUT": 61}  # Mops of a NIC, by which the length of a run is chosen (Table 3).
MIXES = {"GET": 1, "PUT": 0}
NICS = 10  # Of the paper's server.
WATTS = get_fact("KV-Direct-548").value  # Of that server at its peak, an input.
IDLE_WATTS = get_fact("KV-Direct-443").value  # Of a server without NICs, an input.
# Criterion of "almost linearly", stated before the numbers were compared: for each curve and number of NICs, the
# throughput is that of one NIC times the NICs, within this part of it.
ALMOST_LINEAR = TOLERANCE

OPTIONS = {
    "nics": Option("1,2,5,10", "1,2", "NICs of the server"),
    "memory": Option("80", "8", "MiB of each NIC's store"),
    "operations": Option("6000", "1000", "measured operations of each NIC, approximately; twice as many before"),
    "seeds": Option("1,2,3", "1,2", "random seeds of ten NICs, also of the hash that divides the keys"),
    "windows": Option(
        "24,32,40,48", "32,48", "batches of each client under way that are tried"
    ),
}


def get_times(context, mix):
    """Return warm-up and duration in us, by the operations of a NIC at the paper's rate."""
    operations = read_number(context.options, "operations", 100, 10**9)
    return int(2 * operations / RATES[mix]), int(3 * operations / RATES[mix])


def run_point(context, nics, mix, popularity, window, seed=DEFAULT_SEED):
    """Return the NicResult of a server with so many NICs and as many clients."""
    warmup, duration = get_times(context, mix)
    memory = read_number(context.options, "memory", 1, 16384)
    workload = common.make_workload(
        PAIR,
        MIXES[mix],
        popularity,
        **common.make_counted_store(memory, CACHE_RATIO),
        batch=common.get_batch(PAIR),
        outstanding=window,
        duration=f"{duration}us",
        warmup=f"{warmup}us",
    )
    name = f"{popularity}-{mix}-{nics}-{window}-{seed}"
    scenario = common.make_scenario(name, workload, nics, nics, links=1, CacheRatio=CACHE_RATIO)
    return common.run_store(context, scenario | {"run": {"seed": seed}})


def describe(numbers):
    """Return mean and standard deviation of some numbers as a text."""
    return f"{mean(numbers):.3g} +- {stdev(numbers):.2g}" if len(numbers) > 1 else f"{numbers[0]:.3g}"


def select_sustained(loads):
    """Return the windows that are sustained, of {window: load of the busiest NIC over the average}."""
    offered = loads[min(loads)]  # The smallest window fills no queue.
    return [window for window, load in loads.items() if load >= SUSTAINED * offered]


def find_windows(results, is_bracketed):
    """Return the window with the largest throughput, and the smallest one with 90 % of it.

    results: {window: NicResult}, windows that rise.
    """
    windows = select_sustained({window: common.get_imbalance(nic) for window, nic in results.items()})
    rates = {window: common.get_mops(results[window]) for window in windows}
    # A window that is not sustained is beyond the peak.
    is_open = is_bracketed and windows[-1] == max(results)
    knee = common.find_knee(lambda window: (rates[window], window), windows, is_bracketed=is_open)
    return max(rates, key=rates.get), knee


def make_checks(context, runs, knees, most):
    """Return the rows of validation, of ten NICs, means over seeds; runs, knees: {mix: [NicResult, ...]}."""
    if most != NICS:
        return []
    rows = []
    rates = {mix: [common.get_mops(nic) for nic in nics] for mix, nics in runs.items()}
    loads = [common.get_imbalance(nic) for nic in runs["GET"]]
    print(
        "Ten NICs, mean and deviation over seeds: "
        + ", ".join(f"{mix} {describe(values)} Mops" for mix, values in rates.items())
        + f"; busiest NIC over the average {describe(loads)}\n"
    )
    for mix, facts in (
        ("GET", ["KV-Direct-546"]),
        ("PUT", ["KV-Direct-547"]),
    ):
        rows.append(compare(f"10 NICs, {mix}, long-tail, Gops", mean(rates[mix]) / 1e3, facts))
    gets, puts = (mean(rates[mix]) for mix in MIXES)
    rows.append(compare("the same, GET, Mops", gets, ["KV-Direct-508", "KV-Direct-359"]))
    rows.append(compare("the same, PUT, Mops", puts, ["KV-Direct-509"]))
    rows.append(compare("an edge of PageRank per GET, GTEPS", gets / 1e3, ["KV-Direct-610"]))
    for mops, fact in ((gets, "KV-Direct-510"), (puts, "KV-Direct-511")):
        rows.append(compare("the same, k operations/s/W", mops * 1e3 / WATTS, [fact]))
    differential = gets * 1e3 / (WATTS - IDLE_WATTS)
    rows.append(compare("GET, without idle power", differential, ["KV-Direct-515"]))
    rows.append(compare("busiest NIC over the average", mean(loads), ["KV-Direct-549"]))
    for mix, fact in (("GET", "KV-Direct-512"), ("PUT", "KV-Direct-513")):
        latency = mean([common.get_batch_delay(nic, get_times(context, mix)[0]) for nic in knees[mix]])
        rows.append(compare(f"10 NICs, {mix}, mean latency at 90 % of it, us", latency, [fact]))
    return rows


def make_scaling_rows(series):
    """Return the row of how throughput grows with the NICs; none without one NIC and more."""
    off = {}
    for name, points in series.items():
        mops = dict(map(tuple, points))
        if 1 not in mops or len(mops) == 1:
            return []
        off[name] = max((rate / (nics * mops[1]) - 1 for nics, rate in mops.items()), key=abs)
    text = "; ".join(f"{name} {share:+.1%}" for name, share in off.items())
    is_met = all(abs(share) <= ALMOST_LINEAR for share in off.values())
    return [check("farthest from one NIC times the NICs", "almost linear", text, is_met, ["KV-Direct-724"])]


def run(context):
    """Measure all points and write the figure."""
    counts = read_numbers(context.options, "nics", 1, 40)
    seeds = read_numbers(context.options, "seeds", 0, 2**32 - 1)
    windows = sorted(read_numbers(context.options, "windows", 1, 10**4))
    most = counts[-1]

    @cache
    def measure(nics, mix, popularity, window, seed=DEFAULT_SEED):
        return run_point(context, nics, mix, popularity, window, seed)

    found = {
        mix: find_windows(
            {window: measure(most, mix, common.LONG_TAIL, window) for window in windows}, not context.is_quick
        )
        for mix in MIXES
    }
    results = {
        (mix, popularity, nics): measure(nics, mix, popularity, found[mix][0])
        for mix in MIXES
        for popularity in common.THETAS
        for nics in counts
    }
    runs, knees = (
        {
            mix: [measure(most, mix, common.LONG_TAIL, found[mix][place], seed) for seed in seeds]
            for mix in MIXES
        }
        for place in (0, 1)
    )
    panel = {
        "x": {"label": "NICs of the server", "unit": ""},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": {
            f"{mix}, {popularity}": [
                [nics, common.get_mops(results[mix, popularity, nics])] for nics in counts
            ]
            for mix in MIXES
            for popularity in common.THETAS
        },
    }
    settings = {
        "pair": "10 B",
        "batch": common.get_batch(PAIR),
        "links": 1,
        "clients": "one per NIC",
        "seeds": seeds,
        "windows of the largest throughput and of the delays": found,
        "Mops by window, long-tail": {
            mix: {window: common.get_mops(measure(most, mix, common.LONG_TAIL, window)) for window in windows}
            for mix in MIXES
        },
        "most NICs by seed, Mops": {mix: [common.get_mops(nic) for nic in nics] for mix, nics in runs.items()},
    }
    checks = make_checks(context, runs, knees, most) + make_scaling_rows(panel["series"])
    common.finish(context, [panel], checks, settings)
