# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Table 2: throughput of vector updates and of what replaces them.

Source: KV-Direct (SOSP 2017), section 5.1.5.
"""

from rocelab import kv, testbed
from rocelab.checks import compare
from rocelab.figure import Option

SILENT, RETURN = "update without return", "update with return"
ELEMENTS, FETCH = "one key per element", "fetch to client"
# The first fact of each row. The first two rows look swapped in the paper: 11.52 GB/s with return
# exceed its network of 5 GB/s, so ours stand beside each other's.
FIRST_FACTS = {SILENT: 416, RETURN: 421, ELEMENTS: 426, FETCH: 431}
SIZES = (64, 128, 256, 512, 1024)
ELEMENT = 16  # Bytes; the paper does not say.
KEY = 8

OPTIONS = {
    "sizes": Option(",".join(map(str, SIZES)), "64,1024", "of a vector, bytes"),
    "duration": Option("200", "40", "us, of which the first half is warm-up"),
}

PAPER = [
    {
        "sources": ["KV-Direct-416", "KV-Direct-421"],
        "where": "Table 2",
        "statement": "vector updates: 11.52 GB/s, and 4.37 to 4.68 with return, as we read it",
    },
    {
        "sources": ["KV-Direct-426", "KV-Direct-431"],
        "where": "Table 2",
        "statement": "one key per element 2.09 GB/s, fetch to client 0.03 to 0.46",
    },
]


def get_workload(row, size):
    """Return the keys of the workload that tell one row from another."""
    if row == FETCH:  # Read it, and write it back when it is there.
        return {"get": 0.5, "valueBytes": size, "hotKeys": 1, "batch": 1, "outstanding": 1}
    if row == ELEMENTS:
        return {"get": 0, "modify": 1, "valueBytes": ELEMENT, "batch": 64, "outstanding": 16}
    hot = {"get": 0, "modify": 1, "valueBytes": size, "hotKeys": 1}
    if row == SILENT:
        return hot | {"returns": False, "batch": 64, "outstanding": 32}
    return hot | {"batch": max(4, 4096 // size), "outstanding": 16}


def run_point(context, row, size):
    """Return the throughput of one row in GB/s of vectors."""
    duration = testbed.read_number(context.options, "duration", 20, 10**6)
    workload = get_workload(row, size) | {
        "keyBytes": KEY,
        "memory": "1MiB",
        "utilization": 0.3,
        "duration": f"{duration}us",
        "warmup": f"{duration // 2}us",
    }
    nic = kv.run_store(context, kv.make_scenario(f"{row.replace(' ', '-')}-{size}", workload))
    mops = kv.get_mops(nic)
    # A vector that is fetched takes two operations.
    return mops * {FETCH: size / 2, ELEMENTS: ELEMENT}.get(row, size) / 1e3


def run(context):
    """Measure all cells and write the picture."""
    sizes = testbed.read_numbers(context.options, "sizes", ELEMENT, 1024)
    series = {
        row: [[size, run_point(context, row, size)] for size in sizes]
        for row in (SILENT, RETURN, FETCH)
    }
    rate = run_point(context, ELEMENTS, ELEMENT)  # Of any size of the vector: keys are alike.
    series[ELEMENTS] = [[size, rate] for size in sizes]
    checks = [
        compare(f"{row}, {size} B, GB/s", value, [f"KV-Direct-{first + SIZES.index(size)}"])
        for row, first in FIRST_FACTS.items()
        for size, value in series[row]
        if size in SIZES
    ]
    panel = {
        "x": {"label": "Size of a vector", "unit": "B", "scale": "log2"},
        "y": {"label": "Throughput", "unit": "GB/s", "scale": "log"},
        "series": series,
    }
    settings = {"vectors": "one, updated by all", "element": f"{ELEMENT} B", "key": f"{KEY} B"}
    kv.finish(context, [panel], checks, PAPER, settings)
