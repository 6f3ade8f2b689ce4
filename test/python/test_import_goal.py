# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules: the dependency structure against LogGOPSim's printed results, to the nanosecond."""

import pytest
from imported import run_graph, run_import, write_binary_goal
from loggops import FixedCosts, LogGops

from rocelab.__main__ import main
from rocelab.importers.goal import BinaryReader, TextReader
from rocelab.importers.timing import schedule
from rocelab.importers.two_sided import make_operations

BASE = {"L": 100, "o": 10, "g": 7, "G": 3, "O": 0, "S": 50}
DEFAULTS = {"L": 2500, "o": 1500, "g": 1000}
WIRE_400G = {"L": 0, "o": 0, "g": 0, "G": 0.02, "S": 2**30}


def write_goal(tmp_path, *ranks):
    """Write a schedule of the statements of each rank."""
    lines = [f"num_ranks {len(ranks)}", ""]
    for rank, statements in enumerate(ranks):
        lines += [f"rank {rank} {{", *statements, "}", ""]
    path = tmp_path / "test.goal"
    path.write_text("\n".join(lines))
    return path


def write_one_send(tmp_path, size):
    """Write a send from rank 0 to 1."""
    return write_goal(tmp_path, [f"l1: send {size}b to 1 tag 0"], [f"l1: recv {size}b from 0 tag 0"])


def write_ring(tmp_path, count, steps, size):
    """Write a ring in which a send needs the receive before it."""
    ranks = []
    for rank in range(count):
        lines = []
        for step in range(steps):
            lines += [f"s{step}: send {size}b to {(rank + 1) % count}", f"r{step}: recv {size}b from {(rank - 1) % count}"]
            lines += [f"s{step} requires r{step - 1}"] if step else []
        ranks.append(lines)
    return write_goal(tmp_path, *ranks)


def run(path, **costs):
    """Return when each rank is done."""
    return LogGops(TextReader(str(path)).read(), **costs).run()


@pytest.mark.parametrize(
    "changed, end",
    [({}, 175), ({"L": 130}, 205), ({"o": 13}, 181), ({"g": 11}, 179), ({"G": 5}, 207), ({"O": 2}, 239)],
)
def test_one_eager_send_ends_as_in_loggopsim(tmp_path, changed, end):
    path = write_one_send(tmp_path, 17)
    costs = {**BASE, **changed}
    assert run(path, **costs)[1] == end
    operations = make_operations(str(path), TextReader(str(path)).read(), costs.pop("S"))
    assert max(schedule(operations, FixedCosts(**costs)).end) == end * 1000


def test_a_send_above_the_eager_limit_ends_with_its_receive(tmp_path):
    path = write_one_send(tmp_path, 51)
    assert run(path, **BASE) == [277, 277]
    assert run(path, **{**BASE, "S": 51}) == [10, 277]


@pytest.mark.parametrize("gap, size, end", [(3, 262144, 792929), (6, 262144, 1579358), (3, 524288, 1579361), (6, 524288, 3152222)])
def test_large_sends_with_the_default_costs(tmp_path, gap, size, end):
    assert run(write_one_send(tmp_path, size), **DEFAULTS, G=gap, S=2**30)[1] == end


@pytest.mark.parametrize("size, end", [(50, 0), (51, 1), (101, 2), (4096, 81), (65536, 1310), (1048576, 20971)])
def test_bytes_at_400_gbps_are_rounded_down(tmp_path, size, end):
    assert run(write_one_send(tmp_path, size), **WIRE_400G)[1] == end


@pytest.mark.parametrize("word, cpu, end", [("requires", 0, 140), ("irequires", 1, 123)])
def test_a_computation_begins_at_the_end_or_at_the_start_of_another(tmp_path, word, cpu, end):
    path = write_goal(tmp_path, ["a: calc 123", f"b: calc 17 cpu {cpu}", f"b {word} a"])
    assert run(path, **BASE) == [end]
    operations = make_operations(str(path), TextReader(str(path)).read(), 0)
    assert max(schedule(operations, FixedCosts(100, 10, 7, 3)).end) == end * 1000


