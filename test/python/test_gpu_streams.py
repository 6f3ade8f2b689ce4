# SPDX-License-Identifier: GPL-2.0-only
"""Streams into GPU memory: its bandwidth, its BAR, ranks, and the FPGA sender."""

import pytest
from program import call, expect_one_line, find_fault, read_json, write_json
from ranks import NEEDS, run

pytestmark = NEEDS

GPU = "ns3::rdma::GpuPath::"
SCENARIO = {
    "name": "ranks",
    "fabric": {"topology": "star", "servers": 3, "linkDelay": "100ns", "mtu": 4096},
    "nics": [{"preset": "connectx6", "hardware": "on"}],
    "attributes": {
        GPU + "BarBytes": 60_000_000_000,
        "ns3::rdma::ReceiveBuffer::PauseAt": 262144,
        "ns3::rdma::ReceiveBuffer::ResumeAt": 131072,
    },
    "workload": {
        "type": "streams",
        "streams": [{"sender": s, "receiver": 2, "queuePairs": 4, "messageBytes": "16KiB"} for s in (0, 1)],
        "memory": "gpu",
        "duration": "1ms",
        "warmup": "200us",
    },
}


def write(folder, attributes=None, **workload):
    scenario = SCENARIO | {"workload": SCENARIO["workload"] | workload}
    scenario["attributes"] = SCENARIO["attributes"] | (attributes or {})
    return write_json(folder / "gpu.json", scenario)


def test_the_peer_paths_bandwidth_is_the_limit_and_pauses_keep_all_messages(tmp_path):
    path = write(tmp_path, {GPU + "Bandwidth": "20Gbps"})
    assert run(1, "run", path, "--out", tmp_path, "--quiet")[0] == 0
    summary = read_json(tmp_path / "ranks" / "connectx6" / "summary.json")
    # Messages of 16 KiB in lists of 10 over 0.8 ms: a list of one queue pair is 8 % of it.
    assert 17 < summary["streams"]["goodput_gbps"] < 23
    assert summary["streams"]["lost"] == 0
    assert summary["pfc_pauses"] > 0


def test_a_bar_that_is_too_small_is_one_line(tmp_path):
    # Eight queue pairs of 10 regions of 10 blocks of 16 KiB: 25 pages of 64 KiB each.
    path = write(tmp_path, {GPU + "BarBytes": 4_000_000})
    expect_one_line(call("run", path, "--out", tmp_path), "of the BAR's 4000000 bytes")


@pytest.mark.parametrize("nic", [{"preset": "connectx6", "hardware": "on"}, "connectx6"])
def test_gpu_memory_without_a_gpu_is_one_line_before_the_run(tmp_path, nic):
    path = write(tmp_path)
    write_json(path, read_json(path) | {"nics": [nic], "attributes": {}})
    assert find_fault(path) == (
        f'rocelab: {path}: $.workload.memory: expected "host", or receivers with a GPU ("hardware" on,'
        ' ns3::rdma::GpuPath::BarBytes above 0), got none in "connectx6" at server 2\n'
    )


@pytest.mark.slow  # Streams to host memory are tried each time.
def test_two_ranks_give_the_same_bytes(tmp_path):
    scenario = read_json(write(tmp_path))
    scenario["fabric"] = {"topology": "fat-tree", "servers": 64, "mtu": 4096}
    scenario["workload"]["streams"] = [
        {"sender": s, "receiver": 40, "queuePairs": 4, "messageBytes": "8KiB"} for s in (0, 20)
    ]
    path = write_json(tmp_path / "gpu.json", scenario)
    for count in (1, 2):
        status, _, errors = run(count, "run", path, "--out", tmp_path / str(count))
        assert status == 0, errors
    for name in ("streams.csv", "threads.csv", "samples.csv"):
        one, two = ((tmp_path / count / "ranks" / "connectx6" / name).read_bytes() for count in "12")
        assert one == two, name
