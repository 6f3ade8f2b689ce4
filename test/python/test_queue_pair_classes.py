# SPDX-License-Identifier: GPL-2.0-only
"""Classes of queue pairs: DSCP and priority of workloads, NICs, flow files and command lines, and results by class."""

import itertools
import random

import pytest
from program import NEEDS_PROGRAM, call, expect_one_line, find_fault, read_json, run_scenario, write_json
from ranks import NEEDS, compare

pytestmark = NEEDS_PROGRAM

STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 1024}
NIC = "ns3::rdma::RdmaNic::"
PRESETS = [
    "connectx5", "cx5-measured", "connectx6", "connectx7", "irn", "srnic", "balboa", "strom10g", "strom100g",
    "uet", "uet-rccc", "mrc", "connectx7-ar", "dcp",
]  # fmt: skip

#: Bytes and microseconds of a MB alone: 977 packets of 1024 + 58 + 24 bytes.
MEGABYTE = 1_000_000
MEGABYTE_US = 977 * 1106 * 8 / 1e5


def make_scenario(workload, nic="irn", **parts):
    return {"name": "classes", "fabric": STAR, "nics": [nic], "workload": workload, **parts}


def send(*servers, **keys):
    """Return a workload: servers that each send 1 MB to server 3."""
    return {"type": "flows", "flows": [{"src": i, "dst": 3, "bytes": MEGABYTE, "start": "0us"} for i in servers], **keys}


def run_list(folder, *workloads, **parts):
    """Run workloads named a, b, ...; returns the summary."""
    scenario = make_scenario(None, **parts)
    del scenario["workload"]
    scenario["workloads"] = [{"name": name, **one} for name, one in zip("abc", workloads)]
    return read_json(run_scenario(folder, scenario) / "summary.json")


def test_a_run_of_one_class_has_no_results_by_class(tmp_path):
    summary = run_list(tmp_path, send(0, dscp=26), send(1))
    assert "flows_by_class" not in summary  # 26 and 24 are both of class 3.


def test_results_are_also_by_class(tmp_path):
    # Both workloads share the link of server 0.
    summary = run_list(tmp_path, send(0, 0), send(0, dscp=40))
    assert list(summary["flows_by_class"]) == ["3", "5"]
    usual, urgent = summary["flows_by_class"].values()
    assert usual["flows"] == {"completed": 2, "failed": 0, "stalled": 0}
    assert urgent["flows"]["completed"] == 1
    # Strict priority: class 5 as if it were alone, class 3 behind it.
    assert MEGABYTE_US < urgent["fct_us"]["mean"] < MEGABYTE_US + 6
    assert urgent["slowdown"]["mean"] < 1.05
    assert 2.9 * MEGABYTE_US < usual["fct_us"]["mean"] < 3 * MEGABYTE_US + 10
    assert urgent["fct_us"] == summary["workloads"]["b"]["fct_us"]
    assert usual["goodput_gbps"] == summary["workloads"]["a"]["goodput_gbps"]


@pytest.mark.parametrize("hardware", ["off", "on"])
def test_priorities_of_a_flow_file_are_classes(tmp_path, hardware):
    (tmp_path / "topology.txt").write_text("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n")
    (tmp_path / "flow.txt").write_text("2\n0 1 3 100 1000000 2.0\n0 1 1 100 1000000 2.0\n")
    fabric = {"topology": "hpcc-file", "file": "topology.txt"}
    workload = {"type": "hpcc-trace", "file": "flow.txt"}
    nic = {"preset": "irn", "hardware": hardware}
    scenario = make_scenario(workload, nic, fabric=fabric)
    classes = read_json(run_scenario(tmp_path, scenario) / "summary.json")["flows_by_class"]
    assert list(classes) == ["1", "3"]
    assert classes["3"]["fct_us"]["mean"] < 1.2 * MEGABYTE_US
    assert classes["1"]["fct_us"]["mean"] > 1.8 * MEGABYTE_US


