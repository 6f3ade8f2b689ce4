# SPDX-License-Identifier: GPL-2.0-only
"""Workload "moe": bad keys, recorded routing, several MPI ranks, the closed form with many ranks."""

import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run, write_scenario

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "10ns", "mtu": 4096}
LAYER = {"type": "moe", "tokens": 6, "topK": 2, "expertsPerRank": 2, "hidden": 1024}
ZIPF = {"routing": "zipf", "zipf": 1.2}
LOCAL = {"ranksPerServer": 2, "local": {"rate": "800Gbps", "latency": "1us"}}
SQUARE = [[0, 1, 2, 3], [4, 0, 0, 0], [0, 0, 12, 0], [0, 0, 0, 0]]

BAD = [
    ({"tokens": None}, '$.workload: expected a key "tokens", got none'),
    ({"tokens": 0}, "$.workload.tokens: expected a whole number from 1 to 65536, got 0"),
    ({"topK": 9}, "$.workload.topK: expected at most 8, the number of experts, got 9"),
    ({"tokens": 65536, "topK": 1024, "expertsPerRank": 1024}, "$.workload.tokens: expected at most 8388608 choices of experts in a layer"),
    ({"zipf": 1}, '$.workload.zipf: expected routing "zipf" with it, got equal'),
    ({"routing": "zipf"}, '$.workload: expected a key "zipf", got none'),
    ({"routing": "hot"}, "$.workload.routing: expected one of"),
    ({"routing": "matrix", "matrix": [[0, 1], [1, 0]]}, "$.workload.matrix: expected 4 rows, one for each rank, got 2"),
    ({"routing": "matrix", "matrix": [[0, 1], [1]]}, "$.workload.matrix[1]: expected 2 numbers, one for each row, got 1"),
    ({"routing": "matrix", "matrix": [[0, 13, 0, 0], *SQUARE[1:]]}, "$.workload.matrix[0]: expected a sum of at most tokens * topK, 12, got 13"),
    ({"routing": "file", "file": "none.txt"}, "$.workload.file: "),
    ({"messages": "expert"}, "$.workload.messages: expected one of"),
    ({"warmup": 1}, "$.workload.warmup: expected a whole number from 0 to 0, got 1"),
    ({"group": "one"}, "$.workload.group: expected at least 2 servers, got 1"),
    (
        {"messages": "rank-pair", "tokens": 65536, "topK": 8, "hidden": 1 << 20, "combineElementBytes": 8},
        "$.workload.messages: expected messages of at most 2 GiB",
    ),
    ({"postedBy": "gpu"}, '$.workload: expected a key "postTime", got none'),
    ({"postTime": "1us"}, '$.workload.postTime: expected postedBy "proxy" or "gpu" with it, got host'),
    ({"postedBy": "cpu", "postTime": "1us"}, "$.workload.postedBy: expected one of"),
    ({"ranksPerServer": 2}, '$.workload: expected a key "local", got none'),
    ({**LOCAL, "ranksPerServer": 65}, "$.workload.ranksPerServer: expected a whole number from 1 to 64, got 65"),
    ({**LOCAL, "ranksPerServer": 1}, "$.workload.local: expected no such key unless ranksPerServer is above 1, got an object"),
    ({**LOCAL, "placement": "rail"}, "$.workload.placement: expected a NIC for each rank of a server with rail, got 1 NICs for 2 ranks"),
    ({**LOCAL, "local": {"rate": "1bps", "latency": "1us"}, "hidden": 1 << 20, "tokens": 65536}, "$.workload: expected times of computing"),
    ({**LOCAL, "routing": "matrix", "matrix": SQUARE}, "$.workload.matrix: expected 8 rows, one for each rank, got 4"),
    ({**LOCAL, "stages": "pxn"}, "$.workload.stages: expected one of"),
    ({"stages": "rail"}, '$.workload.stages: expected "direct" unless ranksPerServer is above 1'),
    ({"tokenTime": "1000000s"}, "$.workload.tokenTime: expected times of experts of at most 1000000 s in all iterations, got more"),
]

