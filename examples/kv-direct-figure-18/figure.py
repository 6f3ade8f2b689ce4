# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 18: random DMA that the host's cores gather for the NIC.

Source: KV-Direct (SOSP 2017), section 6.1.
"""

from rocelab import kv, testbed
from rocelab.checks import compare
from rocelab.figure import Option

BYPASS = "processor bypassed"
BATCH = 256  # DMA operations per doorbell (section 6.1).

OPTIONS = {
    "sizes": Option("64,128,256,512", "64", "of a read, bytes"),
    "cores": Option("1,2,3,4", "1,4", "that gather"),
    "accesses": Option("100000", "20000", "that are measured, of each point"),
}

PAPER = [
    {
        "sources": ["KV-Direct-543"],
        "where": "Section 6.1, Figure 18",
        "statement": "scatter-gather has up to 79 % more throughput than bypassing the processor",
    },
    {
        "sources": ["KV-Direct-545"],
        "where": "Section 6.1",
        "statement": "its latency is about 20 us: 256 operations per doorbell take 10 us",
    },
]


def run(context):
    """Measure all points and write the figure."""
    sizes = testbed.read_numbers(context.options, "sizes", 1, 4096)
    cores = testbed.read_numbers(context.options, "cores", 1, 64)
    accesses = testbed.read_number(context.options, "accesses", 1000, 10**8)
    names = {BYPASS: {}} | {f"{count} core{'s' * (count > 1)}": {"cores": count} for count in cores}
    results = {
        (name, size): kv.run_dma(context, bytes=size, accesses=accesses, **more)
        for name, more in names.items()
        for size in sizes
    }
    panel = {
        "x": {"label": "Size of a read", "unit": "B", "scale": "log2"},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": {name: [[size, results[name, size]["mops"]] for size in sizes] for name in names},
    }
    gains = [
        100 * (results[name, size]["mops"] / results[BYPASS, size]["mops"] - 1)
        for name in names
        for size in sizes
    ]
    most = max(names, key=lambda name: names[name].get("cores", 0))
    latency = results[most, sizes[0]]["latency_us"]["mean"]
    alone = kv.run_dma(context, cores=1, bytes=sizes[0], accesses=BATCH)["latency_us"]["mean"]
    checks = [
        compare("gain, most, %", max(gains), ["KV-Direct-543"]),
        compare(f"latency, a batch alone, {sizes[0]} B, us", alone, ["KV-Direct-545"]),
        compare(f"latency, {most} busy, {sizes[0]} B, us", latency, ["KV-Direct-545"]),
    ]
    kv.finish(context, [panel], checks, PAPER, {"accesses": accesses, "outstanding": 256})
