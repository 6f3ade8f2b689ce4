# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 15: throughput and latency by the number of operations in a batch.

Source: KV-Direct (SOSP 2017), section 5.1.5; section 7 on a network of 200 Gb/s.
"""

from rocelab import kv, testbed
from rocelab.checks import compare
from rocelab.figure import Option

PAIR = 10  # Bytes; the paper does not say.
IDEAL = "88 B per packet (bound)"
FAST_GBPS = 200
SEEDS = range(1, 9)  # Batches whose time in the processor is averaged.
ALONE, NETWORK = "one batch under way", "of these, network"

OPTIONS = {
    "batches": Option("1,2,4,8,16,32,64", "1,64", "operations of a batch"),
    "memory": Option("2", "1", "MiB of the store"),
    "duration": Option("120", "40", "us, of which the first half is warm-up"),
}

PAPER = [
    {
        "sources": ["KV-Direct-414", "KV-Direct-415"],
        "where": "Section 5.1.5, Figure 15",
        "statement": "batching gives up to 4x throughput, networking latency stays below 3.5 us",
    },
    {
        "sources": ["KV-Direct-611"],
        "where": "Section 7",
        "statement": "with 200 Gb/s 180 Mops without batching",
    },
]


def run_point(context, batch, window, rate_gbps=kv.LINK_GBPS):
    """Return the NicResult of GETs of long-tail keys."""
    duration = testbed.read_number(context.options, "duration", 20, 10**6)
    workload = kv.make_workload(
        PAIR,
        1,
        kv.LONG_TAIL,
        memory=f"{context.options['memory']}MiB",
        batch=batch,
        outstanding=window,
        duration=f"{duration}us",
        warmup=f"{duration // 2}us",
    )
    name = f"{rate_gbps}-{batch}-{window}"
    return kv.run_store(context, kv.make_scenario(name, workload, rate_gbps=rate_gbps))


def get_ideal(batch):
    """Return the GETs per us of the paper's overhead, at most the clock's."""
    key = kv.get_key_bytes(PAIR)
    message = 8 + batch * (1 + max(key, PAIR - key)) + kv.PACKET_BYTES
    return min(kv.LINK_GBPS * 1e3 / 8 * batch / message, kv.CLOCK_MOPS)


def get_processor_time(context, batch):
    """Return the mean time in us that the processor alone takes for a batch, cache warm."""
    times = [
        kv.run_processor(
            context,
            zipf=kv.THETAS[kv.LONG_TAIL],
            memory="1MiB",
            operations=batch,
            warmup=4096,
            seed=seed,
        )["duration_us"]
        for seed in SEEDS
    ]
    return sum(times) / len(times)


def run(context):
    """Measure all points and write the figure."""
    batches = testbed.read_numbers(context.options, "batches", 1, 1024)
    testbed.read_number(context.options, "memory", 1, 16384)
    rates, alone = [], []
    for batch in batches:
        # Enough for the largest throughput, and for all messages that the NIC takes.
        window = min(128, max(32, 2048 // batch))
        rates.append([batch, kv.get_mops(run_point(context, batch, window))])
        latency = run_point(context, batch, 1).summary["rpc"]["latency_us"]["mean"]
        alone.append([batch, latency])
    network = [[batch, latency - get_processor_time(context, batch)] for batch, latency in alone]
    fast = kv.get_mops(run_point(context, 1, 512, FAST_GBPS))
    axis = {"label": "Operations of a batch", "unit": "", "scale": "log2"}
    panels = [
        {
            "x": axis,
            "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
            "series": {
                "measured": rates,
                IDEAL: [[batch, get_ideal(batch)] for batch in batches],
            },
        },
        {
            "x": axis,
            "y": {"label": "Mean latency", "unit": "us", "scale": "linear"},
            "series": {ALONE: alone, NETWORK: network},
        },
    ]
    gain = max(rate for _, rate in rates) / rates[0][1] if batches[0] == 1 else None
    checks = [
        compare("throughput over that of single operations, most", gain, ["KV-Direct-414"]),
        compare(
            "latency of a batch less the processor's, most, us",
            max(latency for _, latency in network),
            ["KV-Direct-415"],
        ),
        compare("200 Gb/s, single operations, Mops", fast, ["KV-Direct-611"]),
    ]
    settings = {"pair": "10 B", "keys": "long-tail, GET"}
    kv.finish(context, panels, checks, PAPER, settings, bounds=[IDEAL])
