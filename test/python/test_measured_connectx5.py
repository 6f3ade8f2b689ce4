# SPDX-License-Identifier: GPL-2.0-only
"""The quick run of examples/measured-connectx5 with the real engine, against what was measured."""

import pytest

from rocelab.errors import UserError


@pytest.fixture(scope="module")
def rows(quick_figure):
    """Return the rows of the comparison by what they say."""
    return {row["what"]: row for row in quick_figure("measured-connectx5")["comparison"]}


def test_depth_1_is_within_15_percent_of_the_measurement(rows):
    for size in ("64", "8,192"):
        assert abs(rows[f"depth 1, {size} B, Gbit/s"]["difference"]) < 0.15


def test_depth_1024_gives_six_times_the_goodput_of_depth_1(rows):
    row = rows["8,192 B, depth 1,024 over depth 1"]
    assert row["measured"] == pytest.approx(5.96, abs=0.01)
    assert abs(row["difference"]) < 0.2


def test_a_gap_of_4_us_ends_the_discards(rows):
    assert rows["8 KiB, gap 0 us, discards per 1,000 frames"]["ours"] > 0
    assert rows["8 KiB, gap 4 us, discards per 1,000 frames"]["ours"] == 0
    for gap in (0, 4):
        assert abs(rows[f"8 KiB, gap {gap} us, Gbit/s in all"]["difference"]) < 0.15


def test_two_senders_do_not_collapse(rows):
    # Without a limit of what is outstanding they make less than 3 Gbit/s.
    assert rows["2 senders, Gbit/s in all"]["ours"] > 20
    assert rows["2 senders, drops of the switch"]["ours"] == 0


@pytest.mark.parametrize(
    "setting, expected",
    [
        ("sizes=0", "option sizes: expected whole numbers from 1"),
        ("megabytes=1,2", "option megabytes: expected one number"),
        ("bursts=-1", "option bursts: expected whole numbers from 1"),
        ("senders=65", "option senders: expected whole numbers from 1 to 64"),
        ("ablations=maybe", "option ablations: expected on or off, got 'maybe'"),
    ],
)
def test_bad_options_are_named(quick_figure, setting, expected):
    with pytest.raises(UserError, match=expected):
        quick_figure("measured-connectx5", setting)
