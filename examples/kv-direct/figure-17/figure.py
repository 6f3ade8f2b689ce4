# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 17: latency under peak throughput, with and without batching.

Source: KV-Direct (SOSP 2017), section 5.2.4.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

SINGLE, BATCHED = "without batching", "with batching"
# Operations under way that are tried, us of a run without warm-up.
WAYS = {
    SINGLE: ((32, 48, 64, 80, 96, 128, 192, 256), 120),
    BATCHED: ((64, 96, 128, 192, 256, 384, 512, 640, 768, 1024, 1536), 60),
}
LEAST_STEP = 4  # Operations between windows that are tried near the peak; a batch, if it is longer.
MIXES = {"GET": 1, "PUT": 0}

OPTIONS = {
    "sizes": Option("10,62,254", "10", "size of key and value together, bytes"),
    "memory": Option("2", "1", "MiB of the store"),
    "share": Option("90", "90", "share of the largest throughput that counts as the peak, %"),
}


def measure_point(context, size, mix, popularity, way):
    """Return {"mops", "p5", "p50", "p95", "p99"} of the smallest window at the peak."""
    windows, duration = WAYS[way]
    batch = common.get_batch(size) if way == BATCHED else 1
    warmup = 2 * duration

    def measure(window):
        workload = common.make_workload(
            size,
            MIXES[mix],
            popularity,
            memory=f"{context.options['memory']}MiB",
            batch=batch,
            outstanding=max(1, window // batch),
            duration=f"{warmup + duration}us",
            warmup=f"{warmup}us",
        )
        name = f"{popularity}-{mix}-{size}-{batch}-{window}"
        nic = common.run_store(context, common.make_scenario(name, workload))
        p5, p50, p95, p99 = common.get_percentiles(nic, warmup, (5, 50, 95, 99))
        mops = common.get_mops(nic)
        return mops, {"mops": mops, "p5": p5, "p50": p50, "p95": p95, "p99": p99, "window": window}

    share = read_number(context.options, "share", 1, 100) / 100
    if context.is_quick:
        return common.find_knee(measure, windows[-1:], share, is_bracketed=False)
    return common.find_knee(measure, windows, share, step=max(batch, LEAST_STEP))


def make_panel(way, key, label, found, sizes):
    """Return the panel of one percentile."""
    series = {
        f"{mix}, {popularity}": [[size, found[way, mix, popularity, size][key]] for size in sizes]
        for mix in MIXES
        for popularity in common.THETAS
    }
    return {
        "x": {"label": f"Size of a pair, {way}", "unit": "B", "scale": "log"},
        "y": {"label": label, "unit": "us", "scale": "linear"},
        "series": series,
    }


def make_checks(found):
    """Return the rows of validation; the tail is the 95th percentile, which the paper draws."""
    tails = {place: point["p95"] for place, point in found.items()}
    single = [tail for place, tail in tails.items() if place[0] == SINGLE]
    batched = [tail for place, tail in tails.items() if place[0] == BATCHED]
    added = [
        point["p50"] - found[(SINGLE, *place[1:])]["p50"]
        for place, point in found.items()
        if place[0] == BATCHED
    ]
    text = f"{min(single):.2f} to {max(single):.2f} us"
    # The range: both of its ends within 10 %.
    is_met = abs(min(single) - 3) <= 0.3 and abs(max(single) - 9) <= 0.9
    return [
        check("P95 without batching", "3 to 9 us", text, is_met, ["KV-Direct-446"]),
        compare("P50 that batching adds, most, us", max(added), ["KV-Direct-447"]),
        compare("P95, most, with batching, us", max(batched), ["KV-Direct-358"]),
        compare("P95, most, without batching, us", max(single), ["KV-Direct-358"]),
        *make_order_rows(tails),
    ]


def make_order_rows(tails):
    """Return the rows of which tail is longer, without batching, of points that differ in one respect."""
    rows = []
    for place, values, stated, fact in (
        (1, ("GET", "PUT"), "a PUT takes longer", "KV-Direct-719"),
        (2, (common.LONG_TAIL, common.UNIFORM), "uniform keys take longer", "KV-Direct-720"),
        (3, sorted({key[3] for key in tails}), "larger pairs take longer", "KV-Direct-721"),
    ):
        pairs = [
            (tails[key], tails[(*key[:place], later, *key[place + 1 :])])
            for key in tails
            if key[0] == SINGLE
            for earlier, later in zip(values, values[1:])
            if key[place] == earlier
        ]
        longer = sum(before < after for before, after in pairs)
        text = f"in {longer} of {len(pairs)}"
        rows.append(check(f"P95 without batching: {stated}", "yes", text, longer == len(pairs), [fact]))
    return rows


def run(context):
    """Measure all points and write the figure."""
    sizes = read_numbers(context.options, "sizes", 5, 254)
    read_number(context.options, "memory", 1, 16384)
    found = {
        (way, mix, popularity, size): measure_point(context, size, mix, popularity, way)
        for way in WAYS
        for mix in MIXES
        for popularity in common.THETAS
        for size in sizes
    }
    panels = [
        make_panel(way, key, label, found, sizes)
        for key, label in (("p95", "P95 latency"), ("mops", "Throughput"))
        for way in WAYS
    ]
    for panel in panels[2:]:
        panel["y"]["unit"] = "Mops"
    settings = {
        "batches": {size: common.get_batch(size) for size in sizes},
        "round trip of the network with its NICs": f"{common.ROUND_TRIP_US}us",
        "windows": {"; ".join(map(str, place)): point["window"] for place, point in found.items()},
    }
    common.finish(context, panels, make_checks(found), settings)
