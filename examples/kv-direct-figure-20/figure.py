# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 20: a server with one to ten NICs, each with one PCIe link and its own keys.

Source: KV-Direct (SOSP 2017), section 6.2; the delays of Table 3 for ten NICs.
"""

import numpy

from rocelab import kv, testbed
from rocelab.checks import compare
from rocelab.facts import get_fact
from rocelab.figure import Option
from rocelab.series import read_series

PAIR = 10  # Bytes: Table 3.
MIXES = {"GET": 1, "PUT": 0}
NICS = 10  # Of the paper's server.
WATTS = get_fact("KV-Direct-548").value  # Of that server at its peak, an input.
IDLE_WATTS = get_fact("KV-Direct-443").value  # Of a server without NICs, an input.

OPTIONS = {
    "nics": Option("1,2,5,10", "1,2", "of the server"),
    "memory": Option("8", "1", "MiB of each NIC's store"),
    "duration": Option("90", "40", "us, of which the first half is warm-up"),
    "outstanding": Option("64", "64", "batches of each client under way"),
}

PAPER = [
    {
        "sources": ["KV-Direct-546", "KV-Direct-547", "KV-Direct-549"],
        "where": "Section 6.2, Figure 20",
        "statement": "ten NICs: 1.22 Gops of GETs, 0.61 of PUTs; the busiest has 1.5x the average",
    },
    {
        "sources": ["KV-Direct-512", "KV-Direct-513"],
        "where": "Table 3",
        "statement": "GETs take 4.3 us, PUTs 5.4",
    },
]


def run_point(context, nics, mix, popularity):
    """Return the NicResult of a server with so many NICs and as many clients."""
    duration = testbed.read_number(context.options, "duration", 20, 10**6)
    workload = kv.make_workload(
        PAIR,
        MIXES[mix],
        popularity,
        memory=f"{context.options['memory']}MiB",
        batch=kv.get_batch(PAIR),
        outstanding=testbed.read_number(context.options, "outstanding", 1, 10**4),
        duration=f"{duration}us",
        warmup=f"{duration // 2}us",
    )
    scenario = kv.make_scenario(f"{popularity}-{mix}-{nics}", workload, nics, nics, links=1)
    scenario["series"] = {"interval": f"{duration // 2}us", "what": ["port"], "ports": ["stores"]}
    return kv.run_store(context, scenario)


def get_imbalance(nic):
    """Return the load of the busiest of the server's ports over the average, after the warm-up.

    Answers to GETs have one size, so the bytes sent are in proportion to them.
    """
    series = read_series(nic, "port")
    times = numpy.unique(series["time_ns"])
    rates = series["gbps"][series["time_ns"] == times[1]]
    return float(rates.max() / rates.mean())


def make_checks(results, most):
    """Return the rows of validation, of ten NICs."""
    if most != NICS:
        return []
    rows = []
    for mix, facts in (
        ("GET", ["KV-Direct-546"]),
        ("PUT", ["KV-Direct-547"]),
    ):
        mops = kv.get_mops(results[mix, kv.LONG_TAIL, NICS])
        rows.append(compare(f"10 NICs, {mix}, long-tail, Gops", mops / 1e3, facts))
    gets, puts = (kv.get_mops(results[mix, kv.LONG_TAIL, NICS]) for mix in MIXES)
    rows.append(compare("the same, GET, Mops", gets, ["KV-Direct-508", "KV-Direct-359"]))
    rows.append(compare("the same, PUT, Mops", puts, ["KV-Direct-509"]))
    rows.append(compare("an edge of PageRank per GET, GTEPS", gets / 1e3, ["KV-Direct-610"]))
    for mops, fact in ((gets, "KV-Direct-510"), (puts, "KV-Direct-511")):
        rows.append(compare("the same, k operations/s/W", mops * 1e3 / WATTS, [fact]))
    differential = gets * 1e3 / (WATTS - IDLE_WATTS)
    rows.append(compare("GET, without idle power", differential, ["KV-Direct-515"]))
    load = get_imbalance(results["GET", kv.LONG_TAIL, NICS])
    rows.append(compare("busiest NIC over the average", load, ["KV-Direct-549"]))
    for mix, fact in (("GET", "KV-Direct-512"), ("PUT", "KV-Direct-513")):
        latency = results[mix, kv.LONG_TAIL, NICS].summary["rpc"]["latency_us"]["mean"]
        rows.append(compare(f"10 NICs, {mix}, mean latency, us", latency, [fact]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    counts = testbed.read_numbers(context.options, "nics", 1, 40)
    testbed.read_number(context.options, "memory", 1, 16384)
    results = {
        (mix, popularity, nics): run_point(context, nics, mix, popularity)
        for mix in MIXES
        for popularity in kv.THETAS
        for nics in counts
    }
    panel = {
        "x": {"label": "NICs of the server", "unit": ""},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": {
            f"{mix}, {popularity}": [
                [nics, kv.get_mops(results[mix, popularity, nics])] for nics in counts
            ]
            for mix in MIXES
            for popularity in kv.THETAS
        },
    }
    settings = {"pair": "10 B", "batch": kv.get_batch(PAIR), "links": 1, "clients": "one per NIC"}
    kv.finish(context, [panel], make_checks(results, counts[-1]), PAPER, settings)
