# SPDX-License-Identifier: GPL-2.0-only
"""Workload "collective": bad keys, several MPI ranks, what a resolved scenario says."""

import csv
import json
import re
import subprocess

import pytest
from limits import TIME_LIMIT
from program import find_fault
from ranks import FABRIC, NEEDS, POISSON, PROGRAM, compare, run, write_scenario

from rocelab.__main__ import main

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

STAR = {"topology": "star", "servers": 8, "hostRate": "100Gbps", "linkDelay": "1us"}
RING = {"type": "collective", "operation": "all-reduce", "size": "64KiB"}
EXCHANGE = {**RING, "algorithm": "recursive-doubling"}
ROUNDS = {**RING, "operation": "all-to-all"}
PEERED = {**ROUNDS, "algorithm": "nccl", "library": "nccl", "channelsPerPeer": 2}
TREE = {**RING, "operation": "broadcast", "algorithm": "binomial"}
HIERARCHY = {**RING, "algorithm": "hierarchical", "inner": 2}
LOCAL = {**RING, "ranksPerServer": 2, "local": {"rate": "800Gbps", "latency": "1us"}}

COUNT = "expected a whole number from"
PEERS = 'expected all-to-all or send-receive with "library": "nccl"'
SIZE = "$.workload.size: expected at most 2GiB"
NO_EFFECT = "expected an operation and an algorithm on which it has an effect"
RINGS = f"{NO_EFFECT} (all-reduce by ring, all-reduce by hierarchical, all-gather by ring, reduce-scatter by ring or send-receive by neighbors), got"
SLICED = f"{NO_EFFECT} (all-reduce by ring, all-reduce by double-tree, "
TREES = f"{NO_EFFECT} (broadcast by chain, broadcast by binomial, reduce by chain or reduce by binomial), got"
IN_GROUPS = f"{NO_EFFECT} (all-reduce by hierarchical), got"
IN_ROUNDS = f"{NO_EFFECT} (all-to-all by shifted, all-to-all by pairwise or all-to-all by nccl), got"
TIMES = "expected times of computing, processing and local transfers of at most 4000000 s in all messages of all iterations, got more"
MATRIX = [[0, 1], [1, 0]]

