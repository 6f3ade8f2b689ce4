# SPDX-License-Identifier: GPL-2.0-only
"""JSON files of DOCA Perftest: patterns, names with ranges, and iterations with a barrier."""

import json

import pytest
from imported import run_graph, run_import
from program import BUILD, NEEDS_PROGRAM, read_json, run_scenario

from rocelab.__main__ import main


def write_test(tmp_path, nodes="node[1-4]", **keys):
    """Write a file; each of `keys` replaces or adds one."""
    test = {"testNodes": [{"hostname": nodes, "deviceName": "mlx5_0"}], "trafficPattern": "MANY_TO_ONE", "verb": "write"}
    test |= {"msgSize": 4096, "metric": "bw", "iterations": 2, **keys}
    path = tmp_path / "test.json"
    path.write_text(json.dumps(test, indent=1))
    return path


def list_pairs(tmp_path, **keys):
    """Return the (src, dst) of a file's messages, each once."""
    graph = run_import(write_test(tmp_path, **keys))["workload"]["operations"]
    return sorted({(one["src"], one["dst"]) for one in graph})


BOTH = [(0, 2), (1, 3), (2, 0), (3, 1)]
ALL = [(a, b) for a in range(4) for b in range(4) if a != b]


@pytest.mark.parametrize(
    "keys, pairs",
    [
        ({"trafficPattern": "ONE_TO_ONE", "nodes": "a[1,2]"}, [(0, 1)]),
        ({"trafficPattern": "ONE_TO_MANY"}, [(0, 1), (0, 2), (0, 3)]),
        ({"trafficPattern": "MANY_TO_ONE"}, [(1, 0), (2, 0), (3, 0)]),
        ({"trafficPattern": "BISECTION"}, [(0, 2), (1, 3)]),
        ({"trafficPattern": "BISECTION", "trafficDirection": "BIDIR"}, BOTH),
        ({"trafficPattern": "ALL_TO_ALL"}, ALL),
        ({"trafficPattern": "ALL_2_ALL", "trafficDirection": "BIDIR"}, ALL),
        # The requester posts a READ: the pairs are those of WRITEs.
        ({"trafficPattern": "MANY_TO_ONE", "verb": "read"}, [(1, 0), (2, 0), (3, 0)]),
    ],
)
def test_a_pattern_has_its_connections(tmp_path, keys, pairs):
    assert list_pairs(tmp_path, **keys) == pairs


def test_the_verb_of_the_file_moves_the_data_unless_an_option_says_otherwise(tmp_path):
    path = write_test(tmp_path, verb="read")
    assert run_import(path)["workload"]["operation"] == "read"
    assert run_import(path, "--operation", "send")["workload"]["operation"] == "send"
    assert "operation" not in run_import(write_test(tmp_path))["workload"]


@pytest.mark.parametrize(
    "host, device, count", [("a", "m", 1), ("a[01-03]", "m", 3), ("a[0,2]", "m_[0-1]", 4), ("r[1-2]n[08-10]", "", 6), ("a[1,3-4]", "m", 3)]
)
def test_ranges_stand_for_a_node_per_host_and_device(tmp_path, host, device, count):
    nodes = [{"hostname": host, "deviceName": device}, {"hostName": "last"}]
    scenario = run_import(write_test(tmp_path, testNodes=nodes))
    assert scenario["fabric"]["servers"] == count + 1


def test_messages_of_a_connection_have_one_queue_pair_and_wait_for_nothing(tmp_path):
    graph = run_import(write_test(tmp_path, trafficPattern="ONE_TO_ONE", nodes="a[1-2]", iterations=3))["workload"]["operations"]
    assert [(one["bytes"], one["queuePair"], one.get("after")) for one in graph] == [(4096, "0-1", None)] * 3


