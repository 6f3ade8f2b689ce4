# SPDX-License-Identifier: GPL-2.0-only
"""Workload "sequence": bad keys, several MPI ranks, results as pandas reads them."""

import csv
import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run, write_scenario

from rocelab.__main__ import main
from rocelab.results.frames import read_frame

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"}
RING = {"collective": {"operation": "all-reduce", "size": "64KiB"}}
FLOWS = {"name": "load", "flows": [{"src": 0, "dst": 3, "bytes": "20kB"}, {"src": 2, "dst": 1, "bytes": 0}]}
DRAWN = {"name": "forward", "compute": {"time": "20us", "distribution": "lognormal", "variation": 0.4}}
STEP = {"type": "sequence", "phases": [DRAWN, RING, FLOWS], "iterations": 3, "stragglers": [{"rank": 2, "factor": 1.5}]}
SLOW = [{"compute": "1000000s"}]
MOST = "$.workload.phases: expected times of computing of at most 1000000 s in all iterations"

BAD = [
    ({"phases": None}, '$.workload: expected a key "phases", got none'),
    ({"phases": []}, "$.workload.phases: expected a list of at least 1, got 0"),
    ({"phases": "ring"}, "$.workload.phases: expected a list"),
    ({"phases": [{}]}, "$.workload.phases[0]: expected one of the keys collective, flows, compute, got none"),
    ({"phases": [{"compute": "1us", **RING}]}, "$.workload.phases[0].compute: expected no compute beside collective"),
    ({"phases": [{"compute": "0s"}]}, "$.workload.phases[0].compute: expected a time above zero"),
    ({"phases": [{"compute": "-1us"}]}, "$.workload.phases[0].compute"),
    ({"phases": [{"compute": "1e99s"}]}, "$.workload.phases[0].compute"),
    ({"phases": [{"compute": 5}]}, "$.workload.phases[0].compute: expected"),
    ({"phases": [{"compute": {}}]}, '$.workload.phases[0].compute: expected a key "time", got none'),
    ({"phases": [{"compute": {"time": "1us", "distribution": "normal"}}]}, "$.workload.phases[0].compute.distribution: expected one of"),
    ({"phases": [{"compute": {"time": "1us", "variation": 0.1}}]}, "$.workload.phases[0].compute.variation: expected no such key unless"),
    ({"phases": [{"compute": {"time": "1us", "distribution": "lognormal"}}]}, 'expected a key "variation", got none'),
    (
        {"phases": [{"compute": {"time": "1us", "distribution": "uniform", "variation": 0.6}}]},
        "$.workload.phases[0].compute.variation: expected a number from 0 to 0.57735",
    ),
    ({"phases": [{"name": "a,b", **RING}]}, "$.workload.phases[0].name: expected a name of up to 64 letters"),
    ({"phases": [{"name": "a\nb", **RING}]}, "$.workload.phases[0].name: expected a name of up to 64 letters"),
    ({"phases": [{"name": "", **RING}]}, "$.workload.phases[0].name: expected"),
    ({"phases": [{"barrier": 1, **RING}]}, "$.workload.phases[0].barrier: expected true or false"),
    ({"phases": [{"collective": {"operation": "all-reduce"}}]}, '$.workload.phases[0].collective: expected a key "size", got none'),
    (
        {"phases": [{"collective": {**RING["collective"], "algorithm": "auto"}}]},
        "$.workload.phases[0].collective.algorithm: expected one of",
    ),
    (
        {"phases": [DRAWN, {"collective": {"operation": "broadcast", "size": 9, "root": 4}}]},
        "$.workload.phases[1].collective.root: expected a rank below 4, got 4",
    ),
    ({"phases": [{"flows": []}]}, "$.workload.phases[0].flows: expected a list of at least 1"),
    ({"phases": [{"flows": [{"src": 0, "dst": 4, "bytes": 1}]}, DRAWN]}, "$.workload.phases[0].flows[0]: expected ranks below 4, got 4"),
    ({"phases": [{"flows": [{"src": 1, "dst": 1, "bytes": 1}]}]}, "$.workload.phases[0].flows[0].dst: expected another rank than src"),
    ({"phases": [{"flows": [{"src": 0, "dst": 1, "bytes": "3GiB"}]}]}, "$.workload.phases[0].flows[0].bytes: expected"),
    ({"group": "one"}, "$.workload.group: expected at least 2 servers, got 1"),
    ({"group": "none"}, "$.workload.group: expected"),
    ({"iterations": 0}, "$.workload.iterations: expected a whole number from 1 to 1000000, got 0"),
    ({"iterations": 400000}, "$.workload.iterations: expected at most 1000000 phases in all iterations, got 1200000"),
    ({"warmup": 3}, "$.workload.warmup: expected a whole number from 0 to 2, got 3"),
    ({"stragglers": [{"rank": 4}]}, "$.workload.stragglers[0].rank: expected a rank below 4, got 4"),
    ({"stragglers": [{"rank": 1}, {"rank": 1}]}, "$.workload.stragglers[1].rank: expected each rank once, got 1 again"),
    ({"stragglers": [{"factor": 2}]}, '$.workload.stragglers[0]: expected a key "rank", got none'),
    ({"stragglers": [{"rank": 0, "factor": -1}]}, "$.workload.stragglers[0].factor: expected a number from 0 to"),
    ({"stragglers": [{"rank": 0, "factor": 1e300}]}, "$.workload.stragglers[0].factor: expected a number from 0 to"),
    ({"stragglers": [{"rank": 0, "added": "-1s"}]}, "$.workload.stragglers[0].added: expected"),
    ({"phases": [RING]}, '$.workload.stragglers: expected none without a phase "compute", got some'),
    ({"phases": SLOW, "iterations": 2}, MOST),
    ({"phases": SLOW, "iterations": 1, "stragglers": [{"rank": 0, "added": "1s"}]}, MOST),
    ({"phases": [{"compute": {"time": "2000s", "distribution": "exponential"}}], "iterations": 1}, MOST),
    ({"processing": "1000000s"}, "$.workload: expected times of computing, processing and local transfers of at most 4000000 s"),
    ({"phase": []}, "$.workload.phase: expected a known key"),
]


