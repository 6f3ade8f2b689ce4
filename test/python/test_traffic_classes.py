# SPDX-License-Identifier: GPL-2.0-only
"""Traffic classes in scenarios: shares, losses, watchdog, ranks, and values that are refused."""

import random

import pytest
import ranks
from program import NEEDS_PROGRAM, call, find_fault, get_plugin, needs_plugins, read_json, read_rows, write_json
from test_deadlock import SWITCHES, write_ring

pytestmark = NEEDS_PROGRAM

#: The pauses alone bound the queues.
NO_CONTROL = {"preset": "connectx6", "congestionControl": "ns3::rdma::NoCongestionControl"}
PRIORITY = "ns3::rdma::RdmaNic::DataPriority"


def make_scenario(classes, **parts):
    """Two groups of two servers, whose data has the classes 3 and 4, send to server 4."""
    scenario = {
        "name": "ranks",
        "fabric": {"topology": "star", "servers": 5, "hostRate": "100Gbps", "linkDelay": "1us", "classes": classes},
        "groups": {"training": [0, 1, 4], "storage": [2, 3]},
        "nics": [
            {
                "name": "two",
                "groups": {
                    "training": {**NO_CONTROL, "attributes": {PRIORITY: 3}},
                    "storage": {**NO_CONTROL, "attributes": {PRIORITY: 4}},
                },
            }
        ],
        "workload": {
            "type": "flows",
            "flows": [{"src": src, "dst": 4, "bytes": "1MB", "start": "0us"} for src in range(4)],
        },
    }
    scenario.update(parts)
    return scenario


def run(folder, scenario, *options):
    """Run a scenario; returns (exit status, stderr, folder of the results of its NIC)."""
    path = write_json(folder / "scenario.json", scenario)
    ended = call("run", path, "--out", folder / "out", "--quiet", *options)
    (nic,) = (folder / "out" / scenario["name"]).glob("*/summary.json")
    return ended.returncode, ended.stderr, nic.parent


def get_ends(nic):
    """Return {sender: end of its flow in ns}."""
    return {int(row["src"]): float(row["start_ns"]) + float(row["fct_ns"]) for row in read_rows(nic / "flows.csv")}


def test_weights_decide_which_group_ends_first(tmp_path):
    weights = {"3": {"lossless": True, "weight": 1}, "4": {"lossless": True, "weight": 4}}
    status, errors, nic = run(tmp_path, make_scenario(weights))
    assert (status, errors) == (0, "")
    ends = get_ends(nic)
    assert max(ends[2], ends[3]) < min(ends[0], ends[1])
    # 2 MB with four fifths of 100 Gb/s: 200 us, and headers; alone they take 160 us, with equal shares 320 us.
    assert 195_000 < max(ends[2], ends[3]) < 240_000


def test_a_strict_class_ends_before_the_other_begins(tmp_path):
    status, errors, nic = run(tmp_path, make_scenario({"4": {"lossless": True}}))
    assert (status, errors) == (0, "")
    ends = get_ends(nic)
    assert 160_000 < max(ends[2], ends[3]) < 190_000


@needs_plugins("own-scheduler")
def test_a_scheduler_of_a_plugin_serves_the_classes_in_turn(tmp_path):
    scheduler = "ns3::rdma::OwnScheduler"
    scenario = make_scenario({"4": {"lossless": True}})
    scenario["fabric"].update(scheduler=scheduler, attributes={f"{scheduler}::Burst": "2"})
    plugin = ("--plugin", get_plugin("own-scheduler"))
    status, errors, nic = run(tmp_path, scenario, *plugin)
    assert (status, errors) == (0, "")
    ends = get_ends(nic)
    # Both classes have half of the port until they end: 4 MB take 320 us, and headers of 8 %. A strict class ends after 160 us.
    assert all(320_000 < end < 360_000 for end in ends.values())
    scenario["fabric"]["attributes"] = {f"{scheduler}::Burst": "0"}
    ended = call("check", write_json(tmp_path / "zero.json", scenario), *plugin)
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1 and "Burst" in ended.stderr


