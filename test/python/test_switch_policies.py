# SPDX-License-Identifier: GPL-2.0-only
"""Policies of a switch from plug-ins: DRILL per packet, and trimming, in one run."""

import struct

import pytest
from program import find_fault, get_plugin, needs_plugins, read_json, read_rows, run_scenario, write_json
from roce_icrc import check_icrc

ADMISSION = "ns3::rdma::OwnTrimming"
BALANCER = "ns3::rdma::OwnDrill"
PLUGINS = ("drill-balancer", "own-trimming")

pytestmark = needs_plugins(*PLUGINS)


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


def run(folder, scenario, *options):
    """Run a scenario with both plug-ins; returns the folder of its results and the summary."""
    results = run_scenario(folder, scenario, *options, plugins=PLUGINS)
    return results, read_json(results / "summary.json")


def read_packets(path):
    """Return the bytes of each packet of a capture."""
    data = path.read_bytes()
    place, packets = 24, []
    while place < len(data):
        _, _, size, _ = struct.unpack_from("<IIII", data, place)
        packets.append(data[place + 16 : place + 16 + size])
        place += 16 + size
    return packets


def test_spraying_and_trimming_work_together(tmp_path):
    scenario = make_scenario(loadBalancer=BALANCER, admissionPolicy=ADMISSION)
    results, summary = run(tmp_path, scenario)
    assert summary["flows"]["completed"] == summary["flows"]["started"] == 16
    # Whatever was lost had been trimmed: no queue ever held the buffer's share.
    assert summary["drops"]["trimmed"] > 0
    assert summary["fabric_drops"] == summary["drops"]["trimmed"]
    resolved = read_json(results / "scenario.json")
    assert resolved["fabric"]["loadBalancer"] == BALANCER
    assert resolved["fabric"]["admissionPolicy"] == ADMISSION
    assert len(read_rows(results / "flows.csv")) == 16


def test_without_trimming_the_reason_is_not_listed(tmp_path):
    assert "trimmed" not in run(tmp_path, make_scenario())[1]["drops"]


def test_a_threshold_that_no_queue_reaches_trims_nothing(tmp_path):
    trimmed = []
    for threshold in (4000, 10**9):
        attributes = {f"{ADMISSION}::Threshold": str(threshold)}
        scenario = make_scenario(admissionPolicy=ADMISSION, attributes=attributes)
        (tmp_path / str(threshold)).mkdir()
        trimmed.append(run(tmp_path / str(threshold), scenario)[1]["drops"].get("trimmed", 0))
    assert trimmed[0] > 0
    assert trimmed[1] == 0


def test_trimmed_packets_are_valid_in_a_capture(tmp_path):
    scenario = make_scenario(loadBalancer=BALANCER, admissionPolicy=ADMISSION)
    results, summary = run(tmp_path, scenario, "--pcap", "--pcap-hosts", "15")
    packets = read_packets(results / "host-15.pcap")
    assert check_icrc(results / "host-15.pcap") == (len(packets), [])
    # IPv4's TOS: DSCP of class 5, its lowest bit, the next one at the last hop, and ECT(0) or CE.
    trimmed = [packet for packet in packets if packet[15] >> 2 in (5 * 8 + 1, 5 * 8 + 3)]
    assert len(trimmed) == summary["drops"]["trimmed"]
    for packet in trimmed:
        assert len(packet) == 58 + 16  # IRN: a RETH on each packet of a WRITE.
        assert struct.unpack_from(">H", packet, 16)[0] == len(packet) - 14


@pytest.mark.parametrize(
    "key, base",
    [("admissionPolicy", "ns3::rdma::AdmissionPolicy"), ("markingPolicy", "ns3::rdma::MarkingPolicy")],
)
def test_a_wrong_name_is_one_line(tmp_path, key, base):
    for name in ("ns3::rdma::NoSuchPolicy", "ns3::rdma::EcmpBalancer"):
        text = find_fault(write_json(tmp_path / "n.json", make_scenario(**{key: name})))
        assert text.count("\n") == 1 and f"$.fabric.{key}: expected a type below {base}" in text, text


def test_an_attribute_of_a_policy_that_no_switch_has_is_one_line(tmp_path):
    attributes = {f"{ADMISSION}::Threshold": "4000"}
    scenario = make_scenario(attributes=attributes) | {"plugins": ["own-trimming.so"]}
    (tmp_path / "own-trimming.so").symlink_to(get_plugin("own-trimming"))
    text = find_fault(write_json(tmp_path / "n.json", scenario))
    assert text.count("\n") == 1 and "expected an attribute of the switches or their policies" in text
