# SPDX-License-Identifier: GPL-2.0-only
"""Results as long frames: load, tables, sweeps with their cache, compare and plot from Python."""

import json
import os
import shutil
import subprocess
import sys

import pandas
import pytest
from binding import BUILD, ROOT, make_incast, needs_module
from synthetic import write_scenario

import rocelab
from rocelab.results.columns import flatten, load_tables
from rocelab.results.frames import read_frame

AXES = {"fabric.lossRate": [0, 0.001], "fabric.linkDelay": {"near": "1us", "far": "5us"}}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """(folder, frame) of a sweep of two axes, two NICs and two seeds."""
    folder = tmp_path_factory.mktemp("swept")
    return folder, rocelab.sweep(make_incast("irn", "srnic"), AXES, seeds=2, out=folder)


def test_a_loaded_scenario_is_one_frame_with_a_row_per_nic(compare_folder):
    results = rocelab.load(compare_folder)
    assert results.summary["nic"].tolist() == list(results) == ["connectx6", "irn", "srnic", "balboa"]
    # 200 flows of 1 to 200 us times the factor of the NIC: mean (1 + 200) / 2.
    means = results.flows.groupby("nic", sort=False)["fct_ns"].mean() / 1e3
    assert means.round(6).to_dict() == {"connectx6": 201, "irn": 110.55, "srnic": 100.5, "balboa": 150.75}
    assert results.summary["status"].tolist() == ["done"] * 4
    assert rocelab.load(compare_folder / "irn").only.name == "irn"


def test_units_meanings_and_types_are_those_that_the_program_declares(compare_folder):
    flows = rocelab.load(compare_folder).flows
    declared = load_tables()["flows.csv"]
    for column in declared:
        if column["name"] in flows:
            assert flows.attrs["units"][column["name"]] == column["unit"]
            assert flows.attrs["meanings"][column["name"]] == column["meaning"]
    assert flows.attrs["meanings"]["nic"] == "name of the NIC"
    kinds = {column["name"]: column["values"] for column in declared if column["name"] in flows}
    expected = {"whole": "int64", "real": "float64", "real or empty": "float64", "word": "object"}
    assert {name: str(flows[name].dtype) for name in kinds} == {name: expected[kind] for name, kind in kinds.items()}


def test_numbers_of_a_summary_have_the_units_of_their_names(compare_folder):
    frame = rocelab.load(compare_folder).summary
    assert frame.attrs["units"]["fct_us_p99"] == "us" and frame.attrs["units"]["goodput_gbps"] == "Gb/s"
    assert flatten({"drops": {"link-loss": 3}, "wall_seconds": 1, "fct_us": {"p99": None}}) == {
        "drops_link_loss": 3,
        "fct_us_p99": None,
    }


def test_runs_of_different_scenarios_are_not_one_frame(compare_folder):
    path = compare_folder / "irn" / "scenario.json"
    scenario = json.loads(path.read_text())
    scenario["run"] = {"seed": 8}
    path.write_text(json.dumps(scenario))
    with pytest.raises(rocelab.UserError, match="expected runs of one scenario, got "):
        rocelab.load(compare_folder)


def test_a_folder_without_results_is_one_line(tmp_path):
    with pytest.raises(rocelab.UserError, match="expected a folder RESULTS/<scenario name>, got no folder"):
        rocelab.load(tmp_path / "nothing")
    (tmp_path / "sweep.json").write_text('{"format": 1}')
    with pytest.raises(rocelab.UserError, match="sweep-summary.csv: expected a table, got: No such file"):
        rocelab.load(tmp_path)


def test_a_table_of_a_plug_in_is_read_as_it_is(compare_folder):
    (compare_folder / "irn" / "beats.csv").write_text("server,round_trip_ns\n0,4030.72\n1,4031\n")
    results = rocelab.load(compare_folder)
    assert "beats" in results.tables
    frame = results.table("beats")
    assert frame.columns.tolist() == ["nic", "seed", "server", "round_trip_ns"]
    assert frame["nic"].tolist() == ["irn"] * 2 and frame.attrs["units"]["round_trip_ns"] == "ns"
    (compare_folder / "irn" / "beats.csv").write_text("a,b\n1,2\n1,2,3\n")
    with pytest.raises(rocelab.UserError, match="beats.csv: expected a table, got: "):
        results.table("beats")


def test_a_column_that_has_the_name_of_one_in_front_gets_the_table_s(compare_folder):
    header = ",".join(column["name"] for column in load_tables()["hosts.csv"])
    (compare_folder / "irn" / "hosts.csv").write_text(f"{header}\n3,1{',0' * (header.count(',') - 1)}\n")
    frame = rocelab.load(compare_folder).table("hosts")
    assert (frame["nic"][0], frame["hosts_nic"][0]) == ("irn", 1)
    assert frame.attrs["meanings"]["hosts_nic"] == "number of the NIC in its server, from 0"
    assert read_frame(compare_folder / "irn", "hosts").columns[1] == "nic"


