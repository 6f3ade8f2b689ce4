# SPDX-License-Identifier: GPL-2.0-only
import numpy
import pytest

from rocelab.percentile import mean, nearest_rank


@pytest.mark.parametrize(
    "count, percent, expected",
    [
        (1, 99, 1),  # ceil(0.99) = 1st
        (99, 99, 99),  # ceil(98.01) = 99th
        (100, 99, 99),  # 99 of 100 values are at most 99
        (101, 99, 100),  # ceil(99.99) = 100th
        (4, 50, 2),
        (5, 50, 3),
        (7, 100, 7),
    ],
)
def test_nearest_rank_is_the_smallest_value_with_enough_values_at_or_below(count, percent, expected):
    values = numpy.arange(count, 0, -1, dtype=float)
    assert nearest_rank(values, percent) == expected


def test_nearest_rank_is_always_one_of_the_values():
    assert nearest_rank(numpy.array([1.0, 10.0]), 50) == 1.0


def test_no_values_have_no_percentile_and_no_mean():
    assert nearest_rank(numpy.array([]), 99) is None
    assert mean(numpy.array([])) is None