def test_the_drops_and_discards_of_the_classes_are_those_of_the_fabric(tmp_path):
    # Without pauses the buffer overflows, and go-back-N responders discard what follows a gap.
    scenario = make_scenario({"4": {"lossless": False, "weight": 1}})
    scenario["fabric"].update(pfc=False, buffer="200kB")
    status, errors, nic = run(tmp_path, scenario)
    summary = read_json(nic / "summary.json")
    assert status in (0, 3), errors
    for key in ("fabric_drops", "nic_discards"):
        parts = [one[key] for one in summary["classes"].values()]
        assert sum(parts) == summary[key] > 0, key
    assert "drops" not in summary["classes"]["3"]


def test_series_have_a_row_per_class(tmp_path):
    scenario = make_scenario({"4": {"lossless": True, "weight": 1}, "3": {"weight": 1}}, series={"interval": "20us"})
    status, errors, nic = run(tmp_path, scenario)
    assert (status, errors) == (0, "")
    rows = read_rows(nic / "series" / "class.csv")
    # The port to the receiver: node 5 is the switch.
    sent = [row for row in rows if row["node"] == "5" and row["peer"] == "4" and row["time_ns"] == "100000"]
    rates = {row["class"]: float(row["gbps"]) for row in sent}
    assert rates["3"] == pytest.approx(50, abs=2)
    assert rates["4"] == pytest.approx(50, abs=2)


def draw_scenario(draw):
    """Return a scenario with random classes; at least one of them is lossless."""
    classes = {}
    for number in draw.sample(range(8), draw.randint(1, 8)):
        one = {}
        if draw.random() < 0.5:
            one["lossless"] = draw.random() < 0.7
        if draw.random() < 0.5:
            one["weight"] = draw.randint(1, 100)
        if draw.random() < 0.2:
            one["level"] = draw.randint(0, 7)
        if draw.random() < 0.3:
            one["ecn"] = draw.choice(["off", {"100Gbps": {"kmin": "20kB", "kmax": "80kB", "pmax": 0.5}}])
            one["marking"] = draw.choice(["enqueue", "dequeue"])
        if draw.random() < 0.3:
            one["bufferAlpha"] = {"100Gbps": draw.choice([0.03, 0.125, 1, 4])}
        if draw.random() < 0.2:
            one["reserve"] = draw.choice(["1B", "2kB", "10kB"])
        if number != 3 and not one.get("lossless", False) and draw.random() < 0.3:
            key, values = draw.choice([("egressLimit", ["1B", "3kB", "50kB"]), ("egressAlpha", [0.01, 0.5, 128])])
            one[key] = draw.choice(values)
        classes[str(number)] = one
    classes.setdefault("3", {})["lossless"] = True
    scenario = make_scenario(classes)
    # 8 ports set aside 37.5 kB of headroom and 4 kB of reserve for each lossless class; some memory is left.
    lossless = sum(one.get("lossless", number == "3") for number, one in classes.items())
    buffer = 8 * (41_600 * lossless + 10_000 * len(classes)) + draw.choice([100_000, 400_000])
    scenario["fabric"].update(servers=8, pfc=True, buffer=f"{buffer}B")
    if draw.random() < 0.5:
        pools = {"a": draw.choice([1, 5_000, 30_000]), "b": draw.choice([1_500, 60_000])}
        for name, number in zip(pools, draw.sample(list(classes), min(2, len(classes)))):
            classes[number]["pool"] = name
            scenario["fabric"].setdefault("pools", {})[name] = f"{pools[name]}B"
    scenario["groups"] = {"one": [0, 1, 2], "two": [3, 4], "three": [5, 6, 7]}
    # Their packets have one format each.
    presets = draw.choice([["connectx5", "connectx6", "connectx7"], ["irn"], ["srnic"]])
    scenario["nics"][0]["groups"] = {
        group: {"preset": draw.choice(presets), "attributes": {PRIORITY: draw.choice([3, *map(int, classes)])}}
        for group in scenario["groups"]
    }
    if draw.random() < 0.5:
        for design in scenario["nics"][0]["groups"].values():
            design["congestionControl"] = "ns3::rdma::NoCongestionControl"
    flows = [
        {"src": src, "dst": 0, "bytes": draw.randint(1, 200_000), "start": f"{draw.randint(0, 5)}us"}
        for src in range(1, 8)
        for _ in range(draw.randint(0, 2))
    ]
    flows.append({"src": 0, "dst": 7, "bytes": draw.randint(1, 200_000), "start": "0us"})
    scenario["workload"] = {"type": "flows", "flows": flows}
    scenario["run"] = {"seed": draw.randint(1, 1000)}
    return scenario


