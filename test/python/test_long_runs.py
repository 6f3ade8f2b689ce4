# SPDX-License-Identifier: GPL-2.0-only
"""Runs of any length end, obey a signal, or are refused before they begin."""

import os
import signal
import subprocess

import pytest
from program import NEEDS_PROGRAM, PROGRAM, call, end_by_signal, get_memory, read_json, read_rows, wait_for, write_json

STAR = {"topology": "star", "servers": 4}

pytestmark = NEEDS_PROGRAM


def write(folder, **keys):
    """Write a scenario and return the words of its run."""
    path = write_json(folder / "n.json", {"name": "n", "fabric": STAR, "nics": ["srnic"], **keys})
    return ["run", path, "--out", folder / "out", "--quiet"]


def run(words, **environment):
    """Return (status, stderr) of a run that ends by itself."""
    ended = call(*words, env={**os.environ, **environment})
    return ended.returncode, ended.stderr


def start(words):
    """Start a run that does not end by itself."""
    return subprocess.Popen([PROGRAM, *map(str, words)], stderr=subprocess.PIPE, text=True)


def test_a_series_does_not_sample_through_idle_time(tmp_path):
    # 10^11 intervals; sampled one by one they would take a day.
    flows = [{"src": 0, "dst": 1, "bytes": 1000, "start": "1000000s"}]
    assert run(write(tmp_path, workload={"type": "flows", "flows": flows}, series={})) == (0, "")
    assert len(read_rows(tmp_path / "out" / "n" / "srnic" / "series" / "buffer.csv")) < 9


def test_flows_for_which_no_machine_has_room_are_refused(tmp_path):
    incast = {"type": "incast", "senders": 3, "bytes": 1000, "period": "1ps", "repeats": 1_000_000_000}
    status, errors = run(write(tmp_path, workload=incast))
    assert status == 2
    assert errors.count("\n") == 1
    assert "n.json: $.workload: expected at most " in errors
    # 1 ms of 100 Gb/s is 12.5 MB of 3 TB: nearly all of 3 x 10^9 flows would be under way.
    assert int(errors.rsplit(maxsplit=1)[-1]) > 2.9e9
    assert not (tmp_path / "out").exists()


def test_as_many_flows_that_come_one_after_the_other_are_not(tmp_path):
    incast = {"type": "incast", "senders": 3, "bytes": 1000, "period": "10us", "repeats": 100_000_000}
    process = start(write(tmp_path, workload=incast))
    wait_for(lambda: count_bytes(tmp_path, "flows.csv"), process)
    status, _, errors = end_by_signal(process, signal.SIGTERM)
    assert status == 130 and "interrupted" in errors


def count_bytes(folder, name):
    """Return the bytes of a table that a run under way has written."""
    return sum(path.stat().st_size for path in folder.glob(f"out/n/.*.part/{name}"))


def write_store(folder, **workload):
    """Write a scenario of three clients and a key-value store, and return the arguments of its run."""
    return write(
        folder,
        groups={"stores": [0], "clients": [[1, 3]]},
        nics=[{"preset": "kv-direct", "hardware": "on"}],
        kernels={"stores": ["ns3::rdma::KvDirectKernel"]},
        workload={
            "type": "kv",
            "clients": "clients",
            "servers": "stores",
            "get": 0.5,
            "keyBytes": 8,
            "valueBytes": 54,
            "memory": "4MiB",
            "duration": "1s",
            "warmup": "5us",
            **workload,
        },
    )


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_rows_of_requests_are_written_while_the_run_goes_on(tmp_path, number):
    process = start(write_store(tmp_path, batch=16, outstanding=64))
    wait_for(lambda: count_bytes(tmp_path, "rpcs.csv") > 1_000_000, process)  # Some 30,000 rows.
    _, _, errors = end_by_signal(process, number)
    assert "interrupted" in errors and "(partial)" in errors
    folder = tmp_path / "out" / "n" / "kv-direct"
    rows = read_rows(folder / "rpcs.csv")
    rpc = read_json(folder / "summary.json")["rpc"]
    assert rpc["requests"] == len(rows) == sum(rpc["status"].values())
    assert "rows_left_out" not in rpc
    assert [int(row["request"]) for row in rows] == list(range(len(rows)))
    order = [(float(row["start_ns"]), int(row["client"])) for row in rows]
    assert order == sorted(order)
    # What is under way when it stops: 3 clients with 64 batches of 16.
    assert 0 < rpc["status"]["unfinished"] <= 3 * 64 * 16


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_run_whose_stores_are_being_filled_obeys_a_signal(tmp_path, number):
    process = start(write_store(tmp_path, memory="8GiB"))
    wait_for(lambda: get_memory(process.pid) > 300_000_000, process)  # Of 8 GiB.
    status, _, errors = end_by_signal(process, number)
    assert status == 130
    assert errors.endswith("rocelab: interrupted; kv-direct: no results\n")
    assert not list(tmp_path.glob("out/n/.*"))


def test_stores_with_many_requests_that_wait_obey_a_signal(tmp_path):
    # Three clients ask for more than the store answers: what waits grows with the time.
    process = start(write_store(tmp_path, operationsPerSecond=3_000_000))
    wait_for(lambda: count_bytes(tmp_path, "rpcs.csv") > 1_000_000, process)
    _, _, errors = end_by_signal(process, signal.SIGTERM)
    assert "interrupted" in errors and "(partial)" in errors


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NS_ATTRIBUTE_DEFAULT", "ns3::rdma::RdmaNic::AckInterval=7"),
        ("NS_GLOBAL_VALUE", "RngRun=7"),
    ],
)
def test_variables_that_would_change_results_unseen_are_refused(tmp_path, name, value):
    flows = [{"src": 0, "dst": 1, "bytes": 1000}]
    arguments = write(tmp_path, workload={"type": "flows", "flows": flows})
    line = f"rocelab: environment variable {name}: expected none (attributes belong in the scenario), got \"{value}\"\n"
    assert run(arguments, **{name: value}) == (2, line)
    assert not (tmp_path / "out").exists()
    assert run(["perftest", "write_lat", "-n", "5"], **{name: value}) == (2, line)
    assert run(arguments, **{name: ""}) == (0, "")
