# SPDX-License-Identifier: GPL-2.0-only
"""The quick runs of StRoM's figures 7 to 11 and 13 with the real engine, and `rocelab measure offload-...` itself."""

import json
import subprocess

import pytest
from limits import TIME_LIMIT


@pytest.fixture
def program(checkout):
    """The engine; skips if it is not built."""
    path = checkout / "build" / "rocelab"
    if not path.exists():
        pytest.skip(f"no program at {path}")
    return path


@pytest.fixture
def run_strom_figure(quick_figure):
    """A function: number of the figure -> its figure.json."""
    return lambda number: quick_figure(f"strom/figure-{number}")


def get_values(panel):
    """Return {method: {x: y}} of a panel."""
    return {name: dict(map(tuple, points)) for name, points in panel["series"].items()}


def is_met(data, what):
    """Tell whether the one check whose text begins so is met."""
    (row,) = [row for row in data["checks"] if row["what"].startswith(what)]
    return row["met"]


def test_lists_take_reads_longest_and_tcp_does_not_vary(run_strom_figure):
    data = run_strom_figure(7)
    latency = get_values(data["panels"][0])
    assert latency["kernel"][32] < 0.6 * latency["read"][32]
    assert latency["read"][32] / latency["read"][4] > 4  # 17.5 READs instead of 3.5.
    assert is_met(data, "READ: rises linearly")
    assert is_met(data, "TCP RPC")
    for method, bounds in data["panels"][0]["spread"].items():
        assert all(low <= latency[method][x] <= high for x, low, high in bounds)


@pytest.mark.slow
def test_a_get_by_the_kernel_is_faster_than_two_reads(run_strom_figure):
    data = run_strom_figure(8)
    latency = get_values(data["panels"][0])
    assert all(latency["kernel"][size] < latency["read"][size] - 1.5 for size in (64, 256, 4096))
    assert {row["facts"][0] for row in data["checks"]} == {"StRoM-150", "StRoM-151"}
    # Arrays of char take four times the bytes at 10 Gb/s, and 10 ns for each of 4096: 41 us.
    assert latency["tcp-char"][4096] - latency["tcp"][4096] > 41
    # Arrays of int have the same bytes: 1024 items more work.
    assert latency["tcp-int"][4096] - latency["tcp"][4096] == pytest.approx(10.24, abs=0.01)


@pytest.mark.slow
def test_a_longer_cable_saves_a_get_by_the_kernel_its_round_trip(quick_figure):
    short = get_values(quick_figure("strom/figure-8")["panels"][0])
    long = get_values(quick_figure("strom/figure-8", "cable=560")["panels"][0])
    # Two READs are two round trips of 2 x 550 ns more, the kernel's is one.
    assert long["read"][64] - short["read"][64] == pytest.approx(2.2, abs=0.02)
    assert long["kernel"][64] - short["kernel"][64] == pytest.approx(1.1, abs=0.02)


@pytest.mark.slow
def test_the_kernel_checks_large_objects_faster_than_software(run_strom_figure):
    data = run_strom_figure(9)
    latency = get_values(data["panels"][0])
    for size in (64, 4096):
        assert latency["read"][size] < latency["kernel"][size]
    # 80 ns and 4088 bytes at 598 MB/s: 6916 ns.
    assert latency["cpu"][4096] - latency["read"][4096] == pytest.approx(6.916, abs=0.01)
    assert latency["kernel"][4096] < latency["cpu"][4096]


@pytest.mark.slow
def test_failures_cost_the_client_more_than_the_kernel(run_strom_figure):
    data = run_strom_figure(10)
    for panel in data["panels"]:
        latency = get_values(panel)
        rises = {name: points[0.5] / points[0] for name, points in latency.items()}
        assert rises["cpu"] == pytest.approx(1.5, abs=0.08)  # Half of the objects, twice.
        assert rises["kernel"] < 1.3
    assert is_met(data, "both at 1 %")


