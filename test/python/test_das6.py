# SPDX-License-Identifier: GPL-2.0-only
"""What the figures on DAS6 share: lengths of runs, options."""

from types import SimpleNamespace

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example

das6 = load_example("thesis/das6")
empty = load_example("thesis/figure-5-4/figure")


def test_separate_threads_warm_up_for_a_list_of_each_queue_pair():
    # 400 lists of 100 x 16 KiB at 90 Gb/s: 58.3 ms, in samples of 10 ms.
    assert das6.get_warmup(400, 16, is_shared=False) == 60
    assert das6.get_warmup(400, 16, is_shared=True) == 30  # Send queues are filled.
    times = das6.make_times(400, 16, "20", is_shared=False)
    assert times == {"duration": "80ms", "warmup": "60ms", "cooldown": "0ms"}


@pytest.mark.parametrize("measured", ["abc", "0", "15", "-10", ""])
def test_a_length_that_is_no_number_of_samples_is_refused(measured):
    with pytest.raises(UserError, match="--option measured: expected a multiple of 10"):
        das6.make_times(4, 8, measured, is_shared=True)


def test_a_configuration_that_the_thesis_has_not_is_refused():
    context = SimpleNamespace(options={"configurations": "9", "measured": "10"})
    with pytest.raises(UserError, match="--option configurations: expected some of 1, 2, got '9'"):
        das6.measure(context, {"1": (4, 8), "2": (4, 16)}, das6.make_one_to_one)


def make_samples(*rows):
    """Return samples of 10 ms of (Gb/s, least requests in the queue)."""
    return [{"time": 0.01 * place, "goodput": rate, "use": 80, "fill": fill} for place, (rate, fill) in enumerate(rows)]


def test_a_dip_ends_before_the_first_sample_that_has_recovered():
    # The median is 98; a dip begins below 93.1 and ends at 97.02.
    samples = make_samples((98, 900), (98, 900), (65, 0), (80, 950), (97, 950), (98, 900), (98, 900))
    assert empty.find_dips(samples) == [(2, 5, 65)]
    assert empty.find_dips(make_samples((98, 900), (94, 900), (98, 900))) == []


def test_dips_are_those_of_an_empty_receive_queue_or_others(monkeypatch):
    samples = make_samples((98, 900), (98, 900), (98, 900), (70, 900), (98, 900), (65, 3), (98, 900), (66, 10))
    monkeypatch.setattr(empty.common, "read_samples", lambda nic: samples)
    # The first begins a whole sample of 10 ms; the last has not recovered when the run ends.
    assert empty.split_dips(None) == ([(65, 10), (66, None)], [28])
