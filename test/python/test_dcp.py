# SPDX-License-Identifier: GPL-2.0-only
"""The preset dcp in scenarios: reordering, returned headers, a lost header, hardware, ranks."""

import pytest
from program import read_json, read_rows, write_json
from ranks import NEEDS, compare, run

pytestmark = NEEDS

LEAF_SPINE = {
    "topology": "leaf-spine",
    "leaves": 8,
    "spines": 8,
    "serversPerLeaf": 8,
    "hostRate": "100Gbps",
    "linkDelay": "1us",
    "mtu": 1024,
}
STAR = {"topology": "star", "servers": 2, "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 1024, "framing": "none"}

#: Of one packet: 1024 bytes of payload, and 58 of RoCE v2, 3 of the message number and 16 of a RETH.
PACKET_NS = (1024 + 77) * 8 / 100


def make_scenario(flows, fabric, nic="dcp", **parts):
    """Return flows (sender, receiver, bytes) that begin together."""
    flows = [{"src": s, "dst": d, "bytes": b, "start": "0us"} for s, d, b in flows]
    workload = {"type": "flows", "flows": flows}
    return {"name": "ranks", "fabric": fabric, "nics": [nic], "workload": workload, **parts}


def run_scenario(folder, scenario):
    """Return (rows of flows.csv, summary)."""
    path = write_json(folder / "scenario.json", scenario)
    status, _, errors = run(1, "run", path, "--out", folder / "out", "--quiet")
    assert (status, errors) == (0, "")
    (results,) = (folder / "out" / scenario["name"]).glob("*/summary.json")
    return read_rows(results.parent / "flows.csv"), read_json(results)


def make_permutation(size):
    """Return a flow of each of 64 servers to one of another leaf."""
    return [(i, (i + 8 + 3 * (i % 8)) % 64, size) for i in range(64)]


@pytest.mark.parametrize("balancer", ["AdaptiveBalancer", "SprayBalancer"])
def test_spraying_without_loss_causes_no_retransmission(tmp_path, balancer):
    fabric = {**LEAF_SPINE, "loadBalancer": f"ns3::rdma::{balancer}"}
    rows, summary = run_scenario(tmp_path, make_scenario(make_permutation(300_000), fabric))
    assert {row["status"] for row in rows} == {"completed"}
    assert summary["trims"] == summary["retransmitted"] == summary["timeouts"] == 0


def test_the_same_fabric_reorders(tmp_path):
    # What IRN takes for loss: the test above would find nothing in a fabric that keeps the order.
    fabric = {**LEAF_SPINE, "loadBalancer": "ns3::rdma::SprayBalancer"}
    _, summary = run_scenario(tmp_path, make_scenario(make_permutation(300_000), fabric, "irn"))
    assert summary["fabric_drops"] == 0 and summary["retransmitted"] > 64


def test_each_trimmed_packet_is_sent_again_once(tmp_path):
    fabric = {**LEAF_SPINE, "buffer": "200kB"}
    flows = [(i, 63, 50_000) for i in range(8)]
    rows, summary = run_scenario(tmp_path, make_scenario(flows, fabric))
    assert {row["status"] for row in rows} == {"completed"}
    assert summary["trims"] > 100
    assert summary["retransmitted"] == summary["trims"]
    assert summary["timeouts"] == summary["trimmed_drops"] == 0


def test_two_ranks_give_the_bytes_of_one(tmp_path):
    fabric = {**LEAF_SPINE, "buffer": "200kB", "lossRate": 0.0005}
    flows = [(i, 63, 50_000) for i in range(8)] + make_permutation(20_000)
    path = write_json(tmp_path / "scenario.json", make_scenario(flows, fabric))
    summary = compare(tmp_path, path, [2])["dcp"]["summary.json"]
    assert summary["flows"]["completed"] == len(flows)
    assert summary["trims"] > 0 and summary["timeouts"] > 0


def test_one_flow_takes_the_closed_form(tmp_path):
    # Window: 100 Gb/s times the base RTT, which is four links, one full packet twice and an
    # acknowledgment of 62 bytes twice: 4 + 0.17616 + 0.00992 us, 52.3 kB, 47 packets of 1101 bytes.
    # A packet and its acknowledgment take that time, so that the window is full after 47 packets
    # and nothing waits after that: the flow leaves in rounds of 47 packets.
    packets = 200
    rows, _ = run_scenario(tmp_path, make_scenario([(0, 1, packets * 1024)], STAR))
    round_ns = 4000 + 2 * PACKET_NS + 2 * 62 * 8 / 100
    window = int(round_ns * 100 / 8 // (1024 + 77))
    full, rest = divmod(packets - 1, window)
    expected = full * max(round_ns, window * PACKET_NS) + rest * PACKET_NS + round_ns
    assert float(rows[0]["fct_ns"]) == pytest.approx(expected, abs=1e-3)


def test_a_packet_lost_without_a_header_costs_the_timer_and_the_message(tmp_path):
    # Frame 10 of the link from the sender is lost: no header, and the timer of 8 ms runs from the
    # last departure. All 40 packets are sent again.
    script = {"link": [0, 2], "direction": "forward", "model": "ns3::rdma::ScriptedLoss"}
    script["attributes"] = {"ns3::rdma::ScriptedLoss::Frames": "10"}
    fabric = {**STAR, "losses": [script]}
    rows, summary = run_scenario(tmp_path, make_scenario([(0, 1, 40 * 1024)], fabric))
    assert (summary["timeouts"], summary["retransmitted"]) == (1, 40)
    # The 40 packets leave back to back, within the window of 47; the 11th of the second round completes the message.
    round_ns = 4000 + 2 * PACKET_NS + 2 * 62 * 8 / 100
    expected = 39 * PACKET_NS + 8e6 + 10 * PACKET_NS + round_ns
    assert float(rows[0]["fct_ns"]) == pytest.approx(expected, abs=1e-3)


def test_a_returned_header_waits_for_the_queue_in_host_memory(tmp_path):
    # Eight senders share a port of a star with a small buffer, which trims the last packets, too.
    fabric = {**STAR, "servers": 9, "buffer": "100kB"}
    flows = [(i, 8, 50_000) for i in range(8)]
    ends = {}
    for delay in ("1400ns", "300us"):
        nic = {"preset": "dcp", "hardware": "on", "attributes": {"ns3::rdma::NicHardware::NakDelay": delay}}
        folder = tmp_path / delay
        folder.mkdir()
        rows, summary = run_scenario(folder, make_scenario(flows, fabric, nic))
        assert summary["retransmitted"] == summary["trims"] > 0
        ends[delay] = max(float(row["fct_ns"]) for row in rows)
    assert ends["300us"] > ends["1400ns"] + 200_000


def test_an_entropy_selector_uses_the_rate_of_all_planes(tmp_path):
    # Two planes send two packets at a time, and the window has the bytes of both: all but one round trip takes half the time.
    # The base RTT of a leaf-spine of 1 us links: 8 us, four packets of 1125 bytes and four acknowledgments of 86, with framing.
    ends = []
    for planes in (1, 2):
        folder = tmp_path / str(planes)
        folder.mkdir()
        attributes = {"ns3::rdma::RdmaNic::EntropySelector": "ns3::rdma::ObliviousEntropy"}
        fabric = {**LEAF_SPINE, "planes": planes, "loadBalancer": "ns3::rdma::EcmpBalancer"}
        nic = {"preset": "dcp", "attributes": attributes}
        rows, summary = run_scenario(folder, make_scenario([(0, 63, 4_000_000)], fabric, nic))
        assert summary["retransmitted"] == summary["trims"]
        ends.append(float(rows[0]["fct_ns"]))
    rounds = 8000 + 4 * (1125 + 86) * 8 / 100
    assert ends[1] - rounds == pytest.approx((ends[0] - rounds) / 2, rel=0.1)