BAD_FILES = [
    ("0 1\n", "routing.txt:1: expected 3 fields (rank and the topK experts of a token), got 2"),
    ("0 1 8\n", "routing.txt:1: expected an expert from 0 to 7"),
    ("4 1 2\n", "routing.txt:1: expected a rank from 0 to 3"),
    ("# a token\n0 1 1\n", "routing.txt:2: expected each expert of a token once, got 1"),
    ("0 1 2\n" * 7, "routing.txt:7: expected 6 tokens of each rank, got more of rank 0"),
    ("0 1 2\n" * 6, "routing.txt:6: expected 6 tokens of each rank, got 0 of rank 1"),
]


def write(folder, workload, **more):
    return write_scenario(folder, **{"fabric": STAR, "nics": ["connectx6"], "workload": workload, **more})


def measure(folder, workload, **more):
    """Return the part "sequence" of the summary."""
    status, _, errors = run(1, "run", write(folder, workload, **more), "--out", folder / "out")
    assert status == 0, errors
    (path,) = (folder / "out").rglob("summary.json")
    return json.loads(path.read_text())["sequence"]


@NEEDS_PROGRAM
@pytest.mark.parametrize("changes, message", BAD)
def test_bad_input_has_one_line_that_names_the_place(tmp_path, changes, message):
    workload = {name: value for name, value in {**LAYER, **changes}.items() if value is not None}
    status, _, errors = run(1, "check", write(tmp_path, workload, groups={"one": [2]}))
    assert status == 2
    assert message in errors and errors.count("\n") == 1, errors


@NEEDS_PROGRAM
@pytest.mark.parametrize("text, message", BAD_FILES)
def test_a_bad_line_of_a_recorded_routing_is_named(tmp_path, text, message):
    (tmp_path / "routing.txt").write_text(text)
    status, _, errors = run(1, "check", write(tmp_path, {**LAYER, "routing": "file", "file": "routing.txt"}))
    assert status == 2
    assert message in errors and errors.count("\n") == 1, errors


@NEEDS_PROGRAM
@pytest.mark.parametrize("changes", [{}, ZIPF, {**LOCAL, "stages": "rail"}, {"routing": "matrix", "matrix": SQUARE, "messages": "rank-pair"}])
def test_a_resolved_scenario_reads_back_as_itself(tmp_path, changes):
    first = run(1, "check", write(tmp_path, {**LAYER, **changes}))
    assert first[0] == 0, first[2]
    (tmp_path / "again.json").write_text(first[1])
    assert run(1, "check", tmp_path / "again.json")[1] == first[1]


@NEEDS_PROGRAM
def test_a_recorded_routing_gives_the_messages_of_its_matrix(tmp_path):
    # Each token of a rank has an expert on the next rank and one on the rank after it.
    lines = [f"{rank} {(2 * rank + 2) % 8} {(2 * rank + 5) % 8}" for rank in range(4) for _ in range(6)]
    (tmp_path / "routing.txt").write_text("\n".join(lines) + "\n")
    matrix = [[6 if (dst - src) % 4 in (1, 2) else 0 for dst in range(4)] for src in range(4)]
    recorded = measure(tmp_path, {**LAYER, "routing": "file", "file": "routing.txt"})
    (tmp_path / "other").mkdir()
    given = measure(tmp_path / "other", {**LAYER, "routing": "matrix", "matrix": matrix})
    assert recorded["moe"]["messages"] == given["moe"]["messages"] == 4 * 6 * 2
    assert recorded["moe"]["combine_bytes"] == 2 * recorded["moe"]["dispatch_bytes"] == 2 * 48 * 1024
    assert recorded["moe"]["imbalance"] == given["moe"]["imbalance"] == 1


