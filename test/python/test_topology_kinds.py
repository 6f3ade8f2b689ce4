# SPDX-License-Identifier: GPL-2.0-only
"""Topologies of a scenario: bad keys end in one line, good ones in a run, on any number of ranks."""

import json

import pytest
from program import find_fault
from ranks import NEEDS, PROGRAM, compare, run

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

#: A ring of flows of 20 kB among the first six servers, which every fabric below has.
RING = [{"src": one, "dst": (one + 1) % 6, "bytes": "20kB"} for one in range(6)]
FLOWS = {"type": "flows", "flows": RING}

LEAF_SPINE = {"topology": "leaf-spine", "leaves": 3, "spines": 2, "serversPerLeaf": 2}
RAIL = {"topology": "rail", "groups": 2, "serversPerGroup": 3, "rails": 4, "spines": 2}
DRAGONFLY = {"topology": "dragonfly", "a": 3, "p": 1, "h": 1}
ARITY = {"topology": "fat-tree", "k": 4}
RACKS = {"topology": "fat-tree", "racks": 4, "serversPerRack": 3, "pods": 2, "aggregation": 4, "core": 4}
PRESET = {"topology": "fat-tree", "preset": "srnic-16"}

#: Six servers of two GPUs, three in each of two segments; a segment has a rail switch for the first and
#: one for the second GPUs of its servers. One spine.
SIMAI = """17 2 0 5 16 H100
12 13 14 15 16
{gpus}{rails}""".format(
    gpus="".join(f"{gpu} {12 + gpu // 6 * 2 + gpu % 2} 200Gbps 0.0005ms 0\n" for gpu in range(12)),
    rails="".join(f"{rail} 16 400Gbps 0.0005ms 0\n" for rail in range(12, 16)),
)


def write(folder, fabric, workload=FLOWS):
    scenario = {"name": "ranks", "fabric": fabric, "nics": ["irn"], "workload": workload}
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario))
    return path


ONE_OF_FORMS = "$.fabric: expected one of the keys servers, preset, k, racks, got none"
WHOLE = "expected a whole number from 1 to 65536, got"
FROM_2 = "expected a whole number from 2 to"
PORTS_OF_TOPOLOGY = "expected no {} beside a topology that gives servers their NICs, got 2"