@pytest.mark.parametrize("costs, size, end", [(BASE, 17, 1050), ({**DEFAULTS, "G": 0.02, "S": 65535}, 4096, 39486)])
def test_a_ring_of_four_takes_its_steps(tmp_path, costs, size, end):
    path = write_ring(tmp_path, 4, 6, size)
    assert run(path, **costs) == [end] * 4
    costs = dict(costs)
    eager = costs.pop("S")
    operations = make_operations(str(path), TextReader(str(path)).read(), eager)
    assert max(schedule(operations, FixedCosts(**costs)).end) == end * 1000
    graph = run_import(path, "--eager", str(eager))["workload"]["operations"]
    assert max(run_graph(graph, FixedCosts(**costs).get_bytes_duration).values()) == end * 1000


def test_computations_between_messages_are_delays(tmp_path):
    path = write_goal(
        tmp_path,
        ["s: send 100b to 1", "r: recv 50b from 1", "c: calc 500", "c requires r", "t: send 8b to 1", "t requires c"],
        ["r: recv 100b from 0", "c: calc 2000 cpu 1", "c requires r", "s: send 50b to 0", "s requires c", "u: recv 8b from 0"],
    )
    first, last, back = run_import(path)["workload"]["operations"]
    assert (first["bytes"], back["bytes"], last["bytes"]) == (100, 50, 8)
    assert (back["after"], back["delay"]) == ([first["id"]], "2us")
    assert (last["after"], last["delay"]) == ([back["id"]], "500ns")
    assert first["queuePair"] == last["queuePair"] == "0>1" and back["queuePair"] == "1>0"


def test_receives_match_by_source_and_tag_in_order(tmp_path):
    path = write_goal(
        tmp_path,
        ["send 1b to 1 tag 5", "send 2b to 1 tag 6", "send 3b to 1 tag 5"],
        [
            "a: recv 2b from 0 tag 6",
            "b: recv 1b from -1 tag 5",
            "c: recv 3b from 0 tag 5",
            *("sa: send 20b to 0 tag 1", "sa requires a", "sc: send 30b to 0 tag 1", "sc requires c"),
        ],
        [],
    )
    graph = {one["bytes"]: one for one in run_import(path)["workload"]["operations"]}
    assert graph[20]["after"] == [graph[2]["id"]]
    assert graph[30]["after"] == [graph[1]["id"]]  # The wild receive is matched last.


def test_a_receive_may_be_larger_than_its_message(tmp_path, capsys):
    path = write_goal(tmp_path, ["send 5b to 1"], ["recv 8b from 0"])
    (message,) = run_import(path)["workload"]["operations"]
    assert message["bytes"] == 5
    assert "1  receives larger than their message: the size of the send counts" in capsys.readouterr().out


def test_a_send_that_marks_a_time_is_a_point_where_dependencies_meet(tmp_path, capsys):
    # As schedgen of LogGOPSim writes them behind a collective.
    path = write_goal(
        tmp_path,
        ["a: send 1b to 1 tag 1", "m: send 0b to 9999999 tag 1", "m requires a", "b: send 2b to 1 tag 2", "b requires m"],
        ["c: recv 1b from 0 tag 1", "d: recv 2b from 0 tag 2"],
    )
    graph = run_import(path, "--eager", "0")["workload"]["operations"]
    assert [(one["bytes"], one.get("after")) for one in graph] == [(1, None), (2, [graph[0]["id"]])]
    assert "1  sends to rank 9999999 or 999999999, which mark a time: no message" in capsys.readouterr().out
    binary = write_binary_goal(tmp_path / "m.bin", [[(1, 1, 5, 0, 0, 0, [1]), (1, 999999999, 0, 0, 0, 0, [])], [(2, 0, 5, 0, 0, 0, [])]])
    assert len(run_import(binary)["workload"]["operations"]) == 1


def test_a_schedule_of_computations_only_is_one_line(tmp_path, capsys):
    path = write_goal(tmp_path, ["calc 5", "calc 6"], ["calc 7"])
    assert main(["import", str(path), "--to", str(tmp_path / "x.json")]) == 2
    assert capsys.readouterr().err == f"rocelab: {path}: expected at least one message between ranks, got 3 computations only\n"


