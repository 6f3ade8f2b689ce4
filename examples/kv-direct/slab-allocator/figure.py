# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct's slab allocator: DMA requests, PCIe throughput and work of the host's daemon.

Source: KV-Direct (SOSP 2017), sections 3.3.2 and 5.1.2.
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import store

BATCH = 16  # Entries of one DMA: ours; 64 bytes.
PATTERNS = {
    "allocate": "allocate, fresh",
    "free": "free",
    "reuse": "allocate what was freed",
    "churn": "both at random",
}
SHIFTS = ("large-to-small", "small-to-large")

OPTIONS = {
    "batches": Option("4,8,16,32,64", "8,16", "entries of one DMA"),
    "memory": Option("64MiB", "4MiB", "memory of the slabs"),
}

LOOKS = store.make_looks(PATTERNS)
X_AXIS = {"label": "Entries of a DMA", "unit": "", "scale": "log2"}


def measure(context, pattern, batch):
    """Return the row of the measurement kv-slabs."""
    (row,) = context.measure(
        "kv-slabs", pattern=pattern, memory=context.options["memory"], batch=batch
    )
    return row


def make_checks(results, shifts):
    """Return the rows of validation, all with batches of 16 entries."""
    worst = max(results[pattern][BATCH]["dma_per_operation"] for pattern in results)
    rate = max(results[pattern][BATCH]["pcie_MBps"] for pattern in results)
    moved = shifts["large-to-small"]["split_mops"]
    return [
        compare("DMA per operation, most of all patterns", worst, ["KV-Direct-389", "KV-Direct-384"]),
        compare("entries over PCIe, most of all patterns, MB/s", rate, ["KV-Direct-404"]),
        compare("entries moved, 64 B slabs freed, then 32 B, M/s", moved, ["KV-Direct-405"]),
    ]


def run(context):
    """Measure each pattern with each batch, and write the figure."""
    batches = read_numbers(context.options, "batches", 1, 64)
    if BATCH not in batches:
        batches = sorted([*batches, BATCH])
    results = {
        pattern: {batch: measure(context, pattern, batch) for batch in batches}
        for pattern in PATTERNS
    }
    shifts = {pattern: measure(context, pattern, BATCH) for pattern in SHIFTS}
    panels = [
        {
            "x": X_AXIS,
            "y": {"label": "DMA per operation", "unit": "", "scale": "linear"},
            "series": {
                pattern: [[batch, result["dma_per_operation"]] for batch, result in row.items()]
                for pattern, row in results.items()
            },
        },
        {
            "x": X_AXIS,
            "y": {"label": "PCIe at 180 Mops", "unit": "MB/s", "scale": "linear"},
            "series": {
                pattern: [[batch, result["pcie_MBps"]] for batch, result in row.items()]
                for pattern, row in results.items()
            },
        },
    ]
    settings = {"memory": context.options["memory"], "slabBytes": 32, "shifts": shifts}
    store.finish(context, panels, make_checks(results, shifts), LOOKS, settings)
