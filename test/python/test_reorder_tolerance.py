# SPDX-License-Identifier: GPL-2.0-only
"""A plug-in's LossDetector on a fabric that sprays packets over equal routes."""

from program import needs_plugins, read_json, run_scenario

pytestmark = needs_plugins("reorder-tolerant-detector")

PLUGIN = "ns3::rdma::ReorderTolerantDetector"
PACKETS = 8 * 1000  # Of 1000 bytes, in the flows of make_scenario().


def make_scenario(detector, loss_rate=0):
    """Return eight flows across a fat-tree; each packet takes a random one of the equal routes."""
    # A flowlet ends after a pause of 1 ps: each packet chooses anew.
    spray = {"ns3::rdma::FlowletBalancer::Timeout": "1ps"}
    return {
        "name": "spray",
        "fabric": {
            "topology": "fat-tree",
            "servers": 64,
            "fabricRate": "200Gbps",  # Queues at the switches differ from route to route.
            "mtu": 1000,
            "loadBalancer": "ns3::rdma::FlowletBalancer",
            "lossRate": loss_rate,
            "attributes": spray,
        },
        "nics": [
            {
                "preset": "irn",
                "congestionControl": "ns3::rdma::NoCongestionControl",
                "lossDetector": detector,
            }
        ],
        "workload": {
            "type": "flows",
            "flows": [{"src": i, "dst": i + 32, "bytes": "1MB", "start": "0us"} for i in range(8)],
        },
    }


def run(folder, scenario):
    """Return the summary of one run."""
    return read_json(run_scenario(folder, scenario, plugins=["reorder-tolerant-detector"]) / "summary.json")


def test_spraying_causes_no_retransmission_that_the_threshold_tolerates(tmp_path):
    impatient = run(tmp_path, make_scenario("ns3::rdma::SelectiveRepeat"))
    tolerant = run(tmp_path, make_scenario(PLUGIN))
    assert impatient["flows"]["completed"] == tolerant["flows"]["completed"] == 8
    # Out of order means lost for selective repeat.
    assert impatient["retransmitted"] > PACKETS / 4
    assert tolerant["retransmitted"] == tolerant["timeouts"] == 0
    assert tolerant["fct_us"]["mean"] < impatient["fct_us"]["mean"]


def test_only_lost_packets_are_sent_again(tmp_path):
    summary = run(tmp_path, make_scenario(PLUGIN, loss_rate=0.001))
    assert summary["flows"]["completed"] == 8
    # Acknowledgments are lost, too; no packet is sent again for them.
    assert 0 < summary["retransmitted"] <= summary["drops"]["link-loss"]
