# SPDX-License-Identifier: GPL-2.0-only
"""The quick runs of BALBOA's figures 4, 5 and 6 with the real engine, and what the paper states."""

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_figure_module


@pytest.fixture
def run_balboa_figure(quick_figure):
    """A function: number of the figure and settings -> its figure.json."""
    return lambda number, *settings: quick_figure(f"balboa/figure-{number}", *settings)


@pytest.fixture
def load_figure(checkout):
    """Import examples/balboa/figure-N/figure.py."""
    return lambda number: load_figure_module(f"balboa/figure-{number}")


@pytest.mark.slow
def test_pairs_rank_as_in_figure_4(run_balboa_figure):
    data = run_balboa_figure(4, "sizes=64,32768,1048576")
    assert [panel["y"]["label"] for panel in data["panels"]] == [
        "WRITE throughput",
        "WRITE latency",
        "READ throughput",
        "READ latency",
    ]
    for panel in data["panels"]:
        is_latency = panel["y"]["unit"] == "us"
        values = {name: dict(points) for name, points in panel["series"].items()}
        best, worst = values["connectx5 - connectx5"], values["balboa - balboa"]
        for mixed in (values["connectx5 - balboa"], values["balboa - connectx5"]):
            if is_latency:
                # BALBOA-193: between the two homogeneous pairs.
                assert best[64] < mixed[64] < worst[64]
            else:
                assert 95 < mixed[1048576] < 98.1
        if is_latency:
            # BALBOA-192: the gap matters less for large buffers.
            assert worst[64] / best[64] > 1.2 > worst[1048576] / best[1048576]
    # BALBOA-191.
    saturation = data["panels"][0]["saturation"]
    assert saturation["connectx5 - connectx5"] == 32768
    assert saturation["balboa - balboa"] == 32768
    assert data["paper"][0]["sources"] == ["BALBOA-191"]


@pytest.mark.slow
def test_a_longer_message_takes_its_packets_longer(run_balboa_figure):
    data = run_balboa_figure(4, "sizes=4096,8192,16384")
    # Without the first round trip, which waits for one read over PCIe more: 19 of 20 are equal.
    latency = {size: low for size, low, _ in data["panels"][1]["spread"]["balboa - balboa"]}
    # Each packet more is on the wire for 4096 + 58 + 24 bytes at 100 Gbit/s: 334.2 ns.
    assert latency[8192] - latency[4096] == pytest.approx(0.3342, abs=0.002)
    assert latency[16384] - latency[8192] == pytest.approx(2 * 0.3342, abs=0.002)


def test_the_parts_of_figure_5_add_up_to_the_simulation(run_balboa_figure, capsys):
    data = run_balboa_figure(5)  # Fails unless they do.
    blocks, path = data["panels"]
    for size in ("64", "4096"):
        share = data["shares"][size]
        assert share["processing"] > 0.5 * share["stack"] > share["icrc"]  # BALBOA-195.
        total = sum(value for _, value in path["series"][f"{size} B"])
        assert total == pytest.approx(data["simulated_ns"][size], rel=1e-3)
    # BALBOA-194: outside the stack the length counts.
    assert data["shares"]["4096"]["around"] > 1.5 * data["shares"]["64"]["around"]
    assert data["shares"]["4096"]["stack"] == data["shares"]["64"]["stack"]
    assert "icrc" in dict(blocks["series"]["64 B"])
    assert "simulated" in capsys.readouterr().out


def test_queue_pairs_share_evenly_as_in_figure_6(run_balboa_figure):
    data = run_balboa_figure(6, "batches=4")
    assert list(data["series"]) == ["2 queue pairs", "4 queue pairs", "8 queue pairs"]
    for count in ("2", "4", "8"):
        assert data["jain"][count] > 0.999
        # Of 100 Gbit/s, 4096 / 4178 at most; a READ more or less at the ends of the measurement.
        assert data["total_gbps"][count] == pytest.approx(98.0, abs=0.7)


def test_saturation_is_where_a_curve_stays_near_the_rate_of_the_link(load_figure):
    # 95 % of the 98.04 Gb/s of payload with 4096 of 4178 B per packet: 93.1 Gb/s.
    find = load_figure(4).get_saturation_size
    assert find([[64, 10], [128, 96], [256, 100], [512, 98]]) == 128
    assert find([[64, 97], [128, 50], [256, 100]]) == 256
    assert find([[64, 5], [128, 93]]) is None


def test_jains_index_falls_with_inequality(load_figure):
    index = load_figure(6).get_jain_index
    assert index([5, 5, 5, 5]) == 1
    assert index([20, 0, 0, 0]) == 0.25
    assert index([3, 1]) == pytest.approx(16 / 20)


def test_parts_that_do_not_add_up_are_an_error(load_figure):
    with pytest.raises(UserError, match="64 bytes: expected the parts, 100 ns, .* got 101 ns"):
        load_figure(5).check_sum(64, {"one": 60, "other": 40}, 101)


@pytest.mark.parametrize(
    "number, setting",
    [(4, "sizes=64,big"), (4, "iters=2"), (5, "iters=few"), (6, "qps=0"), (6, "batches=1,2")],
)
def test_bad_options_say_what_was_expected(run_balboa_figure, number, setting):
    with pytest.raises(UserError, match=f"option {setting.split('=')[0]}: expected"):
        run_balboa_figure(number, setting)


def test_inspection_costs_nothing_as_in_figure_8(run_balboa_figure):
    data = run_balboa_figure(8)
    assert all(row["met"] for row in data["checks"])
    for panel in data["panels"]:
        values = {name: dict(map(tuple, points)) for name, points in panel["series"].items()}
        assert values["with"] == pytest.approx(values["without"], rel=1e-3)  # BALBOA-204.


@pytest.mark.slow
def test_the_way_to_the_gpu_saves_a_copy_as_in_figures_10_and_11(run_balboa_figure):
    (panel,) = run_balboa_figure(10)["panels"]
    rates = {name: dict(map(tuple, points)) for name, points in panel["series"].items()}
    assert rates["gpu"][262144] > 10 * rates["cpu"][262144]
    # Requests wait until their data have left the card: nothing overruns the path of 8,500 MB/s.
    assert rates["gpu"][262144] == pytest.approx(8500, rel=0.01)
    data = run_balboa_figure(11, "iters=1")
    saved = dict(map(tuple, data["panels"][0]["series"]["saved"]))
    # A copy is 20 us and 7 GB/s; the path to the GPU is slower than that to the host.
    assert saved[64] == pytest.approx(20, abs=1.5)  # The first batch misses caches.
    assert 100 < saved[1048576] < 20 + 1048576 / 7000
