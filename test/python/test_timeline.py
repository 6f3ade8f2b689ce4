# SPDX-License-Identifier: GPL-2.0-only
"""timeline.json: its events are the ones that the other result files count."""

import json
from collections import Counter
from decimal import Decimal

import pytest
import ranks
from program import call, read_json, read_rows, write_json

PS_PER_US = Decimal(1_000_000)

#: 8 senders into one port of a network that loses packets: connectx6 pauses them and gets CNPs.
INCAST = {
    "name": "incast",
    "fabric": {
        "topology": "star",
        "servers": 9,
        "linkDelay": "1us",
        "buffer": "600kB",
        "lossRate": 0.003,
        "ecn": {"100Gbps": {"kmin": "10kB", "kmax": "40kB", "pmax": 0.5}},
    },
    "nics": ["connectx6", "irn"],
    "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "256kB"},
}


def run(folder, scenario, *arguments):
    """Run a scenario and return the folder of its results."""
    ended = call("run", write_json(folder / "scenario.json", scenario), "--out", folder / "results", *arguments)
    assert ended.returncode == 0, ended.stderr
    return folder / "results" / scenario["name"]


def load(folder):
    """Return the events of a run's timeline, times in whole picoseconds."""
    document = json.loads((folder / "timeline.json").read_text(), parse_float=Decimal)
    events = document["traceEvents"]
    for event in events:
        if "ts" in event:
            event["ps"] = int(event["ts"] * PS_PER_US)
    return document, events


def get_slices(events, category):
    """Return {(process, id): (begin, end)} of the slices of a category, ps."""
    slices = {}
    for phase, place in (("b", 0), ("e", 1)):
        for event in events:
            if event["ph"] == phase and event["cat"] == category:
                slices.setdefault((event["pid"], event["id"]), [None, None])[place] = event["ps"]
    return slices


def count(events):
    """Return how many instants there are of each name."""
    return Counter(event["name"] for event in events if event["ph"] == "i")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(tmp_path_factory.mktemp("timeline"), INCAST, "--timeline")


@pytest.mark.parametrize("nic", ["connectx6", "irn"])
def test_flows_are_slices_from_start_to_completion(results, nic):
    _, events = load(results / nic)
    slices = get_slices(events, "flow")
    rows = read_rows(results / nic / "flows.csv")
    assert len(rows) == len(slices) == 8
    for row in rows:
        begin, end = slices[int(row["src"]), int(row["flow"])]
        assert begin == int(Decimal(row["start_ns"]) * 1000)
        assert end - begin == int(Decimal(row["fct_ns"]) * 1000)


@pytest.mark.parametrize("nic", ["connectx6", "irn"])
def test_instants_are_as_many_as_the_summary_counts(results, nic):
    document, events = load(results / nic)
    summary = read_json(results / nic / "summary.json")
    found = count(events)
    assert document["otherData"]["eventsLeftOut"] == "0"
    assert found["retransmit"] == summary["retransmitted"]
    assert found["timeout"] == summary["timeouts"]
    drops = {name[6:]: number for name, number in found.items() if name.startswith("drop: ")}
    assert drops == {reason: number for reason, number in summary["drops"].items() if number}
    assert drops and found["retransmit"] > 0  # There is something to be compared.
    # The summary counts CNPs as they are sent, and some are lost.
    assert summary["cnps"] - drops["link-loss"] <= found["CNP"] <= summary["cnps"]
    assert found["CNP"] > 0


def test_pauses_are_slices_of_the_paused_ports(results):
    _, events = load(results / "connectx6")
    pauses = get_slices(events, "PFC")
    assert {process for process, _ in pauses} <= set(range(1, 9))  # Of the senders.
    assert pauses
    assert all(begin is not None and end > begin for begin, end in pauses.values())


def test_processes_have_the_names_of_nodes(results):
    _, events = load(results / "irn")
    names = {event["pid"]: event["args"]["name"] for event in events if event["ph"] == "M"}
    assert names == {node: f"server {node}" for node in range(9)} | {9: "switch 9"}


def test_results_are_the_same_without_and_the_file_of_an_earlier_run_goes(tmp_path):
    folder = run(tmp_path, INCAST, "--nic", "connectx6", "--timeline") / "connectx6"
    before = (folder / "flows.csv").read_bytes()
    assert (folder / "timeline.json").exists()
    run(tmp_path, INCAST, "--nic", "connectx6")
    assert (folder / "flows.csv").read_bytes() == before
    assert not (folder / "timeline.json").exists()


@ranks.NEEDS[0]
@ranks.NEEDS[1]
@pytest.mark.slow
def test_ranks_write_the_same_timeline(tmp_path):
    scenario = {"name": "ranks", "fabric": ranks.FABRIC, "nics": ["connectx6"], "workload": ranks.POISSON}
    scenario["fabric"] = dict(ranks.FABRIC, buffer="2MiB")
    one = run(tmp_path, scenario, "--timeline") / "connectx6" / "timeline.json"
    path = tmp_path / "scenario.json"
    ranks.run(2, "run", path, "--out", tmp_path / "two", "--quiet", "--timeline")
    two = tmp_path / "two" / "ranks" / "connectx6" / "timeline.json"
    assert count(load(one.parent)[1])
    assert one.read_bytes() == two.read_bytes()