@pytest.mark.parametrize("part", range(10))
def test_no_lossless_class_loses_a_packet_in_random_scenarios(tmp_path, part):
    pauses = drops = 0
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        scenario = draw_scenario(random.Random(30 * part + number))
        status, errors, nic = run(folder, scenario)
        # Status 4: a frame of a lossless priority was dropped for lack of buffer.
        assert status in (0, 3), (status, errors)
        summary = read_json(nic / "summary.json")
        pauses += summary["pfc_pauses"]
        drops += summary["drops"]["buffer-full"]
    assert pauses > 0 and drops > 0  # Otherwise the scenarios would test nothing.


@pytest.mark.parametrize("number", range(6))
def test_classes_have_the_same_results_on_two_ranks(tmp_path, number):
    if not ranks.is_open_mpi():
        pytest.skip("mpirun is not Open MPI's")
    draw = random.Random(1000 + number)
    scenario = draw_scenario(draw)
    del scenario["fabric"]["servers"]
    scenario["fabric"].update(
        topology="leaf-spine", leaves=4, spines=2, serversPerLeaf=2, spineRate="100Gbps", buffer="8MiB"
    )
    scenario["fabric"]["watchdog"] = {"detection": "30us", "restoration": "20us", "action": draw.choice(["drop", "forward"])}
    scenario["pauseStorms"] = [{"server": 7, "class": 3, "at": "2us", "until": "500us"}]
    scenario["series"] = {"interval": "10us", "what": ["class"]}
    ranks.compare(tmp_path, write_json(tmp_path / "scenario.json", scenario), [2])


def run_ring(folder, **fabric):
    path = write_ring(folder)
    scenario = read_json(path)
    scenario["fabric"].update(fabric)
    ended = call("run", write_json(path, scenario), "--out", folder / "out", "--quiet")
    return ended, read_json(folder / "out" / "ring" / "no-cc" / "summary.json")


@pytest.mark.parametrize("action", ["drop", "forward"])
def test_the_watchdog_ends_a_deadlock_of_a_ring(tmp_path, action):
    watchdog = {"detection": "1ms", "restoration": "1ms", "action": action}
    ended, summary = run_ring(tmp_path, watchdog=watchdog)
    assert summary["flows"]["completed"] == SWITCHES, ended.stderr
    assert "pause_cycle" not in summary
    assert summary["pause_storms"] > 0
    assert (summary["drops"].get("pause-storm", 0) > 0) == (action == "drop")


def test_without_a_watchdog_the_ring_stays_locked(tmp_path):
    ended, summary = run_ring(tmp_path)
    assert ended.returncode == 3
    assert summary["flows"]["completed"] == 0
    assert "pause_storms" not in summary


HOSTILE = [-1, 0, 1.5, 101, 1e300, "", "3", "off", "1Gbps", "-1us", "0us", "1e400us", None, True, [], [1], {}, {"x": 1}, "\n"]

KEYS = {
    "fabric.classes": [],
    "fabric.classes.3": [{}],
    "fabric.classes.3.lossless": [True],
    "fabric.classes.3.ecn": ["off", {}],
    "fabric.classes.3.marking": [],
    "fabric.classes.3.markingPolicy": [],
    "fabric.classes.3.reserve": [0, 101],
    "fabric.classes.3.bufferAlpha": [{}],
    "fabric.classes.3.headroom": [{}],
    "fabric.classes.3.weight": [],
    "fabric.classes.3.level": [0],
    "fabric.classes.3.pool": [],
    "fabric.classes.3.egressLimit": [101],
    "fabric.classes.3.egressAlpha": [101, 1.5],
    "fabric.pools": [{}],
    "fabric.pools.lossy": [],
    "fabric.pools.": [],
    "fabric.classes.8": [],
    "fabric.classes.03": [],
    "fabric.classes.three": [],
    "fabric.scheduler": [],
    "fabric.watchdog": [{}],
    "fabric.watchdog.detection": [],
    "fabric.watchdog.restoration": [],
    "fabric.watchdog.action": [],
    "pauseStorms": [[]],
}