def test_a_late_send_waits_for_the_posting_of_its_receive(tmp_path):
    path = write_goal(
        tmp_path,
        ["s: send 100000b to 1", "t: send 7b to 1", "t requires s"],
        ["c: calc 5000", "r: recv 100000b from 0", "r requires c", "u: recv 7b from 0"],
    )
    late, after = run_import(path)["workload"]["operations"]
    assert late["delay"] == "5us" and after["after"] == [late["id"]]
    early, after = run_import(path, "--eager", "100000")["workload"]["operations"]
    assert "delay" not in early and "after" not in after


def test_computations_of_a_cpu_run_one_at_a_time(tmp_path):
    path = write_goal(
        tmp_path,
        ["a: calc 10", "b: calc 20", "c: calc 30 cpu 1", "s: send 9b to 1", "s requires a", "s requires b", "s requires c"],
        ["recv 9b from 0"],
    )
    assert run_import(path)["workload"] == {
        "type": "graph",
        "operations": [{"id": "0.s", "src": 0, "dst": 1, "bytes": 9, "delay": "30ns", "queuePair": "0>1"}],
    }


def test_data_of_reads_go_the_same_way_and_their_receivers_post_them(tmp_path):
    path = write_ring(tmp_path, 3, 2, 100)
    written, sent, read = (run_import(path, "--operation", operation)["workload"] for operation in ("write", "send", "read"))
    assert sent == {**written, "operation": "send"}
    assert read["operation"] == "read" and read["type"] == "graph"
    for one, other in zip(written["operations"], read["operations"]):
        assert (one["src"], one["dst"]) == (other["dst"], other["src"])
        assert {**one, "src": 0, "dst": 0} == {**other, "src": 0, "dst": 0}


def test_a_binary_file_is_read_as_its_text(tmp_path):
    # Rank 0 sends 17 bytes after 40 ns; rank 1 answers.
    binary = write_binary_goal(
        tmp_path / "test.bin",
        [
            [(3, 0, 40, 0, 0, 0, [1]), (1, 1, 17, 3, 0, 0, []), (2, 1, 5, 4, 0, 0, [])],
            [(2, 0, 17, 3, 0, 0, [1]), (1, 0, 5, 4, 0, 0, [])],
        ],
    )
    text = write_goal(
        tmp_path,
        ["op0: calc 40", "op1: send 17b to 1 tag 3", "op2: recv 5b from 1 tag 4", "op1 requires op0"],
        ["op0: recv 17b from 0 tag 3", "op1: send 5b to 0 tag 4", "op1 requires op0"],
    )
    assert LogGops(BinaryReader(str(binary), "auto").read(), **BASE).run() == run(text, **BASE)
    assert run_import(binary)["workload"] == run_import(text)["workload"]


def test_nics_of_a_binary_file_can_be_servers(tmp_path):
    path = write_binary_goal(
        tmp_path / "test.bin", [[(1, 1, 17, 3, 0, 3, [])], [(2, 0, 17, 3, 0, 3, [])]], max_nic=3
    )
    scenario = run_import(path)
    assert scenario["fabric"]["servers"] == 8
    assert [(one["src"], one["dst"]) for one in scenario["workload"]["operations"]] == [(3, 7)]
    scenario = run_import(path, "--goal-layout", "ranks")
    assert [(one["src"], one["dst"]) for one in scenario["workload"]["operations"]] == [(0, 1)]


def test_comments_and_what_is_dropped(tmp_path, capsys):
    path = write_goal(tmp_path, ["// no", "/* one", "two */ send 0b to 1", "calc 7", "send 5b to 0"], ["recv 0b from 0", "recv 1b from -1 tag -1"])
    path.write_text(path.read_text().replace("recv 1b from -1 tag -1", ""))
    run_import(path)
    printed = capsys.readouterr().out
    assert "1  computations with no message behind them" in printed
    assert "1  messages of a rank to itself" in printed and "without bytes" not in printed
    assert "1  sends without a receive: kept" in printed
