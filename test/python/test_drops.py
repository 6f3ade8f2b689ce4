# SPDX-License-Identifier: GPL-2.0-only
"""Drops in the fabric and discards at NICs are told apart, in the summary and in what is made of it."""

import pytest
from program import write_json
from ranks import NEEDS, run

from rocelab.report.compare import format_comparison
from rocelab.results.folders import FABRIC_REASONS, load_scenario

pytestmark = NEEDS

NONE = {"ns3::rdma::RdmaNic::CongestionControl": "ns3::rdma::NoCongestionControl"}
SCENARIO = {
    "name": "ranks",
    # 7 of 8 senders of 1 MB are too fast for a port of 100 Gb/s: the switch drops.
    "fabric": {
        "topology": "star",
        "servers": 9,
        "linkDelay": "1us",
        "buffer": "512KiB",
        "headroom": {"100Gbps": "37500B"},  # Without PFC only as it is given.
        "mtu": 4096,
        "pfc": False,
    },
    "nics": ["balboa", {"preset": "irn", "attributes": NONE}],
    "workload": {"type": "incast", "senders": 8, "receiver": 8, "bytes": "1MB"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the results of an incast that overflows the switch."""
    out = tmp_path_factory.mktemp("drops")
    path = write_json(out / "incast.json", SCENARIO)
    status, _, errors = run(1, "run", path, "--out", out, "--quiet")
    assert status == 0, errors
    return out / "ranks"


def test_a_frame_lost_at_the_switch_makes_a_go_back_n_receiver_discard_those_behind_it(folder):
    summaries = {nic.name: nic.summary for nic in load_scenario(folder).nics}
    for summary in summaries.values():
        fabric = sum(summary["drops"].get(reason, 0) for reason in FABRIC_REASONS)
        assert summary["fabric_drops"] == fabric > 0
        assert summary["nic_discards"] == sum(summary["drops"].values()) - fabric
    # Go-back-N discards all that comes behind a gap; selective repeat keeps it.
    balboa, irn = summaries["balboa"], summaries["irn"]
    assert balboa["nic_discards"] == balboa["drops"]["out-of-order"] > balboa["fabric_drops"]
    assert irn["nic_discards"] == 0


def test_the_table_of_a_comparison_has_a_column_of_each(folder):
    header = " ".join(format_comparison(load_scenario(folder)).splitlines()[2:4])
    assert "fabric" in header and "discards" in header
