# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 11: memory accesses per GET and PUT, against MemC3's and FaRM's hash tables.

Source: KV-Direct (SOSP 2017), section 5.1.1.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option

from .. import store

TYPICAL = 0.5  # Memory utilization of the paper's system benchmarks (section 5.2.1).
TABLES = ("kv-direct", "cuckoo", "hopscotch")
SIZES = {10: "inline", 254: "not inline"}
THRESHOLD = 10  # KV-Direct's: the smallest that has pairs of 10 bytes inline.

OPTIONS = {
    "utilizations": Option(
        "0.1,0.2,0.3,0.4,0.5,0.55,0.6,0.65,0.7,0.8,0.9,0.94", "0.1,0.5", "utilizations of the memory"
    ),
    "small": Option(
        "0.4,0.5,0.52,0.54,0.56,0.58,0.6,0.65,0.7,0.75,0.8,0.85,0.88,0.9,0.92,0.95",
        "0.54,0.8",
        "hash index ratios that are tried with 10 B",
    ),
    "large": Option(
        "0.03,0.04,0.045,0.05,0.055,0.06,0.08,0.1,0.15,0.2,0.3,0.4",
        "0.05,0.2",
        "likewise, with 254 B",
    ),
    "operations": Option("100000", "5000", "operations of each kind, per point"),
}

X_AXIS = {"label": "Memory utilization", "unit": ""}


def find_best(context, table, size, shares, ratios):
    """Return {utilization: point} with the hash index ratio of the fewest accesses."""
    best, largest = {}, 0
    for ratio in ratios:
        own = {"inline_threshold": THRESHOLD} if table == "kv-direct" else {}
        rows = store.run_store(
            context,
            table=table,
            kv_size=size,
            hash_index_ratio=ratio,
            utilization=shares,
            operations=context.options["operations"],
            fill=True,
            **own,
        )
        largest = max(largest, rows[-1]["utilization"])
        for point in store.list_points(rows):
            point["ratio"] = ratio
            point["cost"] = point["get_mean"] + point["put_mean"]
            share = point["utilization"]
            if share not in best or point["cost"] < best[share]["cost"]:
                best[share] = point
    return best, largest


def get_mean(results, size, table, share, kind):
    """Return the mean accesses of a point; None if the table does not hold so much."""
    point = results[size][table][0].get(share)
    return point and point[f"{kind}_mean"]


def make_inline_checks(results, low):
    """Return the rows of what the paper prints as numbers."""
    gets, puts, updates = (
        get_mean(results, 10, "kv-direct", TYPICAL, kind) for kind in ("get", "put", "update")
    )
    more = get_mean(results, 254, "kv-direct", low, "get") - get_mean(
        results, 10, "kv-direct", low, "get"
    )
    return [
        compare(f"10 B, utilization {TYPICAL}: accesses per GET", gets, ["KV-Direct-400"]),
        compare(f"10 B, utilization {TYPICAL}: per PUT of a new pair", puts, ["KV-Direct-401"]),
        compare(f"10 B, utilization {TYPICAL}: per PUT of a known key", updates, ["KV-Direct-401"]),
        compare(f"254 B over 10 B, utilization {low:g}: per GET", more, ["KV-Direct-402"]),
    ]


def find_shared(results, size):
    """Return the highest utilization that all tables were measured at."""
    return max(set.intersection(*(set(results[size][table][0]) for table in TABLES)))


def make_cuckoo_check(results):
    """Return the row of accesses per GET of cuckoo hashing, over all utilizations and sizes."""
    pairs = [
        [get_mean(results, size, table, share, "get") for table in ("cuckoo", "kv-direct")]
        for size in SIZES
        for share in results[size]["cuckoo"][0]
        if share in results[size]["kv-direct"][0]
    ]
    more = sum(cuckoo > ours for cuckoo, ours in pairs)
    what = "accesses per GET, cuckoo against KV-Direct"
    return check(what, "more in most", f"more in {more} of {len(pairs)}", 2 * more > len(pairs), ["KV-Direct-709"])


def make_table_checks(results):
    """Return the rows of how the tables compare, at the highest utilization that all hold."""
    large, small = find_shared(results, 254), find_shared(results, 10)
    gets = {table: get_mean(results, 254, table, large, "get") for table in TABLES}
    puts = {table: get_mean(results, 10, table, small, "put") for table in TABLES}
    cuckoo = results[10]["cuckoo"][0]
    spread = cuckoo[max(cuckoo)]
    return [
        check(
            f"254 B, {large:g}: accesses per GET, hopscotch against KV-Direct",
            "fewer",
            f"{gets['hopscotch']:.3f}, {gets['kv-direct']:.3f}",
            gets["hopscotch"] < gets["kv-direct"],
            ["KV-Direct-707"],
        ),
        check(
            f"10 B, {small:g}: accesses per PUT, hopscotch against KV-Direct",
            "significantly more",
            f"{puts['hopscotch']:.2f}, {puts['kv-direct']:.2f}",
            puts["hopscotch"] > 1.1 * puts["kv-direct"],
            ["KV-Direct-708"],
        ),
        make_cuckoo_check(results),
        check(
            f"10 B, {max(cuckoo):g}: accesses per PUT of cuckoo, 5 % to 95 %, most",
            "large fluctuations",
            f"{spread['put_p5']} to {spread['put_p95']}, {spread['put_max']}",
            spread["put_p95"] >= 2 * spread["put_p5"],
            ["KV-Direct-710"],
        ),
        check(
            "10 B: largest utilization, KV-Direct, MemC3, FaRM",
            "MemC3 and FaRM: 55 %",
            ", ".join(f"{results[10][table][1]:.0%}" for table in TABLES),
            all(abs(results[10][table][1] - 0.55) < 0.055 for table in TABLES[1:]),
            ["KV-Direct-403"],
        ),
    ]


def run(context):
    """Find the best ratio for each table, size and utilization, and write the figure."""
    shares = store.read_shares(context.options, "utilizations")
    ratios = {
        10: store.read_shares(context.options, "small"),
        254: store.read_shares(context.options, "large"),
    }
    results = {
        size: {
            table: find_best(context, table, size, shares, ratios[size]) for table in TABLES
        }
        for size in SIZES
    }
    panels = [
        {
            "x": X_AXIS,
            "y": {
                "label": f"Accesses per {kind.upper()}, {size} B",
                "unit": "",
                "scale": "linear",
            },
            "series": {
                table: [[share, best[share][f"{kind}_mean"]] for share in sorted(best)]
                for table, (best, _) in results[size].items()
            },
        }
        for size in SIZES
        for kind in ("get", "put")
    ]
    settings = {
        "inlineThreshold": THRESHOLD,
        "ratios": {
            size: {table: {s: p["ratio"] for s, p in best.items()} for table, (best, _) in row.items()}
            for size, row in results.items()
        },
    }
    checks = make_inline_checks(results, shares[0]) + make_table_checks(results)
    store.finish(context, panels, checks, store.TABLE_LOOKS, settings)
