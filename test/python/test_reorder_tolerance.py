# SPDX-License-Identifier: GPL-2.0-only
"""A plug-in's LossDetector on a fabric that sprays packets over equal routes."""

import json
import os
import subprocess
from pathlib import Path

import pytest

PLUGIN = "ns3::rdma::ReorderTolerantDetector"
PACKETS = 8 * 1000  # Of 1000 bytes, in the flows of make_scenario().


@pytest.fixture
def build(checkout):
    """The build folder; ./waf test names it in ROCELAB_BUILD."""
    folder = Path(os.environ.get("ROCELAB_BUILD", checkout / "build"))
    if not (folder / "test" / "reorder-tolerant-detector.so").is_file():
        pytest.skip(f"{folder.name}/test/reorder-tolerant-detector.so is not built")
    return folder


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


def run(build, folder, scenario):
    """Return the summary of one run."""
    path = folder / "spray.json"
    path.write_text(json.dumps(scenario))
    command = [build / "rocelab", "run", path, "--out", folder / "out", "--quiet"]
    command += ["--plugin", build / "test" / "reorder-tolerant-detector.so"]
    subprocess.run(command, check=True)
    return json.loads((folder / "out" / "spray" / "irn" / "summary.json").read_text())


def test_spraying_causes_no_retransmission_that_the_threshold_tolerates(build, tmp_path):
    impatient = run(build, tmp_path, make_scenario("ns3::rdma::SelectiveRepeat"))
    tolerant = run(build, tmp_path, make_scenario(PLUGIN))
    assert impatient["flows"]["completed"] == tolerant["flows"]["completed"] == 8
    # Out of order means lost for selective repeat.
    assert impatient["retransmitted"] > PACKETS / 4
    assert tolerant["retransmitted"] == tolerant["timeouts"] == 0
    assert tolerant["fct_us"]["mean"] < impatient["fct_us"]["mean"]


def test_only_lost_packets_are_sent_again(build, tmp_path):
    summary = run(build, tmp_path, make_scenario(PLUGIN, loss_rate=0.001))
    assert summary["flows"]["completed"] == 8
    # Acknowledgments are lost, too; no packet is sent again for them.
    assert 0 < summary["retransmitted"] <= summary["drops"]["link-loss"]
