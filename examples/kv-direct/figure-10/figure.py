# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 10: the largest memory utilization by hash index ratio, and accesses there.

Source: KV-Direct (SOSP 2017), section 5.1.1.
"""

from rocelab.validate.checks import check
from rocelab.validate.figure import Option

from .. import store

NEARLY = 0.99  # Of the largest utilization: where the accesses are counted.
NOISE = 0.01  # Accesses; 100,000 random pairs of mixed sizes.

OPTIONS = {
    "ratios": Option("0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", "0.3,0.7", "shares of the hash index"),
    "operations": Option("100000", "5000", "operations of each kind, per point"),
}

X_AXIS = {"label": "Hash index ratio", "unit": ""}


def fill(context, ratio, threshold, **more):
    """Return the result of a store of mixed sizes."""
    return store.run_store(
        context,
        kv_size=store.MIXED_SIZES,
        hash_index_ratio=ratio,
        inline_threshold=threshold,
        **more,
    )


def measure(context, ratio, threshold):
    """Return the largest utilization, and the accesses of a get just below."""
    reached = fill(context, ratio, threshold, utilization=0.01, operations=1, fill=True)[-1]["utilization"]
    near = round(NEARLY * reached, 4)
    result = fill(
        context, ratio, threshold, utilization=near, operations=context.options["operations"]
    )
    return reached, store.get_points(result, "get")[near]


def make_checks(largest, accesses):
    """Return the rows of validation."""
    rows = []
    for threshold, points in largest.items():
        peak = max(points, key=lambda point: point[1])
        beyond = [y for x, y in points if x >= peak[0]]
        rows.append(
            check(
                f"{threshold} B: largest utilization over the ratio",
                "falls",
                f"{points[0][1]:.2f} to {points[-1][1]:.2f}, most at a ratio of {peak[0]:g}",
                beyond == sorted(beyond, reverse=True) and points[0] == peak,
                ["KV-Direct-705"],
            )
        )
    for threshold, points in accesses.items():
        values = [y for _, y in points]
        rows.append(
            check(
                f"{threshold} B: accesses per GET at the largest utilization",
                "fewer with a higher ratio",
                f"{values[0]:.2f} to {values[-1]:.2f}",
                all(after <= before + NOISE for before, after in zip(values, values[1:])),
                ["KV-Direct-706"],
            )
        )
    return rows


def run(context):
    """Fill a store per ratio and threshold, and write the figure."""
    ratios = store.read_shares(context.options, "ratios")
    names = {threshold: f"threshold-{threshold}" for threshold in store.THRESHOLDS}
    largest = {name: [] for name in names.values()}
    accesses = {name: [] for name in names.values()}
    for threshold, name in names.items():
        for ratio in ratios:
            reached, gets = measure(context, ratio, threshold)
            largest[name].append([ratio, reached])
            accesses[name].append([ratio, gets])
    panels = [
        {
            "x": X_AXIS,
            "y": {"label": "Largest utilization", "unit": "", "scale": "linear"},
            "series": largest,
        },
        {
            "x": X_AXIS,
            "y": {"label": "Accesses per GET there", "unit": "", "scale": "linear"},
            "series": accesses,
        },
    ]
    settings = {"sizes": store.MIXED_SIZES}
    checks = make_checks(
        {threshold: largest[name] for threshold, name in names.items()},
        {threshold: accesses[name] for threshold, name in names.items()},
    )
    store.finish(context, panels, checks, store.THRESHOLD_LOOKS, settings)