def set_key(scenario, key, value):
    place = scenario
    names = key.split(".")
    for name in names[:-1]:
        place = place.setdefault(name, {})
    place[names[-1]] = value


@pytest.mark.parametrize("key", [key for key in KEYS if key.split(".")[1:2] and key.split(".")[1] in ("classes", "pools", "watchdog")][1:])
def test_hostile_values_of_an_entry_of_nics_are_refused_in_one_line(tmp_path, key):
    refused = 0
    for number, value in enumerate(HOSTILE):
        scenario = make_scenario({}, nics=[{"preset": "irn", "fabric": {"classes": {"3": {}}}}])
        set_key(scenario["nics"][0], key, value)
        fault = find_fault(write_json(tmp_path / f"{number}.json", scenario))
        refused += fault != ""
        assert fault == "" or (fault.startswith("rocelab: ") and fault.count("\n") == 1), (key, value, fault)
    assert refused >= len(HOSTILE) - 4


@pytest.mark.parametrize("key", KEYS)
def test_hostile_values_are_refused_in_one_line(tmp_path, key):
    refused = 0
    for number, value in enumerate(HOSTILE):
        scenario = make_scenario({})
        set_key(scenario, key, value)
        fault = find_fault(write_json(tmp_path / f"{number}.json", scenario))
        if any(value == good and type(value) is type(good) for good in KEYS[key]):
            assert fault == "", (key, value)
            continue
        refused += fault != ""
        assert fault == "" or (fault.startswith("rocelab: ") and fault.count("\n") == 1), (key, value, fault)
    assert refused >= len(HOSTILE) - 4


STORMS = [
    ({"server": 9, "at": "1us"}, "server: expected the node id of a server"),
    ({"server": 5, "at": "1us"}, "server: expected the node id of a server"),
    ({"server": 0}, "at"),
    ({"at": "1us"}, "server"),
    ({"server": 0, "at": "1us", "class": 8}, "class"),
    ({"server": 0, "at": "2us", "until": "1us"}, 'until: expected a time after "at"'),
    ({"server": 0, "at": "2us", "for": "1us"}, "for"),
]


@pytest.mark.parametrize("storm, message", STORMS)
def test_a_pause_storm_that_cannot_be_is_refused(tmp_path, storm, message):
    scenario = make_scenario({}, pauseStorms=[storm])
    fault = find_fault(write_json(tmp_path / "one.json", scenario))
    assert message in fault
    assert fault.count("\n") == 1


LOSSY = {"1": {"pool": "lossy"}}

#: (pools, classes, the message)
POOLS = [
    ({"lossy": "1MB"}, {"1": {"pool": "lousy"}}, '$.fabric.classes.1.pool: expected the name of a pool of "pools"'),
    ({"lossy": "1MB"}, {"1": {}}, '$.fabric.pools.lossy: expected a pool that a class of "classes" has'),
    ({"lossy": "0B"}, LOSSY, "$.fabric.pools.lossy: expected"),
    ({"lossy": "2TiB"}, LOSSY, "$.fabric.pools.lossy: expected"),
    ({"lossy": "40MB"}, LOSSY, "bytes that a switch sets aside as reserve, headroom and pools, got"),
    ({"lossy": "1MB"}, {"1": {"pool": "lossy", "egressLimit": "1kB", "egressAlpha": 1}}, "no such key beside egressLimit"),
    ({"lossy": "1MB"}, {"1": {"pool": "lossy", "egressLimit": "5GB"}}, "$.fabric.classes.1.egressLimit: expected"),
    ({"lossy": "1MB"}, {"1": {"pool": "lossy", "egressAlpha": 129}}, "$.fabric.classes.1.egressAlpha: expected"),
    ({"lossy": "1MB"}, LOSSY, ""),
    ({"lossy": "1MB", "lossless": "1MB"}, {**LOSSY, "3": {"pool": "lossless"}, "4": {"pool": "lossless"}}, ""),
]


@pytest.mark.parametrize("pools, classes, message", POOLS)
def test_pools_that_do_not_fit_are_refused_in_one_line(tmp_path, pools, classes, message):
    scenario = make_scenario(classes)
    scenario["fabric"].update(pools=pools, buffer="32MiB")
    fault = find_fault(write_json(tmp_path / "one.json", scenario))
    assert message in fault and fault.count("\n") == (message != "")


