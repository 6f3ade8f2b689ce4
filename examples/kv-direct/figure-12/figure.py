# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 12: time to merge 4 billion free slab slots.

Source: KV-Direct (SOSP 2017), section 5.1.2.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import store

SLOTS = 4e9
METHODS = {"bitmap": "Bitmap, this machine", "radix-sort": "Radix sort, this machine"}

OPTIONS = {
    "cores": Option("1,2,4,8,16,32", "1,32", "cores of the cost model"),
    "slots": Option(
        "65536,262144,1048576,4194304,16777216,67108864",
        "65536,262144",
        "slots that this machine merges",
    ),
}

LOOKS = store.make_looks({"model": "Radix sort, cost model (fitted)", **METHODS})


def measure(context, slots, method, threads=1):
    """Return the result of one merging; the model's time hangs on slots and threads alone."""
    (row,) = context.measure("kv-merge", slots=slots, merge=method, threads=threads)
    return row


def make_checks(model, own):
    """Return the rows of validation."""
    rows = [
        compare("4 billion slots, 1 core, s", model.get(1), ["KV-Direct-406"]),
        compare("4 billion slots, 32 cores, s", model.get(32), ["KV-Direct-407"]),
    ]
    growth = {method: points[max(points)] / points[min(points)] for method, points in own.items()}
    rows.append(
        check(
            f"time per slot on this machine, {max(own['bitmap']):,} slots over the fewest: bitmap,"
            " radix sort",
            "radix sort scales better",
            f"{growth['bitmap']:.1f}x, {growth['radix-sort']:.1f}x",
            growth["bitmap"] > growth["radix-sort"],
            [],
        )
    )
    return rows


def run(context):
    """Evaluate the cost model, merge slots on this machine, and write the figure."""
    cores = read_numbers(context.options, "cores", 1, 64)
    numbers = read_numbers(context.options, "slots", 16, 2**30)
    few = numbers[0]
    model = {
        count: measure(context, few, "radix-sort", count)["model_s"] * SLOTS / few
        for count in cores
    }
    own = {
        method: {
            slots: measure(context, slots, method)["processor_per_slot_ns"] for slots in numbers
        }
        for method in METHODS
    }
    panels = [
        {
            "x": {"label": "Cores", "unit": "", "scale": "log2"},
            "y": {"label": "Merging 4 billion slots", "unit": "s", "scale": "linear"},
            "series": {"model": list(map(list, model.items()))},
        },
        {
            "x": {"label": "Slots", "unit": "", "scale": "log"},
            "y": {"label": "Processor time per slot", "unit": "ns", "scale": "linear"},
            "series": {method: list(map(list, points.items())) for method, points in own.items()},
        },
    ]
    store.finish(context, panels, make_checks(model, own), LOOKS, {"threads": 1})
