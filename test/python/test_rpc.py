# SPDX-License-Identifier: GPL-2.0-only
"""Workload "rpc": what the program writes, ranks, and bad input."""

import pytest
from program import call, expect_one_line, read_json, read_rows, write_json
from ranks import FABRIC, NEEDS, POISSON, compare, run

pytestmark = NEEDS

SCENARIO = {
    "name": "ranks",
    "fabric": FABRIC,
    "groups": {"stores": [[0, 1], [16, 17]], "clients": [[8, 15], [24, 31], [40, 47]]},
    "nics": [{"preset": "strom100g", "hardware": "on"}],
    "kernels": {"stores": ["ns3::rdma::GetKernel", "ns3::rdma::TraversalKernel"]},
    "workload": {
        "name": "gets",
        "type": "rpc",
        "clients": "clients",
        "servers": "stores",
        "request": "get-kernel",
        "outstanding": 2,
        "keys": 1000,
        "zipf": 0.9,
        "absent": 0.1,
        "valueBytes": "300B",
        "duration": "60us",
        "warmup": "10us",
    },
    "run": {"seed": 3},
}


def write(folder, **workload):
    scenario = dict(SCENARIO)
    background = {"name": "background", **POISSON, "duration": "60us"}
    scenario["workloads"] = [{**scenario.pop("workload"), **workload}, background]
    return write_json(folder / "scenario.json", scenario)


@pytest.mark.parametrize(
    ("request_kind", "duration"),
    [
        ("get-kernel", "60us"),
        pytest.param("read", "60us", marks=pytest.mark.slow),
        pytest.param("traversal-kernel", "60us", marks=pytest.mark.slow),
        # 24 clients have two requests each under way, and an answer takes some 60 us: two rounds of 48.
        pytest.param("tcp", "130us", marks=pytest.mark.slow),
    ],
)
def test_two_ranks_give_the_same_bytes(tmp_path, request_kind, duration):
    path = write(tmp_path, request=request_kind, duration=duration)
    (files,) = compare(tmp_path, path, [2]).values()
    assert files["rpcs.csv"].count(b",ok\n") > 50
    assert files["rpcs.csv"].count(b",not-found\n") > 5
    assert files["flows.csv"].count(b"completed") > 5


@pytest.mark.slow
def test_an_open_loop_with_loss_on_two_ranks(tmp_path):
    path = write(tmp_path, requestsPerSecond=300000)
    scenario = read_json(path)
    scenario["fabric"]["lossRate"] = 0.001
    write_json(path, scenario)
    (files,) = compare(tmp_path, path, [2]).values()
    assert files["summary.json"]["drops"]["link-loss"] > 0


def test_the_summary_is_that_of_the_rows(tmp_path):
    status, output, errors = run(1, "run", write(tmp_path), "--out", tmp_path)
    assert status == 0, errors
    assert "requests answered, latency P50" in output
    folder = tmp_path / "ranks" / "strom100g"
    summary = read_json(folder / "summary.json")["workloads"]["gets"]["rpc"]
    rows = read_rows(folder / "rpcs.csv")
    assert [int(row["request"]) for row in rows] == list(range(len(rows)))
    starts = [float(row["start_ns"]) for row in rows]
    assert starts == sorted(starts)
    assert summary["requests"] == len(rows)
    assert summary["status"]["ok"] == sum(row["status"] == "ok" for row in rows)
    assert summary["status"]["wrong"] == 0
    measured = sorted(float(row["latency_ns"]) for row in rows if float(row["start_ns"]) >= 10_000)
    assert summary["measured"] == len(measured)
    assert summary["latency_us"]["p50"] == pytest.approx(measured[(len(measured) + 1) // 2 - 1] / 1000)
    assert summary["latency_us"]["mean"] == pytest.approx(sum(measured) / len(measured) / 1000)
    ended = [
        row for row in rows if 10_000 <= float(row["start_ns"]) + float(row["latency_ns"]) < 60_000
    ]
    bits = 8 * sum(int(row["bytes"]) for row in ended)
    assert summary["goodput_gbps"] == pytest.approx(bits / 50_000)


def test_a_kernel_that_nobody_has_is_one_line(tmp_path):
    path = write(tmp_path, kernel="ns3::rdma::ConsistencyKernel")
    message = "$.workloads[0].request: expected a request for which $.kernels.stores has"
    expect_one_line(call("run", path, "--out", tmp_path / "out"), message)
    assert not (tmp_path / "out").exists()


def test_it_is_listed():
    assert "\nrpc           clients get values of keys" in run(1, "list", "workloads")[1]
