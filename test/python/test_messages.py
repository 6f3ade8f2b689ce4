# SPDX-License-Identifier: GPL-2.0-only
"""Workload "messages", and the rate limit of workloads: times and rates by hand, ranks, refused values."""

import pytest
import ranks
from program import NEEDS_PROGRAM, call, find_fault, read_json, read_rows, write_json

pytestmark = NEEDS_PROGRAM

#: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4; preamble, FCS and gap 24.
PACKET = 58 + 24
RETH, AETH = 16, 4
BITS_PER_NS = 100


def make_scenario(nic="connectx6", **workload):
    """Return a scenario of two servers behind one switch: client 0, server 1; links of 1 us."""
    return {
        "name": "messages",
        "fabric": {"topology": "star", "servers": 2, "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 4096},
        "groups": {"clients": [[0, 0]], "servers": [[1, 1]]},
        "nics": [nic],
        "workload": {
            "type": "messages",
            "clients": "clients",
            "servers": "servers",
            "bytes": 8,
            "duration": "400us",
            "warmup": "100us",
            **workload,
        },
    }


def run(folder, scenario):
    """Return (the part of summary.json, the folder of the results of its NIC)."""
    ended = call("run", write_json(folder / "scenario.json", scenario), "--out", folder / "out", "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")
    (summary,) = (folder / "out" / scenario["name"]).glob("*/summary.json")
    return read_json(summary)["messages"], summary.parent


@pytest.mark.parametrize(
    "operation, there, back",
    [
        ("write", PACKET + RETH + 8, PACKET + AETH),
        ("send", PACKET + 8, PACKET + AETH),
        ("read", PACKET + RETH, PACKET + AETH + 8),
        ("fetch-and-add", PACKET + 28, PACKET + AETH + 8),
    ],
)
def test_one_message_at_a_time_takes_two_links_each_way(tmp_path, operation, there, back):
    part, folder = run(tmp_path, make_scenario(operation=operation))
    latency = 4000 + 2 * 8 * (there + back) / BITS_PER_NS
    assert part["latency_us"]["mean"] * 1e3 == pytest.approx(latency, abs=1e-6)
    assert part["latency_us"]["p999"] == part["latency_us"]["p50"]
    (row,) = read_rows(folder / "messages.csv")
    assert float(row["latency_mean_ns"]) == pytest.approx(latency, abs=1e-3)
    # The next one is posted when one has completed.
    assert int(row["messages"]) == pytest.approx(300_000 / latency, abs=1)
    assert part["posted"] == part["completed"] == pytest.approx(400_000 / latency, abs=1)


#: 16 packets, of which the first has the RETH.
WIRE_64K = 65536 + 16 * PACKET + RETH


def test_many_messages_fill_the_link(tmp_path):
    part, _ = run(tmp_path, make_scenario(bytes=65536, queuePairs=4, outstanding=4))
    # A message of each queue pair may be counted or not.
    assert part["goodput_gbps"] == pytest.approx(100 * 65536 / WIRE_64K, abs=4 * 65536 * 8 / 300_000)


def test_the_rate_limit_holds_for_each_queue_pair(tmp_path):
    part, _ = run(tmp_path, make_scenario(bytes=65536, queuePairs=3, outstanding=4, rateLimit="10Gbps", duration="2100us"))
    assert part["goodput_gbps"] == pytest.approx(30 * 65536 / WIRE_64K, abs=3 * 65536 * 8 / 2_000_000)


def test_the_rate_limit_holds_for_flows(tmp_path):
    scenario = make_scenario()
    scenario["workload"] = {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 65536, "start": "0us"}], "rateLimit": "10Gbps"}
    ended = call("run", write_json(tmp_path / "scenario.json", scenario), "--out", tmp_path / "out", "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")
    (row,) = read_rows(tmp_path / "out" / "messages" / "connectx6" / "flows.csv")
    # The last packet starts when the 15 before it are paid off at 10 Gb/s; it and its ACK pass two links of 100 Gb/s and 1 us.
    paid = 15 * (4096 + PACKET) + RETH
    expected = paid * 8 / 10 + 4000 + 2 * 8 * (4096 + PACKET + PACKET + AETH) / BITS_PER_NS
    assert float(row["fct_ns"]) == pytest.approx(expected, abs=1e-3)
    scenario = read_json(tmp_path / "out" / "messages" / "connectx6" / "scenario.json")
    assert scenario["workload"]["rateLimit"] == "10Gbps"


def test_a_slow_receiver_takes_a_message_per_delay_and_receive_request(tmp_path):
    keys = {"operation": "send", "bytes": 4096, "queuePairs": 2, "outstanding": 4, "receives": 2, "receiveDelay": "50us", "rnrTimer": 1}
    part, _ = run(tmp_path, make_scenario(**keys, duration="1100us"))
    # 1 ms has 20 delays, of two requests of two queue pairs each; a refill waits for the RNR timer of 10 us and 5 us of round trip.
    assert 80 * 50 / 66 < part["messages_per_second"] / 1e3 <= 84
    quick, _ = run(tmp_path, make_scenario(**keys | {"receiveDelay": "0us"}, duration="1100us"))
    assert quick["messages_per_second"] > 5 * part["messages_per_second"]
    assert quick["failed"] == part["failed"] == 0


