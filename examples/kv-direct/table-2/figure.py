# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Table 2: throughput of vector updates and of what replaces them.

Source: KV-Direct (SOSP 2017), section 5.1.5.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE, get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

SILENT, RETURN = "update without return", "update with return"
ELEMENTS, FETCH = "one key per element", "fetch to client"
WAITS, ALONE = "fetch, wait for the write-back, alone", "fetch, alone"
# The facts of each row. The first two rows look swapped in the paper: 11.52 GB/s with return exceed
# its network of 5 GB/s, so ours stand beside each other's.
FACTS = {
    SILENT: (
        "KV-Direct-416 KV-Direct-417 KV-Direct-418 "
        "KV-Direct-419 KV-Direct-420"
    ).split(),
    RETURN: (
        "KV-Direct-421 KV-Direct-422 KV-Direct-423 "
        "KV-Direct-424 KV-Direct-425"
    ).split(),
    ELEMENTS: (
        "KV-Direct-426 KV-Direct-427 KV-Direct-428 "
        "KV-Direct-429 KV-Direct-430"
    ).split(),
    FETCH: (
        "KV-Direct-431 KV-Direct-432 KV-Direct-433 "
        "KV-Direct-434 KV-Direct-435"
    ).split(),
}
SIZES = (64, 128, 256, 512, 1024)
# Bytes of an element, which the paper does not state: from a word of 8 bytes to the longest that is
# still inline with its key.
ELEMENT_SIZES = (8, 16, 32, 40)
KEY = 8
# Clients that fetch the same vector, of which one is measured. The rule, stated before: the number with
# the largest rate per client. The more clients there are, the more often the value is in the reservation
# station when a GET arrives; and the more of the network they use.
FETCHERS = (4, 8, 12, 16, 24)
ROUND_TRIP_US, NETWORK_GBPS = 2, 5  # GB/s: the paper's network (section 4).
# Criterion of "the bottleneck is the network" (section 5.1.5): links of twice the rate raise the throughput of each
# length of elements by more than TOLERANCE. An earlier criterion, equal bytes of elements per second, was wrong: an
# operation also has a key, so even the network carries more bytes of longer elements.
FAST_GBPS = 2 * common.LINK_GBPS

OPTIONS = {
    "sizes": Option(",".join(map(str, SIZES)), "64,1024", "size of a vector, bytes"),
    "elements": Option(",".join(map(str, ELEMENT_SIZES)), "8,40", "sizes of an element, bytes"),
    "duration": Option("200", "100", "us, of which the first half is warm-up"),
}