def test_one_priority_in_a_flow_file_leaves_the_class_to_the_nic(tmp_path):
    (tmp_path / "topology.txt").write_text("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
    (tmp_path / "flow.txt").write_text("2\n0 1 1 100 1000 2.0\n0 1 1 100 1000 2.0\n")
    fabric = {"topology": "hpcc-file", "file": "topology.txt"}
    workload = {"type": "hpcc-trace", "file": "flow.txt"}
    folder = run_scenario(tmp_path, make_scenario(workload, fabric=fabric))
    assert "flows_by_class" not in read_json(folder / "summary.json")


def test_a_nic_has_a_dscp_and_a_priority(tmp_path):
    nics = {"plain": {}, "dscp": {"dscp": 34}, "mapped": {"dscp": 34, "attributes": {f"{NIC}DscpMap": "34:1"}}}
    nics["both"] = {"dscp": 34, "priority": 7}
    scenario = make_scenario(send(0)) | {"nics": [{"name": name, "preset": "irn", **keys} for name, keys in nics.items()]}
    path = write_json(tmp_path / "scenario.json", scenario)
    ended = call("run", path, "--out", tmp_path / "out", "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")
    priorities = {}
    for name in nics:
        (nic,) = read_json(tmp_path / "out" / "classes" / name / "scenario.json")["nics"]
        assert nic["attributes"].get(f"{NIC}DataDscp") == (None if name == "plain" else "34")
        priorities[name] = nic["attributes"].get(f"{NIC}DataPriority")
    assert priorities == {"plain": None, "dscp": "4", "mapped": "1", "both": "7"}


def test_a_wrong_map_in_the_switches_is_a_scenario(tmp_path):
    # The NICs send class 3; the switches put DSCP 26 into class 0, which is lossy, and one port overflows.
    fabric = STAR | {"pfc": True, "buffer": "300kB"}
    wrong = fabric | {"attributes": {"ns3::rdma::FabricSwitch::DscpMap": "26:0"}}
    drops = {}
    for name, one in (("right", fabric), ("wrong", wrong)):
        folder = tmp_path / name
        folder.mkdir()
        nic = {"preset": "irn", "congestionControl": "ns3::rdma::NoCongestionControl"}
        scenario = make_scenario(send(0, 1, 2, dscp=26), nic, fabric=one)
        summary = read_json(run_scenario(folder, scenario) / "summary.json")
        assert summary["flows"]["completed"] == 3
        drops[name] = summary["drops"].get("buffer-full", 0)
    assert drops["right"] == 0
    assert drops["wrong"] > 0


def test_perftest_takes_service_levels_and_traffic_classes(tmp_path):
    line = ["perftest", "ib_write_bw", "-n", "20"]
    plain = call(*line, "--json", cwd=tmp_path)
    marked = call(*line, "--json", "-S", "5", "--tclass", "106", cwd=tmp_path)
    assert (marked.returncode, marked.stderr) == (0, "")
    for word in ('"priority": 5', '"dscp": 26'):
        assert word in marked.stdout and word not in plain.stdout
    # 0 is perftest's default: that of the NIC.
    usual = call(*line, "--json", "-S", "0", "--tclass", "0", "-T", "0", cwd=tmp_path)
    assert (usual.returncode, usual.stderr) == (0, "")
    assert '"priority"' not in usual.stdout and '"dscp"' not in usual.stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (["-S", "8"], "--sl: expected a whole number from 0 to 7, got 8"),
        (["--sl", "15"], "--sl: expected a whole number from 0 to 7, got 15"),
        (["--tclass", "256"], "--tclass: expected a whole number from 0 to 255, got 256"),
        (["-T", "1000"], "--tclass: expected a whole number from 0 to 255, got 1000"),
    ],
)
def test_perftest_refuses_classes_that_are_none(tmp_path, words, message):
    expect_one_line(call("perftest", "write_bw", *words, cwd=tmp_path), message)


def test_nccl_takes_traffic_classes(tmp_path):
    line = ["nccl", "all_reduce", "-b", "64K", "-e", "64K", "-g", "4", "--json"]
    plain = call(*line, cwd=tmp_path)
    marked = call(*line, "-x", "NCCL_IB_TC=106", "-x", "NCCL_IB_SL=5", cwd=tmp_path)
    assert (marked.returncode, marked.stderr) == (0, "")
    assert marked.stdout == plain.stdout  # One class alone has the same times.
    for text, message in {
        "NCCL_IB_TC=256": "NCCL_IB_TC: expected a whole number up to 255, got 256",
        "NCCL_IB_TC=": "NCCL_IB_TC",
        "NCCL_IB_SL=8": "NCCL_IB_SL: expected a whole number up to 7, got 8",
    }.items():
        expect_one_line(call(*line, "-x", text, cwd=tmp_path), message)


def set_at(scenario, place, value):
    """Put a value at "key.key", where a number is a place in a list."""
    *folders, last = [int(word) if word.isdigit() else word for word in place.split("/")]
    for one in folders:
        scenario = scenario[one]
    scenario[last] = value
    return scenario


