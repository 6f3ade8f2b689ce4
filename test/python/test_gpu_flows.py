# SPDX-License-Identifier: GPL-2.0-only
"""Flows into GPU memory behind a fabric: the path's bandwidth, its BAR, services, ranks, bad input."""

import pytest
from program import find_fault, read_json, write_json
from ranks import NEEDS, POISSON, compare, run

pytestmark = NEEDS

GPU = "ns3::rdma::GpuPath::"
ATTRIBUTES = {
    GPU + "BarBytes": 60_000_000_000,
    "ns3::rdma::ReceiveBuffer::PauseAt": 262144,
    "ns3::rdma::ReceiveBuffer::ResumeAt": 131072,
}
FLOWS = [{"src": s, "dst": 2, "bytes": "5MB"} for s in (0, 1)]
SCENARIO = {
    "name": "ranks",
    "fabric": {"topology": "star", "servers": 3, "linkDelay": "100ns", "mtu": 4096},
    "nics": [{"preset": "connectx6", "hardware": "on"}],
    "attributes": ATTRIBUTES,
    "workload": {"type": "flows", "flows": FLOWS, "memory": "gpu"},
}


def write(folder, attributes=None, workload=None, **changes):
    scenario = SCENARIO | changes
    scenario["attributes"] = ATTRIBUTES | (attributes or {})
    scenario["workload"] = SCENARIO["workload"] | (workload or {})
    return write_json(folder / "gpu.json", scenario)


def run_good(folder, path, nic="connectx6"):
    """Return the summary of a run that ends well."""
    status, _, errors = run(1, "run", path, "--out", folder, "--quiet")
    assert status == 0, errors
    return read_json(folder / "ranks" / nic / "summary.json")


def test_flows_into_gpu_memory_take_as_long_as_the_path_to_it(tmp_path):
    # 10 MB at 20 Gb/s are 4 ms. The last 256 KiB, 105 us of the path, may be acknowledged while they
    # wait in the receive buffer, whose pauses keep the senders back.
    summary = run_good(tmp_path, write(tmp_path, {GPU + "Bandwidth": "20Gbps"}))
    assert summary["flows"]["completed"] == 2
    assert 3850 < summary["fct_us"]["p99"] < 4050
    assert summary["pfc_pauses"] > 0
    assert summary["fabric_drops"] == summary["nic_discards"] == 0


def test_flows_to_the_host_do_not_take_the_path(tmp_path):
    path = write(tmp_path, {GPU + "Bandwidth": "20Gbps"}, {"memory": "host"})
    assert run_good(tmp_path, path)["fct_us"]["p99"] < 1500  # 10 MB at 100 Gb/s: 0.8 ms.


def test_pages_that_were_used_lately_are_known(tmp_path):
    # 640 flows of 8 KiB, one after the other within 1.3 ms, of which each has 64 KiB / 8 = 8 in a page.
    # A region of 64 KiB is one page: one miss. One of 1 GiB has a miss of 20 us every eighth flow, so
    # 80 misses are 1.6 ms, longer than the flows come, and pauses hold the last flows back.
    flows = [{"src": i % 2, "dst": 2, "bytes": 8192, "start": f"{2 * i}us"} for i in range(640)]
    slow = {GPU + "MissTime": "20us", GPU + "CacheEntries": 4}
    slow |= {"ns3::rdma::ReceiveBuffer::PauseAt": 16384, "ns3::rdma::ReceiveBuffer::ResumeAt": 8192}
    one = run_good(tmp_path, write(tmp_path, slow, {"flows": flows, "gpuMemory": "64KiB"}))
    all_of_it = run_good(tmp_path, write(tmp_path, slow, {"flows": flows}))
    assert one["fct_us"]["mean"] < 10
    assert all_of_it["fct_us"]["mean"] > 5 * one["fct_us"]["mean"]


