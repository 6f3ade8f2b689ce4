# SPDX-License-Identifier: GPL-2.0-only
"""Workload "transfer": bad keys, several MPI ranks, lengths of prompts, faults."""

import csv
import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run, write_scenario

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"}
GROUPS = {"p": [0, 1], "d": [2, 3]}
MOVE = {
    "type": "transfer",
    "prefill": "p",
    "decode": "d",
    "promptTokens": 100,
    "tokenBytes": 512,
    "layers": 3,
    "layerTime": "10us",
    "duration": "200us",
}

BAD = [
    ({"prefill": None}, '$.workload: expected a key "prefill", got none'),
    ({"decode": "p"}, "$.workload.decode: expected another group than that of prefill"),
    ({"direction": "both"}, "$.workload.direction: expected one of"),
    ({"promptTokens": None}, "$.workload: expected one of the keys promptTokens, prompts, got none"),
    ({"prompts": "none.cdf", "promptTokens": None}, "$.workload.prompts: "),
    ({"layers": 0}, "$.workload.layers: expected a whole number from 1 to 4096, got 0"),
    ({"concurrent": 2, "requestsPerSecond": 5}, "$.workload.concurrent: expected no such key with requestsPerSecond"),
    ({"requestsPerSecond": 1e-6}, "$.workload: expected requestsPerSecond and duration with at least one request"),
    ({"promptTokens": 1 << 24}, "$.workload.promptTokens: expected a KV cache of less than 4 GiB, got 16777216 tokens"),
    ({"promptTokens": 1 << 20, "sliceBytes": 16}, "$.workload.sliceBytes: expected at most 16777216 slices in a request"),
    ({"layerTime": "1000000s"}, "$.workload.layerTime: expected at most 1000000 s in all layers, got more"),
]


def write(folder, changes, **more):
    workload = {name: value for name, value in {**MOVE, **changes}.items() if value is not None}
    return write_scenario(folder, **{"fabric": STAR, "nics": ["connectx6"], "groups": GROUPS, "workload": workload, **more})


def read(folder):
    """Return the rows of rpcs.csv and the part "rpc" of the summary."""
    (path,) = (folder / "out").rglob("summary.json")
    rows = list(csv.DictReader((path.parent / "rpcs.csv").read_text().splitlines()))
    return rows, json.loads(path.read_text())["rpc"]


@NEEDS_PROGRAM
@pytest.mark.parametrize("changes, message", BAD)
def test_bad_input_has_one_line_that_names_the_place(tmp_path, changes, message):
    status, _, errors = run(1, "run", write(tmp_path, changes), "--out", tmp_path / "out")
    assert status == 2
    assert message in errors and errors.count("\n") == 1, errors


@NEEDS_PROGRAM
@pytest.mark.parametrize("changes", [{}, {"direction": "pull", "requestsPerSecond": 1000, "postTime": "1us"}])
def test_a_resolved_scenario_reads_back_as_itself(tmp_path, changes):
    first = run(1, "check", write(tmp_path, changes))
    assert first[0] == 0, first[2]
    (tmp_path / "again.json").write_text(first[1])
    assert run(1, "check", tmp_path / "again.json")[1] == first[1]


@pytest.mark.parametrize("direction", [pytest.param("push", marks=NEEDS), pytest.param("pull", marks=[*NEEDS, pytest.mark.slow])])
def test_two_ranks_give_the_bytes_of_one(tmp_path, direction):
    groups = {"p": [0, 8, 40], "d": [1, 33, 63]}  # On both ranks.
    changes = {"direction": direction, "requestsPerSecond": 50_000}
    path = write(tmp_path, changes, fabric=FABRIC, nics=["connectx6", "irn"], groups=groups, run={"seed": 5})
    for files in compare(tmp_path, path, [2]).values():
        assert files["summary.json"]["rpc"]["status"]["ok"] > 20


@NEEDS_PROGRAM
@pytest.mark.parametrize("direction, clients", [("push", "01"), ("pull", "23")])
def test_the_pool_that_posts_has_the_records(tmp_path, direction, clients):
    (tmp_path / "lengths.cdf").write_text("16 0\n16 0.5\n160 0.5\n160 1\n")  # Two lengths.
    changes = {"direction": direction, "promptTokens": None, "prompts": "lengths.cdf", "requestsPerSecond": 100_000}
    status, _, errors = run(1, "run", write(tmp_path, changes), "--out", tmp_path / "out")
    assert status == 0, errors
    rows, part = read(tmp_path)
    assert len(rows) == part["requests"] > 20
    assert {row["client"] for row in rows} == set(clients)
    assert {row["server"] for row in rows} == set("0123") - set(clients)
    # One block or ten, of 8 KiB each, in three layers; a slice of 64 KiB has room for a block.
    assert {(row["bytes"], row["probes"]) for row in rows} == {("24576", "3"), ("245760", "30")}
    assert min(float(row["latency_ns"]) for row in rows) > 30_000  # Three layers.


@NEEDS_PROGRAM
def test_a_broken_link_fails_the_requests(tmp_path):
    events = [{"at": "15us", "link": [0, 4], "state": "down"}]
    path = write(tmp_path, {}, nics=["irn"], linkEvents=events, run={"stallLimit": "5ms"})
    status, _, errors = run(1, "run", path, "--out", tmp_path / "out")
    assert status == 3
    rows, _ = read(tmp_path)
    assert {row["status"] for row in rows if row["client"] == "0"} <= {"failed", "stalled"}
    assert any(row["status"] == "ok" for row in rows if row["client"] == "1")
