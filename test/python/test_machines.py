# SPDX-License-Identifier: GPL-2.0-only
"""Machines: the server that a NIC is in, by name or file, in perftest, nccl and scenarios; refused files."""

import json

import pytest
from program import NEEDS_PROGRAM, ROOT, ask, call, expect_one_line, read_json, write_json

pytestmark = NEEDS_PROGRAM

SHIPPED = sorted(path.stem for path in (ROOT / "traces").glob("*.machine"))
#: A lane of generation 3 and 5 carries 8 and 32 GT/s x 128 / 130.
LANE = {3: 8 * 128 / 130, 5: 32 * 128 / 130}


def measure(*words):
    """Return the average rate of a perftest, Gb/s."""
    return ask("perftest", *words, "--hardware", "on", "--json")["results"][0]["measured"]["goodputGbps"]


@pytest.mark.parametrize("machine, nic, generation, lanes, rate", [("desktop-pcie3-x8", "connectx5", 3, 8, "100Gbps")])
def test_a_slow_slot_limits_the_rate_to_that_of_its_link(machine, nic, generation, lanes, rate):
    # A request of 512 bytes: two completions of 256 + 26 bytes, two DLLPs of 8 bytes.
    bound = LANE[generation] * lanes * 512 / (2 * (256 + 26) + 2 * 8)
    words = ("--machine", machine, "--nic", nic, "--rate", rate)
    assert measure("write_bw", "-s", "1048576", "-n", "200", *words) == pytest.approx(bound, rel=0.002)


@pytest.mark.parametrize("machine", SHIPPED)
def test_a_shipped_machine_runs_in_all_three_places(tmp_path, machine):
    words = ("--machine", machine, "--hardware", "on")
    assert call("perftest", "write_lat", "-n", "20", *words).returncode == 0
    assert call("nccl", "all_reduce", "-b", "64K", "-e", "64K", "-g", "2", *words).returncode == 0
    listed = read_json(ROOT / "traces" / f"{machine}.machine")["attributes"]
    resolved = json.loads(call("check", write_json(tmp_path / "a.json", make_scenario(machine))).stdout)
    attributes = resolved["nics"][0]["attributes"]
    assert {name: attributes[name] for name in listed} == {name: str(value) for name, value in listed.items()}


def make_scenario(machine, **nic):
    """Return a scenario whose NIC is in a machine."""
    return {
        "name": "machine",
        "fabric": {"topology": "star", "servers": 2},
        "nics": [{"preset": "srnic", "hardware": "on", "machine": machine, **nic}],
        "workload": {"type": "incast", "senders": 1, "bytes": 1000},
    }


def test_a_file_beside_the_scenario_is_a_machine_and_the_nics_attributes_go_first(tmp_path):
    lanes = "ns3::rdma::PcieLink::Lanes"
    write_json(tmp_path / "mine.json", {"source": "a guess", "attributes": {lanes: 4}})
    path = write_json(tmp_path / "scenario.json", make_scenario("mine.json"))
    assert json.loads(call("check", path).stdout)["nics"][0]["attributes"][lanes] == "4"
    path = write_json(tmp_path / "scenario.json", make_scenario("mine.json", attributes={lanes: 2}))
    assert json.loads(call("check", path).stdout)["nics"][0]["attributes"][lanes] == "2"


@pytest.mark.parametrize(
    "content, fault",
    [
        ({"attributes": {}}, "source"),
        ({"source": "x", "attributes": {"ns3::rdma::RdmaNic::PathMtu": 1024}}, "PathMtu"),
        ({"source": "x", "attributes": {"ns3::rdma::RdmaNic::RetryCount": 5}}, "an attribute of PcieLink, HostCpu or GpuPath"),
        ({"source": "x", "attributes": {"ns3::rdma::PcieLink::Lames": 5}}, "Lanes"),
        ({"source": "x", "attributes": {"ns3::rdma::PcieLink::Lanes": 17}}, "Lanes"),
        ({"source": "x", "attributes": {"ns3::rdma::PcieLink::Lanes": 3}}, "PCIe has 1, 2, 4, 8 or 16 lanes"),
        ({"source": "x", "attributes": {}, "cores": 5}, "cores"),
    ],
)
def test_a_file_that_is_no_machine_is_refused(tmp_path, content, fault):
    write_json(tmp_path / "mine.json", content)
    ended = call("check", write_json(tmp_path / "scenario.json", make_scenario("mine.json")))
    expect_one_line(ended, fault)


def test_an_unknown_machine_and_one_without_hardware_are_refused(tmp_path):
    ended = call("check", write_json(tmp_path / "scenario.json", make_scenario("desktop-pcie3-x9")))
    expect_one_line(ended, "$.nics[0].machine: expected a file or a machine (nearest: desktop-pcie3-x8)")
    ended = call("check", write_json(tmp_path / "scenario.json", make_scenario("desktop-pcie3-x8", hardware="off")))
    expect_one_line(ended, "$.nics[0].machine")
    ended = call("perftest", "write_bw", "--machine", "none.json", "--hardware", "on")
    expect_one_line(ended, "a file or a machine")
