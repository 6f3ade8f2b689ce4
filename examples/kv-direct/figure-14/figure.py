# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 14: memory accesses dispatched between PCIe and the NIC's DRAM.

Source: KV-Direct (SOSP 2017), sections 3.3.4 and 5.1.4; what section 5.2.2 states of the hit rate,
of merged operations and of accesses is measured here, too.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE as NEGLIGIBLE
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

PCIE, DISPATCH, CACHE = "PCIe alone", "load dispatch", "DRAM as a cache"
OPTIONS_OF = {PCIE: {"cache": 0}, DISPATCH: {}, CACHE: {"dispatch": 1}}
CLOCK = "clock (input)"
MORE = 0.2  # Accesses: what "most operations" take one or two, not more, is read as.
HIT_SHARE = 0.6  # Of the memory may be cached, where section 5.2.2 states the hit rate.

# Criteria of sentences, stated before the numbers were compared, of Mops at each share of GETs. With uniform keys the
# effect of the DRAM is "negligible" if load dispatch and PCIe alone differ by at most NEGLIGIBLE: the paper's reason is
# a DRAM of 6 % of the memory. With DRAM as a cache "the throughput" is "adversely impacted" (section 5.1.4): the sentence
# before it is of "the memory access throughput for 95% and 100% GET", which reaches the clock's bound by load dispatch
# of long-tail keys. So there it must be below that of load dispatch by more than common.PLATEAU. An earlier criterion
# compared with PCIe alone, at all shares of GETs and with uniform keys too, of which the two sentences have nothing.

OPTIONS = {
    "gets": Option("0,50,95,100", "0,100", "shares of GETs, %"),
    "operations": Option("60000", "20000", "measured operations of each point"),
    "memory": Option("64", "4", "MiB of the store"),
    "counted": Option("1024,65536", "16,64", "MiB of stores that are counted; the last one is compared"),
    "sizes": Option("10,62", "10", "sizes of key and value of the pairs whose merged operations are counted"),
    "warmup": Option("268435456", "262144", "operations that warm the DRAM of the last one, without time"),
}


def get_dram_share(result):
    """Return the share of operations' memory accesses that the DRAM served, in percent."""
    operations = result["operations"]
    pcie = result["pcie_reads_per_operation"] + result["pcie_writes_per_operation"]
    # What was written back from the DRAM is no access of an operation.
    others = pcie * operations - result["dram_write_backs"]
    return 100 * result["dram_hits"] / (result["dram_hits"] + others)


def get_dram_operations(result):
    """Return the accesses that the DRAM served per 100 operations, merged ones among them."""
    return 100 * result["dram_hits"] / result["operations"]


def measure(context, gets):
    """Return {(popularity, name, GET share): result} of all points."""
    results = {}
    for popularity, theta in common.THETAS.items():
        for name, more in OPTIONS_OF.items():
            for get in gets:
                results[popularity, name, get] = run_point(context, get, theta, more)
    return results


def run_point(context, get, theta, more):
    """Return the result of one point; get in percent."""
    return common.run_processor(
        context,
        get=get / 100,
        zipf=theta,
        operations=context.options["operations"],
        **{"memory": f"{context.options['memory']}MiB", **more},
    )


def make_panel(popularity, results, gets):
    """Return the panel of one popularity."""
    series = {
        name: [[get, results[popularity, name, get]["mops"]] for get in gets] for name in OPTIONS_OF
    }
    series[CLOCK] = [[get, common.CLOCK_MOPS] for get in gets]
    return {
        "x": {"label": f"GETs, {popularity} keys", "unit": "%"},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": series,
    }


def count_merged(context, memory, warmup, size, get):
    """Return the operations that the engine merged, in percent, at the load that Figure 16's network carries."""
    bound = common.get_network_bound(size, get / 100)
    rate = {"rate": bound * 1e6} if bound < common.CLOCK_MOPS else {}
    return get_merged(count(context, memory, warmup, get, pair=size, **rate))


def count(context, memory, warmup, get, **more):
    """Return the result of a store of so many MiB without bytes, long-tail keys; get in percent."""
    return common.run_processor(
        context,
        counted=True,
        get=get / 100,
        zipf=common.THETAS[common.LONG_TAIL],
        operations=2 * int(context.options["operations"]),
        memory=f"{memory}MiB",
        warmup=warmup,
        **more,
    )


def get_merged(result):
    """Return the operations that the engine carried out on a forwarded value, in percent."""
    return 100 * result["forwarded"] / result["operations"]


