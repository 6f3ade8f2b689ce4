# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 6: memory accesses by inline threshold and memory utilization.

Source: KV-Direct (SOSP 2017), section 3.3.1.
"""

from rocelab.validate.checks import check
from rocelab.validate.figure import Option

from .. import store

RATIO = 0.3  # Of the hash index; the paper does not state it.

OPTIONS = {
    "utilizations": Option(
        "0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55", "0.1,0.4", "utilizations of the memory"
    ),
    "operations": Option("100000", "5000", "operations of each kind, per point"),
}

X_AXIS = {"label": "Memory utilization", "unit": ""}


def get_mean(result, utilization):
    """Return the mean of gets and puts at a utilization; None if it was not reached."""
    gets, puts = (store.get_points(result, kind) for kind in ("get", "put"))
    return (gets[utilization] + puts[utilization]) / 2 if utilization in gets else None


def find_best(results, utilization):
    """Return the threshold with the fewest accesses of gets and puts, equally many."""
    means = {threshold: get_mean(result, utilization) for threshold, result in results.items()}
    return min((mean, threshold) for threshold, mean in means.items() if mean is not None)[1]


def get_growth(result, low, high):
    """Return how much the mean grows between two utilizations."""
    return get_mean(result, high) - get_mean(result, low)


def make_checks(results, shares):
    """Return the rows of validation."""
    low = shares[0]
    common = [u for u in shares if all(get_mean(result, u) for result in results.values())]
    if len(common) < 2:
        return []
    high = common[-1]
    growth = [get_growth(result, low, high) for result in results.values()]
    highest = max(u for u in shares if any(get_mean(r, u) for r in results.values()))
    best = [find_best(results, u) for u in (low, highest)]
    return [
        check(
            f"growth from {low:g} to {high:g}, accesses, by rising threshold",
            "steeper with a higher threshold",
            ", ".join(f"{value:.2f}" for value in growth),
            growth == sorted(growth) and growth[0] >= 0,
            ["KV-Direct-701"],
        ),
        check(
            f"best threshold at {low:g} and at {highest:g}",
            "depends on the utilization",
            f"{best[0]} B, {best[1]} B",
            best[0] > best[1],
            ["KV-Direct-702"],
        ),
    ]


def run(context):
    """Fill a store per threshold, and write the figure."""
    shares = store.read_shares(context.options, "utilizations")
    results = {
        threshold: store.run_store(
            context,
            kv_size=store.MIXED_SIZES,
            hash_index_ratio=RATIO,
            inline_threshold=threshold,
            utilization=shares,
            operations=context.options["operations"],
        )
        for threshold in store.THRESHOLDS
    }
    panels = [
        {
            "x": X_AXIS,
            "y": {"label": f"Accesses per {kind.upper()}", "unit": "", "scale": "linear"},
            "series": {
                f"threshold-{threshold}": list(map(list, store.get_points(result, kind).items()))
                for threshold, result in results.items()
            },
        }
        for kind in ("get", "put")
    ]
    settings = {"sizes": store.MIXED_SIZES, "hashIndexRatio": RATIO}
    checks = make_checks(results, shares)
    store.finish(context, panels, checks, store.THRESHOLD_LOOKS, settings)