def test_a_table_that_no_run_has_names_those_that_there_are(compare_folder):
    with pytest.raises(rocelab.InputError, match="table: expected flows, got 'rpcs'"):
        rocelab.load(compare_folder).table("rpcs")


def test_compare_gives_the_numbers_of_compare_csv(compare_folder):
    frame = rocelab.compare(compare_folder)
    assert frame.set_index("nic")["fct_mean_ratio"].round(6).to_dict() == {
        "connectx6": 2,
        "irn": 1.1,
        "srnic": 1,
        "balboa": 1.5,
    }
    assert frame["complete"].all() and frame["ratio_to"].unique().tolist() == ["srnic"]
    with pytest.raises(rocelab.InputError, match="--workload: expected a workload"):
        rocelab.compare(compare_folder, workload="a")


def test_plot_gives_a_figure_whose_labels_can_be_changed(compare_folder, tmp_path):
    figure = rocelab.plot("fct-cdf", rocelab.load(compare_folder), out=tmp_path / "my.svg")
    assert (tmp_path / "my.svg").stat().st_size > 5000
    (axes,) = figure.axes
    axes.set_xlabel("My time")
    assert axes.get_xlabel() == "My time"
    with pytest.raises(rocelab.InputError, match="^plot: expected a kind of picture .nearest: fct-cdf"):
        rocelab.plot("fct-cdff", compare_folder)
    with pytest.raises(rocelab.InputError, match="^x: expected results of a sweep"):
        rocelab.plot("fct", compare_folder, x="load")
    with pytest.raises(rocelab.InputError, match="^out: expected a file that ends in"):
        rocelab.plot("fct", compare_folder, out="my.gif")


@needs_module
def test_a_run_in_processes_of_the_program_has_the_results_of_one_here():
    scenario = make_incast("irn", "srnic", series={"interval": "5us"})
    here, there = rocelab.run(scenario), rocelab.run(scenario, jobs=2, captures={"hosts": [0], "headers": True})
    assert list(there) == list(here) == ["irn", "srnic"]
    for nic, result in here.items():
        for name in result.tables:
            file = next(result.folder.rglob(f"{name}.csv")).relative_to(result.folder)
            assert (there[nic].folder / file).read_bytes() == (result.folder / file).read_bytes()
        assert there[nic].line.startswith("3 of 3 flows completed") and result.line.startswith("3 of 3 flows completed")
        assert (there[nic].status, there[nic].messages) == ("done", [])
    assert [path.name for path in there["irn"].folder.glob("*.pcap")] == ["host-0.pcap"]
    assert here.summary.drop(columns="events").equals(there.summary.drop(columns="events"))


@needs_module
def test_bad_input_of_a_child_is_the_same_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for scenario in ("nothing.json", make_incast("irn", speed=1), make_incast("irnn")):
        lines = []
        for jobs in (1, 2):
            with pytest.raises(rocelab.InputError) as caught:
                rocelab.run(scenario, jobs=jobs)
            lines.append(str(caught.value))
        assert lines[0] == lines[1]


@needs_module
@pytest.mark.parametrize(
    "arguments, line",
    [
        ({"jobs": 0}, "jobs: expected a whole number from 1, got 0"),
        ({"ranks": "two"}, "ranks: expected a whole number from 1, got 'two'"),
        ({"captures": {"host": [0]}}, "captures: expected known keys .nearest: hosts., got 'host'"),
        ({"captures": {"hosts": 0}}, "captures: expected a list of hosts, got 0"),
        ({"jobs": 2, "progress": print}, "progress: expected a run without jobs, ranks and captures"),
    ],
)
def test_bad_options_of_a_run_are_one_line(arguments, line):
    with pytest.raises(rocelab.InputError, match=f"^{line}$"):
        rocelab.run(make_incast("irn"), **arguments)


@needs_module
def test_series_may_be_the_key_of_a_scenario():
    result = rocelab.run(make_incast("irn"), series={"interval": "10us", "what": ["queue"]}).only
    assert result.tables == ["flows", "queue"]
    assert result.table("queue")["time_ns"].iloc[0] == 10_000


@needs_module
def test_a_sweep_is_a_row_per_run_with_its_axes(swept):
    folder, frame = swept
    assert frame.columns.tolist()[:5] == ["nic", "seed", "lossRate", "linkDelay", "status"]
    assert len(frame) == 2 * 2 * 2 * 2
    assert frame["lossRate"].dtype == float and set(frame["linkDelay"]) == {"1us", "5us"}
    assert frame.attrs["folder"] == str(folder / "incast-by-lossRate-linkDelay")
    results = rocelab.load(frame.attrs["folder"])
    assert results.summary.equals(frame)
    assert len(results.flows) == 16 * 3
    assert results.flows.attrs["meanings"]["lossRate"] == "fabric.lossRate"
    # Two links of 4 us more each way.
    means = results.flows[results.flows["lossRate"] == 0].groupby("linkDelay")["ideal_ns"].mean()
    assert means["5us"] - means["1us"] == pytest.approx(4 * 4000)


