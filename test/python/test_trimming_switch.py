# SPDX-License-Identifier: GPL-2.0-only
"""The switch of Ultra Ethernet in scenarios: trimming by bandwidth-delay products, marking by role."""

import pytest
from program import find_fault, read_json, write_json
from ranks import NEEDS, compare, run

ADMISSION = "ns3::rdma::TrimmingAdmission"
MARKING = "ns3::rdma::RoleMarking"

pytestmark = NEEDS


def make_scenario(attributes=None, **fabric):
    """Return fifteen servers of a fat-tree that send to the last one; acknowledgments are in class 5."""
    flows = [{"src": i, "dst": 15, "bytes": "200kB", "start": "0us"} for i in range(15)]
    return {
        "name": "ranks",
        "fabric": {
            "topology": "fat-tree",
            "k": 4,
            "hostRate": "100Gbps",
            "linkDelay": "1us",
            "mtu": 4096,
            "admissionPolicy": ADMISSION,
            "markingPolicy": MARKING,
            "loadBalancer": "ns3::rdma::SprayBalancer",
            "attributes": attributes or {},
            **fabric,
        },
        "nics": ["irn"],
        "attributes": {"ns3::rdma::RdmaNic::AckPriority": 5},
        "workload": {"type": "flows", "flows": flows},
    }


def run_one(folder, scenario):
    """Return (exit status, standard error, summary or None)."""
    path = write_json(folder / "scenario.json", scenario)
    status, _, errors = run(1, "run", path, "--out", folder / "out", "--quiet")
    summary = folder / "out" / "ranks" / "irn" / "summary.json"
    return status, errors, read_json(summary) if summary.is_file() else None


def test_one_and_two_ranks_give_the_same_bytes(tmp_path):
    path = write_json(tmp_path / "scenario.json", make_scenario({f"{ADMISSION}::SwitchLimit": 0.3}))
    summary = compare(tmp_path, path, [2])["irn"]["summary.json"]
    assert summary["flows"]["completed"] == 15
    assert summary["trims"] > summary["last_hop_trims"] > 0
    assert summary["ecn_marks"] > 0


def test_all_trims_of_a_star_are_at_the_last_hop(tmp_path):
    scenario = make_scenario()
    for key in ("k", "topology"):
        del scenario["fabric"][key]
    scenario["fabric"].update(topology="star", servers=16)
    status, errors, summary = run_one(tmp_path, scenario)
    assert (status, errors) == (0, "")
    assert summary["trims"] == summary["last_hop_trims"] > 0
    assert summary["drops"]["trimmed"] == summary["trims"] - summary["trimmed_drops"]


def test_without_trimming_packets_are_dropped(tmp_path):
    status, errors, summary = run_one(tmp_path, make_scenario({f"{ADMISSION}::Trimming": "false"}))
    assert (status, errors) == (0, "")
    assert summary["trims"] == summary["last_hop_trims"] == summary["trimmed_drops"] == 0
    assert summary["drops"]["buffer-full"] > 0
    assert summary["flows"]["completed"] == 15


def test_no_port_marks_if_both_roles_are_off(tmp_path):
    attributes = {f"{MARKING}::ServerPorts": "false", f"{MARKING}::SwitchPorts": "false"}
    status, errors, summary = run_one(tmp_path, make_scenario(attributes))
    assert (status, errors) == (0, "")
    assert summary["ecn_marks"] == 0


@pytest.mark.parametrize(
    "name, value",
    [
        (f"{ADMISSION}::ServerLimit", "101"),
        (f"{ADMISSION}::SwitchLimit", "-1"),
        (f"{ADMISSION}::ServerLimitBytes", "4294967296"),
        (f"{ADMISSION}::NewestShare", "1.01"),
        (f"{ADMISSION}::NewestShare", "nan"),
        (f"{ADMISSION}::Priorities", "256"),
        (f"{ADMISSION}::BaseRtt", "-1ns"),
        (f"{ADMISSION}::BaseRtt", "1s"),
        (f"{MARKING}::MaxShare", "1e9"),
        (f"{MARKING}::MinBytes", "-5"),
    ],
)
def test_a_value_outside_of_its_bounds_is_one_line(tmp_path, name, value):
    fault = find_fault(write_json(tmp_path / "scenario.json", make_scenario({name: value})))
    assert name in fault and fault.count("\n") == 1


@pytest.mark.parametrize(
    "attributes",
    [
        {f"{ADMISSION}::BaseRtt": "100ms", f"{ADMISSION}::ServerLimit": "100"},
        {f"{MARKING}::MinShare": "100", f"{MARKING}::MaxShare": "0", f"{MARKING}::BaseRtt": "100ms"},
    ],
)
def test_large_values_end_with_all_flows_completed(tmp_path, attributes):
    status, errors, summary = run_one(tmp_path, make_scenario(attributes))
    assert (status, errors) == (0, "")
    assert summary["flows"]["completed"] == 15


@pytest.mark.parametrize(
    "attributes",
    [
        {f"{ADMISSION}::ServerLimit": "0", f"{ADMISSION}::SwitchLimit": "0"},
        {f"{ADMISSION}::HeadersOnlyLimit": "0"},
        {f"{ADMISSION}::ServerLimitBytes": "1", f"{ADMISSION}::NewestShare": "1"},
    ],
)
def test_queues_that_hold_nothing_end_each_flow(tmp_path, attributes):
    status, _, summary = run_one(tmp_path, make_scenario(attributes))
    assert status in (0, 3)  # Flows whose packets and acknowledgments are lost too often fail.
    assert summary["flows"]["completed"] + summary["flows"]["failed"] == 15
    assert summary["fabric_drops"] > 0


def test_the_program_lists_both_policies():
    for name in (ADMISSION, MARKING):
        assert name in run(1, "list", "types")[1]


@pytest.mark.parametrize("nic", ["uet", "uet-rccc", "mrc"])
def test_trims_that_the_nic_answers_are_no_drops(tmp_path, nic):
    scenario = make_scenario()
    scenario["nics"] = [{"preset": nic, "name": "irn"}]
    del scenario["attributes"]
    scenario["fabric"]["loadBalancer"] = "ns3::rdma::EcmpBalancer"
    status, errors, summary = run_one(tmp_path, scenario)
    assert (status, errors) == (0, "")
    assert summary["trims"] > 100
    assert summary["drops"].get("trimmed", 0) == 0
    # Acknowledgments share a queue with trimmed packets: nothing is lost here.
    assert summary["fabric_drops"] == summary["trimmed_drops"] == 0
    assert summary["retransmitted"] >= summary["trims"]
