# SPDX-License-Identifier: GPL-2.0-only
"""The testbed of SRNIC, options and points of figures, and the quick variants of the figures that it serves, on the real engine."""

import pytest

from rocelab.errors import UserError
from rocelab.validate import options, points
from rocelab.validate.examples import load_example

testbed = load_example("srnic/common")


class FakeContext:
    """Records the commands and answers each with the same JSON."""

    def __init__(self, answer):
        self.answer = answer
        self.commands = []

    def run_command(self, arguments):
        self.commands.append(arguments)
        return self.answer

    def measure(self, name, **keys):
        self.commands.append((name, keys))
        return [self.answer]


def test_perftest_is_asked_for_the_testbed_of_the_paper():
    context = FakeContext({"results": ["the result"]})
    result = testbed.run_perftest(context, "send_bw", "srnic", size=512, tx_depth=8, set=["a", "b"])
    assert result == "the result"
    command = ["perftest", "send_bw", "--nic", "srnic", "--hardware", "on", "--json"]
    command += ["--rate", "100Gbps", "--delay", "10ns", "--mtu", "1024"]
    command += ["--size", "512", "--tx-depth", "8", "--set", "a", "--set", "b"]
    assert context.commands == [command]


def test_tcp_is_asked_at_the_same_rate():
    context = FakeContext({"wire_gbps": 30})
    assert testbed.run_tcp(context, "bw", size=64, connections=2) == {"wire_gbps": 30}
    assert context.commands == [("tcp-bw", {"rate": "100Gbps", "size": 64, "connections": 2})]


@pytest.mark.parametrize(
    "queue_pairs, iterations",
    [
        (1, 200000),
        (128, 1560),  # 1562 is no multiple of 4.
        (2048, 96),
        (16384, 32),  # Twice the depth at least.
    ],
)
def test_the_load_of_a_queue_pair_is_the_same_for_any_number(queue_pairs, iterations):
    load = testbed.get_load(queue_pairs, 200000)
    assert load == {"qp": queue_pairs, "iters": iterations, "tx_depth": 16, "cq_mod": 4}


def test_iterations_follow_the_size_within_bounds():
    assert testbed.get_iterations(1000, 1, 10, 5000) == 1000
    assert testbed.get_iterations(100, 1, 10, 5000) == 5000
    assert testbed.get_iterations(10**6, 1, 10, 5000) == 10


def test_numbers_of_options_are_checked():
    assert options.read_numbers({"qps": "256,128,256"}, "qps", 1, 300) == [128, 256]
    assert options.read_number({"qps": "7"}, "qps", 1, 300) == 7
    for text in ("0", "301", "a", "", "1,,2", "-1", "1.5"):
        with pytest.raises(UserError, match="option qps: expected whole numbers from 1 to 300"):
            options.read_numbers({"qps": text}, "qps", 1, 300)
    with pytest.raises(UserError, match="expected one number, got '1,2'"):
        options.read_number({"qps": "1,2"}, "qps", 1, 300)


def test_names_of_options_are_taken_once():
    assert options.read_names({"nics": "b,a,b"}) == ["b", "a"]


def test_the_last_point_before_a_drop():
    measured = [[128, 10], [256, 9.5], [512, 5], [1024, 9.9]]
    assert points.find_last(measured, lambda y, first: y >= 0.9 * first) == 256
    # None dropped, or the first already: the limit is not among the points.
    assert points.find_last(measured[:2], lambda y, first: y >= 0.9 * first) is None
    assert points.find_last(measured, lambda y, first: y > first) is None


def test_points_are_a_line_per_x():
    panels = [
        {"x": {"label": "Size"}, "y": {"label": "Rate", "unit": "M/s"}, "series": series}
        for series in ({"a": [[64, 1.0], [4096, 2.0]]}, {"b": [[64, 3.0]]})
    ]
    lines = points.format_points(panels).split("\n")
    assert [line.split() for line in lines[4:]] == [["64", "1.00", "3.00"], ["4,096", "2.00", "-"]]
    assert points.find(panels[0]["series"], "a", 64) == 1.0
    assert points.find(panels[0]["series"], "a", 65) is None
    assert points.find(panels[0]["series"], "c", 64) is None