BAD = [
    (RING, {"operation": None}, '$.workload: expected a key "operation", got none'),
    (RING, {"operation": "all-reduces"}, "$.workload.operation: expected"),
    (RING, {"operation": 1}, "$.workload.operation: expected"),
    (RING, {"operation": ""}, "$.workload.operation: expected"),
    (RING, {"algorithm": "pairwise"}, "$.workload.algorithm: expected"),
    (RING, {"algorithm": ["ring"]}, "$.workload.algorithm: expected"),
    (RING, {"algoritm": "ring"}, "$.workload.algoritm: expected a known key"),
    (RING, {"size": None}, '$.workload: expected a key "size", got none'),
    (RING, {"size": 0}, "$.workload.size: expected a number of bytes above zero"),
    (RING, {"size": "0B"}, "$.workload.size: expected"),
    (RING, {"size": "3GiB"}, SIZE),
    (RING, {"size": 2147483649}, SIZE),
    (RING, {"size": "1 furlong"}, "$.workload.size: expected"),
    (RING, {"size": -1}, "$.workload.size: expected"),
    (RING, {"size": 1.5}, "$.workload.size: expected"),
    (RING, {"size": None, "bytes": 1}, "$.workload.bytes: expected a known key"),
    (RING, {"group": "none"}, "$.workload.group: expected"),
    (RING, {"group": 1}, "$.workload.group: expected the name of a group"),
    (RING, {"group": [0, 15]}, '"mine" with "groups": {"mine": [0, 15]}, got a list'),
    (RING, {"group": "one"}, "$.workload.communicators: expected at least 2 ranks in each, got 1"),
    (RING, {"communicators": 0}, f"$.workload.communicators: {COUNT} 1 to"),
    (RING, {"communicators": 5}, "$.workload.communicators: expected at least 2 ranks in each, got 1"),
    (RING, {"communicators": 4294967296}, f"$.workload.communicators: {COUNT} 1 to"),
    (RING, {"communicators": "2"}, f"$.workload.communicators: {COUNT} 1 to"),
    (RING, {"ranksPerServer": 2}, '$.workload: expected a key "local", got none'),
    (RING, {"ranksPerServer": 0}, f"$.workload.ranksPerServer: {COUNT} 1 to 64, got 0"),
    (RING, {"ranksPerServer": 65}, f"$.workload.ranksPerServer: {COUNT} 1 to 64, got 65"),
    (LOCAL, {"ranksPerServer": 1}, "$.workload.local: expected no such key unless ranksPerServer is above 1, got an object"),
    (LOCAL, {"local": {"rate": "0bps", "latency": "1us"}}, "$.workload.local.rate: expected a rate above zero"),
    (LOCAL, {"local": {"rate": "1Gbps"}}, '$.workload.local: expected a key "latency", got none'),
    (LOCAL, {"local": {"latency": "1us"}}, '$.workload.local: expected a key "rate", got none'),
    (LOCAL, {"local": {"rate": "1Gbps", "latency": "-1us"}}, "$.workload.local.latency: expected"),
    (LOCAL, {"local": {"rate": "1Gbps", "latency": "1us", "hops": 1}}, "$.workload.local.hops: expected a known key"),
    (LOCAL, {"local": "fast"}, "$.workload.local: expected"),
    (RING, {"placement": "best"}, "$.workload.placement: expected"),
    (RING, {"placement": 1}, "$.workload.placement: expected"),
    (LOCAL, {"placement": "rail"}, "$.workload.placement: expected a NIC for each rank of a server with rail, got 1 NICs for 2 ranks"),
    (RING, {"iterations": 0}, f"$.workload.iterations: {COUNT} 1 to 1000000, got 0"),
    (RING, {"iterations": 1000001}, f"$.workload.iterations: {COUNT} 1 to 1000000"),
    (RING, {"iterations": 2.5}, f"$.workload.iterations: {COUNT} 1 to 1000000"),
    (RING, {"warmup": 1}, f"$.workload.warmup: {COUNT} 0 to 0, got 1"),
    (RING, {"iterations": 5, "warmup": 5}, f"$.workload.warmup: {COUNT} 0 to 4, got 5"),
    (RING, {"warmup": "1us"}, f"$.workload.warmup: {COUNT} 0 to 999999"),
    (RING, {"processing": 1}, "$.workload.processing: expected a time"),
    (RING, {"processing": "-1us"}, "$.workload.processing: expected"),
    (RING, {"compute": "1"}, "$.workload.compute: expected"),
    (RING, {"compute": "1e99s"}, "$.workload.compute: expected"),
    (RING, {"duration": "1us"}, "$.workload.duration: expected a known key"),
    (RING, {"compute": "1000000s", "iterations": 5}, f"$.workload: {TIMES}"),
    (RING, {"processing": "100000s"}, f"$.workload: {TIMES}"),  # 8 ranks: 14 x 8 messages.
    (LOCAL, {"local": {"rate": "1bps", "latency": "1us"}}, f"$.workload: {TIMES}"),  # 64 KiB take 524,288 s.
    (LOCAL, {"local": {"rate": "1Gbps", "latency": "100000s"}}, f"$.workload: {TIMES}"),
    (RING, {"channels": 0}, f"$.workload.channels: {COUNT} 1 to 64, got 0"),
    (RING, {"channels": 65}, f"$.workload.channels: {COUNT} 1 to 64, got 65"),
    (RING, {"slices": 0}, f"$.workload.slices: {COUNT} 1 to 4096, got 0"),
    (RING, {"slices": 4097}, f"$.workload.slices: {COUNT} 1 to 4096"),
    (RING, {"library": "mpi"}, "$.workload.library: expected"),
    (RING, {"library": True}, "$.workload.library: expected"),
    (RING, {"library": "nccl", "slices": 2}, "$.workload.slices: expected no slices beside a library, which chooses them"),
    (EXCHANGE, {"library": "nccl"}, "$.workload.library: expected none, or an algorithm of NCCL, got nccl with"),
    (ROUNDS, {"library": "nccl"}, "$.workload.library: expected none, or an algorithm of NCCL"),
    (RING, {"algorithm": "auto"}, '$.workload.algorithm: expected auto with "library": "nccl" only, got "auto"'),
    (RING, {"algorithm": "auto", "library": "none"}, "$.workload.algorithm: expected auto with"),
    (RING, {"protocol": "ll"}, '$.workload.protocol: expected no protocol without "library": "nccl"'),
    (RING, {"protocol": "ll", "library": "none"}, "$.workload.protocol: expected no protocol without"),
    (RING, {"protocol": "LL", "library": "nccl"}, "$.workload.protocol: expected one of simple, ll, ll128 or auto"),
    (RING, {"protocol": 3, "library": "nccl"}, "$.workload.protocol: expected"),
    (ROUNDS, {"algorithm": "nccl", "library": "nccl", "protocol": "ll"}, "expected no protocol for all-to-all, which NCCL sends by Simple"),
    (ROUNDS, {"algorithm": "auto", "library": "nccl"}, "$.workload.algorithm: expected one of"),
    (RING, {"channelsPerPeer": 2, "library": "nccl"}, f"$.workload.channelsPerPeer: {PEERS}"),
    (PEERED, {"library": "none"}, f"$.workload.channelsPerPeer: {PEERS}"),
    (PEERED, {"channelsPerPeer": 0}, f"$.workload.channelsPerPeer: {COUNT} 1 to 64"),
    (PEERED, {"maxPeers": 0}, f"$.workload.maxPeers: {COUNT} 1 to 1048576"),
    (PEERED, {"chunk": "1MiB"}, "$.workload.chunk: expected"),
    (PEERED, {"copyRate": "fast"}, "$.workload.copyRate: expected"),
    (PEERED, {"channels": 2, "operation": "send-receive", "algorithm": "neighbors"}, "$.workload.channels: expected channelsPerPeer instead"),
    (
        RING,
        {"algorithm": "auto", "library": "nccl", "ranksPerServer": 2},
        "$.workload.ranksPerServer: expected 1 where NCCL chooses the algorithm or the protocol, got 2",
    ),
    (TREE, {"library": "nccl-adaptive-routing"}, "$.workload.library: expected none, or an algorithm of NCCL"),
    (RING, {"root": 1}, f"$.workload.root: {TREES} all-reduce by ring"),
    (RING, {"inner": 2}, f"$.workload.inner: {IN_GROUPS} all-reduce by ring"),
    (RING, {"window": 1}, f"$.workload.window: {IN_ROUNDS} all-reduce by ring"),
    (RING, {"waitFor": "arrival"}, f"$.workload.waitFor: {IN_ROUNDS} all-reduce by ring"),
    (RING, {"skew": 1}, f"$.workload.skew: {IN_ROUNDS} all-reduce by ring"),
    (RING, {"matrix": MATRIX}, f"$.workload.matrix: {IN_ROUNDS} all-reduce by ring"),
    (EXCHANGE, {"slices": 2}, f"$.workload.slices: {SLICED}"),
    (EXCHANGE, {"group": "six"}, "$.workload.algorithm: expected a power of two as number of ranks with it, got 6"),
    (EXCHANGE, {"algorithm": "halving-doubling", "group": "six"}, "$.workload.algorithm: expected a power of two"),
    (ROUNDS, {"algorithm": "pairwise", "group": "six"}, "$.workload.algorithm: expected a power of two"),
    (ROUNDS, {"channels": 2}, f"$.workload.channels: {RINGS} all-to-all by shifted"),
    (ROUNDS, {"window": 0}, f"$.workload.window: {COUNT} 1 to"),
    (ROUNDS, {"window": -1}, f"$.workload.window: {COUNT} 1 to"),
    (ROUNDS, {"waitFor": "barrier"}, "$.workload.waitFor: expected"),
    (ROUNDS, {"skew": -0.5}, "$.workload.skew: expected a number from 0 to 10"),
    (ROUNDS, {"skew": 11}, "$.workload.skew: expected a number from 0 to 10"),
    (ROUNDS, {"skew": "1"}, "$.workload.skew: expected"),
    (ROUNDS, {"matrix": MATRIX}, "$.workload.matrix: expected 8 rows, one for each rank, got 2"),
    (ROUNDS, {"matrix": [[0, 1], [1]]}, "$.workload.matrix[1]: expected 2 sizes, one for each row, got 1"),
    (ROUNDS, {"matrix": [[0, -1], [1, 0]]}, "$.workload.matrix[0][1]: expected"),
    (ROUNDS, {"matrix": [[0, "3GiB"], [1, 0]]}, "$.workload.matrix[0][1]: expected at most 2 GiB"),
    (ROUNDS, {"matrix": MATRIX, "skew": 1}, "$.workload.matrix: expected either a matrix or a skew, got both"),
    (ROUNDS, {"matrix": 1}, "$.workload.matrix: expected"),
    (TREE, {"root": 8}, "$.workload.root: expected a rank below 8, got 8"),
    (TREE, {"root": -1}, f"$.workload.root: {COUNT} 0 to"),
    (HIERARCHY, {"inner": 1}, f"$.workload.inner: {COUNT} 2 to"),
    (HIERARCHY, {"inner": 3}, "$.workload.inner: expected at least two groups of at least 2 of the 8 ranks, got 3"),
    (HIERARCHY, {"inner": 8}, "$.workload.inner: expected at least two groups"),
    (HIERARCHY, {"inner": None}, "$.workload.inner: expected at least two groups"),
]