def test_a_page_that_is_not_in_the_translation_cache_costs_a_pcie_read(tmp_path):
    nic = {"preset": "connectx6", "hardware": "on", "attributes": {"ns3::rdma::TranslationCache::CacheEntries": 1024}}
    few, many = (run(tmp_path, make_scenario(nic, operation="read", bytes=512, memory=memory))[0] for memory in ("64KiB", "64MiB"))
    # 16 pages fit into the 1,024 entries, 16,384 do not. The responder reads the entry with a latency of 600 ns, and 64 bytes take
    # less than 10 ns; a miss of the requester is over before the response arrives.
    assert 0.6 < many["latency_us"]["p50"] - few["latency_us"]["p50"] < 0.62


def test_the_results_are_the_same_on_two_ranks(tmp_path):
    if not ranks.is_open_mpi():
        pytest.skip("mpirun is not Open MPI's")
    scenario = make_scenario(operation="send", bytes=2000, queuePairs=3, outstanding=4, linked=2, memory="1MiB", receives=4)
    scenario["name"] = "ranks"
    scenario["workload"] |= {"receiveDelay": "3us", "rateLimit": "20Gbps", "duration": "100us", "warmup": "10us"}
    scenario["fabric"] = {"topology": "leaf-spine", "leaves": 2, "spines": 1, "serversPerLeaf": 2, "hostRate": "100Gbps", "spineRate": "100Gbps"}
    scenario["groups"] = {"clients": [[0, 0], [2, 2]], "servers": [[1, 1], [3, 3]]}
    ranks.compare(tmp_path, write_json(tmp_path / "scenario.json", scenario), [2])


def test_more_queue_pairs_than_the_nic_has_are_refused(tmp_path):
    scenario = make_scenario("balboa", queuePairs=501)
    ended = call("run", write_json(tmp_path / "scenario.json", scenario), "--out", tmp_path / "out", "--quiet")
    assert ended.returncode == 2
    assert "$.workload: expected connections that the NICs take" in ended.stderr


def test_a_warning_names_a_service_that_messages_do_not_pass(tmp_path):
    scenario = make_scenario("balboa")
    service = {"type": "ns3::rdma::AesService", "slots": ["receive"], "attributes": {"ns3::rdma::AesService::Key": "00" * 16}}
    scenario["kernels"] = {"servers": [service]}
    ended = call("run", write_json(tmp_path / "scenario.json", scenario), "--out", tmp_path / "out", "--quiet")
    assert ended.returncode == 0
    assert "$.workload: warning: messages do not pass ns3::rdma::AesService in the slots of servers" in ended.stderr


REFUSED = [
    ({"bytes": None}, '$.workload: expected a key "bytes"'),
    ({"bytes": "2GiB"}, "$.workload.bytes: expected"),
    ({"operation": "atomic"}, "$.workload.operation: expected"),
    ({"operation": "read", "service": "UC"}, "$.workload.service: expected RC for READs and atomics"),
    ({"operation": "fetch-and-add", "bytes": 16}, "$.workload.bytes: expected 8 for an atomic"),
    ({"queuePairs": 0}, "$.workload.queuePairs: expected"),
    ({"outstanding": 2, "linked": 3}, "$.workload.linked: expected at most outstanding"),
    ({"memory": "128GiB"}, "$.workload.memory: expected"),
    ({"memory": "64GiB", "queuePairs": 60000}, "$.workload.bytes: expected at most 16 TiB of memory"),
    ({"receives": 4}, "$.workload.receives: expected no such key unless the operation is send"),
    ({"receiveDelay": "1us"}, "$.workload.receiveDelay: expected no such key unless"),
    ({"operation": "send", "rnrTimer": 32}, "$.workload.rnrTimer: expected"),
    ({"rateLimit": "0Gbps"}, "$.workload.rateLimit: expected a rate above zero"),
    ({"rateLimit": "-1Gbps"}, "$.workload.rateLimit: expected"),
    ({"rateLimit": 10}, "$.workload.rateLimit: expected"),
    ({"servers": "clients"}, "$.workload.servers: expected another group"),
    ({"warmup": "1ms"}, "$.workload.warmup: expected"),
    ({"depth": 4}, "$.workload.depth: expected a known key"),
]


@pytest.mark.parametrize("keys, message", REFUSED)
def test_bad_values_are_refused_in_one_line(tmp_path, keys, message):
    scenario = make_scenario(**keys)
    scenario["workload"] = {key: value for key, value in scenario["workload"].items() if value is not None}
    fault = find_fault(write_json(tmp_path / "scenario.json", scenario))
    assert message in fault
    assert fault.count("\n") == 1


@pytest.mark.parametrize("nic", ["uet", "uet-rccc", "mrc"])
def test_reads_beyond_the_limit_of_requests_do_not_wait_for_a_timer(tmp_path, nic):
    # 64 READs of 8 B, of which 16 are under way at a time: each waits for at most four round trips of less than 5 us. The
    # timer of these transports is 100 us.
    part, _ = run(tmp_path, make_scenario(nic, operation="read", outstanding=64))
    assert part["measured"] > 0 and part["latency_us"]["p999"] < 4 * 5