def test_misses_are_those_of_contexts_and_translations():
    caches = {"contextCache": 3, "translationCache": 4, "receiveWqeCache": 100}
    assert testbed.get_misses({name: {"misses": count} for name, count in caches.items()}) == 7


@pytest.mark.slow
def test_figure_2_shows_the_collapse_and_its_misses(quick_figure):
    data = quick_figure("srnic/figure-2")
    throughput, extra, misses = (panel["series"] for panel in data["panels"])
    for nic in ("connectx5", "connectx6"):
        few, many = throughput[nic]
        assert (few[0], many[0]) == (128, 2048)
        assert many[1] < few[1] < 100
        # 128 contexts fit, 2048 do not: these are fetched again and again.
        assert misses[nic][0][1] == 0 < misses[nic][1][1]
        assert extra[nic][0][1] < extra[nic][1][1]
    assert data["comparison"][0]["paper"] == 97
    assert data["settings"]["threads"] == 16


@pytest.mark.slow
def test_figure_9_has_srnic_and_tcp_beside_connectx(quick_figure):
    data = quick_figure("srnic/figure-9")
    assert set(data["series"]) == {"connectx6", "srnic", "tcp"}
    # 2048 queue pairs: no NIC sends more than the link, SRNIC more than ConnectX-6.
    many = {name: points[-1][1] for name, points in data["series"].items()}
    assert many["connectx6"] < many["srnic"] < 100
    assert {row["facts"][0] for row in data["comparison"]} >= {"SRNIC-074", "SRNIC-075"}


@pytest.mark.slow
def test_figure_10a_reaches_line_rate_with_large_messages(quick_figure):
    data = quick_figure("srnic/figure-10a")
    throughput, rate = (panel["series"] for panel in data["panels"])
    # Full packets: (1024 + 62) / (1024 + 82) of the link at most.
    assert 0 < throughput["connectx6"][-1][1] <= 98.3
    for nic in ("connectx6", "srnic", "tcp"):
        assert throughput[nic][0][1] < throughput[nic][1][1]
        assert rate[nic][0][1] > rate[nic][1][1]


def test_figure_10b_has_a_bar_for_each(quick_figure):
    data = quick_figure("srnic/figure-10b")
    latency = {name: points[0][1] for name, points in data["series"].items()}
    assert 0 < latency["connectx6"] < latency["srnic"] < latency["tcp"]
    assert [row["paper"] for row in data["comparison"]] == [1.16, 3.3, 24, 1, "one PCIe round trip, around 1 us"]


def test_figure_10c_has_both_ends(quick_figure):
    data = quick_figure("srnic/figure-10c", "sizes=65536", "nics=srnic")
    client, server = (panel["series"]["srnic"][0][1] for panel in data["panels"])
    assert 0 < server < client < 100  # Posting and ringing cost more than polling.
    assert data["below_bound_from"] == {"srnic": 65536 if client < 5 else None}


@pytest.mark.slow
def test_figure_11_loses_goodput_as_packets_are_lost(quick_figure, capsys):
    data = quick_figure("srnic/figure-11", "messages=2000")
    goodput, throughput, software, core = (panel["series"] for panel in data["panels"])
    for nic in ("connectx6", "srnic"):
        assert goodput[nic][0][1] > goodput[nic][1][1]
        assert goodput[nic][1][1] < throughput[nic][1][1]
    assert software["srnic"][0][1] == 0 < software["srnic"][1][1]
    assert software["connectx6"][1][1] == 0
    # Only SRNIC's retransmissions need a core, and only if packets are lost.
    assert core["srnic"][0][1] == core["connectx6"][1][1] == 0 < core["srnic"][1][1] < 100
    assert goodput["srnic"][1][1] > 60  # 51 with IRN's timers of 100 and 320 us.
    # The presets as they are, without congestion control.
    assert data["settings"]["set"] == "ns3::rdma::RdmaNic::CongestionControl=ns3::rdma::NoCongestionControl"
    assert "SRNIC-095" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "a", "100", "-1", "nan", "1,,2"])
def test_bad_loss_rates_are_named(quick_figure, text):
    with pytest.raises(UserError, match="option losses: expected numbers from 0 to 99"):
        quick_figure("srnic/figure-11", f"losses={text}")
