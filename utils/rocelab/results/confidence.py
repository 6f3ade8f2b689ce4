# SPDX-License-Identifier: GPL-2.0-only
"""Mean and 95 % confidence interval of a small sample."""

import math

LEVEL = 0.95


def get_interval(values):
    """Return (mean, half width of the 95 % confidence interval of the mean) of numbers.

    By Student's t with n - 1 degrees of freedom (Student 1908). Without numbers the mean, and with
    fewer than two the half width, is None.
    """
    count = len(values)
    if not count:
        return None, None
    mean = math.fsum(values) / count
    if count == 1:
        return mean, None
    if min(values) == max(values):
        return values[0], 0.0  # Without rounding.
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    # Here: it takes as long to load as a small run.
    from scipy.special import stdtrit

    return mean, float(stdtrit(count - 1, (1 + LEVEL) / 2)) * math.sqrt(variance / count)
