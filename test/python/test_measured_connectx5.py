# SPDX-License-Identifier: GPL-2.0-only
"""The quick run of examples/fabric/measured-connectx5 with the real engine, against what was measured."""

import pytest

from rocelab.errors import UserError


@pytest.fixture(scope="module")
def rows(quick_figure):
    """Return the rows of the comparison by what they say."""
    return {row["what"]: row for row in quick_figure("fabric/measured-connectx5")["comparison"]}


@pytest.mark.slow
def test_depth_1_is_within_15_percent_of_the_measurement(rows):
    for size in ("64", "8,192"):
        assert abs(rows[f"depth 1, {size} B, Gbit/s"]["difference"]) < 0.15


@pytest.mark.slow
def test_a_gap_of_4_us_ends_the_discards(rows):
    assert rows["8 KiB, gap 0 us, discards per 1,000 frames"]["ours"] > 0
    assert rows["8 KiB, gap 4 us, discards per 1,000 frames"]["ours"] == 0
    assert abs(rows["8 KiB, gap 4 us, Gbit/s in all"]["difference"]) < 0.1


@pytest.mark.slow
def test_measured_discards_are_those_of_30_s(rows):
    # 4460.3 of 77.1756 Gbit/s x 30 s / 8 / 4096 B = 70,656,000 frames.
    row = rows["8 KiB, gap 0 us, discards per 1,000 frames"]
    assert row["measured"] == pytest.approx(0.06313, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_several_queue_pairs_fill_the_link(rows, count):
    assert abs(rows[f"1 x {count} queue pairs, Gbit/s, last third"]["ours"] - 97.7) < 1


@pytest.mark.slow
def test_two_senders_lose_no_packet_at_the_receivers_port(rows):
    assert rows["2 x 1 queue pairs, discarded by the receiver's port per 1,000"]["ours"] == 0
    assert rows["2 x 1 queue pairs, CNPs per second and queue pair"]["ours"] > 0


@pytest.mark.slow
def test_a_lone_queue_pair_loses_frames_at_the_receivers_port(rows):
    assert rows["1 x 1 queue pairs, discarded by the receiver's port per 1,000"]["ours"] > 0


@pytest.mark.slow
def test_the_first_drop_comes_when_the_excess_has_filled_the_ports_buffer(rows):
    # 5.2 MB x 8 / (2 x 60 - 100 Gbit/s) = 2.08 ms; samples are 10 us apart, and the first frames
    # need about 2 us to the switch.
    row = rows["2 x 60 Gbit/s on the wire, first drop after ms"]
    assert row["ours"] == pytest.approx(2.08, abs=0.02)


@pytest.mark.parametrize(
    "setting, expected",
    [
        ("sizes=0", "option sizes: expected whole numbers from 1"),
        ("megabytes=1,2", "option megabytes: expected one number"),
        ("bursts=-1", "option bursts: expected whole numbers from 1"),
        ("seconds=101", "option seconds: expected whole numbers from 0 to 100"),
        ("queue-pairs=65", "option queue-pairs: expected whole numbers from 1 to 64"),
        ("offered=50", "option offered: expected numbers above 50 and up to 100, got '50'"),
        ("offered=fast", "option offered: expected numbers above 50 and up to 100, got 'fast'"),
        ("seeds=0", "option seeds: expected whole numbers from 1 to 100"),
        ("milliseconds=29", "option milliseconds: expected whole numbers from 30"),
        ("solo=29", "option solo: expected whole numbers from 30"),
        ("ablations=maybe", "option ablations: expected on or off, got 'maybe'"),
    ],
)
def test_bad_options_are_named(quick_figure, setting, expected):
    with pytest.raises(UserError, match=expected):
        quick_figure("fabric/measured-connectx5", setting)
