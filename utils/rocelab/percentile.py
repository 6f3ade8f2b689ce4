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