def get_workload(row, size):
    """Return the keys of the workload that tell one row from another; size of vector or element."""
    if row == WAITS:  # Read it, and write it back when it is there.
        return {"get": 0.5, "valueBytes": size, "hotKeys": 1, "batch": 1, "outstanding": 1}
    if row in (ALONE, FETCH):  # The PUT of a vector leaves with the next GET.
        return {"get": 0.5, "valueBytes": size, "hotKeys": 1, "batch": 2, "outstanding": 1}
    if row == ELEMENTS:
        return {"get": 0, "modify": 1, "valueBytes": size, "batch": 64, "outstanding": 16}
    hot = {"get": 0, "modify": 1, "valueBytes": size, "hotKeys": 1}
    if row == SILENT:
        return hot | {"returns": False, "batch": 64, "outstanding": 32}
    return hot | {"batch": max(4, 4096 // size), "outstanding": 16}


def run_point(context, row, size, clients=1, rate_gbps=common.LINK_GBPS, **kernel):
    """Return the throughput of one row in GB/s of vectors, of one of the clients."""
    duration = read_number(context.options, "duration", 20, 10**6)
    workload = get_workload(row, size) | {
        "keyBytes": KEY,
        "memory": "1MiB",
        "utilization": 0.3,
        "duration": f"{duration}us",
        "warmup": f"{duration // 2}us",
    }
    name = "-".join(map(str, (row.replace(" ", "-").replace(",", ""), size, clients, rate_gbps, *kernel.values())))
    scenario = common.make_scenario(name, workload, clients, rate_gbps=rate_gbps, **kernel)
    nic = common.run_store(context, scenario)
    mops = common.get_mops(nic) / clients
    # A vector that is fetched takes two operations.
    return mops * (size / 2 if row in (WAITS, ALONE, FETCH) else size) / 1e3


def fetch_forwarded(context, size):
    """Return the largest throughput of one of several clients that fetch a vector, GB/s."""
    return max(run_point(context, FETCH, size, clients) for clients in FETCHERS)


def get_printed_fetch(size):
    """Return what the paper's row is: a round trip, the vector once on the wire, no memory access, GB/s."""
    return size / (1e3 * ROUND_TRIP_US + size / NETWORK_GBPS)


def check_elements(found):
    """Return the row of elements: the range over their sizes, one number for all vectors."""
    paper = get_fact(FACTS[ELEMENTS][0]).value
    text = f"{min(found.values()):.2f} to {max(found.values()):.2f}"
    is_met = min(found.values()) <= paper <= max(found.values())
    what = f"{ELEMENTS} of {min(found)} to {max(found)} B, GB/s"
    return check(what, f"{paper}", text, is_met, FACTS[ELEMENTS])


def check_bound(found, fast):
    """Return the row of what limits elements. fast: the same on links of twice the rate."""
    text = ", ".join(
        f"{rate * 1e3 / size:.0f} to {fast[size] * 1e3 / size:.0f} Mops of {size} B" for size, rate in found.items()
    )
    is_met = all(fast[size] > (1 + TOLERANCE) * rate for size, rate in found.items())
    what = f"{ELEMENTS}, {common.LINK_GBPS} to {FAST_GBPS} Gb/s"
    return check(what, "the network limits", text, is_met, ["KV-Direct-716"])


def run(context):
    """Measure all cells and write the picture."""
    sizes = read_numbers(context.options, "sizes", 8, 1024)
    elements = read_numbers(context.options, "elements", 1, 1024)
    series = {
        row: [[size, run_point(context, row, size)] for size in sizes]
        for row in (SILENT, RETURN, WAITS, ALONE)
    }
    series[FETCH] = [[size, fetch_forwarded(context, size)] for size in sizes]
    found = {size: run_point(context, ELEMENTS, size) for size in elements}
    fast = {size: run_point(context, ELEMENTS, size, rate_gbps=FAST_GBPS) for size in elements}
    free = {size: run_point(context, ELEMENTS, size, RequestRate=0) for size in elements}
    print(
        f"{ELEMENTS}, without the limit of DMA requests, Mops: "
        + ", ".join(f"{rate * 1e3 / size:.1f} of {size} B" for size, rate in free.items())
        + "\n"
    )
    for element, rate in found.items():  # Of any size of the vector: keys are alike.
        series[f"{ELEMENTS} of {element} B"] = [[size, rate] for size in sizes]
    checks = [
        compare(f"{row}, {size} B, GB/s", value, [facts[SIZES.index(size)]])
        for row, facts in FACTS.items()
        if row != ELEMENTS
        for size, value in series[row]
        if size in SIZES
    ]
    checks += [check_elements(found), check_bound(found, fast)]
    panel = {
        "x": {"label": "Size of a vector", "unit": "B", "scale": "log2"},
        "y": {"label": "Throughput", "unit": "GB/s", "scale": "log"},
        "series": series,
    }
    settings = {
        "vectors": "one, updated by all",
        "key": f"{KEY} B",
        "elements without the limit of DMA requests, GB/s": free,
        "fetches, by a round trip of 2 us and 5 GB/s alone, GB/s": {
            size: get_printed_fetch(size) for size in sizes
        },
    }
    common.finish(context, [panel], checks, settings)
