# SPDX-License-Identifier: GPL-2.0-only
"""Damaged files of other simulators: one line, exit status 2, nothing written, never a traceback."""

import random
import re

import pytest
from imported import write_binary_goal, write_node, write_trace
from test_import_chakra import write_ring as write_chakra_ring
from test_import_doca import write_test as write_doca
from test_import_goal import write_ring as write_goal_ring
from test_import_htsim import TREE, write_ring as write_matrix
from test_import_others import write_msccl, write_simai

from rocelab.__main__ import main

MUTATIONS = 20  # Of each format.
LEAST_REFUSED = 8
WORDS = ["-1", "0", "99999999999999999999", "1e9", "nan", "", "x", "->", "{", "}", '"', "<", "0x10", "1 1", "\u00e9", "_"]


def write_tree(tmp_path):
    path = tmp_path / "tree.topo"
    path.write_text(TREE)
    return path


def write_goal_file(tmp_path):
    return write_goal_ring(tmp_path, 3, 3, 100)


def write_goal_binary_file(tmp_path):
    programs = [
        [(3, 0, 40, 0, 0, 0, [1]), (1, 1, 17, 3, 0, 0, []), (2, 1, 5, 4, 0, 0, [])],
        [(2, 0, 17, 3, 0, 0, [1]), (1, 0, 5, 4, 0, 0, [])],
    ]
    return write_binary_goal(tmp_path / "test.bin", programs)


def write_msccl_file(tmp_path):
    return write_msccl(tmp_path, 3)


GOOD = {
    "cm": write_matrix,
    "topo": write_tree,
    "goal": write_goal_file,
    "goal-binary": write_goal_binary_file,
    "chakra": write_chakra_ring,
    "msccl": write_msccl_file,
    "simai": write_simai,
    "doca-perftest": write_doca,
}


def mutate_text(data, chance):
    """Return a text with a word, a line or its end changed."""
    lines = data.decode().split("\n")
    kind = chance.randrange(6)
    place = chance.randrange(len(lines))
    words = lines[place].split(" ")
    if kind == 0:
        return data[: chance.randrange(len(data))]
    if kind == 1:
        del lines[place]
    elif kind == 2:
        lines.insert(place, lines[chance.randrange(len(lines))])
    else:
        words[chance.randrange(len(words))] = chance.choice(WORDS)
        lines[place] = " ".join(words)
    return "\n".join(lines).encode()