@pytest.mark.parametrize(
    "workload",
    [
        {"type": "incast", "senders": 2, "receiver": 2, "bytes": "5MB", "memory": "gpu"},
        {
            "type": "poisson",
            "sizes": "sizes.cdf",
            "load": 0.5,
            "duration": "1ms",
            "sources": "senders",
            "destinations": "gpus",
            "memory": "gpu",
        },
    ],
)
def test_incasts_and_poisson_flows_go_there_too(tmp_path, workload):
    (tmp_path / "sizes.cdf").write_text("1000000 0\n1000001 100\n")
    path = write(tmp_path, {GPU + "Bandwidth": "20Gbps"}, groups={"gpus": [2], "senders": [0, 1]})
    write_json(path, read_json(path) | {"workload": workload})
    summary = run_good(tmp_path, path)
    assert summary["flows"]["completed"] == summary["flows"]["started"] > 1
    # All bytes take the path of 20 Gb/s, but what waits in the buffer at the end.
    assert 15 < summary["goodput_gbps"] < 21
    resolved = read_json(tmp_path / "ranks" / "connectx6" / "scenario.json")
    assert resolved["workload"]["memory"] == "gpu"


def test_services_prepare_flows_on_their_way_to_the_gpu(tmp_path):
    # A pass-through of two cycles per word of 64 bytes holds 64 Gb/s: 10 MB take 1.25 ms at least.
    service = {
        "type": "ns3::rdma::PassThroughService",
        "slots": ["receive"],
        "attributes": {"ns3::rdma::PassThroughService::Interval": 2, "ns3::rdma::PassThroughService::Parallel": False},
    }
    path = write(
        tmp_path,
        {GPU + "CacheEntries": 0},
        groups={"gpus": [2]},
        kernels={"gpus": [service]},
        nics=[{"preset": "balboa", "hardware": "on"}],
    )
    served = run_good(tmp_path, path, "balboa")
    plain = write(tmp_path, {GPU + "CacheEntries": 0}, nics=[{"preset": "balboa", "hardware": "on"}])
    unserved = run_good(tmp_path, plain, "balboa")
    assert served["flows"]["completed"] == unserved["flows"]["completed"] == 2
    # What is in the receive buffer when the last packet is acknowledged, at most 256 KiB, is less than 33 us of the service.
    assert served["fct_us"]["p99"] > 1217 > unserved["fct_us"]["p99"]


def test_two_ranks_give_the_same_bytes(tmp_path):
    path = write(
        tmp_path,
        fabric={"topology": "fat-tree", "servers": 64, "mtu": 4096, "linkDelay": "1us"},
        workload={**POISSON, "load": 0.2, "duration": "100us", "memory": "gpu"},
    )
    scenario = read_json(path)
    scenario["workload"].pop("flows")
    write_json(path, scenario)
    (files,) = compare(tmp_path, path, [2]).values()
    assert files["summary.json"]["flows"]["completed"] > 10


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"attributes": {GPU + "BarBytes": 0}},
            '$.workload.memory: expected "host", or receivers with a GPU ("hardware" on,'
            ' ns3::rdma::GpuPath::BarBytes above 0), got none in "connectx6" at server 2',
        ),
        (
            {"attributes": {GPU + "BarBytes": 268435456}, "workload": {"gpuMemory": "1GiB"}},
            "$.workload.gpuMemory: expected at most the 268435456 bytes of ns3::rdma::GpuPath::BarBytes"
            ' in "connectx6" at server 2, got 1073741824',
        ),
        (
            {"workload": {"gpuMemory": "1MiB"}},
            "$.workload.gpuMemory: expected room for the largest flow (2 GiB at most, 1 GiB unless"
            " gpuMemory says otherwise), got 5000000 bytes of a flow",
        ),
        ({"workload": {"memory": "gpu2"}}, '$.workload.memory: expected one of host or gpu (nearest: gpu), got "gpu2"'),
        (
            {"workload": {"memory": "host", "gpuMemory": "1MiB"}},
            '$.workload.gpuMemory: expected no such key unless memory is "gpu"',
        ),
    ],
)
def test_bad_input_is_one_line(tmp_path, changes, message):
    fault = find_fault(write(tmp_path, **changes))
    assert message in fault and fault.count("\n") == 1
