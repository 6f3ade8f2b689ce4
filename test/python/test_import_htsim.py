# SPDX-License-Identifier: GPL-2.0-only
"""htsim's connection matrices and topologies."""

import pytest
from imported import run_graph, run_import

from rocelab.__main__ import main

RING = """Nodes 4
Connections 8
Triggers 4
{lines}
"""

TREE = """# Two tiers, with comments
Nodes 8
Tiers 3
Podsize 4

Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Downlink_Latency_ns 1000
Switch_Latency_ns 100

Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Downlink_Latency_ns 500
Queue_Up 100000

Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Downlink_Latency_ns 1000
Bundle 2
"""


def write_ring(tmp_path):
    """Write four flows of which each starts another one at its receiver."""
    lines = [f"{one}->{(one + 1) % 4} id {one + 1} start 0 size 1000 send_done_trigger {one + 1}" for one in range(4)]
    lines += [f"{one}->{(one + 1) % 4} id {one + 5} trigger {(one - 1) % 4 + 1} size 1000" for one in range(4)]
    lines += [f"trigger id {one + 1} oneshot" for one in range(4)]
    path = tmp_path / "ring.cm"
    path.write_text(RING.format(lines="\n".join(lines)))
    return path


def write(tmp_path, text, name="test.cm"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_flows_without_triggers_are_a_list_by_start(tmp_path, capsys):
    path = write(tmp_path, "# flows\nNodes 3\nConnections 2\n0->1 id 1 start 2000000.000000 size 500 prio 3\n2->0 start 1500 size 7\n")
    scenario = run_import(path)
    assert scenario["fabric"] == {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"}
    assert scenario["workload"] == {
        "type": "flows",
        "flows": [
            {"src": 2, "dst": 0, "bytes": 7, "start": "1500ps"},
            {"src": 0, "dst": 1, "bytes": 500, "start": "2us"},
        ],
    }
    assert "1  connections with prio: dropped" in capsys.readouterr().out


def test_the_ultra_ethernet_fork_takes_whole_microseconds(tmp_path):
    path = write(tmp_path, "Nodes 2\nConnections 2\n0->1 id 1 start 3.9 size 500\n1->0 id 2 start 0 size 1\n")
    flows = run_import(path, "--start-unit", "us")["workload"]["flows"]
    assert [one["start"] for one in flows] == ["0ps", "3us"]
    assert [one["start"] for one in run_import(path)["workload"]["flows"]] == ["3ps", "0ps"][::-1]


def test_triggers_are_dependencies(tmp_path, capsys):
    graph = run_import(write_ring(tmp_path))["workload"]["operations"]
    after = {one["id"]: one.get("after") for one in graph}
    assert after == {"1": None, "2": None, "3": None, "4": None, "5": ["4"], "6": ["1"], "7": ["2"], "8": ["3"]}
    assert max(run_graph(graph, lambda size: size).values()) == 2000
    assert "4  flows that a trigger starts at their predecessor's receiver" in capsys.readouterr().out


def test_barriers_wait_for_all_and_multishots_for_one_each(tmp_path):
    text = "Nodes 4\nConnections 6\nTriggers 2\n"
    text += "".join(f"{one}->3 id {one + 1} start 0 size 10 send_done_trigger {one // 2 + 1}\n" for one in range(3))
    text += "0->1 id 4 start 0 size 10 recv_done_trigger 2\n"
    text += "3->0 id 5 trigger 1 size 20\n3->1 id 6 trigger 2 size 20\n"
    path = write(tmp_path, text + "trigger id 1 barrier count 2\ntrigger id 2 multishot\n")
    after = {one["id"]: one.get("after") for one in run_import(path)["workload"]["operations"]}
    assert (after["5"], after["6"]) == (["1", "2"], ["3"])


def test_messages_of_a_connection_share_a_queue_pair(tmp_path):
    path = write(tmp_path, "Nodes 2\nConnections 3\n0->1 id 1 msg 1 start 0 size 5\n0->1 id 1 msg start 1 size 6\n0->1 id 2 start 0 size 7\n")
    assert [one.get("queuePair") for one in run_import(path)["workload"]["operations"]] == ["0>1 1", "0>1 1", None]


def test_flows_without_an_end_send_until_a_time(tmp_path, capsys):
    path = write(tmp_path, "Nodes 3\nConnections 2\n0->2 id 1 start 0 size 0\n1->2 id 2 start 7 size 9\n")
    scenario = run_import(path, "--until", "3ms")
    assert scenario["run"] == {"seed": 1, "drain": False}
    (workload,) = scenario["workloads"]
    assert (workload["name"], workload["end"]) == ("cm", "3ms")
    # At 800 Gb/s, 10^15 bytes take 10^4 s.
    assert [one["bytes"] for one in workload["flows"]] == [10**15, 9]
    path = write(tmp_path, "Nodes 3\nConnections 1\n0->2 id 1 msg 1 start 0 size 0\n")
    assert main(["import", str(path), "--to", str(tmp_path / "x.json"), "--until", "3ms"]) == 2
    assert f"{path}:3: expected --bytes for flows without an end in a file with triggers or msg" in capsys.readouterr().err


@pytest.mark.parametrize(
    "servers, options, buffer",
    [
        (64, [], None),
        # 512 KiB and 4 x 100 Gb/s x 1 us = 50,000 bytes for each server.
        (1024, [], 1024 * (524288 + 50000)),
        # 4 x 800 Gb/s x 10 us = 4,000,000 bytes are more than 512 KiB.
        (4, ["--rate", "800Gbps", "--delay", "10us"], 4 * (524288 + 4000000)),
        (1024, ["--buffer", "1GiB"], 2**30),
    ],
)
def test_the_buffer_of_a_large_star_is_in_proportion_to_its_servers(tmp_path, servers, options, buffer):
    path = write(tmp_path, f"Nodes {servers}\nConnections 1\n0->1 start 0 size 5\n")
    assert run_import(path, *options)["fabric"].get("buffer") == (None if buffer is None else f"{buffer}B")


def test_wrong_counts_can_be_ignored(tmp_path, capsys):
    path = write(tmp_path, "Nodes 2\nConnections 9\n0->1 id 1 start 0 size 5 send_done_trigger 7\n1->0 id 2 trigger 7 size 0\n")
    target = ["import", str(path), "--to", str(tmp_path / "x.json")]
    assert main(target) == 2
    assert capsys.readouterr().err.startswith(f"rocelab: {path}:4: expected size, or --until or --bytes for flows without an end")
    graph = run_import(path, "--ignore-counts", "--bytes", "1kB")["workload"]["operations"]
    assert [(one["bytes"], one.get("after")) for one in graph] == [(5, None), (1000, ["1"])]


def test_a_fat_tree_is_a_topology_file(tmp_path, capsys):
    path = write(tmp_path, TREE, "tree.topo")
    target = tmp_path / "tree.txt"
    assert main(["import", str(path), "--to", str(target)]) == 0
    lines = target.read_text().splitlines()
    # 8 servers, 4 ToRs, 4 aggregates, 4 cores; 8 + 8 + 16 links.
    assert lines[:2] == ["20 12 32", " ".join(map(str, range(8, 20)))]
    assert lines[2] == "0 8 200Gbps 1050000ps 0" and lines[9] == "7 11 200Gbps 1050000ps 0"
    assert lines[10:14] == [f"{tor} {agg} 200Gbps 550000ps 0" for tor in (8, 9) for agg in (12, 13)]
    # Aggregate 0 of a pod has cores 0 and 2, two links to each.
    assert lines[18:22] == [f"12 {core} 100Gbps 1000000ps 0" for core in (16, 16, 18, 18)]
    out = capsys.readouterr().out
    assert "1  sizes of queues: dropped" in out and "1  latencies of switches" in out


def test_a_workload_takes_the_fabric_of_a_topology_file(tmp_path):
    write(tmp_path, TREE, "tree.topo")
    scenario = run_import(write_ring(tmp_path), "--topology", str(tmp_path / "tree.topo"), "--nic", "irn", "--name", "x")
    assert scenario["fabric"] == {"topology": "hpcc-file", "file": "scenario-topology.txt"}
    assert (scenario["nics"], scenario["name"]) == (["irn"], "x")
    assert (tmp_path / "scenario-topology.txt").read_text().startswith("20 12 32\n")


@pytest.mark.parametrize("change, line, expected", [
    (("Radix_Down 4", "Radix_Down 5"), 20, "radix_down a multiple of bundle"),
    (("Podsize 4", "Podsize 3"), 1, "Nodes a multiple of Podsize 3"),
    (("Tier 2", "Tier 1"), 20, "each tier once"),
    (("Radix_Up 4", "Radix_Up 5"), 13, "radix_up a multiple of the bundle above"),
    (("Tiers 3", "Tiers 2"), 1, "tiers 0 to 1"),
])
def test_tiers_must_fit_together(tmp_path, capsys, change, line, expected):
    path = write(tmp_path, TREE.replace(*change), "tree.topo")
    assert main(["import", str(path), "--to", str(tmp_path / "x.txt")]) == 2
    assert capsys.readouterr().err.startswith(f"rocelab: {path}:{line}: expected {expected}")
    assert not (tmp_path / "x.txt").exists()
