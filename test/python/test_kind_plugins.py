# SPDX-License-Identifier: GPL-2.0-only
"""A workload and a topology of one file each, loaded as plug-ins (test/plugins/ring-*.cc)."""

import pytest
from program import call, expect_one_line, needs_plugins, read_json, read_rows, run_scenario, write_json

PLUGINS = ["ring-topology", "ring-workload"]
SERVERS = 6

pytestmark = needs_plugins(*PLUGINS)

SCENARIO = {
    "name": "ring",
    "fabric": {"topology": "ring", "servers": SERVERS, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["connectx6"],
    "workload": {"type": "ring", "bytes": "600kB"},
}


@pytest.fixture(name="scenario")
def make_scenario(tmp_path):
    return write_json(tmp_path / "ring.json", SCENARIO)


def test_a_ring_runs_on_a_ring(tmp_path):
    results = run_scenario(tmp_path, SCENARIO, plugins=PLUGINS)
    rows = {int(row["flow"]): row for row in read_rows(results / "flows.csv")}
    assert len(rows) == 2 * (SERVERS - 1) * SERVERS
    for number, row in rows.items():
        assert row["status"] == "completed"
        assert int(row["bytes"]) == 100_000
        assert int(row["dst"]) == (int(row["src"]) + 1) % SERVERS
        if number >= SERVERS:  # What the server before has sent is there.
            step, place = divmod(number, SERVERS)
            before = rows[(step - 1) * SERVERS + (place - 1) % SERVERS]
            assert float(row["start_ns"]) > float(before["start_ns"])
    resolved = read_json(results / "scenario.json")
    assert resolved["workload"] == {"type": "ring", "bytes": 600_000}
    assert resolved["rocelab"]["plugins"] == ["ring-topology.so", "ring-workload.so"]


def test_both_are_listed_and_their_keys_are_checked(scenario):
    assert "ring          switches in a ring" in call("list", "topologies", plugins=PLUGINS).stdout
    assert "ring          a ring all-reduce" in call("list", "workloads", plugins=PLUGINS).stdout
    for change, message in (
        ("workload.byte=1", "$.workload.byte: expected a known key (nearest: bytes"),
        ("fabric.servers=2", "$.fabric.servers: expected a whole number from 3 to 65536, got 2"),
    ):
        expect_one_line(call("check", scenario, "--set", change, plugins=PLUGINS), message)


def test_without_the_plugin_the_kind_is_unknown(scenario):
    kinds = "aartfaac, alma, collective, flows, graph, hpcc-trace, incast, kv, lofar, many-to-one, messages, moe, one-to-many"
    message = f"$.workload.type: expected one of {kinds}, one-to-one, permutation, poisson, rpc, sequence, streams or transfer"
    expect_one_line(call("check", scenario, plugins=PLUGINS[:1]), message)
