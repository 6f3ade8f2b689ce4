# SPDX-License-Identifier: GPL-2.0-only
"""Series goodput: the bytes of each kind of workload add up to what the workload delivers, on one rank and on two."""

import csv
import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run
from rocelab.draw.time_plots import draw_goodput
from rocelab.results.folders import load_scenario

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"}
LIST = [{"src": i % 4, "dst": (i + 1) % 4, "bytes": 10000 * i, "start": f"{i}us"} for i in range(9)]
OPERATIONS = [
    {"id": "a", "src": 0, "dst": 1, "bytes": 60000, "queuePair": "q"},
    {"id": "b", "src": 0, "dst": 1, "bytes": 50000, "queuePair": "q", "operation": "read"},
    {"id": "c", "src": 0, "dst": 1, "bytes": 40000, "queuePair": "q", "operation": "send", "after": ["b"]},
    {"id": "d", "src": 1, "dst": 2, "bytes": 30000, "operation": "read", "after": ["c"]},
]
GETS = {"type": "rpc", "clients": "clients", "servers": "stores", "keys": 100, "valueBytes": "3000B", "duration": "60us"}
RING = {"operation": "all-reduce", "size": "64KiB"}
PHASES = [{"compute": "20us"}, {"collective": RING}, {"flows": [{"src": 1, "dst": 3, "bytes": 12345}]}]
STREAMS = [{"sender": 0, "receiver": 1, "messageBytes": "10000B", "rate": "20Gbps"}]
RING_BYTES = 2 * 3 * 2**16  # 4 ranks: 2 (n - 1) S.


def count_flows(rows):
    return sum(int(row["bytes"]) for row in rows["flows"] if row["status"] == "completed")


def count_reads(rows):
    """Count a READ of an entry of 64 bytes for each probe, and one of the value."""
    assert {row["status"] for row in rows["rpcs"]} == {"ok"}
    return sum(64 * int(row["probes"]) + int(row["bytes"]) for row in rows["rpcs"])


def count_sent(rows):
    return sum(int(row["sent"]) * int(row["message_bytes"]) for row in rows["streams"])


KINDS = {
    "flows": ({"type": "flows", "flows": LIST}, count_flows),
    "send": ({"type": "flows", "flows": LIST, "operation": "send"}, count_flows),
    "read": ({"type": "flows", "flows": LIST, "operation": "read"}, count_flows),
    "incast": ({"type": "incast", "senders": 3, "bytes": "80kB", "repeats": 2, "period": "30us"}, count_flows),
    "permutation": ({"type": "permutation", "bytes": "100kB"}, count_flows),
    "poisson": ({"type": "poisson", "sizes": "cache-follower", "load": 0.2, "duration": "300us"}, count_flows),
    "graph": ({"type": "graph", "operations": OPERATIONS}, count_flows),
    "rpc": ({**GETS, "request": "read"}, count_reads),
    "streams": ({"type": "streams", "streams": STREAMS, "service": "RC", "duration": "100us"}, count_sent),
    "one-to-one": ({"type": "one-to-one", "service": "RC", "queuePairs": 2, "duration": "100us", "messageBytes": "8KiB", "rate": "9Gbps"}, count_sent),
    "collective": ({"type": "collective", **RING, "iterations": 3}, lambda _: 3 * RING_BYTES),
    "sequence": ({"type": "sequence", "phases": PHASES, "iterations": 2}, lambda _: 2 * (RING_BYTES + 12345)),
}


def write(folder, **more):
    scenario = {"name": "ranks", "fabric": STAR, "nics": ["irn"], "groups": {"clients": [1, 2], "stores": [[0, 0], [3, 3]]}}
    scenario |= {"run": {"seed": 2}, "series": {"interval": "5us", "what": ["goodput"]}, **more}
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario))
    return path


def read_rows(folder, name):
    path = folder / f"{name}.csv"
    return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []


@NEEDS_PROGRAM
@pytest.mark.parametrize("loss", [0, 0.01])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bytes_of_all_rows_are_those_that_the_workload_delivers(tmp_path, kind, loss):
    workload, count = KINDS[kind]
    path = write(tmp_path, workload=workload, fabric={**STAR, "lossRate": loss})
    status, _, errors = run(1, "run", path, "--out", tmp_path / "out")
    assert status == 0, errors
    folder = tmp_path / "out" / "ranks" / "irn"
    rows = read_rows(folder, "series/goodput")
    total = 0
    for row in rows:
        total += int(row["bytes"])
        assert int(row["total_bytes"]) == total
    assert total == count({name: read_rows(folder, name) for name in ("flows", "rpcs", "streams")}) > 0


