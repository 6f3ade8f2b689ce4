# SPDX-License-Identifier: GPL-2.0-only
"""A transport of a user's own, loaded as a plug-in (test/plugins/own-flight.cc): flight, receiver and wire format."""

import pytest
from program import needs_plugins, read_json, read_rows, run_scenario

pytestmark = needs_plugins("own-flight")

PACKETS = 100


def make_scenario(flows, loss_rate=0, packets=32):
    """Return flows across a star of eight servers; each server has one link of 100 Gbit/s."""
    return {
        "name": "own",
        "fabric": {"topology": "star", "servers": 8, "mtu": 1000, "framing": "none", "linkDelay": "1us", "lossRate": loss_rate},
        "nics": [
            {
                "preset": "irn",
                "name": "own",
                "congestionControl": "ns3::rdma::NoCongestionControl",
                "attributes": {
                    "ns3::rdma::RdmaNic::Flight": "ns3::rdma::OwnFlightFactory",
                    "ns3::rdma::OwnFlightFactory::Packets": str(packets),
                    "ns3::rdma::RdmaNic::ReceiverControl": "ns3::rdma::OwnReceiver",
                    "ns3::rdma::RdmaNic::WireFormat": "ns3::rdma::OwnFormat",
                },
            }
        ],
        "workload": {"type": "flows", "flows": flows},
    }


def run(folder, scenario, *options):
    """Return the rows of flows.csv and the summary of one run."""
    made = run_scenario(folder, scenario, *options, plugins=["own-flight"])
    return read_rows(made / "flows.csv"), read_json(made / "summary.json")


def test_one_packet_in_flight_takes_a_round_trip_per_packet(tmp_path):
    flows = [{"src": 0, "dst": 1, "bytes": 1000 * count, "start": f"{start}us"} for count, start in ((PACKETS, 0), (2 * PACKETS, 10_000))]
    rows, summary = run(tmp_path, make_scenario(flows, packets=1))
    times = [float(row["fct_ns"]) for row in rows]
    # 1,040 B and 64 B take 83.2 ns and 5.12 ns on each of two links of 100 Gbit/s, and each link 1 us each way.
    assert times[1] - times[0] == pytest.approx(PACKETS * (2 * (83.2 + 5.12) + 4 * 1000), abs=0.01)
    assert summary["retransmitted"] == 0


def test_flows_end_under_loss_and_each_loss_is_sent_again_once_or_more(tmp_path):
    flows = [{"src": i, "dst": (i + 1) % 8, "bytes": 200_000, "start": "0us"} for i in range(8)]
    rows, summary = run(tmp_path, make_scenario(flows, loss_rate=0.01))
    assert len(rows) == 8
    assert summary["flows"]["completed"] == 8
    # 1,600 packets over two lossy links: some 32 are lost, and some acknowledgments.
    assert 20 <= summary["retransmitted"] <= 120


@pytest.mark.parametrize("preset", ["connectx6", "irn"])
def test_a_receiver_with_the_answers_of_the_built_in_one_gives_the_same_flows(tmp_path, preset):
    """Of both, each packet in order is acknowledged; connectx6 drops packets out of order, irn holds them."""
    flows = [{"src": i, "dst": (i + 1) % 8, "bytes": 200_000, "start": "0us"} for i in range(8)]
    scenario = make_scenario(flows, loss_rate=0.01)
    nic = {"preset": preset, "attributes": {}}
    scenario["nics"] = [nic]
    (tmp_path / "own").mkdir()
    built_in = run(tmp_path, scenario)
    nic["attributes"]["ns3::rdma::RdmaNic::ReceiverControl"] = "ns3::rdma::OwnAcknowledgments"
    own = run(tmp_path / "own", scenario)
    assert built_in[0] == own[0]
    assert built_in[1]["retransmitted"] == own[1]["retransmitted"] > 20


def test_two_ranks_have_the_same_bytes(tmp_path):
    flows = [{"src": i, "dst": i + 32, "bytes": 50_000, "start": "0us"} for i in range(8)]
    scenario = make_scenario(flows, loss_rate=0.005)
    scenario["fabric"] |= {"topology": "fat-tree", "servers": 64}
    one, _ = run(tmp_path, scenario)
    (tmp_path / "two").mkdir()
    two, _ = run(tmp_path / "two", scenario, "--ranks", "2")
    assert one == two
