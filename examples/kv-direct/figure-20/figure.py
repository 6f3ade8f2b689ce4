# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 20: a server with one to ten NICs, each with one PCIe link and its own keys.

Source: KV-Direct (SOSP 2017), section 6.2; the delays of Table 3 for ten NICs.
"""

from statistics import mean, stdev

from rocelab.validate.checks import compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

PAIR = 10  # Bytes: Table 3.
DEFAULT_SEED = 1
CACHE_RATIO, LINE_BYTES = 16, 64  # Of the store's memory over the DRAM; of a line of it.
ROUNDS = 4  # Operations of the warm-up per line of the DRAM.
RATES = {"GET": 122, "PUT": 61}  # Mops of a NIC, by which the length of a run is chosen (Table 3).
MIXES = {"GET": 1, "PUT": 0}
NICS = 10  # Of the paper's server.
WATTS = get_fact("KV-Direct-548").value  # Of that server at its peak, an input.
IDLE_WATTS = get_fact("KV-Direct-443").value  # Of a server without NICs, an input.

OPTIONS = {
    "nics": Option("1,2,5,10", "1,2", "NICs of the server"),
    "memory": Option("8", "1", "MiB of each NIC's store"),
    "operations": Option("10000", "1000", "measured operations of each NIC, approximately"),
    "seeds": Option("1,2,3,4,5", "1,2", "random seeds of ten NICs, also of the hash that divides the keys"),
    "outstanding": Option("64", "64", "batches of each client under way"),
}


def get_times(context, mix):
    """Return warm-up and duration in us: a NIC of the paper's rate fills its DRAM several times.

    Operations are counted as by `rocelab kv-processor`, whose warm-up has four per line of the DRAM.
    """
    memory = read_number(context.options, "memory", 1, 16384) << 20
    operations = read_number(context.options, "operations", 100, 10**9)
    warmup = ROUNDS * memory // CACHE_RATIO // LINE_BYTES
    return int(warmup / RATES[mix]), int((warmup + operations) / RATES[mix])


def run_point(context, nics, mix, popularity, seed=DEFAULT_SEED):
    """Return the NicResult of a server with so many NICs and as many clients."""
    warmup, duration = get_times(context, mix)
    workload = common.make_workload(
        PAIR,
        MIXES[mix],
        popularity,
        memory=f"{context.options['memory']}MiB",
        batch=common.get_batch(PAIR),
        outstanding=read_number(context.options, "outstanding", 1, 10**4),
        duration=f"{duration}us",
        warmup=f"{warmup}us",
    )
    name = f"{popularity}-{mix}-{nics}-{seed}"
    scenario = common.make_scenario(name, workload, nics, nics, links=1)
    return common.run_store(context, scenario | {"run": {"seed": seed}})


def describe(numbers):
    """Return mean and standard deviation of some numbers as a text."""
    return f"{mean(numbers):.3g} +- {stdev(numbers):.2g}" if len(numbers) > 1 else f"{numbers[0]:.3g}"


def make_checks(runs, most):
    """Return the rows of validation, of ten NICs, means over seeds; runs: {mix: [NicResult, ...]}."""
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
        latency = mean([nic.summary["rpc"]["latency_us"]["mean"] for nic in runs[mix]])
        rows.append(compare(f"10 NICs, {mix}, mean latency, us", latency, [fact]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    counts = read_numbers(context.options, "nics", 1, 40)
    seeds = read_numbers(context.options, "seeds", 0, 2**32 - 1)
    results = {
        (mix, popularity, nics): run_point(context, nics, mix, popularity)
        for mix in MIXES
        for popularity in common.THETAS
        for nics in counts
    }
    runs = {
        mix: [
            results[mix, common.LONG_TAIL, counts[-1]]
            if seed == DEFAULT_SEED
            else run_point(context, counts[-1], mix, common.LONG_TAIL, seed)
            for seed in seeds
        ]
        for mix in MIXES
    }
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
        "most NICs by seed, Mops": {mix: [common.get_mops(nic) for nic in nics] for mix, nics in runs.items()},
    }
    common.finish(context, [panel], make_checks(runs, counts[-1]), settings)
