# SPDX-License-Identifier: GPL-2.0-only
"""Queue pairs that the application creates again after an error: what is repeated, and what is not."""

import csv
import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

#: NICs with two ports of 25 Gb/s, on the planes 4 and 5. A queue pair fails after 16 to 24 ms without an answer (SRNIC).
STAR = {"topology": "star", "servers": 4, "hostRate": "25Gbps", "linkDelay": "1us", "mtu": 4096, "portsPerNic": 2}
RING = {"type": "collective", "operation": "all-reduce", "size": "64KiB", "channels": 2, "iterations": 400}
TREE = {"type": "collective", "operation": "all-reduce", "algorithm": "double-tree", "size": "64KiB", "iterations": 400}
MOVE = {
    "type": "transfer",
    "prefill": "p",
    "decode": "d",
    "promptTokens": 256,
    "tokenBytes": "1KiB",
    "layers": 4,
    "duration": "50ms",
}
DOWN = [{"at": "2ms", "server": 0, "port": 1, "state": "down"}]
#: Messages have 8 KiB, two packets: the receiver may have all of one whose answer is lost.
#: Answers to server 0 on plane 1 are lost, but not what it sends.
NO_ANSWERS = [{"at": "2ms", "link": [5, 0], "state": "half-open"}, {"at": "40ms", "link": [5, 0], "state": "up"}]


def write(folder, workload, events, **more):
    scenario = {
        "name": "renewal",
        "fabric": STAR,
        "nics": ["srnic"],
        "groups": {"p": [0], "d": [1]},
        "linkEvents": events,
        "workload": workload,
        "run": {"stallLimit": "1s"},
    }
    path = folder / "s.json"
    path.write_text(json.dumps({**scenario, **more}))
    return path


def read(folder, part):
    (path,) = (folder / "out").rglob("summary.json")
    return json.loads(path.read_text())[part], path.parent


@NEEDS_PROGRAM
@pytest.mark.parametrize("workload", [RING, TREE], ids=["ring", "tree"])
@pytest.mark.parametrize("events", [DOWN, NO_ANSWERS], ids=["down", "no answers"])
def test_a_collective_ends_although_queue_pairs_fail(tmp_path, workload, events):
    path = write(tmp_path, workload, events)
    assert run(1, "run", path, "--out", tmp_path / "fixed")[0] == 3  # Without renewal the ranks wait for ever.
    path = write(tmp_path, {**workload, "renewal": "3ms"}, events)
    status, _, errors = run(1, "run", path, "--out", tmp_path / "out")
    assert status == 0, errors
    summary, folder = read(tmp_path, "collective")
    # Each message has arrived once: a rank would begin its next stage early with one twice, and never with one less.
    assert summary["completed"] == 400
    assert len((folder / "collectives.csv").read_text().splitlines()) == 401
    renewals = summary["renewals"]
    assert renewals["queue_pairs"] >= 2 and renewals["queue_pairs"] % 2 == 0
    assert renewals["repeated"] > 0 or events is NO_ANSWERS
    assert renewals["spared"] > 0 or events is DOWN or workload is TREE


@NEEDS_PROGRAM
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_requests_end_although_queue_pairs_fail(tmp_path, direction):
    workload = {**MOVE, "direction": direction}
    path = write(tmp_path, workload, DOWN)
    assert run(1, "run", path, "--out", tmp_path / "fixed")[0] == 3
    path = write(tmp_path, {**workload, "renewal": "3ms"}, DOWN)
    status, _, errors = run(1, "run", path, "--out", tmp_path / "out")
    assert status == 0, errors
    summary, folder = read(tmp_path, "rpc")
    rows = list(csv.DictReader((folder / "rpcs.csv").read_text().splitlines()))
    assert {row["status"] for row in rows} == {"ok"}
    assert summary["renewals"]["queue_pairs"] == 2  # Both ends of the connection on plane 1.
    assert summary["renewals"]["repeated"] > 0 and summary["renewals"]["spared"] == 0
    # The last failure is repaired after the retries and 3 ms: then a request of 1 MiB takes less than 1 ms again.
    late = [float(row["latency_ns"]) for row in rows if float(row["start_ns"]) > 40e6]
    assert late and max(late) < 1e6


@NEEDS_PROGRAM
@pytest.mark.parametrize("workload", [RING, MOVE], ids=["collective", "transfer"])
def test_a_renewal_takes_a_round_trip_at_least(tmp_path, workload):
    status, _, errors = run(1, "run", write(tmp_path, {**workload, "renewal": "1us"}, DOWN), "--out", tmp_path / "out")
    assert status == 2
    assert "$.workload: expected a renewal of at least the longest round trip, 4107520ps, got 1us" in errors and errors.count("\n") == 1, errors


@pytest.mark.parametrize("events", [pytest.param(DOWN, marks=NEEDS), pytest.param(NO_ANSWERS, marks=NEEDS)], ids=["down", "no answers"])
@pytest.mark.parametrize("workload", [RING, TREE, MOVE], ids=["ring", "tree", "transfer"])
def test_two_ranks_give_the_bytes_of_one(tmp_path, workload, events):
    # Servers of both ranks. Plane 1 has the switches 72 to 79.
    ends = {"p": [[0, 0], [40, 40]], "d": [[1, 1], [63, 63]]}
    groups = ends if workload is MOVE else {"r": [[0, 1], [40, 40], [63, 63]]}
    made = {**workload, "renewal": "1ms"}
    made |= {"group": "r", "iterations": 100} if workload is not MOVE else {"duration": "5ms"}
    events = [{**event, "at": "200us", **({"link": [72, 0]} if "link" in event else {})} for event in events[:1]]
    nics = [{"preset": preset, "attributes": {"ns3::rdma::RdmaNic::RetryCount": 2}} for preset in ("srnic", "irn")]
    path = write(tmp_path, made, events, name="ranks", fabric={**FABRIC, "portsPerNic": 2}, nics=nics, groups=groups)
    for files in compare(tmp_path, path, [2]).values():
        part = files["summary.json"]["rpc" if workload is MOVE else "collective"]
        assert part["renewals"]["queue_pairs"] > 0


#: Ports of two servers that fail again and again, from the beginning on.
FLAPS = [
    {"at": "914us", "server": 1, "port": 0, "state": "down", "flap": {"period": "7139us", "down": "2223us", "until": "30ms"}},
    {"at": "188us", "server": 2, "port": 1, "state": "half-open", "flap": {"period": "5193us", "down": "2080us", "until": "30ms"}},
]


@NEEDS_PROGRAM
def test_connections_that_are_used_in_both_directions_are_renewed_again_and_again(tmp_path):
    # NCCL's receiver writes to its sender by the same queue pairs; some have sent nothing when they fail.
    workload = {**RING, "library": "nccl", "size": "256KiB", "iterations": 60, "timeout": 8, "retries": 1, "renewal": "1ms"}
    nics = [
        {"preset": preset, "name": f"{preset}-{hardware}", "hardware": hardware}
        for preset in ("srnic", "irn", "connectx6")
        for hardware in ("off", "on")
    ]
    status, _, errors = run(1, "run", write(tmp_path, workload, FLAPS, nics=nics), "--out", tmp_path / "out")
    assert status == 0, errors
    paths = list((tmp_path / "out").rglob("summary.json"))
    assert len(paths) == len(nics)
    for path in paths:
        part = json.loads(path.read_text())["collective"]
        assert part["completed"] == 60 and part["renewals"]["queue_pairs"] > 4