#: A fabric, changes of its keys (None takes one away), and the message behind the file's name.
BAD = [
    (ARITY, {"k": 0}, "$.fabric.k: expected a whole number from 2 to 64, got 0"),
    (ARITY, {"k": -4}, "$.fabric.k: expected a whole number from 2 to 64, got -4"),
    (ARITY, {"k": 5}, "$.fabric.k: expected an even number, got 5"),
    (ARITY, {"k": 66}, "$.fabric.k: expected a whole number from 2 to 64, got 66"),
    (ARITY, {"k": "8"}, '$.fabric.k: expected a whole number from 2 to 64, got "8"'),
    (ARITY, {"k": 4.0}, "$.fabric.k: expected a whole number from 2 to 64"),
    (ARITY, {"k": None}, ONE_OF_FORMS),
    (ARITY, {"servers": 64}, "$.fabric.k: expected no k beside servers, got 4"),
    (ARITY, {"preset": "srnic-64"}, "$.fabric.k: expected no k beside preset, got 4"),
    (ARITY, {"racks": 4}, "$.fabric.racks: expected no racks beside k, got 4"),
    (ARITY, {"pods": 2}, "$.fabric.pods: expected no pods without racks, got 2"),
    (ARITY, {"core": 2}, "$.fabric.core: expected no core without racks, got 2"),
    (ARITY, {"serversPerRack": 2}, "$.fabric.serversPerRack: expected no serversPerRack without racks, got 2"),
    (ARITY, {"leaves": 2}, "$.fabric.leaves: expected a known key"),
    (ARITY, {"oversubscription": 0}, "$.fabric.oversubscription: expected a number from 0.01 to 1000, got 0"),
    (ARITY, {"oversubscription": -1}, "$.fabric.oversubscription: expected a number from 0.01 to 1000, got -1"),
    (ARITY, {"oversubscription": "2:1"}, '$.fabric.oversubscription: expected a number, got "2:1"'),
    (ARITY, {"oversubscription": 1e9}, "$.fabric.oversubscription: expected a number from 0.01 to 1000"),
    (
        ARITY,
        {"oversubscription": 2, "fabricRate": "1Gbps"},
        "$.fabric.fabricRate: expected no fabricRate beside oversubscription, which gives it",
    ),
    (
        ARITY,
        {"oversubscription": 2, "coreRate": "1Gbps"},
        "$.fabric.coreRate: expected no coreRate beside oversubscription, which gives it",
    ),
    (
        ARITY,
        {"oversubscription": 1000, "hostRate": "10bps"},
        "$.fabric: expected an oversubscription with which links between switches have 1 bit/s to 1 Pb/s",
    ),
    (ARITY, {"fabricRate": "0Gbps"}, "$.fabric.fabricRate: expected a rate above zero"),
    (ARITY, {"coreRate": 100}, "$.fabric.coreRate: expected a rate above zero"),
    (ARITY, {"planes": 0}, "$.fabric.planes: expected a whole number from 1 to 16, got 0"),
    (ARITY, {"planes": 17}, "$.fabric.planes: expected a whole number from 1 to 16, got 17"),
    (ARITY, {"planes": 2, "portsPerNic": 3}, "$.fabric.portsPerNic: expected one port on each of the 2 planes, got 3"),
    (ARITY, {"ecn": {"400Gbps": "off"}}, '$.fabric.ecn.400Gbps: expected the rate of a link, such as "100Gbps"'),
    (PRESET, {"preset": "srnic-65"}, "$.fabric.preset: expected one of srnic-16, srnic-64"),
    (PRESET, {"preset": 64}, "$.fabric.preset: expected"),
    (PRESET, {"servers": 16}, "$.fabric.preset: expected no preset beside servers"),
    (PRESET, {"coreRate": "1Gbps"}, "$.fabric.coreRate: expected no coreRate for a tree without cores"),
    (PRESET, {"oversubscription": 2}, "$.fabric: expected several ToRs for an oversubscription, got one switch"),
    (
        PRESET,
        {"preset": None, "servers": 17},
        "$.fabric: fat-tree: expected one of 16, 64, 256, 1024, 4096 servers (k or racks for others), got 17",
    ),
    (RACKS, {"racks": 0}, f"$.fabric.racks: {WHOLE} 0"),
    (RACKS, {"racks": 5}, "$.fabric.racks: expected a multiple of pods, 2, got 5"),
    (RACKS, {"serversPerRack": None}, '$.fabric: expected a key "serversPerRack", got none'),
    (RACKS, {"serversPerRack": 65536}, "$.fabric: expected at most 65536 servers, got 262144"),
    (RACKS, {"pods": 0}, f"$.fabric.pods: {WHOLE} 0"),
    (RACKS, {"aggregation": 3}, "$.fabric.aggregation: expected a multiple of pods, 2, got 3"),
    (RACKS, {"aggregation": 0}, "$.fabric: expected aggregation switches for several racks or a core, got none"),
    (RACKS, {"aggregation": None}, "$.fabric: expected aggregation switches for several racks or a core, got none"),
    (RACKS, {"core": 0}, '$.fabric: expected a key "core" for several pods, got none'),
    (RACKS, {"core": None}, '$.fabric: expected a key "core" for several pods, got none'),
    (RACKS, {"core": 3}, "$.fabric.core: expected a multiple of the 2 aggregation switches of a pod, got 3"),
    (RACKS, {"pods": None}, '$.fabric.core: expected several pods for a core, key "pods", got 1 pod'),
    (RACKS, {"racks": 65536, "serversPerRack": 1}, "$.fabric: expected at most 8192 switches, got 65544"),
    (
        RACKS,
        {"racks": 4000, "aggregation": 400, "core": 200},
        "$.fabric: expected at most 262144 links between switches, got 800400",
    ),
    (LEAF_SPINE, {"leaves": 1}, f"$.fabric.leaves: {FROM_2} 65536, got 1"),
    (LEAF_SPINE, {"leaves": None}, '$.fabric: expected a key "leaves", got none'),
    (LEAF_SPINE, {"leaves": 65537}, f"$.fabric.leaves: {FROM_2} 65536, got 65537"),
    (LEAF_SPINE, {"leaves": 65536}, "$.fabric: expected at most 65536 servers, got 131072"),
    (LEAF_SPINE, {"spines": 0}, f"$.fabric.spines: {WHOLE} 0"),
    (LEAF_SPINE, {"spines": 9000}, "$.fabric: expected at most 8192 switches, got 9003"),
    (LEAF_SPINE, {"serversPerLeaf": 0}, f"$.fabric.serversPerLeaf: {WHOLE} 0"),
    (LEAF_SPINE, {"linksPerSpine": 0}, f"$.fabric.linksPerSpine: {WHOLE} 0"),
    (
        LEAF_SPINE,
        {"linksPerSpine": 65536},
        "$.fabric: expected at most 262144 links between switches, got 393216",
    ),
    (LEAF_SPINE, {"servers": 64}, "$.fabric.servers: expected a known key"),
    (LEAF_SPINE, {"spineRate": "1"}, "$.fabric.spineRate: expected a rate above zero"),
    (LEAF_SPINE, {"spineDelay": "-1us"}, "$.fabric.spineDelay: expected a time such as"),
    (
        LEAF_SPINE,
        {"oversubscription": 2, "spineRate": "1Gbps"},
        "$.fabric.spineRate: expected no spineRate beside oversubscription, which gives it",
    ),
    (LEAF_SPINE, {"planes": "2"}, "$.fabric.planes: expected a whole number from 1 to 16"),
    (RAIL, {"groups": 0}, f"$.fabric.groups: {WHOLE} 0"),
    (RAIL, {"groups": 1, "serversPerGroup": 1}, "$.fabric: rail: expected at least two servers, got 1"),
    (RAIL, {"serversPerGroup": None}, '$.fabric: expected a key "serversPerGroup", got none'),
    (RAIL, {"rails": 65}, "$.fabric.rails: expected a whole number from 1 to 64, got 65"),
    (RAIL, {"rails": 0}, "$.fabric.rails: expected a whole number from 1 to 64, got 0"),
    (RAIL, {"spines": 0}, f"$.fabric.spines: {WHOLE} 0"),
    (RAIL, {"groups": 60000}, "$.fabric: expected at most 65536 servers, got 720000"),
    (RAIL, {"nicsPerServer": 2}, "$.fabric.nicsPerServer: " + PORTS_OF_TOPOLOGY.format("nicsPerServer")),
    (RAIL, {"portsPerNic": 2}, "$.fabric.portsPerNic: " + PORTS_OF_TOPOLOGY.format("portsPerNic")),
    (RAIL, {"planes": 2}, "$.fabric.planes: expected a known key"),
    (DRAGONFLY, {"a": 0}, f"$.fabric.a: {WHOLE} 0"),
    (DRAGONFLY, {"p": "1"}, f'$.fabric.p: {WHOLE} "1"'),
    (DRAGONFLY, {"h": None}, '$.fabric: expected a key "h", got none'),
    (DRAGONFLY, {"groups": 1}, f"$.fabric.groups: {FROM_2} 4294967295, got 1"),
    (DRAGONFLY, {"groups": 5}, f"$.fabric.groups: {FROM_2} 4, got 5"),
    (DRAGONFLY, {"a": 65536, "h": 65536}, "$.fabric: expected at most 65536 servers, got"),
    (DRAGONFLY, {"a": 400, "h": 1, "groups": 20}, "$.fabric: expected at most 262144 links between switches"),
    (DRAGONFLY, {"globalRate": "0bps"}, "$.fabric.globalRate: expected a rate above zero"),
    (DRAGONFLY, {"globalDelay": 1}, "$.fabric.globalDelay: expected a time such as"),
    ({"topology": "simai-file"}, {}, '$.fabric: expected a key "file", got none'),
    ({"topology": "simai-file"}, {"file": "none"}, "$.fabric.file: expected"),
    ({"topology": "simai-file", "file": "simai.txt"}, {"portsPerNic": 2}, "$.fabric.portsPerNic: expected no"),
    ({"topology": "hpcc-file", "file": "simai.txt"}, {}, "simai.txt:1: expected a rate in bit/s (a file of SimAI"),
]