def mutate_binary(data, chance):
    """Return bytes with a few changed, or cut."""
    kind = chance.randrange(3)
    if kind == 0:
        return data[: chance.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(1 if kind == 1 else 8):
        changed[chance.randrange(len(changed))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bytes(changed)


def check_refused(path, target, capsys, *options):
    """Import a file; returns whether it was refused, which takes one line and leaves no file."""
    target.unlink(missing_ok=True)
    status = main(["import", str(path), "--to", str(target), "--build", "no-build", *options])
    error = capsys.readouterr().err
    if status == 0:
        return False
    assert status == 2 and error.startswith("rocelab: ") and error.count("\n") == 1, error
    assert "expected" in error and "got" in error, error
    assert not target.exists() and not target.with_name(target.stem + "-topology.txt").exists()
    return True


@pytest.mark.parametrize("kind", GOOD)
def test_mutations_end_with_a_line_or_a_scenario(kind, tmp_path, capsys):
    path = GOOD[kind](tmp_path)
    good = path.read_bytes()
    options = ["--bytes", "1kB"] if kind == "msccl" else []
    target = tmp_path / "out" / "x.json"
    assert not check_refused(path, target, capsys, *options)
    mutate = mutate_binary if kind in ("goal-binary", "chakra") else mutate_text
    chance = random.Random(1)
    refused = 0
    for _ in range(MUTATIONS):
        path.write_bytes(mutate(good, chance))
        refused += check_refused(path, target, capsys, *options)
    assert refused >= LEAST_REFUSED


TEXTS = [
    ("a.cm", "", 1, "at least one connection, got none"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 id 1 start 0 size 5 size\n", 3, "size, a whole number from 0 to 2147483647, got ''"),
    ("a.cm", "Nodes 2\nConnections 1\n0->2 start 0 size 5\n", 3, "a node, a whole number from 0 to 1, got '2'"),
    ("a.cm", "Nodes 2\nConnections 1\n1->1 start 0 size 5\n", 3, "two different nodes, got '1->1'"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 start -1 size 5\n", 3, "start, a number from 0 to 1000000 s, got '-1'"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 size 5\n", 3, "either start or trigger, got none of them"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 start 0 trigger 3 size 5\n", 3, "either start or trigger, got both"),
    ("a.cm", "Nodes 2\nConnections 2\n0->1 start 0 size 5\n", 2, "Connections 1, as many as there are lines of them"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 id 4 trigger 3 size 5\n", 3, "a trigger of the file"),
    ("a.cm", "Nodes 2\nConnections 1\nTriggers 1\n0->1 id 4 trigger 3 size 5\ntrigger id 3 oneshot\n", 5, "a connection that fires the trigger"),
    ("a.cm", "Nodes 2\nConnections 1\n0->1 start 0 size 5\nTriggers 1\n", 4, "Triggers before the first connection, trigger or failure, got it behind one"),
    ("a.cm", "Nodes 2\nConnections 1\nFailures 1\nfailure switch_type TOR\nNodes 2\n", 5, "Nodes before the first connection"),
    ("a.cm", "Nodes 2\nConnections 1\nsend 1\n", 3, "Nodes, Connections, Triggers, Failures, SRC->DST, trigger or failure"),
    ("a.topo", "Nodes 4\nTiers 4\n", 2, "Tiers, a whole number from 2 to 3, got '4'"),
    ("a.topo", "Nodes 4\nTier 3\n", 2, "Tier, a whole number from 0 to 2, got '3'"),
    ("a.topo", "Nodes 4\nNodes 4\n", 2, "Nodes once, got it again"),
    ("a.goal", "num_ranks 0\n", 1, "num_ranks and a number from 1 to 65536, got 'num_ranks 0'"),
    ("a.goal", "num_ranks 1\nrank 1 {\n}\n", 2, "rank 0 {, got 'rank 1 {'"),
    ("a.goal", "num_ranks 2\nrank 0 {\n}\n", 4, "2 ranks, got 1"),
    ("a.goal", "num_ranks 1\nrank 0 {\nl1: send 4b to 1\n}\n", 3, "a rank, at most 0, got 1"),
    ("a.goal", "num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 5\n}\n", 4, "a label of its own for each operation of a rank"),
    ("a.goal", "num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}\n", 4, "a label of an operation before, got 'l2'"),
    ("a.goal", "num_ranks 1\nrank 0 {\nsend 5b from 0\n}\n", 3, "rank, }, LABEL requires LABEL"),
    ("a.goal", "num_ranks 1\nrank 0 {\ncalc 5\n", 4, "} at the end of the rank, got the end of the file"),
    ("a.goal", "num_ranks 2\nrank 0 {\nrecv 5b from 1\n}\nrank 1 {\n}\n", 3, "a send that matches this receive, got none"),
    ("a.goal", "num_ranks 2\nrank 0 {\nsend 6b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n", 6, "a receive of at least 6 bytes, the size of its send (a.goal:3), got 5"),
    ("a.goal", "num_ranks 2\nrank 0 {\na: calc 1\nb: send 5b to 1\nb requires a\na requires b\n}\nrank 1 {\n}\n", 3, "operations that do not wait for themselves"),
    ("a.xml", "<algo>", 1, "ngpus, a whole number from 1 to 65536, got none"),
    ("a.xml", '<algo ngpus="2" nchunksperloop="1"><gpu id="2"/></algo>', 1, "id, a whole number from 0 to 1, got '2'"),
    ("a.xml", '<algo ngpus="2" nchunksperloop="1"><tb/></algo>', 1, "<algo> of <gpu> of <tb> of <step>, got <tb> in <algo>"),
    ("a.xml", '<!DOCTYPE a [<!ENTITY b "c">]><algo/>', 1, "no entities, got one"),
    ("a.xml", "<algo", 1, "XML, got unclosed token"),
    ("a.txt", "", 1, "HYBRID_TRANSFORMER_FWD_IN_BCKWD, got an empty file"),
    ("a.txt", "DLRM\n", 1, "one of HYBRID_TRANSFORMER_FWD_IN_BCKWD"),
    ("a.txt", "HYBRID_TRANSFORMER ep: 1\n", 1, "all_gpus: and their number, or --ranks, got none"),
    ("a.txt", "HYBRID_TRANSFORMER all_gpus: 5 ep: 2\n1\n", 1, "all_gpus a multiple of 1 times 2, got 5"),
    ("a.txt", "HYBRID_TRANSFORMER all_gpus: 4\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n", 3, "2 layers, got 1"),
    ("a.txt", "HYBRID_TRANSFORMER all_gpus: 4\n1\na -1 1 NONE 0 1 ALLSUM 0 1 NONE 0 1\n", 3, "NONE, or ALLREDUCE"),
    ("a.txt", "HYBRID_TRANSFORMER all_gpus: 4\n1\na -1 1 NONE 0\n", 3, "12 words of a layer, or 13, got 5"),
    ("a.txt", "HYBRID_TRANSFORMER all_gpus: 4096\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 9 1\n", 3, "at most 1000000 messages"),
]


@pytest.mark.parametrize("name, text, line, expected", TEXTS)
def test_texts_that_are_refused(tmp_path, capsys, name, text, line, expected):
    path, target = tmp_path / name, tmp_path / "x.json"
    path.write_text(text)
    options = ["--bytes", "1kB"] if name.endswith(".xml") else []
    assert main(["import", str(path), "--to", str(target), *options]) == 2
    error = capsys.readouterr().err
    assert re.fullmatch(rf"rocelab: {re.escape(str(path))}:{line}: expected .*, got .*\n", error), error
    assert f": expected {expected}" in error, error
    assert not target.exists()


BAD_NODES = [
    ([write_node(1, 9)], "a type of node from 1 to 7, got 9"),
    ([write_node(1, 4), write_node(1, 4)], "an id of its own for each node, got 1 again"),
    ([write_node(1, 5, comm_size=5, comm_dst=2)], "comm_dst from 0 to 1 of node 1, got 2"),
    ([write_node(1, 5, comm_size=-5, comm_dst=1)], "comm_size from 0 to"),
    ([write_node(1, 5, comm_dst=1)], "comm_size from 0 to"),
    ([write_node(1, 6, comm_size=5, comm_src=1)], "a send that matches this receive, got none"),
    ([write_node(1, 7, comm_type=12, comm_size=5)], "comm_type from 0 to 9 of node 1, got 12"),
    ([write_node(1, 7, comm_type=0, comm_size="much")], "comm_size from 0 to"),
    ([write_node(1, 7, [2], comm_type=0, comm_size=8), write_node(2, 4, [1], duration=1)], "operations that do not wait for themselves"),
    ([write_node(1, 4, duration=2**63)], "a duration of at most"),
    ([b"\x08"], "a number that ends within its message"),
    ([b"\x0b\x00"], "a field of protobuf, not one of type 3"),
    ([b"\x12\x02\xff\xfe"], "names in UTF-8"),
    ([write_node(1, 4, duration=5)], "at least one message between ranks, got 2 computations only"),
    ([], "a Chakra trace with nodes, got none"),
]


@pytest.mark.parametrize("nodes, expected", BAD_NODES)
def test_traces_that_are_refused(tmp_path, capsys, nodes, expected):
    paths = [write_trace(tmp_path / f"t.{rank}.et", nodes) for rank in range(2)]
    target = tmp_path / "x.json"
    assert main(["import", str(paths[0]), "--to", str(target)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rocelab: {tmp_path}/t.") and error.count("\n") == 1 and expected in error, error
    assert not target.exists()


def test_files_of_a_trace_that_are_missing_or_disagree(tmp_path, capsys):
    one = write_trace(tmp_path / "t.1.et", [write_node(1, 7, comm_type=0, comm_size=5)])
    target = tmp_path / "x.json"
    assert check_refused(one, target, capsys)
    write_trace(tmp_path / "t.0.et", [write_node(1, 7, comm_type=2, comm_size=5)])
    assert check_refused(one, target, capsys)
    write_trace(tmp_path / "t.0.et", [write_node(1, 4, duration=5)])
    assert check_refused(one, target, capsys)
    for text in ("[]", "{", '{"a": [9]}', '{"a": [0, 0]}', '{"a": "b"}', '{"a": []}'):
        (tmp_path / "g.json").write_text(text)
        assert check_refused(one, target, capsys, "--groups", str(tmp_path / "g.json"))


@pytest.mark.parametrize("kind", GOOD)
def test_files_that_cannot_be_read(kind, tmp_path, capsys):
    target = tmp_path / "out" / "x.json"
    for content in (b"", b"\x00\x01\x02", b"\xff\xfe\xfd", bytes(1000), b"1" * 1000):
        path = tmp_path / "t.0.et"
        path.write_bytes(content)
        assert check_refused(path, target, capsys, "--format", kind, "--bytes", "1kB")
    for path in (tmp_path / "none.0.et", tmp_path):
        assert check_refused(path, target, capsys, "--format", kind, "--bytes", "1kB")