def test_a_pool_and_an_egress_limit_bound_a_lossy_class(tmp_path):
    # Class 4 overflows its small pool or its queue; the lossless class 3 loses nothing.
    for settings in ({"pool": "lossy"}, {"egressLimit": "20kB"}):
        folder = tmp_path / next(iter(settings))
        folder.mkdir()
        scenario = make_scenario({"3": {"lossless": True, "weight": 1}, "4": {"weight": 1, **settings}})
        scenario["fabric"].update(pfc=True, buffer="32MiB")
        if "pool" in settings:
            scenario["fabric"]["pools"] = {"lossy": "50kB"}
        status, errors, nic = run(folder, scenario)
        assert status in (0, 3), errors
        classes = read_json(nic / "summary.json")["classes"]
        assert classes["3"]["fabric_drops"] == 0 < classes["4"]["fabric_drops"]


def test_a_class_that_pauses_nothing_has_no_headroom(tmp_path):
    classes = {"3": {"lossless": False, "headroom": {"100Gbps": "10kB"}}}
    fault = find_fault(write_json(tmp_path / "one.json", make_scenario(classes)))
    assert "$.fabric.classes.3.headroom: expected no such key unless lossless is true" in fault


ROLE, RED = "ns3::rdma::RoleMarking", "ns3::rdma::RedMarking"
THRESHOLDS = {"100Gbps": {"kmin": "10kB", "kmax": "40kB", "pmax": 0.5}}

#: (settings of class 3, of the fabric, presets, whether they are refused)
MARKINGS = [
    ({"ecn": THRESHOLDS}, {}, ["uet"], True),
    ({"ecn": THRESHOLDS}, {}, ["connectx7", "uet"], True),
    ({"ecn": THRESHOLDS}, {"markingPolicy": ROLE}, ["connectx7"], True),
    ({"ecn": THRESHOLDS, "markingPolicy": ROLE}, {}, ["connectx7"], True),
    ({"marking": "enqueue"}, {}, ["uet"], True),
    ({"ecn": THRESHOLDS, "marking": "enqueue", "markingPolicy": RED}, {}, ["uet"], False),
    ({"ecn": THRESHOLDS, "marking": "enqueue"}, {"markingPolicy": RED}, ["uet"], False),
    ({"ecn": "off"}, {}, ["uet"], False),
    ({"ecn": {"100Gbps": "off"}}, {}, ["uet"], False),
    ({"ecn": THRESHOLDS, "marking": "enqueue"}, {}, ["connectx7"], False),
]


@pytest.mark.parametrize("settings, fabric, presets, is_refused", MARKINGS)
def test_marking_keys_that_the_policy_of_a_class_does_not_use_are_refused(tmp_path, settings, fabric, presets, is_refused):
    scenario = make_scenario({"3": settings}, nics=presets)
    scenario["fabric"].update(fabric)
    fault = find_fault(write_json(tmp_path / "one.json", scenario))
    if is_refused:
        assert f'$.fabric.classes.3.{min(settings)}: expected no such key under "markingPolicy": "{ROLE}"' in fault
        assert fault.count("\n") == 1
    else:
        assert fault == ""


#: (fabric.ecn, further keys of the fabric, NICs, those of which a note says that they do not use it)
FABRIC_MARKINGS = [
    (THRESHOLDS, {}, ["uet"], ["uet"]),
    (THRESHOLDS, {}, ["uet", "uet-rccc"], ["uet", "uet-rccc"]),
    (THRESHOLDS, {"markingPolicy": ROLE}, ["connectx7"], ["connectx7"]),
    (THRESHOLDS, {}, ["connectx7", "uet"], ["uet"]),
    (THRESHOLDS, {"markingPolicy": RED}, ["uet"], []),
    (THRESHOLDS, {"classes": {"3": {"markingPolicy": RED}}}, ["uet"], []),
    ("off", {}, ["uet"], []),
    ({"100Gbps": "off"}, {}, ["uet"], []),
]


