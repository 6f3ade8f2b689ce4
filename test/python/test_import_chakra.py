# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces: a ring by sends and receives, collectives, groups, streams, the roofline."""

import json

import pytest
from imported import read_time, run_graph, run_import, write_node, write_trace
from program import BUILD, NEEDS_PROGRAM, ROOT, call, read_rows

from rocelab.__main__ import main

COMP, SEND, RECV, COLL = 4, 5, 6, 7
CHUNK = 131072
RANKS = 8
LLAMA = ROOT.parent / "shared" / "reference" / "chakra-llama"


def write_ring(tmp_path):
    """Write what ASTRA-sim's custom ring of 8 ranks has: 14 steps, and 7 us of reduction behind each of the first 7."""
    for rank in range(RANKS):
        nodes, number = [], 0
        for step in range(14):
            wait = [number - 1] if step else []
            nodes.append(write_node(number, SEND, wait, comm_size=CHUNK, comm_dst=(rank + 1) % RANKS, comm_tag=0, comm_type=5))
            nodes.append(write_node(number + 1, RECV, [number], comm_size=CHUNK, comm_src=(rank - 1) % RANKS, comm_tag=0, comm_type=6))
            number += 2
            if step < 7:
                nodes.append(write_node(number, COMP, [number - 1], duration=7))
                number += 1
        write_trace(tmp_path / f"ring.{rank}.et", nodes)
    return tmp_path / "ring.0.et"


def write_collectives(tmp_path, count, *nodes):
    """Write the same nodes for all ranks."""
    for rank in range(count):
        write_trace(tmp_path / f"t.{rank}.et", nodes)
    return tmp_path / "t.0.et"


def test_the_ring_of_8_ranks_takes_14_steps_and_7_reductions(tmp_path, capsys):
    graph = run_import(write_ring(tmp_path))["workload"]["operations"]
    assert len(graph) == RANKS * 14 and {one["bytes"] for one in graph} == {CHUNK}
    assert len({one["queuePair"] for one in graph}) == RANKS
    for step_ps in (1, 13_620_960, 10**9):
        # Exact for any time of a step: each message has one predecessor.
        assert max(run_graph(graph, lambda size: step_ps).values()) == 14 * step_ps + 7 * 7 * 10**6
    assert "different delays" not in capsys.readouterr().out


@NEEDS_PROGRAM
def test_one_chunk_around_the_ring_is_exact_in_the_engine(tmp_path):
    for rank in range(RANKS):
        send = {"comm_size": CHUNK, "comm_dst": (rank + 1) % RANKS}
        receive = write_node(1, RECV, comm_size=CHUNK, comm_src=(rank - 1) % RANKS)
        begin = [write_node(2, COMP, [1], duration=7), write_node(3, SEND, [2], **send)]
        write_trace(tmp_path / f"t.{rank}.et", [receive, *begin] if rank else [write_node(3, SEND, **send), receive])
    run_import(tmp_path / "t.0.et", "--nic", "srnic", build=BUILD)
    assert call("run", tmp_path / "scenario.json", "--out", tmp_path / "out", "--quiet").returncode == 0
    starts = sorted(float(row["start_ns"]) for row in read_rows(tmp_path / "out/scenario/srnic/flows.csv"))
    step = starts[1] - 7000  # R(128 KiB), the arrival at the receiver, and the reduction.
    # 128 packets of 1024 bytes at 100 Gb/s, two links of 1 us: the data alone take 12.5 us.
    assert 12_500 < step < 14_000
    assert starts == pytest.approx([place * (step + 7000) for place in range(RANKS)], abs=0.01)


@pytest.mark.parametrize("kind, count, size, messages, largest", [
    (0, 4, 1000, 24, 250),  # All-reduce: 2 (n - 1) steps of S / n.
    (2, 4, 1000, 12, 1000),  # All-gather: the size is the shard.
    (7, 4, 1000, 12, 250),
    (6, 4, 1000, 12, 250),  # All-to-all.
    (5, 5, 1000, 4, 1000),  # Broadcast and reduce: trees.
    (1, 5, 1000, 4, 1000),
    (3, 4, 1000, 3, 1000),  # Gather and scatter.
    (4, 4, 1000, 3, 250),
    (0, 3, 1000, 12, 334),
])
def test_collectives_have_the_messages_of_their_schedules(tmp_path, kind, count, size, messages, largest):
    path = write_collectives(tmp_path, count, write_node(1, COLL, comm_type=kind, comm_size=size))
    workload = run_import(path)["workload"]
    entries = workload.get("operations") or workload["flows"]
    assert len(entries) == messages and max(one["bytes"] for one in entries) == largest


@pytest.mark.parametrize("kind, steps", [(0, 14), (2, 7), (7, 7)])
def test_rings_take_their_steps_between_computations(tmp_path, kind, steps):
    nodes = [
        write_node(1, COMP, duration=10),
        write_node(2, COLL, [1], comm_type=kind, comm_size=8 * 1000),
        write_node(3, COMP, [2], duration=20),
        write_node(4, COLL, [3], comm_type=kind, comm_size=8 * 1000),
    ]
    graph = run_import(write_collectives(tmp_path, 8, *nodes))["workload"]["operations"]
    ends = run_graph(graph, lambda size: 10**6)
    assert max(ends.values()) == (2 * steps + 30) * 10**6