def test_synchronized_iterations_begin_when_all_messages_of_the_last_have_arrived(tmp_path):
    keys = {"trafficPattern": "ALL_2_ALL", "trafficDirection": "BIDIR", "iterationSync": "true", "nodes": "a[1-3]", "iterations": 4}
    graph = run_import(write_test(tmp_path, **keys))["workload"]["operations"]
    # Each of 3 x 2 connections: data, and a message without bytes behind them.
    assert sorted(one["bytes"] for one in graph) == [0] * 24 + [4096] * 24
    ends = run_graph(graph, lambda size: size or 5000)
    assert max(ends.values()) == 4 * 5000


def test_a_duration_is_replaced_by_a_number_of_messages(tmp_path, capsys):
    path = write_test(tmp_path, Duration=60, dataValidation=True)
    keys = json.loads(path.read_text())
    del keys["iterations"]
    path.write_text(json.dumps(keys))
    assert len(run_import(path)["workload"]["operations"]) == 3 * 16
    lines = capsys.readouterr().out
    assert "a duration in real time: 16 messages per connection in its place" in lines and '"dataValidation": no effect here' in lines
    assert len(run_import(path, "--iterations", "5")["workload"]["operations"]) == 3 * 5


@pytest.mark.parametrize(
    "keys, line",
    [
        ({"testNodes": []}, "testNodes: expected a list of nodes, got '[]'"),
        ({"testNodes": [{"deviceName": "m"}]}, "testNodes: expected texts hostname and deviceName, got "),
        ({"nodes": "a"}, "testNodes: expected two nodes or more, got 1"),
        ({"nodes": "a[3-1]"}, "testNodes: expected ranges such as [01-16] or [0,2], got 'a[3-1]'"),
        ({"nodes": "a[0-99999]"}, "testNodes: expected ranges such as"),
        ({"nodes": "a[0-999]b[0-999]"}, "testNodes: expected at most 65536 nodes, got "),
        ({"nodes": "a[1-3]", "trafficPattern": "BISECTION"}, "trafficPattern: expected an even number of nodes for BISECTION, got 3"),
        ({"trafficPattern": "RING"}, "trafficPattern: expected ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE, ALL_TO_ALL, BISECTION, got 'RING'"),
        ({"trafficPattern": ["RING"]}, "trafficPattern: expected ONE_TO_ONE"),
        ({"trafficDirection": "BOTH"}, "trafficDirection: expected UNIDIR or BIDIR, got 'BOTH'"),
        ({"verb": "atomic"}, "verb: expected write or read or send, got 'atomic'"),
        ({"metric": "lat"}, "metric: expected bw; `rocelab perftest` measures latencies, got 'lat'"),
        ({"msgSize": 0}, "msgSize: expected a whole number from 1 to 2147483648, got '0'"),
        ({"msgSize": True}, "msgSize: expected a whole number"),
        ({"iterations": 400000}, "iterations: expected at most 1000000 messages in all, got 1,200,000"),
        ({"iterationSync": "true"}, "iterationSync: expected ALL_TO_ALL, BIDIR and iterations with it, got others"),
        ({"iterationSync": 3}, "iterationSync: expected true or false, got '3'"),
    ],
)
def test_a_wrong_key_is_named(tmp_path, capsys, keys, line):
    path, target = write_test(tmp_path, **keys), tmp_path / "x.json"
    assert main(["import", str(path), "--to", str(target), "--build", "no-build"]) == 2
    assert capsys.readouterr().err.startswith(f"rocelab: {path}: {line}")
    assert not target.exists()


@NEEDS_PROGRAM
@pytest.mark.parametrize("verb", ["write", "read", "send"])
def test_a_connection_takes_the_time_of_its_bytes(tmp_path, verb):
    path = write_test(tmp_path, verb=verb, trafficPattern="ONE_TO_ONE", nodes="a[1-2]", msgSize=2**20, iterations=6)
    run_scenario(tmp_path, run_import(path, build=BUILD))
    summary = read_json(next(tmp_path.rglob("summary.json")))
    # 6 MiB at 100 Gb/s are 503 us; packets of 1,024 B have some 80 B of headers and gaps (8 %), and paths take 4 us.
    assert 0.503 < summary["simulated_ms"] < 0.503 * 1.1 + 0.01