@needs_module
def test_a_sweep_runs_only_what_is_not_done(swept, tmp_path):
    folder, frame = swept
    copy = shutil.copytree(folder, tmp_path / "copy")
    calls = []
    again = rocelab.sweep(make_incast("irn", "srnic"), AXES, seeds=2, out=copy, progress=lambda *call: calls.append(call))
    assert calls == [] and again.equals(frame)
    # A third value is eight runs more, of which four are of each NIC.
    more = {**AXES, "fabric.lossRate": [0, 0.001, 0.002]}
    again = rocelab.sweep(make_incast("irn", "srnic"), more, seeds=2, out=copy, progress=lambda *call: calls.append(call))
    assert [done for done, _ in calls] == list(range(17, 25)) and len(again) == 24
    assert again[again["lossRate"] < 0.002].reset_index(drop=True).equals(frame)


@needs_module
def test_a_sweep_whose_last_point_failed_continues_there(tmp_path):
    program = BUILD / "rocelab"
    build = tmp_path / "build"
    build.mkdir()
    (build / "python").symlink_to(BUILD / "python")
    script = build / "rocelab"
    marker = tmp_path / "repaired"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in run*5us*) [ -e {marker} ] || exit 9;; esac\necho "$1" >>{tmp_path}/calls\nexec {program} "$@"\n'
    )
    script.chmod(0o755)
    code = (
        "import sys, json, rocelab\n"
        "try: print(len(rocelab.sweep(json.loads(sys.argv[1]), {'fabric.linkDelay': ['1us', '5us']}, out='o', name='s')))\n"
        "except rocelab.RunError as error: print(error)\n"
    )
    command = [sys.executable, "-c", code, json.dumps(make_incast("irn"))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "utils"), "ROCELAB_BUILD": str(build)}

    def run():
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert run() == f"{tmp_path}/o/s: 1 of 2 runs failed, first linkDelay=5us,seed=1/irn: exit status 9\n"
    marker.touch()
    (tmp_path / "calls").unlink()
    assert run() == "2\n"
    assert (tmp_path / "calls").read_text().split().count("run") == 1


@needs_module
@pytest.mark.parametrize(
    "axes, line",
    [
        ({"fabric.lossRatee": [0]}, r"sweep: \$.axes\[0\].values\[0\]: \$.fabric.lossRatee: expected a known key"),
        ({"fabric.lossRate": 5}, "axes: expected a list of values for fabric.lossRate, got 5"),
        ({"nics": ["irn"]}, r"sweep: \$.axes\[0\].path: expected a path other than that of the key \"nics\""),
        ([{"path": "fabric.lossRate", "value": [1]}], r"sweep: \$.axes\[0\].value: expected a known key .nearest: values."),
    ],
)
def test_bad_axes_are_one_line_and_nothing_is_written(tmp_path, axes, line):
    with pytest.raises(rocelab.InputError, match=f"^{line}"):
        rocelab.sweep(make_incast("irn"), axes, out=tmp_path / "o")
    assert not (tmp_path / "o").exists()


@needs_module
def test_stalled_flows_of_a_sweep_are_a_warning(tmp_path):
    scenario = make_incast("irn", run={"stallLimit": "1ms"})
    scenario["linkEvents"] = [{"at": "10us", "link": [0, 4], "state": "down"}]
    with pytest.warns(rocelab.RunWarning, match="1 of 1 runs have flows that stalled or failed, first seed=1/irn: irn: flow "):
        frame = rocelab.sweep(scenario, out=tmp_path)
    assert frame["status"].tolist() == ["stalled"] and frame.attrs["folder"].endswith("incast-by-seed")


@needs_module
def test_compare_and_plot_take_a_sweep(swept, tmp_path):
    _, frame = swept
    results = rocelab.load(frame.attrs["folder"])
    compared = rocelab.compare(results)
    assert len(compared) == 16 and (compared[compared["nic"] == "srnic"]["fct_mean_ratio"] == 1).all()
    figure = rocelab.plot("lines", results, x="lossRate", y="fct_us_p99", where={"linkDelay": "5us"})
    assert len(figure.axes) == 1
    assert isinstance(results.summary, pandas.DataFrame)


def test_results_are_read_without_the_module(tmp_path):
    write_scenario(tmp_path / "x", {"srnic": 1})
    code = "import sys; sys.modules['rocelab._core'] = None; import rocelab; print(len(rocelab.load('x').flows))"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "utils")}
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("200\n", "")