BAD_INPUT = [
    (["traversals"], "measure: expected a measurement (nearest: offload-traversal"),
    (["get", "method=cpu"], "offload-get.method: expected one of kernel, read or tcp"),
    (["get", "value=3"], "offload-get.value: expected a known key"),
    (["get", "value-size=0"], "offload-get.value-size: expected"),
    (["traversal", "length"], "offload-traversal: expected KEY=VALUE, got length"),
    (["consistency", "failure-rate=2"], "failure-rate: expected a number from 0 to 1"),
    (["shuffle", "size=12"], "offload-shuffle.size: expected a multiple of 8 bytes"),
    (["shuffle", "bits=11"], "offload-shuffle.bits: expected"),
    (["shuffle", "method=write", "short=true"], "short: expected method=kernel or method=send beside it"),
    (["shuffle", "queue-pairs=2"], "queue-pairs: expected method=send beside it"),
    (["hyperloglog", "threads=4"], "threads: expected method=cpu beside it"),
    (["hyperloglog", "size=1073741824"], "expected at most 1 GiB in all"),
    (["traversal", "nic=strom"], "nic: expected a NIC preset"),
    (["traversal", "rate=fast"], "rate: expected a rate"),
    (["traversal", "loss=1"], "loss: expected a number from 0 to below 1"),
    (["traversal", "calls=0"], "calls: expected a whole number from 1"),
    (["traversal", "--set", "ns3::rdma::Tlb::Pages=3"], "ns3::rdma::Tlb::Pages: expected"),
    (["traversal", "--set", "ns3::rdma::SelectiveRepeat::CumulativeLags=true"], "CumulativeLags"),
    (["traversal", "pcap=/nowhere/a.pcap"], "/nowhere/a.pcap"),
]


def run(program, task, *words, check=True):
    """Run `rocelab measure offload-TASK`; returns what subprocess.run() does."""
    command = [program, "measure", f"offload-{task}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=check)


@pytest.mark.parametrize("words, message", BAD_INPUT, ids=lambda value: " ".join(value))
def test_bad_input_is_one_line(program, words, message):
    done = run(program, *words, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_json_says_what_was_asked_and_what_came(program):
    result = json.loads(run(program, "get", "value-size=100", "calls=7", "--json").stdout)
    assert result["measurement"] == "offload-get"
    assert (result["settings"]["method"], result["settings"]["value-size"]) == ("kernel", 100)
    (row,) = result["rows"]
    assert row["calls_ok"] == 7
    assert row["bytes"] == 700
    assert row["kernel_host_reads"] == 14  # Entry and value.
    # Each call: the parameters and the acknowledgment of the answer.
    assert row["client_frames"] == 14
    assert row["latency_min_us"] <= row["latency_p50_us"] <= row["latency_max_us"]


def test_a_capture_has_the_request_and_the_answer(program, tmp_path):
    path = tmp_path / "client.pcap"
    run(program, "get", "calls=1", f"pcap={path}")
    # Parameters, their acknowledgment, the answer and its acknowledgment: 24 bytes, then 16 each.
    data = path.read_bytes()
    count, place = 0, 24
    while place < len(data):
        place += 16 + int.from_bytes(data[place + 8 : place + 12], "little")
        count += 1
    assert (count, place) == (4, len(data))


@pytest.mark.slow
def test_values_are_shuffled_at_the_speed_of_a_write(run_strom_figure):
    data = run_strom_figure(11)
    times = get_values(data["panels"][0])
    assert times["kernel"][2] < 1.1 * times["write"][2]
    assert times["cpu"][2] > 1.3 * times["write"][2]
    assert is_met(data, "Software")


@pytest.mark.slow
def test_at_100g_the_shuffle_does_not_keep_up(run_strom_figure):
    data = run_strom_figure(11)
    times = get_values(data["panels"][1])
    # 128 B take 3 beats of 4 ns: 85.3 Gbit/s.
    assert 8 * 4 * 2**20 / 1e6 / times["kernel"][4] < 85.3
    assert is_met(data, "StRoM at 100G")


@pytest.mark.slow
def test_hyperloglog_costs_a_write_nothing_and_a_cpu_threads(run_strom_figure):
    data = run_strom_figure(13)
    cpu = get_values(data["panels"][0])["cpu"]
    assert 7 < cpu[8] / cpu[1] <= 8
    assert is_met(data, "CPU")
    rates = get_values(data["panels"][1])
    assert rates["kernel"] == pytest.approx(rates["write"])
    assert is_met(data, "WRITE + HLL against WRITE")
