# SPDX-License-Identifier: GPL-2.0-only
"""rocelab why: a recorded run is repeated, and the parts of a flow's time sum to what flows.csv says."""

import csv
import io
import json
import shutil
from decimal import Decimal

import pytest
import ranks
from program import ROOT, call, get_plugin, read_rows, write_json

import rocelab

#: 8 senders into one port of a network that loses packets.
INCAST = {
    "name": "incast",
    "fabric": {"topology": "star", "servers": 9, "linkDelay": "1us", "buffer": "600kB", "lossRate": 0.003},
    "nics": ["connectx6", "irn", {"preset": "srnic", "name": "srnic-hw", "hardware": "on"}],
    "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "64kB"},
}


def run(folder, scenario, *arguments):
    """Run a scenario and return the folder of its results."""
    call("run", write_json(folder / "scenario.json", scenario), "--out", folder / "results", *arguments)
    return folder / "results" / scenario["name"]


def why(*arguments, cwd=None):
    """Return what rocelab why prints."""
    ended = call("why", *arguments, cwd=cwd)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def fail(*arguments, cwd=None):
    """Return the one line that rocelab why says of bad input."""
    done = call("why", *arguments, cwd=cwd)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("rocelab: ")
    return done.stderr


def read_flows(folder):
    """Return {flow: row} of flows.csv."""
    return {int(row["flow"]): row for row in read_rows(folder / "flows.csv")}


def read_table(text):
    """Return {flow: (completion time, {cause: time})} of --all, ps."""
    rows = {}
    for row in csv.DictReader(io.StringIO(text)):
        parts = {key: int(value) for key, value in list(row.items())[6:]}
        rows[int(row["flow"])] = (int(row["fct_ps"]), parts)
    return rows


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(tmp_path_factory.mktemp("why"), INCAST)


def read_sums(folder, count):
    """Return the table of --all of so many flows, whose parts sum to the times of flows.csv."""
    flows = read_flows(folder)
    table = read_table(why(folder, "--all"))
    assert set(table) == set(flows) and len(table) == count
    for flow, (completion, parts) in table.items():
        assert completion == int(Decimal(flows[flow]["fct_ns"]) * 1000)
        assert sum(parts.values()) == completion
    return table


@pytest.mark.parametrize("nic", ["connectx6", "irn", "srnic-hw"])
def test_parts_of_all_flows_sum_to_the_recorded_times(results, nic):
    read_sums(results / nic, 8)


def test_parts_sum_to_the_recorded_times_where_switches_cut_through(tmp_path):
    switching = {"ns3::rdma::FabricSwitch::CutThrough": True}
    results = run(tmp_path, {**INCAST, "attributes": switching})
    for nic in ("connectx6", "irn", "srnic-hw"):
        read_sums(results / nic, 8)


#: Windows and credit, losses and trims, two ports per server.
MULTIPATH = {
    "name": "multipath",
    "fabric": {"topology": "star", "servers": 9, "linkDelay": "1us", "lossRate": 0.001, "portsPerNic": 2},
    "nics": [
        "uet",
        "uet-rccc",
        "connectx7-ar",
        {"preset": "uet", "name": "uet-hw", "hardware": "on"},
        {"preset": "uet-rccc", "name": "uet-rccc-hw", "hardware": "on"},
    ],
    "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "512kB"},
}


@pytest.fixture(scope="module")
def multipath(tmp_path_factory):
    return run(tmp_path_factory.mktemp("multipath"), MULTIPATH)


@pytest.mark.parametrize("nic", ["uet", "uet-rccc", "connectx7-ar", "uet-hw", "uet-rccc-hw"])
def test_parts_of_flows_with_reports_sum_to_the_recorded_times(multipath, nic):
    table = read_sums(multipath / nic, 8)
    for _, parts in table.values():
        # 512 kB on two ports of 100 Gb/s are 20.48 us at least; packets of both ports count once.
        assert parts["serialization_ps"] + parts["resent_ps"] + parts["trimmed_ps"] >= 20_480_000
    has_credit = any(parts["credit_ps"] > 0 for _, parts in table.values())
    assert has_credit == nic.startswith("uet-rccc")


def test_packets_resent_after_a_trim_name_the_port_of_the_receiver(multipath):
    # Eight senders meet at the port of server 0 only.
    trims = {}
    for flow in range(8):
        for part in json.loads(why(multipath / "uet", flow, "--json"))["parts"]:
            if part["cause"] == "trimmed":
                trims[part["port"]] = trims.get(part["port"], 0) + part["ps"]
    assert trims and all(port.endswith(" to server 0") for port in trims)
    assert all(time > 0 for time in trims.values())


