# SPDX-License-Identifier: GPL-2.0-only
"""The package against the real build/rocelab; skipped where it is not built."""

import pytest
from program import BUILD, NEEDS_PROGRAM, ROOT, read_json, write_json

from rocelab.__main__ import main
from rocelab.results.folders import load_scenario
from rocelab.runs.engine import run_engine
from rocelab.validate.figure import run_figure

pytestmark = NEEDS_PROGRAM


def test_results_of_the_engine_are_read_as_it_wrote_them(tmp_path):
    flows = [{"src": 0, "dst": 1, "bytes": 70}, {"src": 2, "dst": 1, "bytes": 300_000}]
    scenario = {
        "name": "tiny",
        "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"},
        "nics": ["srnic", {"preset": "irn", "name": "an-irn"}],
        "workload": {"type": "flows", "flows": [flow | {"start": "1us"} for flow in flows]},
    }
    scenario_file = write_json(tmp_path / "tiny.json", scenario)
    run_engine(BUILD, scenario_file, tmp_path / "out", seed=5)
    result = load_scenario(tmp_path / "out" / "tiny")
    assert [nic.name for nic in result.nics] == ["srnic", "an-irn"] and result.missing == []
    for nic in result.nics:
        assert nic.is_complete and nic.defect == ""
        assert sorted(nic.flows["bytes"]) == [70, 300_000]
        assert (nic.flows["slowdown"] >= 1).all()
        assert nic.fct_us("mean") == pytest.approx(nic.flows["fct_ns"].mean() / 1e3, rel=1e-6)
        assert nic.scenario["run"]["seed"] == 5


def test_compare_of_a_scenario_file_runs_it_with_the_options_of_run(tmp_path, empty_pictures, capsys):
    scenario = {
        "name": "tiny",
        "fabric": {"topology": "star", "servers": 2, "hostRate": "100Gbps", "linkDelay": "1us"},
        "nics": ["srnic", "irn", "balboa"],
        "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 70, "start": "1us"}]},
    }
    scenario_file = write_json(tmp_path / "tiny.json", scenario)
    words = ["compare", str(scenario_file), "--build", str(BUILD), "--out", str(tmp_path / "out")]
    words += ["--nic", "irn", "--nic", "srnic", "--set", "name=other", "--set", "fabric.linkDelay=2us", "--seed", "7"]
    assert main(words) == 0
    assert "ratio to srnic" in capsys.readouterr().out
    result = load_scenario(tmp_path / "out" / "other")
    assert (tmp_path / "out" / "other" / "compare.csv").is_file()
    assert sorted(nic.name for nic in result.nics) == ["irn", "srnic"]
    for nic in result.nics:
        assert nic.scenario["run"]["seed"] == 7 and nic.scenario["fabric"]["linkDelay"] == "2us"


def test_compare_of_a_bad_scenario_ends_with_the_status_of_the_run(tmp_path, capfd):
    scenario_file = tmp_path / "bad.json"
    scenario_file.write_text('{"name": "bad", "colour": 1}')
    words = ["compare", str(scenario_file), "--build", str(BUILD), "--out", str(tmp_path / "out")]
    assert main(words) == 2
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1 and "colour" in printed.err
    assert not (tmp_path / "out").exists()


def test_the_quick_figure_runs(tmp_path, no_pictures):
    name = "srnic/figure-12"
    run_figure(name, ROOT / "examples", tmp_path, BUILD, is_quick=True)
    data = read_json(tmp_path / f"{name}-quick" / "figure.json")
    assert not any(data["incomplete"].values())
    for panel in data["panels"]:
        assert list(panel["series"]) == ["connectx6", "irn", "srnic"]
        for points in panel["series"].values():
            assert [servers for servers, _ in points] == [16, 64]
    assert all(slowdown >= 1 for _, slowdown in data["panels"][2]["series"]["srnic"])


def test_the_quick_memory_tables_match_what_the_paper_derives(tmp_path, no_pictures):
    name = "srnic/table-1-2"
    run_figure(name, ROOT / "examples", tmp_path, BUILD, is_quick=True)
    data = read_json(tmp_path / f"{name}-quick" / "figure.json")
    table_1 = [row for row in data["rows"] if row["where"] == "Table 1"]
    assert len(table_1) == 14
    # The paper prints one digit after the point: 0.05 of 3.0 is 1.7 %, the coarsest of them.
    assert all(abs(row["difference"] or 0) < 0.017 for row in table_1)
    assert all(row["ours_mb"] == 0 for row in table_1 if row["paper_mb"] == 0)
    # Table 2 is missed, and must not be hidden: 2.05 MB of contexts where 2.3 are printed.
    built = {row["structure"]: row for row in data["rows"] if row["where"] == "Table 2"}
    assert built["queue pair contexts"]["difference"] == pytest.approx(-0.107, abs=0.001)
    assert built["total"]["difference"] == pytest.approx(-0.112, abs=0.001)
    assert data["ratio_to_connectx5"]["published"] == pytest.approx(17.8, abs=0.05)
    assert data["contexts_that_fit_connectx5"] == 5592
