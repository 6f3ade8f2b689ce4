# SPDX-License-Identifier: GPL-2.0-only
"""Three plug-ins in one run: DRILL per packet, trimming, and a loss detector that tolerates reordering."""

from program import needs_plugins, read_json, run_scenario

PLUGINS = ("drill-balancer", "own-trimming", "reorder-tolerant-detector")
TOLERANT = "ns3::rdma::ReorderTolerantDetector"

pytestmark = needs_plugins(*PLUGINS)


def make_scenario(detector):
    """Return sixteen flows across a fat-tree, and four short ones to a server that one of them uses."""
    flows = [{"src": i, "dst": i + 32, "bytes": "1MB", "start": "0us"} for i in range(16)]
    flows += [{"src": i, "dst": 32, "bytes": "50kB", "start": "0us"} for i in range(16, 20)]
    return {
        "name": "three",
        "fabric": {
            "topology": "fat-tree",
            "servers": 64,
            "mtu": 1000,
            "loadBalancer": "ns3::rdma::OwnDrill",
            "admissionPolicy": "ns3::rdma::OwnTrimming",
            "attributes": {
                "ns3::rdma::OwnDrill::Samples": "1",
                "ns3::rdma::OwnTrimming::Threshold": "15000",
            },
        },
        "nics": [
            {
                "preset": "irn",
                "congestionControl": "ns3::rdma::NoCongestionControl",
                "lossDetector": detector,
            }
        ],
        "workload": {"type": "flows", "flows": flows},
    }


def run(folder, detector):
    """Return the summary of one run."""
    return read_json(run_scenario(folder, make_scenario(detector), plugins=PLUGINS) / "summary.json")


def test_a_packet_is_sent_again_once_for_each_time_that_it_is_trimmed(tmp_path):
    summary = run(tmp_path, TOLERANT)
    assert summary["flows"]["completed"] == 20
    # A trimmed frame reaches its NIC, and nothing else is lost: acknowledgments are queued.
    assert summary["trims"] == summary["drops"]["trimmed"] == sum(summary["drops"].values()) > 100
    # All flows completed, hence at least one retransmission per trimmed packet. No more, because nothing in
    # flight is called lost: a queue holds 15 kB at most, 1.2 us at 100 Gb/s, and two packets of a flow have
    # at most four queues that differ (up twice, down twice; the last one is the same): 4.8 us. In that time
    # the sender emits 55 packets of 1090 bytes on the wire. The detector allows 64 packets or 50 us.
    assert summary["retransmitted"] == summary["trims"]


def test_a_detector_that_takes_reordering_for_loss_sends_packets_that_arrive(tmp_path):
    summary = run(tmp_path, "ns3::rdma::SelectiveRepeat")
    assert summary["flows"]["completed"] == 20
    assert summary["retransmitted"] > 1.25 * summary["trims"] > 0
