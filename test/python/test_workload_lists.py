# SPDX-License-Identifier: GPL-2.0-only
"""A list of workloads: what the program writes on one and two ranks, and what is made of it."""

import csv
import json

import numpy
import pytest
from pictures import check_picture
from program import find_fault
from ranks import FABRIC, NEEDS, PROGRAM, ROOT, compare, run

from rocelab.__main__ import main
from rocelab.draw.plots import draw_slowdown_bars
from rocelab.errors import UserError
from rocelab.report.compare import format_comparison, format_csv
from rocelab.results.folders import load_scenario, select_workload, split_workloads
from rocelab.results.samples import REQUESTS

pytestmark = NEEDS

BACKGROUND = {
    "name": "background",
    "type": "poisson",
    "sizes": str(ROOT / "traces" / "cache-follower.cdf"),
    "load": 0.4,
    "duration": "50us",
}
INCAST = {"name": "incast", "type": "incast", "senders": 20, "bytes": "20kB", "at": "10us"}
RING = {
    "name": "ring",
    "type": "graph",
    "start": "5us",
    "operations": [
        {"id": str(i), "src": 16 * i, "dst": (16 * i + 16) % 64, "bytes": "30kB", "queuePair": f"q{i % 4}"}
        | ({"after": [str(i - 1)]} if i else {})
        for i in range(4)
    ],
}
GETS = {
    "name": "gets",
    "type": "rpc",
    "clients": "clients",
    "servers": "stores",
    "request": "read",
    "keys": 100,
    "valueBytes": "64B",
    "duration": "40us",
}
SCENARIO = {
    "name": "ranks",
    "fabric": FABRIC,
    "groups": {"stores": [[0, 1], [40, 41]], "clients": [[8, 11], [24, 27]]},
    "nics": ["connectx6", "irn"],
    "workloads": [BACKGROUND, INCAST, RING, GETS, {**GETS, "name": "rare", "requestsPerSecond": 2e5}],
    "run": {"seed": 3},
}


def write(folder, **changes):
    path = folder / "scenario.json"
    path.write_text(json.dumps({**SCENARIO, **changes}))
    return path