def make_checks(results, gets, gets_alone, merged, hits):
    """Return the rows of validation.

    gets_alone: result of GETs of the largest store; merged: {(size, GET share): percent}; hits: {MiB: result}.
    """
    tail = [results[common.LONG_TAIL, DISPATCH, get] for get in gets]
    size = max(hits)
    rows = [
        compare(f"long-tail, {get} % GETs, Mops", result["mops"], ["KV-Direct-413"])
        for get, result in zip(gets, tail)
        if get >= 95
    ]
    rows += [
        compare(
            f"accesses that DRAM serves, {size} MiB, GETs, %", get_dram_share(gets_alone), ["KV-Direct-411"]
        ),
        check("the same per operation, %", "", f"{get_dram_operations(gets_alone):.1f}", True, []),
    ]
    share = 100 / 16  # As the store is made.
    rows.append(compare("DRAM over memory, by configuration, %", share, ["KV-Direct-412"]))
    rows.append(compare(f"merged, {size} MiB, most, %", max(merged.values()), ["KV-Direct-439"]))
    shares = {memory: 100 * result["dram_hit_share"] for memory, result in hits.items()}
    rows.append(compare(f"hits where 60 % may be cached, {size} MiB, %", shares[size], ["KV-Direct-440"]))
    get, put = (results[common.UNIFORM, PCIE, share] for share in (100, 0))
    counts = [
        result["pcie_reads_per_operation"] + result["pcie_writes_per_operation"] for result in (get, put)
    ]
    text = f"GET {counts[0]:.2f}, PUT {counts[1]:.2f}"
    is_met = counts[0] - 1 < MORE and counts[1] - 2 < MORE
    rows.append(check("accesses, uniform, PCIe alone", "1, 2", text, is_met, ["KV-Direct-436"]))
    return rows + make_effect_rows(results, gets)


def make_effect_rows(results, gets):
    """Return the rows of what the DRAM does to the throughput, by both ways to use it."""

    def get_ratios(popularity, name, base):
        return [results[popularity, name, get]["mops"] / results[popularity, base, get]["mops"] for get in gets]

    effects = get_ratios(common.UNIFORM, DISPATCH, PCIE)
    text = ", ".join(f"{ratio - 1:+.1%} with {get} % GETs" for get, ratio in zip(gets, effects))
    is_met = all(abs(ratio - 1) <= NEGLIGIBLE for ratio in effects)
    rows = [check("uniform, load dispatch over PCIe alone", "negligible", text, is_met, ["KV-Direct-714"])]
    texts = []
    for popularity in common.THETAS:
        alone, dispatch = (get_ratios(popularity, CACHE, base) for base in (PCIE, DISPATCH))
        texts.append(
            f"{popularity}: {min(alone) - 1:+.0%} to {max(alone) - 1:+.0%} against PCIe alone,"
            f" {min(dispatch) - 1:+.0%} to {max(dispatch) - 1:+.0%} against load dispatch"
        )
    losses = [
        ratio for get, ratio in zip(gets, get_ratios(common.LONG_TAIL, CACHE, DISPATCH)) if get in (95, 100)
    ]
    is_met = all(ratio < 1 / common.PLATEAU for ratio in losses)
    rows.append(check("DRAM as a cache", "below load dispatch", "; ".join(texts), is_met, ["KV-Direct-715"]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    gets = sorted({0, 100, *read_numbers(context.options, "gets", 0, 100)})
    read_number(context.options, "memory", 1, 16384)
    read_number(context.options, "operations", 1000, 10**8)
    results = measure(context, gets)
    memories = read_numbers(context.options, "counted", 1, 65536)
    warmup = read_number(context.options, "warmup", 0, 10**9)
    # Smaller stores are warmed as the measurement kv-processor does it, by four operations per line.
    warmups = {memory: min(warmup, memory << 12) for memory in memories}
    hits = {memory: count(context, memory, warmups[memory], 100, dispatch=HIT_SHARE) for memory in memories}
    largest = max(memories)
    gets_alone = count(context, largest, warmups[largest], 100)
    # Merged operations hang on the popularity of the keys, hardly on the DRAM: a sixteenth of the warm-up.
    merged = {
        (size, get): count_merged(context, largest, warmups[largest] // 16, size, get)
        for size in read_numbers(context.options, "sizes", 5, 254)
        for get in (0, 50, 100)
    }
    panels = [make_panel(popularity, results, gets) for popularity in common.THETAS]
    ratio = results[common.LONG_TAIL, DISPATCH, 100]["dispatch_ratio"]
    settings = {
        "pair": "10 B",
        "dispatch ratio, long-tail": ratio,
        "merged, %": {f"{size} B, {get} % GETs": share for (size, get), share in merged.items()},
        "hits by MiB of the store": {size: result["dram_hit_share"] for size, result in hits.items()},
    }
    common.finish(context, panels, make_checks(results, gets, gets_alone, merged, hits), settings, bounds=[CLOCK])
