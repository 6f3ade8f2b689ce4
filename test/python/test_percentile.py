# SPDX-License-Identifier: GPL-2.0-only
import numpy
import pytest

from rocelab.results.percentile import bootstrap, mean, nearest_rank


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


def test_the_bootstrap_of_a_p99_has_the_bounds_of_the_binomial_distribution():
    # The P99 of 100 values is the 99th. That of a resample is at most the j-th smallest value if 99
    # of the 100 draws are: P = 100 p^99 (1 - p) + p^100 with p = j / 100, which is 0.015 for j = 94,
    # 0.037 for 95, 0.736 for 99, 1 for 100. So 2.5 % are reached at 95, 97.5 % at 100.
    assert bootstrap(numpy.arange(100, 0, -1), 99) == (95, 100)


def test_the_bootstrap_agrees_with_resampling_itself():
    values = numpy.random.default_rng(7).exponential(size=400)
    draws = numpy.random.default_rng(8).choice(values, (4000, 400))
    p99s = numpy.sort(numpy.sort(draws)[:, 395])  # The 396th of 400.
    low, high = bootstrap(values, 99, resamples=4000)
    ranks = numpy.searchsorted(p99s, [low, high], side="right") / 4000
    # The bounds are values of the sample, so their shares are steps around 2.5 and 97.5 %.
    assert 0.02 < ranks[0] < 0.06 and 0.965 < ranks[1] <= 1
    assert low < nearest_rank(values, 99) < high


def test_the_bootstrap_is_the_same_each_time_and_narrows_with_more_values():
    few, many = numpy.linspace(0, 1, 200), numpy.linspace(0, 1, 20_000)
    assert bootstrap(few, 99) == bootstrap(few[::-1], 99)
    # The width falls as the root of the number: to a tenth, within 30 %.
    widths = [high - low for low, high in (bootstrap(few, 99), bootstrap(many, 99))]
    assert widths[1] == pytest.approx(widths[0] / 10, rel=0.3)
    assert bootstrap([], 99) == (None, None) and bootstrap([3.0], 99) == (3, 3)
