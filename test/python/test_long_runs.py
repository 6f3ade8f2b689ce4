# SPDX-License-Identifier: GPL-2.0-only
"""Runs of any length end, obey a signal within a second, or are refused before they begin."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from limits import PROMPT, TIME_LIMIT

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build")) / "rocelab"
STAR = {"topology": "star", "servers": 4}

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")


def write(folder, **keys):
    """Write a scenario and return the arguments of its run."""
    path = folder / "n.json"
    path.write_text(json.dumps({"name": "n", "fabric": STAR, "nics": ["srnic"], **keys}))
    return [str(PROGRAM), "run", str(path), "--out", str(folder / "out"), "--quiet"]


def run(arguments, **environment):
    """Return (status, stderr) of a run that ends by itself."""
    done = subprocess.run(
        arguments,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stderr


def test_a_series_does_not_sample_through_idle_time(tmp_path):
    # 10^11 intervals; sampled one by one they would take a day.
    flows = [{"src": 0, "dst": 1, "bytes": 1000, "start": "1000000s"}]
    begin = time.monotonic()
    status, errors = run(write(tmp_path, workload={"type": "flows", "flows": flows}, series={}))
    assert (status, errors) == (0, "")
    assert time.monotonic() - begin < PROMPT
    rows = (tmp_path / "out" / "n" / "srnic" / "series" / "buffer.csv").read_text().splitlines()
    assert len(rows) < 10


def test_flows_for_which_no_machine_has_room_are_refused(tmp_path):
    incast = {"type": "incast", "senders": 3, "bytes": 1000, "period": "1ps", "repeats": 1_000_000_000}
    status, errors = run(write(tmp_path, workload=incast))
    assert status == 2
    assert errors.count("\n") == 1
    assert "n.json: $.workload: expected at most " in errors
    # 1 ms of 100 Gb/s is 12.5 MB of 3 TB: nearly all of 3 x 10^9 flows would be under way.
    assert int(errors.rsplit(maxsplit=1)[-1]) > 2.9e9
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("repeats", [100_000_000])
def test_as_many_flows_that_come_one_after_the_other_are_not(tmp_path, repeats):
    incast = {"type": "incast", "senders": 3, "bytes": 1000, "period": "10us", "repeats": repeats}
    arguments = write(tmp_path, workload=incast)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        _, errors = process.communicate(timeout=TIME_LIMIT)
    assert time.monotonic() - begin < PROMPT
    assert "interrupted" in errors
    assert process.returncode == 130


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


def wait_for(condition):
    """Wait until a condition holds; fails if it takes longer than any run may."""
    end = time.monotonic() + TIME_LIMIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_rows_of_requests_are_written_while_the_run_goes_on(tmp_path, number):
    arguments = write_store(tmp_path, batch=16, outstanding=64)

    def count_bytes():
        return sum(path.stat().st_size for path in tmp_path.glob("out/n/.kv-direct.*.part/rpcs.csv"))

    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: count_bytes() > 1_000_000)  # Some 30,000 rows.
        process.send_signal(number)
        begin = time.monotonic()
        _, errors = process.communicate(timeout=TIME_LIMIT)
    assert time.monotonic() - begin < PROMPT
    assert "interrupted" in errors and "(partial)" in errors
    folder = tmp_path / "out" / "n" / "kv-direct"
    rows = [line.split(",") for line in (folder / "rpcs.csv").read_text().splitlines()[1:]]
    rpc = json.loads((folder / "summary.json").read_text())["rpc"]
    assert rpc["requests"] == len(rows) == sum(rpc["status"].values())
    assert "rows_left_out" not in rpc
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    order = [(float(row[3]), int(row[1])) for row in rows]
    assert order == sorted(order)
    # What is under way when it stops: 3 clients with 64 batches of 16.
    assert 0 < rpc["status"]["unfinished"] <= 3 * 64 * 16


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_whose_stores_are_being_filled_obeys_a_signal(tmp_path, number):
    arguments = write_store(tmp_path, memory="8GiB")
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: list(tmp_path.glob("out/n/.kv-direct.*.part")))
        time.sleep(1)
        process.send_signal(number)
        begin = time.monotonic()
        _, errors = process.communicate(timeout=TIME_LIMIT)
    assert time.monotonic() - begin < PROMPT
    assert process.returncode == 130
    assert errors.endswith("rocelab: interrupted; kv-direct: no results\n")
    assert not list(tmp_path.glob("out/n/.*"))


def test_stores_with_a_million_requests_that_wait_obey_a_signal(tmp_path):
    arguments = write_store(tmp_path, operationsPerSecond=3_000_000)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        _, errors = process.communicate(timeout=TIME_LIMIT)
    assert time.monotonic() - begin < PROMPT
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
    assert run([str(PROGRAM), "perftest", "write_lat", "-n", "5"], **{name: value}) == (2, line)
    assert run(arguments, **{name: ""}) == (0, "")