@pytest.mark.parametrize(
    "messages, more",
    [
        pytest.param("token", {"postedBy": "gpu", "postTime": "300ns"}, marks=NEEDS),
        pytest.param("rank-pair", {}, marks=[*NEEDS, pytest.mark.slow]),
        pytest.param("rank-pair", {**LOCAL, "stages": "rail", "queuePairs": 2}, marks=NEEDS),
        pytest.param("token", {**LOCAL, "stages": "rail"}, marks=[*NEEDS, pytest.mark.slow]),
    ],
)
def test_two_ranks_give_the_bytes_of_one(tmp_path, messages, more):
    groups = {"eight": list(range(0, 64, 8))}  # On both ranks.
    workload = {**LAYER, **ZIPF, **more, "messages": messages, "group": "eight", "iterations": 3, "tokenTime": "1us"}
    path = write_scenario(tmp_path, fabric=FABRIC, nics=["connectx6", "irn"], groups=groups, workload=workload, run={"seed": 5})
    for files in compare(tmp_path, path, [2]).values():
        assert files["summary.json"]["sequence"]["completed"] == 3


@NEEDS_PROGRAM
@pytest.mark.parametrize("ranks", [pytest.param(n, marks=[pytest.mark.slow] if n > 8 else []) for n in (8, 32, 128, 256)])
@pytest.mark.parametrize("topology", ["star", "leaf-spine"])
def test_equal_routing_takes_the_bytes_of_the_busiest_nic_over_its_rate(tmp_path, topology, ranks):
    """Links to spines are faster than NICs: no link of the fabric is busier than a NIC's.

    A packet has 82 bytes besides its payload, a message RETH and immediate data (20), and an
    acknowledgment, one for each packet, 86.
    """
    fabric = dict(STAR, servers=ranks)
    if topology == "leaf-spine":
        fabric = {name: value for name, value in STAR.items() if name != "servers"}
        fabric.update(topology="leaf-spine", leaves=ranks // 8 or 1, serversPerLeaf=8, spines=8, spineRate="400Gbps")
        if ranks == 8:
            fabric.update(leaves=2, serversPerLeaf=4, spines=4)
        fabric["loadBalancer"] = "ns3::rdma::SprayBalancer"
    tokens = 64  # Two messages or more for each pair of ranks.
    part = measure(tmp_path, {"type": "moe", "tokens": tokens, "hidden": 4096}, fabric=fabric)
    messages = (ranks - 1) * tokens * 8 / ranks
    times = {phase["name"]: phase["mean_us"] for phase in part["phases"]}
    for name, packets in (("dispatch", 1), ("combine", 2)):
        size = 20 + packets * (4096 + 82 + 86)
        assert times[name] == pytest.approx(messages * size * 80e-6, rel=0.01)


@NEEDS_PROGRAM
@pytest.mark.parametrize("hardware", ["off", "on"])
def test_a_proxy_posts_all_messages_in_turn_and_a_gpu_those_of_each_queue_pair(tmp_path, hardware):
    # Rank 0 sends 8 or 16 tokens to rank 1 by 4 queue pairs. A post takes 20 us, longer than a message takes. 8 tokens more
    # take 8 posts of a proxy, and 2 of each of the 4 blocks of a GPU.
    def measure_dispatch(tokens, **posting):
        folder = tmp_path / f"{tokens}-{len(posting) and posting['postedBy']}"
        folder.mkdir()
        layer = {**LAYER, "tokens": 8, "expertsPerRank": 4, "routing": "matrix", "matrix": [[0, tokens], [0, 0]], **posting}
        nics = [{"preset": "connectx6", "hardware": hardware}]
        part = measure(folder, layer, fabric={**STAR, "servers": 2}, nics=nics)
        return part["phases"][0]["mean_us"]

    def measure_eight(**posting):
        return measure_dispatch(16, **posting) - measure_dispatch(8, **posting)

    assert measure_eight(postedBy="proxy", postTime="20us") == pytest.approx(8 * 20, rel=1e-4)
    assert measure_eight(postedBy="gpu", postTime="20us") == pytest.approx(2 * 20, rel=1e-4)
    assert measure_eight() < 20