def write(folder, workload, **parts):
    groups = {"one": [7], "six": [0, 5]}
    return write_scenario(folder, fabric=STAR, nics=["connectx6"], groups=groups, workload=workload, **parts)


@NEEDS_PROGRAM
def test_a_bad_key_is_one_line(tmp_path):
    for workload, changes, message in BAD:
        changed = {key: value for key, value in {**workload, **changes}.items() if value is not None}
        fault = find_fault(write(tmp_path, changed))
        assert message in fault and fault.count("\n") == 1, (changes, fault)


@NEEDS_PROGRAM
def test_more_messages_than_their_numbers_have_room_for_are_refused(tmp_path):
    # A ring of 128 ranks, 254 steps, 64 channels and 4,096 slices: 8.5 billion, above 2^32.
    workload = {**RING, "size": "2GiB", "channels": 64, "slices": 4096}
    ended = run(1, "check", write_scenario(tmp_path, fabric={**STAR, "servers": 128}, workload=workload))
    assert ended[0] == 2
    (line,) = ended[2].splitlines()
    assert "$.workload: expected less than 2^32 messages in an iteration, got 8522825728" in line


@NEEDS_PROGRAM
def test_ranks_whose_nics_do_not_understand_each_other_are_refused(tmp_path):
    nics = [{"name": "mixed", "default": "connectx6", "groups": {"six": "srnic"}}]
    path = write_scenario(tmp_path, fabric=STAR, nics=nics, groups={"six": [0, 5]}, workload=RING)
    ended = run(1, "check", path)
    assert ended[0] == 2
    (line,) = ended[2].splitlines()
    assert "understand each other" in line
    assert run(1, "check", write_scenario(tmp_path, fabric=STAR, groups={"six": [0, 5]}, workload=RING))[0] == 0