def test_the_examples_of_its_help_explain_what_compare_has_run(tmp_path):
    scenario = ROOT / "examples" / "start" / "compare" / "lossy.json"
    settings = ["--nic", "srnic", "--set", "workload.duration=20us", "--quiet", "--out", str(tmp_path / "compare")]
    assert call("run", scenario, *settings).returncode == 0
    help_text = why("--help")
    examples = [line.split() for line in help_text.splitlines() if line.startswith("  rocelab why ")]
    assert examples
    for _, _, result, *words in examples:
        words = ["1" if word == "40" else word for word in words if word not in (">", "why.csv")]
        assert why(result.replace("results", str(tmp_path)), *words, cwd=ROOT)


def test_json_of_a_flow_has_the_same_sums_by_cause_as_the_table(results):
    _, parts = read_table(why(results / "irn", "--all"))[3]
    document = json.loads(why(results / "irn", "3", "--json"))
    sums = dict.fromkeys(parts, 0)
    for part in document["parts"]:
        sums[part["cause"] + "_ps"] += part["ps"]
    assert sums == parts
    assert sum(part["ps"] for part in document["parts"]) == document["fct_ps"]


def test_text_begins_with_the_flow_and_its_whole_time(results):
    lines = why(results / "irn", "3").splitlines()
    completion = Decimal(read_flows(results / "irn")[3]["fct_ns"]) / 1000
    assert lines[0].startswith("flow 3 of irn: server ")
    assert lines[2].split()[-3:] == [f"{completion:.6f}", "100.00", "%"]


def test_an_incast_queues_at_the_port_of_its_receiver(results):
    document = json.loads(why(results / "irn", "3", "--json"))
    queues = [part["port"] for part in document["parts"] if part.get("within", part["cause"]) == "queueing"]
    assert "switch 9 port 0 to server 0" in queues


@pytest.mark.parametrize("flow", ["8", "18446744073709551615"])
def test_an_unknown_flow_is_one_line(results, flow):
    assert f"expected the number of one of its 8 flows, 0 to 7, got {flow}" in fail(results / "irn", flow)


@pytest.mark.parametrize("word", ["x", "-1", "1.5"])
def test_a_flow_is_a_whole_number(results, word):
    assert f"expected the number of a flow, as in flows.csv, got {word}" in fail(results / "irn", word)


def test_a_flow_or_all_is_needed(results):
    assert "expected the number of a flow or --all, got neither" in fail(results / "irn")


def test_unknown_folders_are_one_line(results, tmp_path):
    assert "expected the results of one NIC" in fail(tmp_path / "nowhere", "0")
    assert "got a folder without them" in fail(tmp_path, "0")
    assert f"such as {results / 'connectx6'}" in fail(results, "0")


def test_flows_that_never_finished_have_no_time_to_explain(tmp_path):
    scenario = {
        "name": "stalled",
        "fabric": {"topology": "back-to-back", "linkDelay": "1us"},
        "nics": ["irn"],
        "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "1MB", "start": "2us"}]},
        "linkEvents": [{"at": "1us", "link": [0, 1], "state": "down"}],
        "run": {"stallLimit": "100us"},
    }
    folder = run(tmp_path, scenario) / "irn"
    assert "got flow 0, which is stalled: it has no completion time" in fail(folder, "0")
    assert "expected flows that completed, got none" in fail(folder, "--all")


def copy_changed(folder, target, name, change):
    """Copy the results of a NIC with one file changed."""
    target.mkdir()
    for file in ("scenario.json", "flows.csv"):
        text = (folder / file).read_text()
        (target / file).write_text(change(text) if file == name else text)
    return target


def test_results_of_another_version_are_one_line(results, tmp_path):
    def change_version(text):
        document = json.loads(text)
        document["rocelab"]["version"] = "0.0.1"
        document["run"]["seed"] = 2
        return json.dumps(document)

    folder = copy_changed(results / "irn", tmp_path / "other", "scenario.json", change_version)
    error = fail(folder, "3")
    assert "expected the run to repeat flow 3 as 3," in error and "made by rocelab 0.0.1" in error


def test_other_columns_are_one_line(results, tmp_path):
    folder = copy_changed(
        results / "irn", tmp_path / "other", "flows.csv", lambda text: text.replace("slowdown", "stretch")
    )
    assert "flows.csv:1: expected the columns of this version" in fail(folder, "3")