KV = {"type": "kv", "clients": "clients", "servers": "stores", "cores": 2, "get": 0.5, "keyBytes": 8, "valueBytes": 12}
KV |= {"memory": "64KiB", "utilization": 0.3, "batch": 8, "duration": "60us"}
KERNEL = {"kernels": {"stores": ["ns3::rdma::GetKernel"]}, "nics": ["strom100g"]}


@NEEDS_PROGRAM
@pytest.mark.parametrize(
    "workload, more", [({**GETS, "request": "tcp"}, {}), ({**GETS, "request": "get-kernel"}, KERNEL), (KV, {})], ids=["tcp", "kernel", "kv"]
)
def test_requests_and_answers_count_beside_the_values_of_requests(tmp_path, workload, more):
    scenario = {"workload": workload, "nics": ["irn"], **more}
    status, _, errors = run(1, "run", write(tmp_path, **scenario), "--out", tmp_path / "out")
    assert status == 0, errors
    folder = tmp_path / "out" / "ranks" / scenario["nics"][0]
    total = sum(int(row["bytes"]) for row in read_rows(folder, "series/goodput"))
    requests = read_rows(folder, "rpcs")
    values = sum(int(row["bytes"]) for row in requests)
    # A request and the rest of its answer have some bytes, and less than 200.
    assert values < total < values + 200 * len(requests)


@NEEDS_PROGRAM
def test_a_row_has_the_bytes_of_its_interval_in_gigabits_per_second(tmp_path):
    # A flow at the rate of the link, MTU 1024: 1024 bytes of payload in 1106 on the wire (58 of headers and 24 of the frame).
    flows = [{"src": 0, "dst": 1, "bytes": "10MB"}]
    path = write(tmp_path, workload={"type": "flows", "flows": flows}, nics=["connectx6"])
    assert run(1, "run", path, "--out", tmp_path / "out")[0] == 0
    rows = read_rows(tmp_path / "out" / "ranks" / "connectx6", "series/goodput")
    gbps = [float(row["goodput_gbps"]) for row in rows[2:-2]]
    assert sum(gbps) / len(gbps) == pytest.approx(100 * 1024 / 1106, rel=0.001)
    for row, rate in zip(rows[2:-2], gbps):
        assert rate == pytest.approx(int(row["bytes"]) * 8 / 5000, abs=0.001)
        assert int(row["bytes"]) in (56 * 1024, 57 * 1024)  # 56.5 packets in 5 us.


@pytest.mark.parametrize("loss", [pytest.param(0.0005, marks=NEEDS)])
def test_two_ranks_give_the_rows_of_one_for_each_workload(tmp_path, loss):
    groups = {"eight": list(range(8, 64, 7)), "clients": [[1, 1], [62, 62]], "stores": [[2, 2], [40, 40]]}
    workloads = [
        {"name": "flows", "type": "incast", "senders": 20, "bytes": "20kB"},
        {"name": "ring", "type": "collective", "group": "eight", **RING, "iterations": 2},
        {"name": "step", "type": "sequence", "group": "eight", "phases": PHASES},
        {"name": "gets", **GETS, "request": "read"},
        {"name": "messages", "type": "streams", "streams": [{**STREAMS[0], "receiver": 40}], "duration": "60us"},
        {"name": "graph", "type": "graph", "operations": [{**one, "dst": one["dst"] + 30} for one in OPERATIONS[:3]]},
    ]
    path = write(tmp_path, workloads=workloads, fabric={**FABRIC, "lossRate": loss}, groups=groups)
    (files,) = compare(tmp_path, path, [2]).values()
    rows = list(csv.DictReader(files["series/goodput.csv"].decode().splitlines()))
    totals = {row["workload"]: int(row["total_bytes"]) for row in rows}
    ring = 2 * 7 * 2**16
    assert totals["flows"] == 400_000 and totals["ring"] == 2 * ring and totals["step"] == ring + 12345
    assert totals["graph"] == 150_000
    assert totals["messages"] > 0 and totals["gets"] > 0


@NEEDS_PROGRAM
def test_the_picture_has_the_sum_of_all_workloads(tmp_path):
    path = write(tmp_path, workload={"type": "collective", **RING, "iterations": 3})
    assert run(1, "run", path, "--out", tmp_path / "out")[0] == 0
    (line,) = draw_goodput(load_scenario(tmp_path / "out" / "ranks")).axes[0].lines
    rows = read_rows(tmp_path / "out" / "ranks" / "irn", "series/goodput")
    assert list(line.get_ydata()) == pytest.approx([float(row["goodput_gbps"]) for row in rows])
