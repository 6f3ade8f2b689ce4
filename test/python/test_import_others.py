# SPDX-License-Identifier: GPL-2.0-only
"""MSCCL algorithms, SimAI workloads, and the command import itself."""

import json

import pytest
from imported import run_graph, run_import
from program import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main

SIMAI = """HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {tensor} ep: {experts} pp: 1 vpp: 1 ga: 1 all_gpus: {gpus} checkpoints: 0
2
first -1 1000 {forward} 800 500 NONE 0 1 NONE 0 1
second -1 2000 NONE 0 700 {forward} 400 1 {weight} 1600 1
"""


def write_msccl(tmp_path, count):
    """Write a ring all-gather: each rank sends its chunk, then forwards what it receives."""
    lines = [f'<algo name="ring" proto="Simple" nchannels="1" nchunksperloop="{count}" ngpus="{count}" coll="allgather">']
    for rank in range(count):
        lines.append(f'<gpu id="{rank}" i_chunks="1" o_chunks="{count}" s_chunks="0">')
        lines.append(f'<tb id="0" send="{(rank + 1) % count}" recv="{(rank - 1) % count}" chan="0">')
        kinds = ["s", *["rcs"] * (count - 2), "r"]
        lines += [f'<step s="{step}" type="{kind}" cnt="1" depid="-1" deps="-1" hasdep="0"/>' for step, kind in enumerate(kinds)]
        lines += ["</tb>", "</gpu>"]
    path = tmp_path / "ring.xml"
    path.write_text("\n".join([*lines, "</algo>"]) + "\n")
    return path


def write_simai(tmp_path, forward="ALLREDUCE", weight="NONE", tensor=4, experts=1, gpus=8):
    path = tmp_path / "workload.txt"
    path.write_text(SIMAI.format(forward=forward, weight=weight, tensor=tensor, experts=experts, gpus=gpus))
    return path


def test_an_msccl_ring_takes_its_steps(tmp_path):
    graph = run_import(write_msccl(tmp_path, 5), "--bytes", "5MB")["workload"]["operations"]
    assert len(graph) == 20 and {one["bytes"] for one in graph} == {10**6}
    assert max(run_graph(graph, lambda size: size).values()) == 4 * 10**6