@pytest.mark.parametrize("ecn, fabric, presets, named", FABRIC_MARKINGS)
def test_a_note_names_each_nic_whose_marking_policy_uses_no_thresholds(tmp_path, ecn, fabric, presets, named):
    scenario = make_scenario({}, nics=presets)
    scenario["fabric"].update(ecn=ecn, **fabric)
    ended = call("run", write_json(tmp_path / "one.json", scenario), "--out", tmp_path / "out", "--quiet")
    notes = [line for line in ended.stderr.splitlines() if "$.fabric.ecn: warning: no effect on " in line]
    assert ended.returncode == 0
    assert [line.split("no effect on ")[1].split(",")[0] for line in notes] == named


def test_a_note_names_the_nic_that_does_not_use_the_thresholds(tmp_path):
    scenario = make_scenario({}, nics=["connectx7", "uet"])
    for ecn, lines in ((THRESHOLDS, 1), ({"100Gbps": {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2}}, 0)):
        scenario["fabric"]["ecn"] = ecn
        path = write_json(tmp_path / "scenario.json", scenario)
        ended = call("run", path, "--out", tmp_path / "out", "--quiet")
        assert ended.returncode == 0
        assert ended.stderr.count("\n") == lines
        assert ("$.fabric.ecn: warning: no effect on uet, whose marking policy ns3::rdma::RoleMarking" in ended.stderr) == (lines > 0)


def test_thresholds_that_only_a_class_uses_are_in_the_resolved_scenario(tmp_path):
    scenario = make_scenario({"3": {"markingPolicy": RED}}, nics=["uet"])
    scenario["fabric"]["ecn"] = THRESHOLDS
    _, errors, nic = run(tmp_path, scenario)
    assert errors == ""
    assert read_json(nic / "scenario.json")["fabric"]["ecn"]["100Gbps"]["kmin"] == "10kB"


@pytest.mark.parametrize("alpha", [1e300, 1e19, 1048577, -1])
def test_an_alpha_beyond_its_bounds_is_refused(tmp_path, alpha):
    scenario = make_scenario({})
    scenario["fabric"]["bufferAlpha"] = {"100Gbps": alpha}
    fault = find_fault(write_json(tmp_path / "one.json", scenario))
    assert "$.fabric.bufferAlpha.100Gbps: expected a factor above zero, at most 1048576" in fault
    assert fault.count("\n") == 1


def test_a_lossless_class_map_is_compared_with_a_lossy_one_in_one_scenario(tmp_path):
    # Without marks and windows four senders overflow the small buffer of the lossy map.
    maps = {"lossless": {"classes": {"3": {"lossless": True}}, "pfc": True}, "lossy": {"classes": {"3": {"lossless": False}}, "pfc": True}}
    scenario = make_scenario({}, nics=[{**NO_CONTROL, "name": name, "fabric": fabric} for name, fabric in maps.items()])
    del scenario["fabric"]["classes"]
    scenario["fabric"]["buffer"] = "400kB"
    ended = call("run", write_json(tmp_path / "scenario.json", scenario), "--out", tmp_path / "out", "--quiet")
    assert ended.returncode in (0, 3), ended.stderr
    drops = {name: read_json(tmp_path / "out" / "ranks" / name / "summary.json")["drops"]["buffer-full"] for name in maps}
    assert drops["lossless"] == 0 < drops["lossy"]


def test_a_link_rate_that_no_link_has_is_refused_in_a_class(tmp_path):
    for key, value in [("ecn", "off"), ("bufferAlpha", 1), ("headroom", "1kB")]:
        scenario = make_scenario({"3": {key: {"40Gbps": value}}})
        fault = find_fault(write_json(tmp_path / "one.json", scenario))
        assert f"$.fabric.classes.3.{key}" in fault and "which no link has" in fault


def test_a_resolved_scenario_with_classes_is_read_back(tmp_path):
    classes = {"3": {"weight": 3, "ecn": "off"}, "4": {"lossless": True, "level": 2, "marking": "enqueue"}}
    scenario = make_scenario(classes)
    scenario["fabric"]["watchdog"] = {"action": "forward"}
    status, errors, nic = run(tmp_path, scenario)
    assert (status, errors) == (0, "")
    resolved = read_json(nic / "scenario.json")
    del resolved["rocelab"]  # Who has made it.
    assert resolved["fabric"]["classes"]["3"] == {"ecn": "off", "weight": 3}
    assert find_fault(write_json(tmp_path / "again.json", resolved)) == ""