@NEEDS_PROGRAM
@pytest.mark.parametrize("fabric, changes, message", BAD)
def test_a_bad_key_is_one_line(tmp_path, fabric, changes, message):
    changed = {key: value for key, value in {**fabric, **changes}.items() if value is not None}
    (tmp_path / "simai.txt").write_text(SIMAI)
    fault = find_fault(write(tmp_path, changed))
    assert message in fault and fault.count("\n") == 1


GOOD = {
    "k": {**ARITY, "hostRate": "800Gbps"},
    "planes": {**ARITY, "planes": 2},
    "preset": {**PRESET, "preset": "srnic-64"},
    "racks": {**RACKS, "oversubscription": 3},
    "leaf-spine": {**LEAF_SPINE, "linksPerSpine": 2, "planes": 2, "spineRate": "400Gbps"},
    "rail": {**RAIL, "hostRate": "400Gbps", "spineDelay": "500ns"},
    "dragonfly": {**DRAGONFLY, "globalDelay": "5us"},
    "simai": {"topology": "simai-file", "file": "simai.txt"},
}


@pytest.mark.parametrize(
    "fabric",
    [
        pytest.param(fabric, marks=NEEDS if name in ("rail", "dragonfly") else [*NEEDS, pytest.mark.slow], id=name)
        for name, fabric in GOOD.items()
    ],
)
def test_two_ranks_give_the_bytes_of_one(tmp_path, fabric):
    (tmp_path / "simai.txt").write_text(SIMAI)
    ring = [{**flow, "start": f"{turn}us"} for turn in range(8) for flow in RING]
    path = write(tmp_path, fabric, {"type": "flows", "flows": ring})
    results = compare(tmp_path, path, [2])
    assert results["irn"]["flows.csv"].count(b"completed") == len(ring)


