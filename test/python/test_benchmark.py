# SPDX-License-Identifier: GPL-2.0-only
"""rocelab benchmark: scores by hand, the suite as shipped, designs of all kinds, refused input, committed results."""

import csv
import json
import math

import pandas
import pytest
from program import NEEDS_PROGRAM, ROOT, call, write_json

from rocelab.benchmark.scores import find_ideal_time, list_outages, make_score, score_run
from rocelab.benchmark.suite import read_designs, read_suite
from rocelab.benchmark.table import renew
from rocelab.errors import UserError
from rocelab.runs.engine import list_presets

GBPS = 1e9


class Run:
    """A run with given results: one plane of 100 Gb/s unless `fabric` says otherwise."""

    has_results = True

    def __init__(self, flows=(), summary=None, **scenario):
        self.flows = pandas.DataFrame(flows, columns=["src", "dst", "bytes", "start_ns", "fct_ns", "ideal_ns", "status"])
        self.summary = summary or {}
        self.scenario = {"fabric": {"hostRate": "100Gbps"}, **scenario}


def make_flow(bytes_=1000, fct=100.0, ideal=50.0, src=0, dst=1, start=0.0, status="completed"):
    return (src, dst, bytes_, start, fct, ideal, status)


def test_the_tail_is_the_efficiency_of_the_worst_hundredth():
    # 100 flows: the first of the worst hundredth is the worst, 50 / 200.
    flows = [make_flow(fct=100.0)] * 99 + [make_flow(fct=200.0)]
    assert make_score({"kind": "tail"}).score(Run(flows)) == 0.25
    # Of 200 flows the second worst counts.
    assert make_score({"kind": "tail"}).score(Run(flows + [make_flow(fct=100.0)] * 100)) == 0.5


def test_a_flow_that_did_not_complete_has_no_efficiency():
    flows = [make_flow(), make_flow(status="unfinished", fct=None)]
    assert make_score({"kind": "mean"}).score(Run(flows)) == 0.25
    assert make_score({"kind": "busiest-port"}).score(Run(flows)) == 0


def test_a_score_of_flows_selects_by_size_server_start_and_does_not_exceed_1():
    flows = [
        make_flow(fct=25.0),  # Two paths may be faster than the ideal of one: counts as 1.
        make_flow(bytes_=5000),
        make_flow(dst=7),
        make_flow(start=3000.0),
    ]
    score = make_score({"kind": "mean", "below": 2000, "without": [7], "before_us": 2})
    assert score.score(Run(flows)) == 1
    assert make_score({"kind": "mean", "below": 500}).score(Run(flows)) == 0


def test_the_busiest_port_needs_its_bytes_over_its_rate():
    # Server 1 receives 2 x 12,500 B = 200,000 bits: 2 us at 100 Gb/s. The last flow ends after 4 us.
    flows = [make_flow(12_500, 3000.0, src=0), make_flow(12_500, 3000.0, src=2, start=1000.0)]
    assert make_score({"kind": "busiest-port"}).score(Run(flows)) == pytest.approx(0.5)
    two_planes = Run(flows, fabric={"hostRate": "100Gbps", "planes": 2})
    assert make_score({"kind": "busiest-port"}).score(two_planes) == pytest.approx(0.25)


def test_an_outage_of_a_plane_takes_its_share_of_the_ideal():
    # 300 Mbit at 2 x 100 Gb/s; one plane is down from 0.5 to 1 ms: 100 Mbit, 50 Mbit, then 150 Mbit in 0.75 ms.
    scenario = {
        "fabric": {"hostRate": "100Gbps", "portsPerNic": 2},
        "linkEvents": [{"at": "1ms", "switch": 5, "state": "up"}, {"at": "500us", "switch": 5, "state": "down"}],
    }
    outages = list_outages(scenario, 0.0)
    assert outages == [(pytest.approx(0.0005), 0.5), (pytest.approx(0.001), 1.0)]
    assert find_ideal_time(300e6, 200 * GBPS, outages) == pytest.approx(1.75e-3)
    assert find_ideal_time(50e6, 200 * GBPS, outages) == pytest.approx(0.25e-3)


def test_several_scores_count_by_their_geometric_mean():
    summary = {"a": {"gbps": 25.0, "bound": 3.0, "time": 4.0}}
    rate = make_score({"kind": "rate", "key": ["a", "gbps"], "ports": 1})
    ratio = make_score({"kind": "ratio", "of": ["a", "bound"], "by": ["a", "time"]})
    assert score_run([rate, ratio], Run(summary=summary)) == pytest.approx(math.sqrt(0.25 * 0.75))
    # Nothing was completed: the number is missing.
    assert score_run([rate], Run()) == score_run([ratio], Run()) == 0


