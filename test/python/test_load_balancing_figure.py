# SPDX-License-Identifier: GPL-2.0-only
"""examples/fabric/load-balancing: what its quick variant must show."""

import pytest

pytestmark = pytest.mark.slow

FIGURE = "fabric/load-balancing"
PER_PACKET = ("Spray", "Round robin", "Two choices", "DRILL", "Adaptive")
PER_FLOW = ("ECMP", "Flowlet", "CONGA")


@pytest.fixture(scope="module")
def permutation(quick_figure):
    """{(transport, load balancer): point} of the larger flows, which all transports send."""
    points = quick_figure(FIGURE)["permutations"]["256"]
    return {(point["transport"], point["balancer"]): point for point in points}


def test_every_flow_of_every_run_completes(quick_figure):
    data = quick_figure(FIGURE)
    points = [point for part in ("loads", "permutations") for found in data[part].values() for point in found]
    # Two loads and a size of four transports, a size of one, one run with a constant timer.
    assert len(points) == 2 * 32 + 32 + 8 + 1
    assert not any(point["defect"] for point in points)


@pytest.mark.parametrize("balancer", PER_PACKET)
def test_a_permutation_gains_from_per_packet_choices_if_the_transport_tolerates_reordering(permutation, balancer):
    point = permutation["tolerant", balancer]
    assert point["retransmitted_percent"] == 0
    # 256 packets of 1 KiB at 100 Gb/s: twice the ideal would be a link shared by two flows.
    assert point["last_fct_us"] < 1.5 * point["ideal_us"]
    for other in PER_FLOW:
        assert point["last_fct_us"] < permutation["tolerant", other]["last_fct_us"]


@pytest.mark.parametrize("balancer", PER_PACKET)
def test_go_back_n_collapses_under_per_packet_choices(permutation, balancer):
    assert permutation["go-back-N", "ECMP"]["retransmitted_percent"] == 0
    point = permutation["go-back-N", balancer]
    assert point["retransmitted_percent"] > 100  # Each packet more than once.
    assert point["last_fct_us"] > 3 * permutation["go-back-N", "ECMP"]["last_fct_us"]


@pytest.mark.parametrize("transport", ["IRN", "SRNIC"])
def test_selective_repeat_takes_reordering_for_loss_and_still_gains(permutation, transport):
    for balancer in PER_PACKET:
        point = permutation[transport, balancer]
        assert point["retransmitted_percent"] > 10
        assert point["last_fct_us"] < permutation[transport, "ECMP"]["last_fct_us"]