def test_a_tree_of_a_broadcast_has_log_levels(tmp_path):
    graph = run_import(write_collectives(tmp_path, 13, write_node(1, COLL, comm_type=5, comm_size=8)))["workload"]["operations"]
    assert max(run_graph(graph, lambda size: 1).values()) == 4


def test_groups_by_name_and_order(tmp_path):
    (tmp_path / "groups.json").write_text(json.dumps({"a": [0, 2], "b": [1, 3], "c": [0], "d": [1], "e": [2], "f": [3]}))
    for rank in range(4):
        nodes = [
            write_node(1, COLL, comm_type=2, comm_size=10 + rank % 2, pg_name="ab"[rank % 2]),
            write_node(2, COLL, [1], comm_type=0, comm_size=100, pg_name="cdef"[rank]),
        ]
        write_trace(tmp_path / f"t.{rank}.et", nodes)
    workload = run_import(tmp_path / "t.0.et", "--groups", str(tmp_path / "groups.json"))["workload"]
    entries = sorted((one["src"], one["dst"], one["bytes"]) for one in workload["operations"])
    assert entries == [(0, 2, 10), (1, 3, 11), (2, 0, 10), (3, 1, 11)]


def test_ranks_may_issue_independent_collectives_in_another_order(tmp_path):
    for rank in range(2):
        nodes = [write_node(1 + rank, COLL, comm_type=0, comm_size=10, name="small"), write_node(2 - rank, COLL, comm_type=0, comm_size=1000, name="large")]
        write_trace(tmp_path / f"t.{rank}.et", nodes)
    graph = run_import(tmp_path / "t.0.et")["workload"]["operations"]
    assert sorted(one["bytes"] for one in graph) == [5] * 4 + [500] * 4


def test_the_roofline_needs_both_constants(tmp_path, capsys):
    nodes = [write_node(1, COMP, num_ops=4 * 10**12, tensor_size=10**9), write_node(2, COLL, [1], comm_type=2, comm_size=8)]
    path = write_collectives(tmp_path, 2, *nodes)
    assert main(["import", str(path), "--to", str(tmp_path / "x.json")]) == 2
    assert "--peak-tflops and --memory-bandwidth" in capsys.readouterr().err
    for peak, memory, expected in ((4, 10**6, "1s"), (4000, 1, "1s"), (1000, 1000, "4ms")):
        flows = run_import(path, "--peak-tflops", str(peak), "--memory-bandwidth", str(memory))["workload"]["operations"]
        assert [one["delay"] for one in flows] == [expected] * 2
    assert "2  computations by roofline, 1000 TFLOP/s and 1000 GB/s" in capsys.readouterr().out


def test_nodes_of_a_stream_are_chained_on_demand(tmp_path, capsys):
    nodes = [
        write_node(1, COLL, start=5, comm_type=2, comm_size=8, stream=7),
        write_node(2, COMP, start=1, duration=30, stream=7),
        write_node(3, COMP, start=2, duration=99, stream=8),
    ]
    path = write_collectives(tmp_path, 2, *nodes)
    assert {one["start"] for one in run_import(path, "--queue-pairs", "fresh")["workload"]["flows"]} == {"0ps"}
    chained = run_import(path, "--chain-streams", "--queue-pairs", "fresh")["workload"]["flows"]
    assert {one["start"] for one in chained} == {"30us"}
    assert "2  dependencies added by --chain-streams" in capsys.readouterr().out


def test_what_is_dropped_is_counted(tmp_path, capsys):
    nodes = [
        write_node(1, COLL, is_cpu_op=True),
        write_node(2, COLL, [1, 77], [88], comm_type=2, comm_size=8),
        write_node(3, COMP, [2], duration=4),
    ]
    path = write_collectives(tmp_path, 2, *nodes)
    run_import(path)
    out = capsys.readouterr().out
    assert "4  dependencies on nodes that are not in the trace: dropped" in out
    assert "2  collectives' wrappers on the CPU" in out and "2  computations with no message behind them" in out
    run_import(path, "--ignore-control")
    assert "2  control dependencies: ignored" in capsys.readouterr().out


@pytest.mark.slow
def test_the_training_step_of_8_ranks_has_its_totals(tmp_path, capsys):
    if not LLAMA.exists():
        pytest.skip("no trace beside the project")
    for file in LLAMA.glob("*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    options = ["--groups", str(tmp_path / "llama.json"), "--peak-tflops", "989", "--memory-bandwidth", "3350"]
    graph = run_import(tmp_path / "llama.0.et", *options)["workload"]["operations"]
    sent = {rank: sum(one["bytes"] for one in graph if one["src"] == rank) for rank in range(8)}
    # In groups of two: a shard per all-gather, half a buffer per reduce-scatter, a buffer per all-reduce; 4 sends.
    rings = 48 * 8_388_608 + 32 * 16_777_216 // 2 + 8 * 92_274_688
    assert {sent[rank] - rings for rank in sent} <= {131_072_000 * k + 8_388_608 * 4 for k in (1, 2)} | {131_072_000 * k + 8_388_608 * 2 for k in (1, 2)}
    assert all(read_time(one.get("delay", "0ps")) >= 0 for one in graph)
    assert len(run_graph(graph, lambda size: size * 80)) == len(graph)