WRONG = {
    "dscp": [64, 255, 256, -1, 1.5, "26", "CS3", None, True, [26], {}, 2**40],
    "priority": [8, 255, 256, -1, 0.5, "3", "high", None, False, [3], {}, 2**40],
}
DOORS = ["workload", "nics/0"]
MAPS = ["26", "26:8", "64:1", "26:3,", ":", "26:3,26:4", "26=3", "-1:2", "26:3 48:6", "x", "26:3;48:6", "{}"]


@pytest.mark.parametrize("door, key", itertools.product(DOORS, WRONG))
def test_hostile_classes_are_refused_in_one_line(tmp_path, door, key):
    for value in WRONG[key]:
        scenario = make_scenario(send(0), {"preset": "irn"})
        set_at(scenario, f"{door}/{key}", value)
        fault = find_fault(write_json(tmp_path / "scenario.json", scenario))
        assert fault.strip().count("\n") == 0
        assert f".{key}: expected" in fault, (value, fault)


@pytest.mark.parametrize("door", ["nics", "fabric"])
@pytest.mark.parametrize("text", MAPS)
def test_hostile_maps_are_refused_in_one_line(tmp_path, door, text):
    scenario = make_scenario(send(0), {"preset": "irn"})
    if door == "nics":
        scenario["nics"][0]["attributes"] = {f"{NIC}DscpMap": text}
    else:
        scenario["fabric"] = STAR | {"attributes": {"ns3::rdma::FabricSwitch::DscpMap": text}}
    fault = find_fault(write_json(tmp_path / "scenario.json", scenario))
    assert fault.strip().count("\n") == 0
    assert "DSCPs from 0 to 63" in fault and text in fault, fault


def draw_scenario(draw, preset):
    """Return a leaf-spine with losses, and two or three workloads of different classes."""
    kinds = [
        {"type": "flows"},
        {"type": "incast", "senders": 5, "bytes": draw.choice(["8kB", "100kB"]), "repeats": 2, "period": "20us"},
    ]
    workloads = []
    for name in "abc"[: draw.randint(2, 3)]:
        one = {"name": name, **draw.choice(kinds)}
        if one["type"] == "flows":
            one["flows"] = []
            for _ in range(draw.randint(1, 10)):
                src, dst = draw.sample(range(8), 2)
                size = 2 ** draw.randint(0, 17) + draw.randint(0, 3000)
                one["flows"].append({"src": src, "dst": dst, "bytes": size, "start": f"{draw.randint(0, 20000)}ns"})
        draw.choice([lambda one=one: one.update(dscp=draw.randrange(64)), lambda one=one: one.update(priority=draw.randrange(8)), lambda: None])()
        workloads.append(one)
    fabric = {
        "topology": "leaf-spine",
        "leaves": 4,
        "spines": 2,
        "serversPerLeaf": 2,
        "hostRate": "100Gbps",
        "spineRate": "200Gbps",
        "linkDelay": "500ns",
        "lossRate": draw.choice([0, 0.001, 0.01]),
        "attributes": {"ns3::rdma::FabricSwitch::DscpMap": draw.choice(["", "", "24:1,26:4", "0:7"])},
    }
    nic = {"preset": preset, "hardware": draw.choice(["off", "on"])}
    if draw.random() < 0.3:
        nic["dscp"] = draw.randrange(64)
    return {"name": "classes", "fabric": fabric, "nics": [nic], "workloads": workloads, "run": {"seed": draw.randint(1, 99)}}


@pytest.mark.parametrize("number", range(100))
def test_random_classes_with_losses_complete_all_flows(tmp_path, number):
    scenario = draw_scenario(random.Random(number), PRESETS[number % len(PRESETS)])
    summary = read_json(run_scenario(tmp_path, scenario) / "summary.json")
    flows = summary["flows"]
    assert flows["started"] == flows["completed"] > 0
    if "flows_by_class" in summary:
        assert sum(one["flows"]["completed"] for one in summary["flows_by_class"].values()) == flows["completed"]


@pytest.mark.parametrize("number", range(0, 26, 2))
@NEEDS[0]
def test_random_classes_have_the_same_bytes_on_two_ranks(tmp_path, number):
    scenario = draw_scenario(random.Random(1000 + number), PRESETS[number // 2])
    scenario["name"] = "ranks"
    compare(tmp_path, write_json(tmp_path / "scenario.json", scenario), [2])
