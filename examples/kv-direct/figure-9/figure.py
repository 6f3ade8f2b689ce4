# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 9: memory accesses (a) by hash index ratio, (b) by memory utilization.

Source: KV-Direct (SOSP 2017), section 5.1.1.
"""

from rocelab.validate.checks import check
from rocelab.validate.figure import Option

from .. import store

UTILIZATION = 0.3  # Of (a); the paper does not print it.
RATIO = 0.5  # Of (b); likewise.
THRESHOLD = 25  # Of both: the largest of Figure 6; likewise.
KINDS = ("get", "put")

OPTIONS = {
    "ratios": Option("0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8", "0.2,0.6", "shares of the hash index"),
    "utilizations": Option(
        "0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5", "0.1,0.4", "utilizations of the memory"
    ),
    "operations": Option("100000", "5000", "operations of each kind, per point"),
}

LOOKS = store.make_looks({"get": "GET", "put": "PUT"})
Y_AXIS = {"label": "Memory accesses", "unit": "", "scale": "linear"}


def measure(context, ratio, shares):
    """Return the points of one store."""
    return store.run_store(
        context,
        kv_size=store.MIXED_SIZES,
        hash_index_ratio=ratio,
        inline_threshold=THRESHOLD,
        utilization=shares,
        operations=context.options["operations"],
    )


def make_checks(by_ratio, by_utilization):
    """Return the rows of validation."""
    rows = []
    for name, series, is_rising, fact in (
        ("hash index ratio", by_ratio, False, "KV-Direct-703"),
        ("memory utilization", by_utilization, True, "KV-Direct-704"),
    ):
        for kind in KINDS:
            values = [y for _, y in series[kind]]
            rows.append(
                check(
                    f"accesses per {kind.upper()} over the {name}",
                    "rise" if is_rising else "fall",
                    f"{values[0]:.2f} to {values[-1]:.2f}",
                    values == sorted(values, reverse=not is_rising),
                    [fact],
                )
            )
    return rows


def run(context):
    """Fill a store per ratio, and one in steps; write the figure."""
    shares = store.read_shares(context.options, "utilizations")
    by_ratio = {kind: [] for kind in KINDS}
    for ratio in store.read_shares(context.options, "ratios"):
        result = measure(context, ratio, [UTILIZATION])
        for kind in KINDS:
            points = store.get_points(result, kind)
            if UTILIZATION in points:
                by_ratio[kind].append([ratio, points[UTILIZATION]])
    result = measure(context, RATIO, shares)
    by_utilization = {
        kind: list(map(list, store.get_points(result, kind).items())) for kind in KINDS
    }
    panels = [
        {"x": {"label": "Hash index ratio", "unit": ""}, "y": Y_AXIS, "series": by_ratio},
        {"x": {"label": "Memory utilization", "unit": ""}, "y": Y_AXIS, "series": by_utilization},
    ]
    settings = {
        "sizes": store.MIXED_SIZES,
        "inlineThreshold": THRESHOLD,
        "hashIndexRatio": RATIO,
        "utilization": UTILIZATION,
    }
    checks = make_checks(by_ratio, by_utilization)
    store.finish(context, panels, checks, LOOKS, settings)
