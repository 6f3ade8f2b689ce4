# SPDX-License-Identifier: GPL-2.0-only
"""The project's one definition of a percentile."""

import numpy


def nearest_rank(values, percent):
    """Return the smallest value with at least `percent` % of all values at or below it.

    `percent` is an integer from 1 to 100. The rank is computed in integers, because 0.99 * n in
    floating point can land just above a whole number. Returns None for no values.
    """
    count = len(values)
    if count == 0:
        return None
    rank = (percent * count + 99) // 100
    return float(numpy.partition(values, rank - 1)[rank - 1])


def mean(values):
    """Return the arithmetic mean, or None for no values."""
    return float(numpy.mean(values)) if len(values) else None


def bootstrap(values, percent, resamples=1000, seed=1):
    """Return (low, high) between which 95 % of the percentiles of resampled values lie.

    A resample draws as many values as there are, with replacement (Efron 1979). Its percentile is
    the value of rank ceil(n U), where U is the k-th smallest of n uniform numbers and has a Beta(k,
    n + 1 - k) distribution: one draw replaces n. The seed is fixed, so the same values give the same
    bounds. Returns (None, None) for no values.
    """
    count = len(values)
    if count == 0:
        return None, None
    rank = (percent * count + 99) // 100
    draws = numpy.random.default_rng(seed).beta(rank, count + 1 - rank, resamples)
    ranks = numpy.sort(numpy.clip(numpy.ceil(count * draws), 1, count).astype(int))
    bounds = ranks[[int(resamples * 0.025), resamples - 1 - int(resamples * 0.025)]]
    low, high = numpy.sort(values)[bounds - 1]
    return float(low), float(high)