def read_rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of SCENARIO, RESULTS/ranks."""
    folder = tmp_path_factory.mktemp("lists")
    status, _, errors = run(1, "run", write(folder), "--out", folder)
    assert status == 0, errors
    return folder / "ranks"


def test_two_ranks_give_the_same_bytes(tmp_path):
    for files in compare(tmp_path, write(tmp_path), [2]).values():
        assert files["flows.csv"].count(b"incast,") == 20
        assert files["flows.csv"].count(b"ring,") == 4
        assert files["rpcs.csv"].count(b"gets,") > 15


@pytest.mark.slow
def test_all_types_beside_each_other_on_two_ranks(tmp_path):
    streams = [
        {"sender": 0, "receiver": 16, "queuePairs": 3, "messageBytes": "4KiB"},
        {"sender": 40, "receiver": 1, "messageBytes": "16KiB", "rate": "50Gbps"},
    ]
    store = {"name": "store", "type": "kv", "clients": "clients", "servers": "stores", "cores": 2, "get": 0.5}
    store |= {"keyBytes": 8, "valueBytes": 12, "memory": "64KiB", "utilization": 0.3, "batch": 8, "duration": "60us"}
    workloads = [
        {**BACKGROUND, "sources": "clients"},
        {"name": "messages", "type": "streams", "streams": streams, "duration": "80us", "start": "3us", "service": "RC"},
        store,
        {**GETS, "name": "tcp", "request": "tcp", "duration": "80us", "start": "1us"},
        GETS,
        RING,
        {**RING, "name": "late", "start": "20us"},
        INCAST,
    ]
    nics = [{"preset": "connectx6", "hardware": "on"}]
    path = write(tmp_path, workloads=workloads, nics=nics, fabric={**FABRIC, "lossRate": 0.0005}, series={})
    (files,) = compare(tmp_path, path, [2]).values()
    summary = files["summary.json"]["workloads"]
    assert summary["messages"]["streams"]["received"] > 500
    assert [summary[name]["rpc"]["status"]["wrong"] for name in ("store", "tcp", "gets")] == [0, 0, 0]
    assert [summary[name]["flows"]["completed"] for name in ("ring", "late", "incast")] == [4, 4, 20]


def test_rows_name_their_workloads_and_are_numbered_in_them(results):
    flows = read_rows(results / "irn" / "flows.csv")
    summary = json.loads((results / "irn" / "summary.json").read_text())
    assert list(summary["workloads"]) == [workload["name"] for workload in SCENARIO["workloads"]]
    for name in ("background", "incast", "ring"):
        numbers = sorted(int(row["flow"]) for row in flows if row["workload"] == name)
        assert numbers == list(range(summary["workloads"][name]["flows"]["started"]))
    requests = read_rows(results / "irn" / "rpcs.csv")
    for name in ("gets", "rare"):
        numbers = [int(row["request"]) for row in requests if row["workload"] == name]
        assert numbers == list(range(summary["workloads"][name]["rpc"]["requests"]))
    assert not list((results / "irn").glob(".*"))


def test_counters_of_workloads_add_up(results):
    for nic in ("irn", "connectx6"):
        summary = json.loads((results / nic / "summary.json").read_text())
        parts = summary["workloads"].values()
        for key in ("retransmitted", "timeouts"):
            assert sum(part[key] for part in parts) == summary[key]
        for key in ("started", "completed", "failed", "stalled"):
            assert sum(part["flows"][key] for part in parts) == summary["flows"][key]


def test_labels_of_bars_are_whole_though_names_below_them_are_long(results):
    check_picture(draw_slowdown_bars(split_workloads(load_scenario(results))))


def test_tables_have_a_row_for_each_workload(results):
    scenario = load_scenario(results)
    text = format_comparison(scenario)
    assert text.count("\n  background  ") == text.count("\n  gets  ") == 4  # Two NICs in two tables.
    assert "latency us" not in text.split("\n")[0] and "P99.9" in text
    rows = list(csv.DictReader(format_csv(scenario).splitlines()))
    assert [row["workload"] for row in rows[:6]] == ["all", *(one["name"] for one in SCENARIO["workloads"])]
    incast = next(row for row in rows if (row["nic"], row["workload"]) == ("irn", "incast"))
    irn = next(nic for nic in scenario.nics if nic.name == "irn")
    of_incast = irn.flows[irn.flows["workload"] == "incast"]
    assert float(incast["fct_us_mean"]) == pytest.approx(of_incast["fct_ns"].mean() / 1e3)
    assert incast["fabric_drops"] == ""  # Known of the whole run only.
    gets = next(row for row in rows if (row["nic"], row["workload"]) == ("irn", "gets"))
    assert float(gets["latency_us_p99"]) == irn.summary["workloads"]["gets"]["rpc"]["latency_us"]["p99"]


def test_one_workload_can_be_selected(results, capsys):
    scenario = select_workload(load_scenario(results), "incast")
    assert [(nic.name, nic.completed_count) for nic in scenario.nics] == [("connectx6", 20), ("irn", 20)]
    assert numpy.unique(scenario.nics[0].flows["workload"]).tolist() == ["incast"]
    names = [nic.name for nic in split_workloads(load_scenario(results)).nics]
    assert names[:2] == ["connectx6: background", "connectx6: incast"]
    with pytest.raises(UserError, match="nearest: incast"):
        select_workload(load_scenario(results), "incats")
    for command in (["compare", str(results)], ["plot", "fct-cdf", str(results)], ["report", str(results)]):
        assert main([*command, "--workload", "incats"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_pictures_and_the_report_are_made(results, tmp_path, capsys):
    out = tmp_path / "cdf"
    words = ["--format", "svg", "--out"]
    assert main(["plot", "fct-cdf", str(results), *words, str(out)]) == 0
    assert "IRN: incast" in out.with_suffix(".svg").read_text()
    assert main(["plot", "latency-ccdf", str(results), "--workload", "gets", *words, str(out)]) == 0
    assert "IRN: gets" not in out.with_suffix(".svg").read_text()
    assert main(["report", str(results), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "background: poisson: " in page and "connectx6: rare" in page
    capsys.readouterr()


def test_two_runs_are_compared_workload_by_workload(results, capsys):
    assert main(["diff", str(results / "irn"), str(results / "irn")]) == 0
    text = capsys.readouterr().out
    assert "\nbackground " in text and "\nincast " in text and "\nring " in text
    # Operations of a graph start when others have ended: other times under another NIC.
    two = ["diff", str(results / "connectx6"), str(results / "irn")]
    assert main(two) == 2
    assert "of flow 1 " in capsys.readouterr().err
    assert main([*two, "--workload", "incast"]) == 0
    assert "\nincast " in capsys.readouterr().out


def test_requests_are_split_by_workload(results):
    nic = load_scenario(results)["irn"]
    assert [name for name, _ in REQUESTS.split(nic)] == ["gets", "rare"]
    assert [name for name, _ in REQUESTS.split(nic.select("rare"))] == [""]


def test_why_explains_a_flow_of_a_workload(results):
    folder = results / "irn"
    status, output, errors = run(1, "why", folder, "3", "--workload", "incast")
    assert status == 0, errors
    assert output.startswith("flow 3 of incast of irn: server ")
    status, output, _ = run(1, "why", folder, "--all")
    assert status == 0
    assert output.startswith("workload,flow,src,")
    status, _, errors = run(1, "why", folder, "3")
    assert (status, errors.count("\n")) == (2, 1)
    assert "--workload: expected the workload of the flow" in errors


def test_a_sweep_has_columns_of_each_workload(tmp_path):
    sweep = {
        "name": "loads",
        "scenario": {**SCENARIO, "nics": ["irn"], "workloads": [BACKGROUND, GETS]},
        "axes": [{"path": "workloads[0].load", "name": "load", "values": [0.2, 0.4]}],
    }
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(sweep))
    words = ["--out", str(tmp_path), "--build", str(PROGRAM.parent)]
    assert main(["sweep", str(path), *words]) == 0
    rows = read_rows(tmp_path / "loads" / "sweep-summary.csv")
    assert len(rows) == 2
    assert float(rows[0]["workloads_gets_rpc_latency_us_p99_mean"]) > 0
    assert float(rows[0]["workloads_background_fct_us_mean_mean"]) > 0
    picture = ["plot", "lines", str(tmp_path / "loads"), "--workload", "gets", "--y", "rpc_latency_us_p99"]
    assert main([*picture, "--format", "svg", "--out", str(tmp_path / "latency")]) == 0
    assert main([*picture[:3], "--workload", "puts"]) == 2


def test_plugins_of_a_scenario_are_loaded_from_its_folder(tmp_path):
    (tmp_path / "beats.so").symlink_to(PROGRAM.parent / "test" / "beats-workload.so")
    beats = {"name": "beats", "type": "beats", "interval": "5us", "duration": "30us", "start": "10us"}
    path = write(tmp_path, plugins=["beats.so"], workloads=[beats, INCAST])
    for files in compare(tmp_path, path, [2]).values():
        starts = [float(line.split(b",")[2]) for line in files["beats.csv"].splitlines()[1:]]
        assert min(starts) == 10_000
        assert max(starts) == 35_000
        assert files["summary.json"]["workloads"]["beats"]["beats"]["count"] == 64 * 6


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"plugins": ["none.so"]}, "$.plugins[0]: expected a file beside the scenario file"),
        ({"plugins": ["scenario.json"]}, "$.plugins[0]: expected a plug-in, got"),
        ({"plugins": "none.so"}, "$.plugins: expected a list"),
        ({"workloads": []}, "$.workloads: expected 1 to 1024 workloads, got 0"),
        ({"workloads": [INCAST, INCAST]}, "$.workloads[1].name: expected a name of its own"),
        ({"workloads": [{**INCAST, "end": "0us"}]}, "$.workloads[0].end: expected a time after the start, 0ps"),
    ],
)
def test_bad_input_is_one_line(tmp_path, changes, message):
    fault = find_fault(write(tmp_path, **changes))
    assert f"scenario.json: {message}" in fault and fault.count("\n") == 1