def test_msccl_steps_wait_for_steps_of_other_blocks(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text(
        '<algo nchunksperloop="2" ngpus="2">'
        '<gpu id="0"><tb id="0" send="1" recv="-1" chan="0"><step s="0" type="s" cnt="1" depid="1" deps="1"/></tb>\n'
        '<tb id="1" send="-1" recv="1" chan="1"><step s="0" type="nop" cnt="0" depid="-1" deps="-1"/>'
        '<step s="1" type="r" cnt="2" depid="-1" deps="-1"/></tb></gpu>\n'
        '<gpu id="1"><tb id="0" send="0" recv="-1" chan="1"><step s="0" type="s" cnt="2" depid="-1" deps="-1"/></tb>\n'
        '<tb id="1" send="-1" recv="0" chan="0"><step s="0" type="r" cnt="1" depid="-1" deps="-1"/></tb></gpu></algo>\n'
    )
    answer, call = run_import(path, "--bytes", "1kB")["workload"]["operations"]
    assert (answer["src"], answer["bytes"], answer["after"]) == (0, 500, [call["id"]])
    assert (call["src"], call["bytes"], call.get("after")) == (1, 1000, None)


def test_msccl_needs_the_bytes_of_its_buffer(tmp_path, capsys):
    assert main(["import", str(write_msccl(tmp_path, 3)), "--to", str(tmp_path / "x.json")]) == 2
    assert capsys.readouterr().err == "rocelab: --bytes: expected the bytes of the collective's buffer, got none\n"


def test_simai_layers_follow_each_other_forward_and_back(tmp_path):
    graph = run_import(write_simai(tmp_path))["workload"]["operations"]
    # Two groups of 4: an all-reduce forward and one backward, 24 messages each.
    assert len(graph) == 2 * 2 * 24
    assert {(one["src"] // 4) == (one["dst"] // 4) for one in graph} == {True}
    # 1 us, 6 steps; 2 us and 0.7 us; 6 steps.
    assert max(run_graph(graph, lambda size: 10**6).values()) == (6 + 6) * 10**6 + 3_700_000


@pytest.mark.parametrize("weight, groups", [
    ("ALLREDUCE", {frozenset({0, 2, 4, 6}), frozenset({1, 3, 5, 7})}),
    ("ALLREDUCE_EP", {frozenset({0, 2}), frozenset({1, 3}), frozenset({4, 6}), frozenset({5, 7})}),
    ("ALLREDUCE_DP_EP", {frozenset({0, 4}), frozenset({1, 5}), frozenset({2, 6}), frozenset({3, 7})}),
])
def test_simai_groups(tmp_path, weight, groups):
    path = write_simai(tmp_path, "NONE", weight, tensor=2, experts=2)
    graph = run_import(path)["workload"]["operations"]
    pairs = {frozenset((one["src"], one["dst"])) for one in graph}
    assert all(any(pair <= group for group in groups) for pair in pairs)
    assert set().union(*pairs) == set(range(8))


@pytest.mark.parametrize(
    "first, weight, ranks, messages",
    [
        # A ring of an all-reduce among 4 ranks: 4 x 2 x 3 messages, for both layers. Without tensor groups all are one group.
        ("MICRO", "ALLREDUCE", 4, 2 * 24),
        ("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2", "ALLREDUCE", 4, 2 * 2 * 2 * 2),
    ],
)
def test_simai_files_without_all_gpus_have_the_ranks_of_an_option(tmp_path, capsys, first, weight, ranks, messages):
    path = tmp_path / "micro.txt"
    path.write_text(f"{first}\n2\na -1 1 BROADCAST 5 1 NONE 0 1 {weight} 4096 1\nb -1 1 NONE 0 1 NONE 0 1 {weight} 4096 1\n")
    assert len(run_import(path, "--ranks", str(ranks))["workload"]["operations"]) == messages
    assert "1  BROADCAST: ignored, as by SimAI" in capsys.readouterr().out


def test_simai_ranks_do_not_contradict_the_file(tmp_path, capsys):
    path = write_simai(tmp_path)
    assert main(["import", str(path), "--to", str(tmp_path / "x.json"), "--ranks", "4"]) == 2
    assert "expected all_gpus: 4, as --ranks, got 8" in capsys.readouterr().err


def test_simai_layers_can_be_left_out(tmp_path, capsys):
    path = write_simai(tmp_path)
    assert len(run_import(path, "--layers", "1")["workload"]["operations"]) == 2 * 24
    assert "1  layers behind --layers: dropped" in capsys.readouterr().out


@NEEDS_PROGRAM
def test_the_engine_checks_what_is_written(tmp_path, capsys):
    path = write_simai(tmp_path)
    run_import(path, build=BUILD)
    capsys.readouterr()
    target = tmp_path / "bad.json"
    assert main(["import", str(path), "--to", str(target), "--build", str(BUILD), "--nic", "irm"]) == 2
    assert "irn" in capsys.readouterr().err and not target.exists()


def test_options_are_checked(tmp_path, capsys):
    path, target = write_simai(tmp_path), tmp_path / "x.json"
    cases = [
        (["--rate", "100"], "--rate: expected a rate such as 100Gbps, got '100'"),
        (["--delay", "1 us"], "--delay: expected a time such as 1us, got '1 us'"),
        (["--name", "a/b"], "--name: expected letters, digits and ._-+=,@, got 'a/b'"),
        (["--bytes", "0"], "command line: expected a size from 1 B to 1024 GiB, as 1MiB, got '0'"),
        (["--topology", str(tmp_path / "no.topo")], f"{tmp_path}/no.topo: expected a file, got nothing of that name"),
        (["--format", "goal"], f"{path}:1: expected num_ranks and a number from 1 to 65536, got "),
        (["--nics", "irn"], "command line: expected an option of import (nearest: --nic), got '--nics'"),
    ]
    for options, line in cases:
        assert main(["import", str(path), "--to", str(target), *options]) == 2
        assert capsys.readouterr().err.startswith(f"rocelab: {line}")
    assert main(["import", str(tmp_path / "a.csv"), "--to", str(target)]) == 2
    assert "expected a file that ends with .cm" in capsys.readouterr().err
    assert not target.exists()


def test_long_messages_are_cut(tmp_path, capsys):
    path = tmp_path / "a.goal"
    path.write_text(f"num_ranks 2\nrank 0 {{\nsend {2**32}b to 1\n}}\nrank 1 {{\nr: recv {2**32}b from 0\ns: send 3b to 0\ns requires r\n}}\n")
    first, second, answer = run_import(path)["workload"]["operations"]
    assert first["bytes"] == second["bytes"] == 2**31 and answer["after"] == [first["id"], second["id"]]
    assert "1  messages above 2 GiB" in capsys.readouterr().out


def test_the_written_file_is_a_line_per_operation(tmp_path):
    run_import(write_msccl(tmp_path, 3), "--bytes", "30B")
    text = (tmp_path / "scenario.json").read_text()
    assert text.count("\n") == 6 + 6 + 5 and list(json.loads(text)) == ["name", "fabric", "nics", "workload", "run"]


@pytest.mark.parametrize(
    "first, keys",
    [
        ("2", '"workload": {"type": "hpcc-trace", "file": "%s"}'),
        ("20 4 48", '"fabric": {"topology": "hpcc-file", "file": "%s"}'),
        ("20 4 2 48", '"fabric": {"topology": "hpcc-file", "file": "%s"}'),
    ],
)
@pytest.mark.parametrize("name", ["x.txt", "x.tr"])
def test_files_of_hpcc_need_no_import(tmp_path, capsys, first, keys, name):
    path = tmp_path / name
    path.write_text(f"{first}\n0 1 3 100 1000 2.0\n")
    assert main(["import", str(path), "--to", str(tmp_path / "s.json")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "which needs no import: " + keys % path in error
