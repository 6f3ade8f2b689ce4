# SPDX-License-Identifier: GPL-2.0-only
"""examples/sonic/rocev2-plan: what its checks expect, and that a wrong switch fails them."""

import copy
import json

import pytest
from program import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main
from rocelab.validate.examples import load_example

marking = load_example("sonic/rocev2-plan/marking")
endpoints = load_example("sonic/rocev2-plan/endpoints")
common = load_example("sonic/common")


def test_shares_follow_the_weights_of_backlogged_queues():
    # 15 + 14 + 14 = 43.
    assert endpoints.get_shares((3, 3)) == pytest.approx({3: 1500 / 43, 0: 1400 / 43, 1: 1400 / 43})
    # 2 x 15 + 2 x 14 = 58.
    shares = endpoints.get_shares((3, 4))
    assert shares == pytest.approx({3: 1500 / 58, 4: 1500 / 58, 0: 1400 / 58, 1: 1400 / 58})
    assert sum(shares.values()) == pytest.approx(100)


@pytest.mark.parametrize(
    ("depth", "probability"),
    [(0, 0), (2**20 - 1, 0), (2**20, 0), (1.5 * 2**20, 0.025), (2**21 - 1, 0.05), (2**21, 1), (2**30, 1)],
)
def test_the_expected_probability_is_that_of_sonics_profile(depth, probability):
    assert marking.get_expected(depth) == pytest.approx(probability, abs=1e-6)


def test_buckets_cover_all_depths():
    step = 2**20 // marking.BUCKETS
    depths = [0, 2**20 - 1, 2**20, 2**20 + step + 1, 2**21 - 1, 2**21, 2**22]
    assert [marking.get_bucket(depth) for depth in depths] == [0, 0, 1, 2, 5, 6, 6]


def make_sums(scale):
    """Return buckets of 400,000 packets whose marks are `scale` times those expected."""
    sums = {0: [400_000, 0, 0.0], marking.BUCKETS + 1: [400_000, 400_000, 400_000.0]}
    for bucket in range(1, marking.BUCKETS + 1):
        expected = 400_000 * 0.05 * (bucket - 0.5) / marking.BUCKETS
        sums[bucket] = [400_000, round(expected * scale), expected]
    return sums


@pytest.mark.parametrize(("scale", "failures"), [(1, 0), (1.05, 1), (0.8, 2), (1.2, 2)])
def test_a_wrong_curve_fails_the_relative_check_and_the_statistical_one(scale, failures):
    # 20 % of 5 % is one point, which the check in points allows. 5 % of 18,000 marks are 6.7 standard deviations.
    case = common.Case("", "")
    marking.judge_buckets(case, make_sums(scale), "")
    assert [one.verdict for one in case.verdicts].count(common.FAIL) == failures


def test_one_mark_below_kmin_fails():
    sums = copy.deepcopy(make_sums(1))
    sums[0][1] = 1
    case = common.Case("", "")
    marking.judge_buckets(case, sums, "")
    assert [one.check for one in case.verdicts if one.verdict == common.FAIL] == ["below kmin"]


@pytest.mark.slow
@NEEDS_PROGRAM
def test_the_switch_passes_all_cases(tmp_path):
    assert main(["figure", "sonic/rocev2-plan", "--quick", "--out", str(tmp_path), "--build", str(BUILD)]) == 0
    data = json.loads((tmp_path / "sonic" / "rocev2-plan-quick" / "figure.json").read_text())
    failed = [one for one in data["verdicts"] if one["verdict"] == common.FAIL]
    assert [one["case"] for one in failed if one["nic"] == "tester"] == []
    connectx7 = {one["case"] for one in failed if one["nic"] == "connectx7"}
    # 80 MB per rank end before DCQCN has converged.
    assert connectx7 == {"RoCEv2 test case 6, fairness"}
