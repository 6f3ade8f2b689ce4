# SPDX-License-Identifier: GPL-2.0-only
"""Policies of a switch from plug-ins: DRILL per packet, and trimming, in one run."""

import csv
import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

from roce_icrc import check_icrc

ADMISSION = "ns3::rdma::OwnTrimming"
BALANCER = "ns3::rdma::OwnDrill"


@pytest.fixture
def build(checkout):
    """The build folder; ./waf test names it in ROCELAB_BUILD."""
    folder = Path(os.environ.get("ROCELAB_BUILD", checkout / "build"))
    for name in ("drill-balancer", "own-trimming"):
        if not (folder / "test" / f"{name}.so").is_file():
            pytest.skip(f"{folder.name}/test/{name}.so is not built")
    return folder


def make_scenario(**fabric):
    """Return twelve servers of a fat-tree that send to one of another pod, and four flows across it."""
    flows = [{"src": i, "dst": 15, "bytes": "100kB", "start": "0us"} for i in range(12)]
    flows += [{"src": i, "dst": i + 4, "bytes": "100kB", "start": "0us"} for i in range(4)]
    return {
        "name": "n",
        "fabric": {"topology": "fat-tree", "servers": 16, **fabric},
        "nics": [{"preset": "irn", "name": "irn"}],
        "workload": {"type": "flows", "flows": flows},
    }


def run(build, folder, scenario, *options):
    """Run a scenario with both plug-ins. Return (exit status, standard error, folder of results)."""
    path = folder / "n.json"
    path.write_text(json.dumps(scenario))
    command = [build / "rocelab", "run", path, "--out", folder / "out", "--quiet", *options]
    for name in ("drill-balancer", "own-trimming"):
        command += ["--plugin", build / "test" / f"{name}.so"]
    result = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    return result.returncode, result.stderr, folder / "out" / "n" / "irn"


def read_summary(results):
    """Return what summary.json holds."""
    return json.loads((results / "summary.json").read_text())


def read_packets(path):
    """Return the bytes of each packet of a capture."""
    data = path.read_bytes()
    place, packets = 24, []
    while place < len(data):
        _, _, size, _ = struct.unpack_from("<IIII", data, place)
        packets.append(data[place + 16 : place + 16 + size])
        place += 16 + size
    return packets


def test_spraying_and_trimming_work_together(build, tmp_path):
    scenario = make_scenario(loadBalancer=BALANCER, admissionPolicy=ADMISSION)
    status, text, results = run(build, tmp_path, scenario)
    assert (status, text) == (0, "")
    summary = read_summary(results)
    assert summary["flows"]["completed"] == summary["flows"]["started"] == 16
    # Whatever was lost had been trimmed: no queue ever held the buffer's share.
    assert summary["drops"]["trimmed"] > 0
    assert summary["fabric_drops"] == summary["drops"]["trimmed"]
    resolved = json.loads((results / "scenario.json").read_text())
    assert resolved["fabric"]["loadBalancer"] == BALANCER
    assert resolved["fabric"]["admissionPolicy"] == ADMISSION
    with open(results / "flows.csv", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 16


def test_without_trimming_the_reason_is_not_listed(build, tmp_path):
    status, text, results = run(build, tmp_path, make_scenario())
    assert (status, text) == (0, "")
    assert "trimmed" not in read_summary(results)["drops"]


def test_a_threshold_that_no_queue_reaches_trims_nothing(build, tmp_path):
    trimmed = []
    for threshold in (4000, 10**9):
        attributes = {f"{ADMISSION}::Threshold": str(threshold)}
        scenario = make_scenario(admissionPolicy=ADMISSION, attributes=attributes)
        (tmp_path / str(threshold)).mkdir()
        status, text, results = run(build, tmp_path / str(threshold), scenario)
        assert (status, text) == (0, "")
        trimmed.append(read_summary(results)["drops"].get("trimmed", 0))
    assert trimmed[0] > 0
    assert trimmed[1] == 0


def test_trimmed_packets_are_valid_in_a_capture(build, tmp_path):
    scenario = make_scenario(loadBalancer=BALANCER, admissionPolicy=ADMISSION)
    status, text, results = run(build, tmp_path, scenario, "--pcap", "--pcap-hosts", "15")
    assert (status, text) == (0, "")
    packets = read_packets(results / "host-15.pcap")
    assert check_icrc(results / "host-15.pcap") == (len(packets), [])
    # IPv4's TOS: DSCP of class 5, its lowest bit, the next one at the last hop, and ECT(0) or CE.
    trimmed = [packet for packet in packets if packet[15] >> 2 in (5 * 8 + 1, 5 * 8 + 3)]
    assert len(trimmed) == read_summary(results)["drops"]["trimmed"]
    for packet in trimmed:
        assert len(packet) == 58 + 16  # IRN: a RETH on each packet of a WRITE.
        assert struct.unpack_from(">H", packet, 16)[0] == len(packet) - 14


@pytest.mark.parametrize(
    "key, base",
    [("admissionPolicy", "ns3::rdma::AdmissionPolicy"), ("markingPolicy", "ns3::rdma::MarkingPolicy")],
)
def test_a_wrong_name_is_one_line(build, tmp_path, key, base):
    for name in ("ns3::rdma::NoSuchPolicy", BALANCER):
        status, text, _ = run(build, tmp_path, make_scenario(**{key: name}))
        assert status == 2
        assert text.count("\n") == 1
        assert f"$.fabric.{key}: expected a type below {base}" in text, text


def test_an_attribute_of_a_policy_that_no_switch_has_is_one_line(build, tmp_path):
    attributes = {f"{ADMISSION}::Threshold": "4000"}
    status, text, _ = run(build, tmp_path, make_scenario(attributes=attributes))
    assert status == 2
    assert text.count("\n") == 1
    assert "expected an attribute of the switches or their policies" in text