def test_designs_are_presets_files_and_the_nics_of_scenarios(tmp_path):
    presets = ["srnic", "uet"]
    entry = write_json(tmp_path / "one.json", {"preset": "uet", "name": "mine"})
    scenario = write_json(tmp_path / "several.json", {"nics": ["uet", {"preset": "srnic", "name": "other"}]})
    assert list(read_designs([], presets)) == presets
    assert list(read_designs(["srnic", str(entry), str(scenario)], presets)) == ["srnic", "mine", "uet", "other"]


@pytest.mark.parametrize(
    "content, fault",
    [
        ({"preset": "srnik"}, "expected a preset (nearest: srnic)"),
        ({"name": "x"}, "expected a preset"),
        ({"preset": "srnic", "name": 5}, "expected a text as name, got 5"),
        ([], "expected an entry of nics, a list of them or a scenario"),
        (["srnic", "srnic"], 'expected a name of its own, got "srnic" twice'),
    ],
)
def test_a_file_that_is_no_design_is_named(tmp_path, content, fault):
    path = write_json(tmp_path / "design.json", content)
    with pytest.raises(UserError, match="design.json") as raised:
        read_designs([str(path)], ["srnic", "uet"])
    assert fault in str(raised.value)


@NEEDS_PROGRAM
def test_each_scenario_runs_and_has_a_score_and_a_place_on_the_page(tmp_path):
    # BALBOA has at most 500 queue pairs, and the short form of that scenario has 1,000.
    ended = call("benchmark", "balboa", "--quick", "--out", tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    folder = tmp_path / "benchmark-quick"
    rows = {row["scenario"]: row for row in read_scores(folder / "scores.csv")}
    scenarios = read_suite().scenarios
    assert list(rows) == [scenario.name for scenario in scenarios]
    page = (folder / "benchmark.html").read_text()
    for scenario in scenarios:
        row = rows[scenario.name]
        assert (row["design"], row["form"]) == ("balboa", "quick") and scenario.asks in page
        if scenario.name == "queue-pairs":
            assert float(row["score"] or 0) == 0 and "500" in row["limit"] and str(tmp_path) not in row["limit"]
        else:
            assert 0 < float(row["score"]) <= 1, row
    assert "src=\"http" not in page and "href=\"http" not in page


@NEEDS_PROGRAM
def test_the_same_designs_give_the_same_bytes(tmp_path):
    tables = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        assert call("benchmark", "uet", "--quick", "--scenario", "planes", "--jobs", jobs, "--out", out).returncode == 0
        tables.append((out / "benchmark-quick" / "scores.csv").read_bytes())
    assert tables[0] == tables[1]


@NEEDS_PROGRAM
def test_bad_words_end_with_one_line(tmp_path):
    for words, fault in (
        (["srnik"], 'DESIGN: expected a preset (nearest: srnic), got "srnik"'),
        (["srnic", "--scenario", "incest"], "--scenario: expected a name (nearest: incast), got 'incest'"),
        ([tmp_path / "none.json"], "none.json"),
    ):
        ended = call("benchmark", *words, "--out", tmp_path / "out")
        assert ended.returncode == 2 and fault in ended.stderr and ended.stderr.count("\n") == 1, ended
    bad = write_json(tmp_path / "bad.json", {"preset": "srnic", "name": "bad", "attributes": {"RdmaNic::PathMtv": 5}})
    ended = call("benchmark", bad, "--quick", "--scenario", "planes", "--out", tmp_path / "out")
    assert ended.returncode == 2 and "PathMt" in ended.stderr and ended.stderr.count("\n") == 1


@NEEDS_PROGRAM
def test_the_committed_results_cover_all_presets_and_scenarios():
    rows = read_scores(ROOT / "examples" / "benchmark" / "results" / "scores.csv")
    suite = read_suite()
    found = {(row["design"], row["scenario"]) for row in rows}
    assert found == {(preset, one.name) for preset in list_presets(ROOT / "build") for one in suite.scenarios}
    assert {(row["version"], row["form"]) for row in rows} == {(str(suite.version), "full")}
    assert all(0 <= float(row["least"]) <= float(row["score"]) <= float(row["most"]) <= 1 for row in rows if row["score"])


def read_scores(path):
    """Return the rows of scores.csv."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_suite_has_a_version_and_names_of_its_own():
    root = json.loads((ROOT / "examples" / "benchmark" / "suite.json").read_text())
    names = [entry["name"] for entry in root["scenarios"]]
    assert root["version"] >= 1 and len(set(names)) == len(names) >= 12


def test_the_table_of_the_readme_is_that_of_the_committed_results():
    folder = ROOT / "examples" / "benchmark"
    assert renew(folder / "README.md", folder / "results") == (folder / "README.md").read_text()