@NEEDS_PROGRAM
@pytest.mark.parametrize("name", GOOD)
def test_a_resolved_scenario_reads_back_as_itself(tmp_path, name):
    (tmp_path / "simai.txt").write_text(SIMAI)
    first = run(1, "check", write(tmp_path, GOOD[name]))
    assert first[0] == 0, first[2]
    (tmp_path / "again.json").write_text(first[1])
    assert run(1, "check", tmp_path / "again.json")[1] == first[1]


@NEEDS_PROGRAM
def test_a_preset_has_the_results_of_its_number_of_servers(tmp_path):
    flows = []
    for name, fabric in (("a", GOOD["preset"]), ("b", {"topology": "fat-tree", "servers": 64})):
        path = write(tmp_path, fabric)
        assert run(1, "run", path, "--out", tmp_path / name)[0] == 0
        flows.append((tmp_path / name / "ranks" / "irn" / "flows.csv").read_bytes())
    assert flows[0] == flows[1]


FAST = {
    "k": ARITY,
    "racks": RACKS,
    "leaf-spine": LEAF_SPINE,
    "rail": RAIL,
    "dragonfly": DRAGONFLY,
}


@NEEDS_PROGRAM
@pytest.mark.parametrize("name", FAST)
def test_links_of_800_gbps_send_at_their_rate(tmp_path, name):
    flows = [{"src": 0, "dst": 5, "bytes": size, "start": start} for size, start in (("1MB", "0us"), ("2MB", "1ms"))]
    fabric = {**FAST[name], "hostRate": "800Gbps", "mtu": 1000}
    path = write(tmp_path, fabric, {"type": "flows", "flows": flows})
    ended = run(1, "run", path, "--nic", "connectx6", "--out", tmp_path / "out")
    assert ended[0] == 0, ended[2]
    rows = (tmp_path / "out" / "ranks" / "connectx6" / "flows.csv").read_text().splitlines()[1:]
    short, long = (float(row.split(",")[5]) for row in rows)
    # 1000 packets more, of 1000 bytes with 14 of Ethernet, 20 of IP, 8 of UDP, 12 of BTH, 4 of ICRC, and
    # 24 of preamble, FCS and gap: 1082 bytes at 100 bytes/ns.
    assert long - short == pytest.approx(1000 * 1082 / 100, abs=1e-3)