GOOD = {
    "ring": {**RING, "channels": 2, "slices": 3, "iterations": 3, "warmup": 1, "compute": "2us"},
    "random": {**RING, "communicators": 2, "placement": "random"},
    "exchange": EXCHANGE,
    "trees": {**RING, "algorithm": "double-tree", "slices": 4},
    "rounds": {**ROUNDS, "window": 2, "waitFor": "completion"},
    "skew": {**ROUNDS, "algorithm": "nccl", "skew": 1.5},
    "nccl": {**RING, "library": "nccl", "iterations": 2},
    "nccl-pieces": {**ROUNDS, "algorithm": "nccl", "size": "1536KiB", "library": "nccl-adaptive-routing", "group": "six"},
    "tree": {**TREE, "root": 3, "iterations": 4},
    "hierarchy": {**HIERARCHY, "processing": "300ns"},
    "local": {**LOCAL, "algorithm": "hierarchical"},
}


@NEEDS_PROGRAM
@pytest.mark.parametrize("name", GOOD)
def test_a_resolved_scenario_reads_back_as_itself(tmp_path, name):
    first = run(1, "check", write(tmp_path, GOOD[name]))
    assert first[0] == 0, first[2]
    (tmp_path / "again.json").write_text(first[1])
    assert run(1, "check", tmp_path / "again.json")[1] == first[1]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=NEEDS if name in ("skew", "tree") else [*NEEDS, pytest.mark.slow]) for name in GOOD],
)
def test_two_ranks_give_the_bytes_of_one(tmp_path, name):
    fabric = {**FABRIC, "lossRate": 0.0005}
    # NCCL's timeout is longer than the default stall limit.
    limit = {"seed": 7, "stallLimit": "30s"}
    nics = ["connectx6", "srnic"]
    groups = {"six": list(range(0, 60, 10))}  # On both ranks.
    path = write_scenario(tmp_path, fabric=fabric, nics=nics, groups=groups, workload=GOOD[name], run=limit)
    for files in compare(tmp_path, path, [2]).values():
        rows = list(csv.DictReader(files["collectives.csv"].decode().splitlines()))
        summary = files["summary.json"]["collective"]
        assert len(rows) == GOOD[name].get("iterations", 1) * GOOD[name].get("communicators", 1)
        assert summary["completed"] == summary["iterations"]
        assert all(float(row["slowdown"]) >= 1 for row in rows)


@NEEDS_PROGRAM
def test_hardware_holds_the_queue_pairs_of_an_all_to_all(tmp_path):
    # 64 ranks: 63 queue pairs to others and 63 from others at each NIC.
    nics = [{"preset": "connectx6", "hardware": "on"}]
    path = write_scenario(tmp_path, nics=nics, workload={**ROUNDS, "size": "64KiB"})
    ended = run(1, "run", path, "--out", tmp_path / "out")
    assert ended[0] == 0, ended[2]
    summary = json.loads((tmp_path / "out" / "ranks" / "connectx6" / "summary.json").read_text())
    assert summary["collective"]["completed"] == 1
    assert summary["collective"]["packets"] == 64 * 63
    assert summary["hardware"]["pcie_up_bytes"] > 0


@NEEDS_PROGRAM
def test_a_comparison_of_collectives_has_their_columns_and_their_picture(tmp_path, capsys):
    path = write(tmp_path, {**RING, "iterations": 4})
    status = main(["compare", str(path), "--out", str(tmp_path / "out"), "--build", str(PROGRAM.parent)])
    assert status == 0
    assert "bus" in capsys.readouterr().out
    folder = tmp_path / "out" / "ranks"
    row = next(csv.DictReader((folder / "compare.csv").read_text().splitlines()))
    summary = json.loads((folder / "connectx6" / "summary.json").read_text())["collective"]
    assert float(row["iteration_us_mean"]) == pytest.approx(summary["time_us"]["mean"])
    assert float(row["busbw_gbps"]) == pytest.approx(summary["busbw_gbps"])
    assert {path.stem for path in (folder / "plots").iterdir()} == {"iteration-cdf", "iteration-ccdf"}


