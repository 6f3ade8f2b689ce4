# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 18: random DMA that the host's cores gather for the NIC.

Source: KV-Direct (SOSP 2017), section 6.1.
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

BYPASS = "processor bypassed"
BATCH = 256  # DMA operations per doorbell (section 6.1).

OPTIONS = {
    "sizes": Option("64,128,256,512", "64", "size of a read, bytes"),
    "cores": Option("1,2,3,4", "1,4", "cores that gather"),
    "accesses": Option("100000", "20000", "measured accesses of each point"),
}


def run(context):
    """Measure all points and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 4096)
    cores = read_numbers(context.options, "cores", 1, 64)
    accesses = read_number(context.options, "accesses", 1000, 10**8)
    names = {BYPASS: {}} | {f"{count} core{'s' * (count > 1)}": {"cores": count} for count in cores}
    results = {
        (name, size): common.run_dma(context, bytes=size, accesses=accesses, **more)
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
    latency = results[most, sizes[0]]["latency_mean_us"]
    alone = common.run_dma(context, cores=1, bytes=sizes[0], accesses=BATCH)["latency_mean_us"]
    checks = [
        compare("gain, most, %", max(gains), ["KV-Direct-543"]),
        compare(f"latency, a batch alone, {sizes[0]} B, us", alone, ["KV-Direct-545"]),
        compare(f"latency, {most} busy, {sizes[0]} B, us", latency, ["KV-Direct-545"]),
    ]
    common.finish(context, [panel], checks, {"accesses": accesses, "outstanding": 256})
