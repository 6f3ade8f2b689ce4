# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 14: memory accesses dispatched between PCIe and the NIC's DRAM.

Source: KV-Direct (SOSP 2017), sections 3.3.4 and 5.1.4; what section 5.2.2 states of the hit rate,
of merged operations and of accesses is measured here, too.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

PCIE, DISPATCH, CACHE = "PCIe alone", "load dispatch", "DRAM as a cache"
OPTIONS_OF = {PCIE: {"cache": 0}, DISPATCH: {}, CACHE: {"dispatch": 1}}
CLOCK = "clock (input)"
MORE = 0.2  # Accesses: what "most operations" take one or two, not more, is read as.
SETTLED = 0.01  # Of a hit rate, from a store to the next larger one.
HIT_SHARE = 0.6  # Of the memory may be cached, where section 5.2.2 states the hit rate.

OPTIONS = {
    "gets": Option("0,50,95,100", "0,100", "shares of GETs, %"),
    "operations": Option("60000", "20000", "measured operations of each point"),
    "memory": Option("64", "4", "MiB of the store"),
    "memories": Option("4,16,64", "1,4", "MiB of stores whose hits are measured"),
}


def get_dram_share(result):
    """Return the share of operations' memory accesses that the DRAM served, in percent."""
    operations = result["operations"]
    pcie = result["pcieReadsPerOperation"] + result["pcieWritesPerOperation"]
    # What was written back from the DRAM is no access of an operation.
    others = pcie * operations - result["dramWriteBacks"]
    return 100 * result["dramHits"] / (result["dramHits"] + others)


def get_dram_operations(result):
    """Return the accesses that the DRAM served per 100 operations, merged ones among them."""
    return 100 * result["dramHits"] / result["operations"]


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


def make_checks(results, gets, hits):
    """Return the rows of validation. hits: {MiB: result} with HIT_SHARE."""
    tail = [results[common.LONG_TAIL, DISPATCH, get] for get in gets]
    rows = [
        compare(f"long-tail, {get} % GETs, Mops", result["mops"], ["KV-Direct-413"])
        for get, result in zip(gets, tail)
        if get >= 95
    ]
    rows += [
        compare(
            f"accesses that DRAM serves, {get} % GETs, %", get_dram_share(result), ["KV-Direct-411"]
        )
        for get, result in zip(gets, tail)
        if get >= 95
    ]
    rows += [
        check(
            f"the same per operation, {get} % GETs, %", "", f"{get_dram_operations(result):.1f}", True, []
        )
        for get, result in zip(gets, tail)
        if get >= 95
    ]
    share = 100 / 16  # As the store is made.
    rows.append(compare("DRAM over memory, by configuration, %", share, ["KV-Direct-412"]))
    merged = [100 * result["forwarded"] / result["operations"] for result in tail]
    rows.append(compare("merged, long-tail, most, %", max(merged), ["KV-Direct-439"]))
    shares = [result["dramHitShare"] for result in hits.values()]
    text = f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %, {min(hits)} to {max(hits)} MiB"
    # A number to compare only if the size of the store, of which the paper has a thousand times more,
    # no longer matters.
    paper = get_fact("KV-Direct-440").value / 100
    has_settled = abs(shares[-1] - shares[-2]) < SETTLED if len(shares) > 1 else False
    is_met = has_settled and abs(shares[-1] - paper) <= 0.1 * paper
    rows.append(check("hits where 60 % may be cached", "60 %", text, is_met, ["KV-Direct-440"]))
    get, put = (results[common.UNIFORM, PCIE, share] for share in (100, 0))
    counts = [
        result["pcieReadsPerOperation"] + result["pcieWritesPerOperation"] for result in (get, put)
    ]
    text = f"GET {counts[0]:.2f}, PUT {counts[1]:.2f}"
    is_met = counts[0] - 1 < MORE and counts[1] - 2 < MORE
    rows.append(check("accesses, uniform, PCIe alone", "1, 2", text, is_met, ["KV-Direct-436"]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    gets = sorted({0, 100, *read_numbers(context.options, "gets", 0, 100)})
    read_number(context.options, "memory", 1, 16384)
    read_number(context.options, "operations", 1000, 10**8)
    results = measure(context, gets)
    memories = read_numbers(context.options, "memories", 1, 16384)
    tail = common.THETAS[common.LONG_TAIL]
    hits = {
        memory: run_point(context, 100, tail, {"dispatch": HIT_SHARE, "memory": f"{memory}MiB"})
        for memory in memories
    }
    panels = [make_panel(popularity, results, gets) for popularity in common.THETAS]
    ratio = results[common.LONG_TAIL, DISPATCH, 100]["dispatchRatio"]
    settings = {
        "pair": "10 B",
        "dispatch ratio, long-tail": ratio,
        "hits by MiB of the store": {size: result["dramHitShare"] for size, result in hits.items()},
    }
    common.finish(context, panels, make_checks(results, gets, hits), settings, bounds=[CLOCK])