@NEEDS_PROGRAM
def test_nccl_prints_the_table_of_nccl_tests():
    ended = run(1, "nccl", "all_reduce", "-b", "64K", "-e", "1M", "-f", "4", "-g", "8", "--nic", "srnic")
    assert ended[0] == 0, ended[2]
    assert "# Ranks: 8, one per server, NIC srnic, hardware off\n" in ended[1]
    assert "# Fabric: star of 8 servers, MTU 4096, link of server 0 100Gbps 1us\n" in ended[1]
    rows = [line.split() for line in ended[1].splitlines() if not line.startswith("#")]
    assert [row[:5] for row in rows] == [
        [str(size), str(size // 4), "float", "sum", "-1"] for size in (65536, 262144, 1048576)
    ]
    for row in rows:
        size, time, algorithm, bus, wrong = row[0], *row[5:9]
        assert row[9:] == [time, algorithm, bus, wrong] and wrong == "N/A"
        assert float(algorithm) == pytest.approx(int(size) / (float(time) * 1000), abs=0.006)
        assert float(bus) == pytest.approx(float(algorithm) * 2 * 7 / 8, abs=0.012)
    assert float(rows[0][5]) < float(rows[1][5]) < float(rows[2][5])


@NEEDS_PROGRAM
def test_nccl_prints_its_own_choice():
    # 8 ranks at 12.5 GB/s. 1 KiB: tree by LL, 6.8 + 6 x 5 + 1 = 38 us, ring by LL 6.6 + 14 x 5. 16 MiB: ring by
    # LL128 14 + 14 x 8.5 + 16777 / (11.5 x 8/14) = 2686, by Simple 1.4 x (8.4 + 14 x 14) + 16777 / (12.5 x 8/14) = 2635.
    ended = run(1, "nccl", "all_reduce", "-b", "1K", "-e", "16M", "-f", "16384", "-g", "8", "--algo", "auto", "--proto", "auto")
    assert ended[0] == 0, ended[2]
    _, head, _, small, large, *_ = ended[1].splitlines()[6:]  # Behind the lines about the test.
    assert head.split()[-2:] == ["algorithm", "proto"]
    assert small.split()[-2:] == ["double-tree", "ll"]
    assert large.split()[-2:] == ["ring", "simple"]


#: NVIDIA/nccl-tests, src/common.cu, longopts: letter, long name and a value; all have an argument.
NCCL_OPTIONS = """
    t/nthreads=2 g/ngpus=2 b/minbytes=4K e/maxbytes=4K i/stepbytes=1K f/stepfactor=2 n/iters=2 m/agg_iters=1 w/warmup_iters=1
    N/run_cycles=1 p/parallel_init=1 c/check=0 o/op=max d/datatype=half r/root=0 z/blocking=1 y/stream_null=1 T/timeout=60
    G/cudagraph=1 C/report_cputime=1 S/report_timestamps=1 J/output_file=x.json a/average=1 R/local_register=1 x/cta_policy=1
    D/device_implementation=0 V/device_cta_count=16 M/memory=1 u/unalign=1 I/per_iter_timing=1 K/per_iter_skip=1
""".split()


@NEEDS_PROGRAM
def test_nccl_takes_each_option_of_nccl_tests():
    words = {"-b": "4K", "-e": "4K", "-g": "2"}
    for option in NCCL_OPTIONS:
        letter, _, rest = option.partition("/")
        name, _, value = rest.partition("=")
        for spelling in (f"-{letter}", f"--{name}"):
            if spelling == "--cta_policy":
                continue
            line = {key: one for key, one in words.items() if key != f"-{letter}"} | {spelling: value}
            ended = run(1, "nccl", "all_reduce_perf", *(word for pair in line.items() for word in pair))
            assert ended[0] == 0, ended[2]
            assert all(note.startswith("rocelab: nccl: note: ") for note in ended[2].splitlines())


NCCL_LINES = [
    # The README of nccl-tests, behind mpirun's words; guides of clouds and clusters.
    ("all_reduce_perf -b 8 -e 128K -f 2 -g 8", 8, 0),
    ("./build/all_reduce_perf -b 8 -e 64K -f 2 -g 1 --np 64", 64, 0),
    ("all_gather_perf -b 1M -e 1M -f 2 -g 1 -n 2 -w 1 -c 0 --np 16 -x NCCL_DEBUG=INFO -x NCCL_IB_HCA=mlx5 -x LD_LIBRARY_PATH", 16, 1),
    ("alltoall_perf -b 64K -e 64K -t 2 -g 4 -x NCCL_IB_QPS_PER_CONNECTION=4 -x NCCL_IB_SPLIT_DATA_ON_QPS=0", 8, 2),
    ("reduce_scatter_perf -b 1M -e 1M -d bfloat16 -o sum -z 1 -x NCCL_ALGO=Ring -x NCCL_PROTO=LL128 -x NCCL_IB_TC=106", 8, 1),
    ("all_reduce_perf -b 1M -e 1M -g 16 -x NCCL_MIN_NCHANNELS=4 -x NCCL_MAX_NCHANNELS=4 -x NCCL_IB_TIMEOUT=22 -x NCCL_IB_RETRY_CNT=7", 16, 0),
    ("broadcast_perf -b 1M -e 1M -g 8 -r 3 -x NCCL_NO_SUCH_VARIABLE=1", 8, 1),
    ("sendrecv_perf -b 1M -e 1M -g 4 -R 1 -G 1 -x 2", 4, 1),
    ("reduce_perf -b 1M -e 1M -g 4 --mtu 1024 -r all -o all -d all", 4, 3),
]


@NEEDS_PROGRAM
@pytest.mark.parametrize("line, ranks, notes", NCCL_LINES)
def test_a_line_of_nccl_tests_runs(line, ranks, notes):
    ended = run(1, "nccl", *line.split(), "--json")
    assert ended[0] == 0, ended[2]
    assert {summary["ranks"] for summary in json.loads(ended[1])} == {ranks}
    assert len(ended[2].splitlines()) == notes, ended[2]


@NEEDS_PROGRAM
def test_variables_of_nccl_do_what_they_say():
    def measure(*words):
        ended = run(1, "nccl", "all_reduce", "-b", "4M", "-e", "4M", "-g", "8", "--json", *words)
        assert ended[0] == 0, ended[2]
        return json.loads(ended[1])[0]

    assert measure("-x", "NCCL_ALGO=Tree")["algorithm"] == "double-tree"
    assert measure("--env", "NCCL_PROTO=LL")["protocol"] == "ll"
    # Four rings are four times as many messages of a quarter; on one link they take as long but for the latency.
    one, four = measure(), measure("-x", "NCCL_MAX_NCHANNELS=4")
    assert one["time_us"]["mean"] != four["time_us"]["mean"]
    # 82 bytes of headers and framing and an acknowledgment of 84 in the other direction for each packet:
    # (1190 / 1024) / (4262 / 4096) = 1.117, less where nothing but latency counts; 1.059 without acknowledgments.
    small = measure("--mtu", "1024")
    assert 1.059 < small["time_us"]["mean"] / one["time_us"]["mean"] < 1.117


@NEEDS_PROGRAM
def test_more_peers_leave_fewer_channels_for_each():
    def measure(*words):
        line = ("sendrecv", "-b", "16M", "-e", "16M", "--nic", "connectx7", "--rate", "400Gbps", "--json")
        ended = run(1, "nccl", *line, *(words if "-g" in words else ("-g", "10", *words)))
        assert ended[0] == 0, ended[2]
        return json.loads(ended[1])[0]["time_us"]["mean"]

    # Ten ranks: two channels, which copy 16 MiB at 28 GB/s in 599 us; both ends copy a piece of 9.4 us beside it.
    ten = measure()
    assert 599 + 9 < ten < 599 + 9 + 20
    # 4 channels could copy at 56 GB/s; the link of 50 GB/s takes 336 us and headers.
    eight = measure("-g", "8")
    assert 336 < eight < 336 * 1.02 + 40
    assert measure("-x", "NCCL_P2P_MAX_PEERS=2") == pytest.approx(eight, rel=0.01)
    assert measure("-x", "NCCL_NCHANNELS_PER_NET_PEER=4") == pytest.approx(eight, rel=0.01)
    # A smaller piece is there earlier; the rate of a channel's copies is the same.
    assert ten - 10 < measure("-x", "NCCL_P2P_NET_CHUNKSIZE=65536") < ten


@NEEDS_PROGRAM
def test_a_timeout_of_nccl_decides_when_a_lost_packet_is_sent_again(tmp_path):
    # Messages of one packet: each lost one is sent again after 4.096 us x 2^n, 1.05 ms or 16.8 ms. The adaptive timer of
    # the preset would be shorter.
    path = write_scenario(tmp_path, fabric={**STAR, "lossRate": 0.02}, nics=["connectx6"], workload=RING)
    timer = "ns3::rdma::RdmaNic::RetransmissionTimeout=ns3::rdma::FixedTimeout"
    line = ("nccl", "all_reduce", "-b", "8", "-e", "8", "-g", "4", "-n", "30", "--json", "--scenario", path, "--set", timer)
    times = []
    for timeout in ("8", "12"):
        ended = run(1, *line, "-x", f"NCCL_IB_TIMEOUT={timeout}")
        assert ended[0] == 0, ended[2]
        times.append(json.loads(ended[1])[0]["period_us"])
    assert times[1] > 4 * times[0]
    ended = run(1, *line, "-x", "NCCL_IB_RETRY_CNT=0", "-x", "NCCL_IB_TIMEOUT=8")
    assert ended[0] == 3 and re.search(r" arrived, [1-9]\d* failed;", ended[2]), ended


@NEEDS_PROGRAM
@pytest.mark.parametrize("program", ["all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", "reduce", "sendrecv"])
@pytest.mark.parametrize(
    "ranks, rate",
    [("2", "800Gbps"), ("33", "200Gbps"), pytest.param("256", "800Gbps", marks=pytest.mark.slow)],
)
def test_each_collective_completes_on_a_star(program, ranks, rate):
    ended = run(1, "nccl", program, "-b", "256K", "-e", "256K", "-g", ranks, "--rate", rate, "--json")
    assert (ended[0], ended[2]) == (0, "")
    (summary,) = json.loads(ended[1])
    assert (summary["ranks"], summary["completed"]) == (int(ranks), 1)


@NEEDS_PROGRAM
def test_nccl_needs_no_scenario_for_a_star(tmp_path):
    star = {"topology": "star", "servers": 10, "hostRate": "400Gbps", "linkDelay": "600ns", "mtu": 2048}
    path = write_scenario(tmp_path, fabric=star, nics=["connectx7"], workload=RING)
    line = ("nccl", "all_reduce", "-b", "1M", "-e", "2M", "-g", "10", "--nic", "connectx7", "--json")
    by_options = run(1, *line, "--rate", "400Gbps", "--delay", "600ns", "--mtu", "2048")
    assert by_options == run(1, *line, "--scenario", path)
    assert by_options[0] == 0
    assert run(1, *line, "--scenario", path, "--mtu", "4096") != by_options


@NEEDS_PROGRAM
def test_nccl_takes_as_long_as_on_ten_nodes_with_400_gigabits():
    # github.com/xxrjun/nccl-tests-cluster, 455de4f: all_reduce_perf, ten nodes, one H100 each, 64 MiB in 2542.43 us.
    line = "all_reduce_perf -b 64M -e 64M -f 2 -g 10 -d double --nic connectx7 --hardware on --rate 400Gbps --delay 600ns"
    ended = run(1, "nccl", *line.split())
    assert ended[0] == 0, ended[2]
    (row,) = [text.split() for text in ended[1].splitlines() if not text.startswith("#")]
    assert row[:4] == ["67108864", "8388608", "double", "sum"]
    assert float(row[5]) == pytest.approx(2542.43, rel=0.1)


#: Case: a star of more ports than the default buffer has headroom for.
LARGE_STARS = [
    ("-g", "768"),
    ("-g", "1024", "--nic", "srnic"),
    ("-g", "256", "--rate", "400Gbps"),
]


@NEEDS_PROGRAM
@pytest.mark.parametrize("words", LARGE_STARS)
def test_nccl_makes_a_star_that_holds_its_own_headroom(words):
    ended = run(1, "nccl", "all_reduce", "-b", "64K", "-e", "64K", *words, "--json")
    assert ended[0] == 0, ended[2]
    (summary,) = json.loads(ended[1])
    assert summary["completed"] == summary["iterations"]


@NEEDS_PROGRAM
def test_nccl_uses_the_first_servers_of_a_scenario(tmp_path):
    # 4 ranks on the star of 8 servers take as long as on a star of 4: 6 steps; 8 ranks take 14.
    path = write(tmp_path, RING)
    words = ("nccl", "all_reduce", "-b", "64K", "-e", "64K", "--json", "--plain")
    summaries = [
        json.loads(run(1, *words, "-g", str(count), "--scenario", path)[1])[0] for count in (4, 8)
    ]
    assert [summary["ranks"] for summary in summaries] == [4, 8]
    assert summaries[0]["time_us"]["mean"] < summaries[1]["time_us"]["mean"]
    ended = run(1, *words, "-g", "9", "--scenario", path)
    assert ended[0] == 2
    assert "$.groups" in ended[2] and len(ended[2].splitlines()) == 1
    for text in ("[]", "1", '{"name": "x"}', '{"fabric": 1}'):
        (tmp_path / "odd.json").write_text(text)
        ended = run(1, *words, "--scenario", tmp_path / "odd.json")
        assert ended[0] == 2, ended
        assert "odd.json" in ended[2] and len(ended[2].splitlines()) == 1
    for option in ("--rate", "--delay"):
        ended = run(1, *words, "--scenario", path, option, "1us")
        assert ended[0] == 2
        assert "--scenario" in ended[2] and len(ended[2].splitlines()) == 1


NCCL = {"-g": "4", "-b": "64K", "-e": "64K"}


@NEEDS_PROGRAM
@pytest.mark.parametrize(
    "more, message",
    [
        (["-b", "0"], "nccl: --minbytes: expected a size from 1 to 2G, such as 8, 64K or 1MiB, got 0"),
        (["-b", "x"], "nccl: --minbytes: expected a size"),
        (["-e", "3X"], "nccl: --maxbytes: expected a size from 1 to 2G"),
        (["-b", "3G"], "nccl: --minbytes: expected a size from 1 to 2G"),
        (["-i", "1M", "-f", "2"], "nccl: --stepbytes: expected no --stepfactor beside it, got both"),
        (["-d", "int7"], "nccl: --datatype: expected int8"),
        (["-o", "xor"], "nccl: --op: expected sum"),
        (["-x", "NCCL_IB_TIMEOUT=32"], "nccl: NCCL_IB_TIMEOUT: expected a whole number up to 31, got 32"),
        (["-x", "NCCL_ALGO"], "nccl: -x: expected NCCL_ALGO=VALUE, got NCCL_ALGO"),
        (["--mtu", "63"], "$.fabric.mtu: expected"),
        (["-b", "1M"], "nccl: --maxbytes: expected a size of at least --minbytes 1M, got 64K"),
        (["-f", "1"], "--stepfactor"),
        (["-g", "1"], "--ngpus"),
        (["-g", "5000"], "--ngpus"),
        (["-n", "0"], "--iters"),
        (["-w", "-1"], "--warmup_iters"),
        (["--algo", "rings"], "$.workload.algorithm: expected"),
        (["--algo", "recursive-doubling"], "$.workload.library: expected none, or an algorithm of NCCL"),
        (["--nic", "connectx66"], "connectx6"),
        (["--hardware", "maybe"], "--hardware"),
        (["--rate", "fast"], "$.fabric.hostRate: expected"),
        (["--set", "x"], "nccl: --set: expected NAME=VALUE, got x"),
        (["--set", "x=1"], "x"),
        (["--proto", "tcp"], "$.workload.protocol: expected one of simple, ll, ll128 or auto"),
        (["--proto", "ll", "--plain"], "$.workload.protocol: expected no protocol without"),
        (["--plain", "--adaptive-routing"], "nccl: --adaptive-routing: expected no --plain beside it, got both"),
        (["--scenario", "none.json"], "none.json"),
    ],
)
def test_a_bad_option_of_nccl_is_one_line(more, message):
    options = [word for pair in NCCL.items() if pair[0] not in more for word in pair]
    ended = run(1, "nccl", "all_reduce", *options, *more)
    assert ended[0] == 2, ended
    (line,) = ended[2].splitlines()
    assert message in line
    assert ended[1] == ""


@NEEDS_PROGRAM
def test_a_stall_is_one_line_of_what_is_missing(tmp_path):
    events = [{"at": "1us", "link": [2, 8], "state": "down"}]
    path = write(tmp_path, RING, linkEvents=events, run={"stallLimit": "1ms"})
    ended = subprocess.run(
        [PROGRAM, "run", path, "--out", tmp_path / "out"], capture_output=True, text=True, check=False, timeout=TIME_LIMIT
    )
    assert ended.returncode == 3  # A run that has not completed.
    (line,) = (line for line in ended.stderr.splitlines() if "all-reduce" in line)
    assert "communicator 0" in line
    assert "of 112 messages posted" in line
    assert "waits for rank" in line


MIXED = [
    {"name": "background", "type": "poisson", "sizes": None, "load": 0.3, "duration": "40us"},
    {"name": "training", **RING, "group": "gpus", "start": "5us", "iterations": 3, "compute": "1us"},
    {"name": "experts", **ROUNDS, "group": "gpus", "start": "2us", "placement": "random"},
    {"name": "short", **RING, "iterations": 1000, "start": "3us", "end": "30us"},
]


def write_list(folder, workloads):
    path = folder / "scenario.json"
    scenario = {"name": "ranks", "fabric": FABRIC, "nics": ["connectx6", "srnic"], "run": {"seed": 7}}
    path.write_text(json.dumps({**scenario, "groups": {"gpus": [0, 15]}, "workloads": workloads}))
    return path


@pytest.mark.parametrize("count", [pytest.param(2, marks=NEEDS)])
def test_collectives_run_beside_each_other_and_beside_flows(tmp_path, count):
    background = {**POISSON, **{key: value for key, value in MIXED[0].items() if value is not None}}
    both = compare(tmp_path, write_list(tmp_path, [background, *MIXED[1:]]), [count])
    alone = tmp_path / "alone"
    alone.mkdir()
    compare(alone, write_list(alone, [background]), [])
    flows = [
        [row.split(",")[:5] for row in files["flows.csv"].decode().splitlines()[1:]]
        for files in (both["connectx6"], {"flows.csv": (alone / "1" / "ranks" / "connectx6" / "flows.csv").read_bytes()})
    ]
    assert sorted(flows[0]) == sorted(flows[1])
