# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 16: YCSB throughput by the size of pairs, over the network with batching.

Source: KV-Direct (SOSP 2017), section 5.2.2. The stores count accesses without bytes, since the number of keys decides
how popular the first ones are.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

CLOCK, NETWORK, PCIE = "clock (bound)", "network (bound, GET)", "PCIe alone (bound, GET)"
INLINE = 50  # Bytes: larger pairs are not stored in the index (section 5.2.1).
LINKS = 2
TINY = 10  # Bytes of a pair for which Table 3 has the throughput.
UTILIZATION = 0.4  # The paper's 0.5 does not fit pairs of 15 B: the index has a fixed share.
# Operations under way for pairs up to a size: fewer where fewer saturate the network.
WINDOWS = {15: 2048, 62: 1024, 254: 384}

OPTIONS = {
    "sizes": Option("5,10,15,62,126,254", "10,62", "size of key and value together, bytes"),
    "gets": Option("100,95,50,0", "100", "shares of GETs, %"),
    "memory": Option("1024", "16", "MiB of the store"),
    "duration": Option("200", "60", "us, of which the first half is warm-up"),
}


def get_window(size):
    """Return batches under way for pairs of this size."""
    return next(most for limit, most in WINDOWS.items() if size <= limit) // common.get_batch(size)


def measure(context, sizes, gets):
    """Return {(popularity, GET share, size): Mops}."""
    duration = read_number(context.options, "duration", 20, 10**6)
    rates = {}
    for popularity in common.THETAS:
        for get in gets:
            for size in sizes:
                workload = common.make_workload(
                    size,
                    get / 100,
                    popularity,
                    **common.make_counted_store(read_number(context.options, "memory", 1, 65536)),
                    utilization=UTILIZATION,
                    batch=common.get_batch(size),
                    outstanding=get_window(size),
                    duration=f"{duration}us",
                    warmup=f"{duration // 2}us",
                )
                name = f"{popularity}-{get}-{size}"
                nic = common.run_store(context, common.make_scenario(name, workload))
                rates[popularity, get, size] = common.get_mops(nic)
    return rates


def find_first_outside(context):
    """Return the smallest of some sizes of which a GET takes two accesses, keys uniform."""
    for size in (15, INLINE, 62, 126):
        result = common.run_processor(
            context,
            pair=size,
            utilization=UTILIZATION,
            cache=0,
            memory="2MiB",
            operations=5000,
            warmup=100,
        )
        if result["pcie_reads_per_operation"] > 1.8:
            return size
    return None


def make_panel(popularity, rates, sizes, gets, link_mops):
    """Return the panel of one popularity with the bounds."""
    series = {
        f"{get} % GET": [[size, rates[popularity, get, size]] for size in sizes] for get in gets
    }
    series[CLOCK] = [[size, common.CLOCK_MOPS] for size in sizes]
    series[NETWORK] = [[size, common.get_network_bound(size)] for size in sizes]
    series[PCIE] = [
        [size, LINKS * link_mops / (1 if size <= INLINE else 2)] for size in sizes
    ]
    return {
        "x": {"label": f"Size of a pair, {popularity} keys", "unit": "B", "scale": "log"},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": series,
    }


def make_checks(context, rates, sizes, gets):
    """Return the rows of validation."""
    rows = [
        compare(
            f"{TINY} B, long-tail, {get} % GETs, Mops",
            rates.get((common.LONG_TAIL, get, TINY)),
            ["KV-Direct-438", "KV-Direct-356"],
        )
        for get in (100, 95)
    ]
    gains = [
        rates[common.LONG_TAIL, get, size] / rates[common.UNIFORM, get, size]
        for get in gets
        for size in sizes
    ]
    rows.append(compare("long-tail over uniform, most", max(gains), ["KV-Direct-441"]))
    rows.append(compare("network's bound at 64 B, Mops", common.get_network_bound(64), ["KV-Direct-380"]))
    size = find_first_outside(context)
    rows.append(compare("smallest size with one more access, B", size, ["KV-Direct-437"]))
    return rows + make_shape_rows(rates, sizes, gets)


def make_shape_rows(rates, sizes, gets):
    """Return the rows of what the paper states without a number."""
    inline = [size for size in sizes if size <= INLINE]
    falls = all(
        rates[popularity, get, large] <= common.PLATEAU * rates[popularity, get, small]
        for popularity in common.THETAS
        for get in gets
        for small, large in zip(inline, inline[1:])
    )
    ends = [rates[common.UNIFORM, gets[0], size] for size in (inline[0], inline[-1])]
    text = f"{'yes' if falls else 'not all'}; {gets[0]} % GETs, uniform: {ends[0]:.0f} to {ends[1]:.0f} Mops"
    rows = [check("inline pairs: larger ones have less throughput", "yes", text, falls, ["KV-Direct-717"])]
    gains = [rates[common.LONG_TAIL, get, size] / rates[common.UNIFORM, get, size] for get in gets for size in sizes]
    shares = [rates[common.LONG_TAIL, gets[0], size] / common.get_network_bound(size) for size in sizes if size > INLINE]
    text = f"least {min(gains):.2f}; {min(shares, default=0):.0%} of the network's bound at least, from 62 B on"
    is_met = min(gains) >= 1 / common.PLATEAU and min(shares, default=0) >= 1 - TOLERANCE
    rows.append(check("long-tail over uniform keys", "more; bound of the network", text, is_met, ["KV-Direct-718"]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    sizes = read_numbers(context.options, "sizes", 5, 254)
    gets = read_numbers(context.options, "gets", 0, 100)[::-1]
    read_number(context.options, "memory", 1, 16384)
    rates = measure(context, sizes, gets)
    link = common.run_dma(context, bytes=64, accesses=50000)["mops"]
    panels = [make_panel(popularity, rates, sizes, gets, link) for popularity in common.THETAS]
    settings = {
        "batches": {size: common.get_batch(size) for size in sizes},
        "rate": f"{common.LINK_GBPS}Gbps",
        "utilization": UTILIZATION,
    }
    checks = make_checks(context, rates, sizes, gets)
    common.finish(context, panels, checks, settings, bounds=[CLOCK, NETWORK, PCIE])