@pytest.mark.parametrize("name", ["scenario.json", "flows.csv"])
def test_damaged_files_are_one_line(results, tmp_path, name):
    folder = copy_changed(results / "irn", tmp_path / "cut", name, lambda text: text[: len(text) // 2 - 7])
    assert f"{name}" in fail(folder, "7" if name == "flows.csv" else "3")


def make_scenario_of_file(folder):
    """Write a scenario whose sizes are in a file beside it; return it."""
    (folder / "sizes.cdf").write_text("0 0\n1000 50\n20000 100\n")
    workload = {"type": "poisson", "sizes": "sizes.cdf", "load": 0.3, "duration": "20us"}
    return {**INCAST, "name": "files", "nics": ["irn"], "workload": workload}


def test_a_run_is_explained_from_any_folder(tmp_path):
    folder = run(tmp_path, make_scenario_of_file(tmp_path)) / "irn"
    flow = min(read_flows(folder))
    text = why(folder, flow, cwd=tmp_path)
    assert text == why(folder, flow, cwd="/")
    assert text == why("irn", flow, cwd=folder.parent)
    # Scenario and results may move together.
    moved = shutil.copytree(tmp_path, tmp_path / "moved")
    assert text == why(moved / "results" / "files" / "irn", flow, cwd="/")


def test_a_run_of_a_sweep_is_explained_from_any_folder(tmp_path):
    # A sweep moves the results of a run to a folder of another depth.
    scenario = make_scenario_of_file(tmp_path)
    (tmp_path / "base.json").write_text(json.dumps(scenario))
    (tmp_path / "sweep.json").write_text(json.dumps({"name": "swept", "scenario": "base.json", "seeds": [3]}))
    assert call("sweep", "sweep.json", "--out", "out", cwd=tmp_path).returncode == 0
    folder = tmp_path / "out" / "swept" / "runs" / "seed=3" / "irn"
    assert why(folder, min(read_flows(folder)), cwd="/").startswith("flow ")


def test_files_of_the_scenario_are_found_from_the_base_and_are_the_same(tmp_path):
    base = tmp_path / "base"
    base.mkdir()
    recorded = run(base, make_scenario_of_file(base)) / "irn"
    flow = min(read_flows(recorded))
    folder = shutil.copytree(recorded, tmp_path / "elsewhere" / "irn")
    assert "expected --base FOLDER, where the path sizes.cdf of the scenario starts" in fail(folder, flow, cwd="/")
    assert why(folder, flow, "--base", base) == why(folder, flow, cwd=base)
    (base / "sizes.cdf").write_text("0 0\n1000 50\n30000 100\n")
    assert "expected a file sizes.cdf as it was when the results were made" in fail(folder, flow, cwd=base)


def test_runs_with_each_shipped_distribution_are_explained(tmp_path):
    # A name of list sizes is no path: it needs no --base, and results record no folder for it.
    names = [line.split()[0] for line in call("list", "sizes").stdout.splitlines()]
    assert {"web-search", "cache-follower"} <= set(names)
    workload = {"type": "poisson", "sizes": names[0], "load": 0.8, "duration": "150us"}
    write_json(tmp_path / "base.json", {**INCAST, "nics": ["irn"], "workload": workload})
    axes = [{"path": "workload.sizes", "values": names}]
    write_json(tmp_path / "sweep.json", {"name": "swept", "scenario": "base.json", "axes": axes})
    ended = call("sweep", "sweep.json", "--out", "out", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    for name in names:
        (folder,) = (tmp_path / "out" / "swept" / "runs").glob(f"*{name}*/irn")
        record = json.loads((folder / "scenario.json").read_text())["rocelab"]
        assert list(record["scenario"]["shipped"]) == [name] and record["scenario"]["files"] == {} and "base" not in record
        assert why(folder, min(read_flows(folder)), cwd="/").startswith("flow ")
    (tmp_path / name).write_text("0 0\n1000 50\n20000 100\n")
    assert f"expected the shipped file {name} as it was when the results were made" in fail(folder, "0", cwd=tmp_path)


def test_the_scenario_of_a_result_repeats_its_run(tmp_path):
    folder = run(tmp_path, make_scenario_of_file(tmp_path)) / "irn"
    again = tmp_path / "again"
    ended = call("run", folder / "scenario.json", "--out", again, cwd="/")
    assert ended.returncode == 0, ended.stderr
    flows = (again / "files" / "irn" / "flows.csv").read_bytes()
    assert flows == (folder / "flows.csv").read_bytes() and flows.count(b"\n") > 1
    scenario = rocelab.Scenario.load(folder / "scenario.json")
    assert "rocelab" not in scenario and (scenario.base / "sizes.cdf").exists()


@ranks.NEEDS[0]
@ranks.NEEDS[1]
def test_a_run_of_two_ranks_is_explained_by_one(tmp_path):
    scenario = {"name": "ranks", "fabric": ranks.FABRIC, "nics": ["srnic"], "workload": ranks.POISSON}
    one = run(tmp_path, scenario) / "srnic"
    ranks.run(2, "run", tmp_path / "scenario.json", "--out", tmp_path / "two", "--quiet")
    flow = min(read_flows(one))
    assert why(one, flow) == why(tmp_path / "two" / "ranks" / "srnic", flow)


def test_results_with_a_plugin_need_it(tmp_path):
    plugin = get_plugin("rtt-aimd")
    scenario = {
        **INCAST,
        "nics": [{"preset": "srnic", "name": "own", "congestionControl": "ns3::rdma::RttAimd"}],
    }
    folder = run(tmp_path, scenario, "--plugin", plugin) / "own"
    assert "expected --plugin for rtt-aimd.so" in fail(folder, "1")
    assert why(folder, "1", "--plugin", plugin).startswith("flow 1 of own")
