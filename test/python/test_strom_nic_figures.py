# SPDX-License-Identifier: GPL-2.0-only
"""The quick runs of StRoM's figures 5 and 12 with the real engine, and what the paper states."""

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_figure_module


@pytest.fixture
def run_strom_figure(quick_figure):
    """A function: number of the figure and settings -> its figure.json."""
    return lambda number, *settings: quick_figure(f"strom/figure-{number}", *settings)


def get_values(data):
    """Return {label: {series: {size: value}}} of the panels."""
    return {
        panel["y"]["label"]: {name: dict(points) for name, points in panel["series"].items()}
        for panel in data["panels"]
    }


def test_the_lines_of_figure_5(run_strom_figure):
    values = get_values(run_strom_figure(5))
    rates = values["Throughput"]
    assert rates["WRITE"][65536] == pytest.approx(9.4, rel=0.01)  # StRoM-141.
    assert rates["READ"][65536] == pytest.approx(9.4, rel=0.01)
    # A frame of 64 B of payload is 64 + 82 + 16 bytes on the wire.
    assert rates["ideal"][64] == pytest.approx(10 * 64 / 162)
    assert rates["WRITE"][1024] == pytest.approx(rates["ideal"][1024], rel=0.01)
    assert 0.85 < rates["WRITE"][64] / rates["ideal"][64] < 0.97  # StRoM-142.
    # 40 ns to make a command and 100 ns to store it.
    assert values["Message rate"]["WRITE"][64] == pytest.approx(1000 / 140, rel=0.01)


@pytest.mark.slow
def test_the_lines_of_figure_12(run_strom_figure):
    data = run_strom_figure(12)
    values = get_values(data)
    rates = values["Throughput"]
    # StRoM-168: below 2 KB the message rate is the limit.
    assert data["wire_bound_from"] == 2048
    assert values["Message rate"]["WRITE"][64] == pytest.approx(1000 / 140, rel=0.01)
    assert values["Message rate"]["WRITE"][1024] == pytest.approx(1000 / 140, rel=0.01)
    for name in ("WRITE", "READ"):
        assert rates[name][65536] == pytest.approx(rates["ideal"][65536], rel=0.01)
    # StRoM-165.
    shares = data["pipeline_ns"]
    for size in ("64", "1024"):
        assert shares["strom100g"][size] < 0.5 * shares["strom10g"][size]


@pytest.mark.slow
def test_a_longer_packet_waits_three_times_at_10g(run_strom_figure):
    latency = get_values(run_strom_figure(5))["Latency, median"]
    fast = get_values(run_strom_figure(12))["Latency, median"]
    # 960 bytes more: 768 ns on the wire and 120 words in each NIC, 768 ns each.
    assert latency["WRITE"][1024] - latency["WRITE"][64] > 3 * 0.768
    # StRoM-166, StRoM-167: the wider path hides most of it.
    growth = latency["WRITE"][1024] - latency["WRITE"][64]
    assert fast["WRITE"][1024] - fast["WRITE"][64] < 0.15 * growth


@pytest.mark.parametrize("text", ["", "64,", "0", "64;128"])
def test_bad_sizes_are_refused(run_strom_figure, text):
    with pytest.raises(UserError, match="option sizes: expected whole numbers from 1 to"):
        run_strom_figure(5, f"sizes={text}")


def test_the_wire_is_the_bound_where_all_larger_sizes_reach_it(checkout):
    module = load_figure_module("strom/figure-5")
    ideal = [[64, 1.0], [128, 2.0], [256, 4.0]]
    panel = {"series": {"WRITE": [[64, 1.0], [128, 1.0], [256, 4.0]], "ideal": ideal}}
    assert module.microbenchmark.get_bound_size(panel) == 256
    panel["series"]["WRITE"] = [[64, 0.5], [128, 1.0], [256, 2.0]]
    assert module.microbenchmark.get_bound_size(panel) is None
