# SPDX-License-Identifier: GPL-2.0-only
"""Links with credits and retransmission, as scenarios name them."""

import pytest
from program import NEEDS_PROGRAM, find_fault, read_json, run_scenario, write_json
from ranks import FABRIC, NEEDS, compare, write_scenario

P = "ns3::rdma::"
pytestmark = NEEDS_PROGRAM

#: A go-back-N NIC whose rate only losses change.
PLAIN = {"preset": "connectx6", "congestionControl": P + "NoCongestionControl"}


def make(fabric, workload, nic=PLAIN):
    """Return a scenario whose switches send no pauses."""
    return {
        "name": "links",
        "fabric": {"topology": "back-to-back", "hostRate": "100Gbps", "linkDelay": "10ns", "pfc": False, **fabric},
        "nics": [nic],
        "workload": workload,
    }


def summarize(folder, fabric, workload, nic=PLAIN):
    """Run and return summary.json."""
    folder.mkdir()
    return read_json(run_scenario(folder, make(fabric, workload, nic)) / "summary.json")


def test_retransmission_by_the_link_replaces_that_by_the_transport(tmp_path):
    flow = {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "100MB", "start": "0us"}]}
    retry = {"links": [{"retry": True}]}
    ideal = summarize(tmp_path / "ideal", retry, flow)
    without = summarize(tmp_path / "without", {"lossRate": 0.001}, flow)
    repaired = summarize(tmp_path / "repaired", {"lossRate": 0.001, **retry}, flow)
    assert without["retransmitted"] > 0 and without["fabric_drops"] > 0
    assert repaired["retransmitted"] == repaired["timeouts"] == repaired["fabric_drops"] == 0
    assert "link_replays" not in ideal
    # A loss takes 2 packets (LinkRetryTest): 97,657 packets, 98 losses expected, +- 10.
    ratio = ideal["simulated_ms"] / repaired["simulated_ms"]
    assert ratio == pytest.approx(0.998, abs=3 * 0.0002)


def test_credits_prevent_drops_where_a_lossy_class_has_them(tmp_path):
    star = {"topology": "star", "servers": 17, "linkDelay": "1us", "buffer": "2MiB"}
    incast = {"type": "incast", "senders": 16, "bytes": "400kB"}
    links = {"lossy": [], "credits": [{"credits": "32KiB"}]}
    results = {name: summarize(tmp_path / name, {**star, "links": one}, incast) for name, one in links.items()}
    assert results["lossy"]["fabric_drops"] > 0
    assert results["credits"]["fabric_drops"] == results["credits"]["retransmitted"] == 0
    assert results["credits"]["link_waits"] > 0
    assert results["credits"]["pfc_pauses"] == 0


REFUSALS = [
    ([{}], 'links[0]: expected true, or a key "credits" beside it, got an empty object'),
    ([{"retry": False}], "retry: expected true"),
    ([{"credits": "512B"}], "credits: expected at least 1152 bytes for the largest frame of connectx6"),
    ([{"credits": "100B"}], "credits: expected"),
    ([{"credits": 0}], "credits: expected"),
    ([{"retry": True, "link": [0, 5]}], "link: expected two nodes with a link"),
    ([{"retry": True, "attributes": {P + "CreditLink::Classes": 8}}], "an attribute of ns3::rdma::CreditLink beside"),
    ([{"credits": "64KiB", "attributes": {P + "CreditLink::Credits": 4096}}], "$.fabric.links[N].credits instead"),
    ([{"credits": "64KiB", "attributes": {P + "CreditLink::Classes": 0}}], "CreditLink::Classes"),
    ([{"credits": "64KiB", "rate": 1}], "rate"),
    ({"retry": True}, "links"),
]


@pytest.mark.parametrize(("links", "message"), REFUSALS)
def test_wrong_links_are_refused_in_one_line(tmp_path, links, message):
    flow = {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000, "start": "0us"}]}
    fault = find_fault(write_json(tmp_path / "links.json", make({"links": links}, flow)))
    assert message in fault and fault.count("\n") == 1, fault


def test_credits_of_a_class_that_pfc_pauses_are_refused(tmp_path):
    flow = {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000, "start": "0us"}]}
    scenario = make({"links": [{"credits": "64KiB"}], "pfc": True}, flow)
    fault = find_fault(write_json(tmp_path / "links.json", scenario))
    assert "links[0].credits: expected a class that PFC does not pause, got class 3 (connectx6)" in fault
    assert fault.count("\n") == 1
    scenario["fabric"]["links"][0]["attributes"] = {P + "CreditLink::Classes": 1}
    assert find_fault(write_json(tmp_path / "links.json", scenario)) == ""


@pytest.mark.parametrize("mark", [pytest.param(None, marks=NEEDS)])
def test_ranks_write_the_same_bytes_with_credits_losses_and_links_that_fail(tmp_path, mark):
    path = write_scenario(
        tmp_path,
        fabric={
            **FABRIC,
            "pfc": False,
            "lossRate": 0.002,
            "links": [{"credits": "32KiB", "retry": True}],
        },
        nics=["connectx6", "irn"],
        linkEvents=[
            {"link": [64, 68], "at": "10us", "state": "down"},
            {"link": [64, 68], "at": "30us", "state": "up"},
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        assert files["summary.json"]["link_replays"] > 0
        assert files["summary.json"]["link_waits"] > 0