def write(folder, workload, **more):
    return write_scenario(folder, **{"fabric": STAR, "nics": ["connectx6"], "workload": workload, **more})


@NEEDS_PROGRAM
@pytest.mark.parametrize("changes, message", BAD)
def test_bad_input_has_one_line_that_names_the_place(tmp_path, changes, message):
    workload = {name: value for name, value in {**STEP, **changes}.items() if value is not None}
    status, _, errors = run(1, "check", write(tmp_path, workload, groups={"one": [2]}))
    assert status == 2
    assert message in errors and errors.count("\n") == 1, errors


@NEEDS_PROGRAM
def test_a_resolved_scenario_reads_back_as_itself(tmp_path):
    first = run(1, "check", write(tmp_path, STEP))
    assert first[0] == 0, first[2]
    (tmp_path / "again.json").write_text(first[1])
    assert run(1, "check", tmp_path / "again.json")[1] == first[1]


@pytest.mark.parametrize("loss", [pytest.param(0, marks=NEEDS), pytest.param(0.001, marks=[*NEEDS, pytest.mark.slow])])
def test_two_ranks_give_the_bytes_of_one(tmp_path, loss):
    groups = {"eight": list(range(0, 64, 8))}  # On both ranks.
    workload = {**STEP, "group": "eight"}
    path = write_scenario(
        tmp_path, fabric={**FABRIC, "lossRate": loss}, nics=["connectx6", "irn"], groups=groups, workload=workload, run={"seed": 5}
    )
    for files in compare(tmp_path, path, [2]).values():
        rows = list(csv.DictReader(files["sequence.csv"].decode().splitlines()))
        assert [(row["iteration"], row["name"]) for row in rows] == [
            (str(i), name) for i in range(3) for name in ("forward", "all-reduce", "load")
        ]
        assert files["summary.json"]["sequence"]["completed"] == 3


@NEEDS_PROGRAM
def test_a_broken_link_leaves_a_line_that_names_the_phase(tmp_path):
    events = [{"at": "40us", "link": [1, 4], "state": "down"}]
    workload = {"type": "sequence", "phases": [{"compute": "50us", "barrier": False}, RING]}
    path = write(tmp_path, workload, nics=["irn"], linkEvents=events, run={"stallLimit": "5ms"})
    status, _, errors = run(1, "run", path, "--out", tmp_path / "out")
    assert status == 3
    assert 'is in iteration 0, phase "all-reduce"' in errors, errors


@NEEDS_PROGRAM
def test_a_comparison_has_the_iterations_of_sequences(tmp_path, capsys):
    path = write(tmp_path, STEP)
    assert main(["compare", str(path), "--out", str(tmp_path / "out"), "--build", str(PROGRAM.parent)]) == 0
    assert "3/3" in capsys.readouterr().out
    folder = tmp_path / "out" / "ranks"
    row = next(csv.DictReader((folder / "compare.csv").read_text().splitlines()))
    summary = json.loads((folder / "connectx6" / "summary.json").read_text())["sequence"]
    assert float(row["sequence_us_mean"]) == pytest.approx(summary["time_us"]["mean"])
    assert main(["report", str(folder)]) == 0
    page = (folder / "report.html").read_text()
    assert "<h2>Sequences</h2>" in page and ">forward<" in page


@NEEDS_PROGRAM
def test_pandas_reads_the_rows_with_the_types_of_the_schema(tmp_path):
    pytest.importorskip("pandas")
    assert run(1, "run", write(tmp_path, {**STEP, "phases": [{**DRAWN, "barrier": False}, RING]}), "--out", tmp_path / "out")[0] == 0
    folder = tmp_path / "out" / "ranks" / "connectx6"
    frame = read_frame(folder, "sequence")
    assert [frame[name].dtype.kind for name in ("iteration", "phase", "name", "start_ns", "barrier_ns", "slowest_rank")] == list("iiOffi")
    assert list(frame["barrier_ns"].isna()) == [True, False] * 3
    summary = json.loads((folder / "summary.json").read_text())["sequence"]
    assert summary["phases"][1]["barrier_us"] == pytest.approx(frame["barrier_ns"].mean() / 1000)
