# SPDX-License-Identifier: GPL-2.0-only
"""Several routes per queue pair: closed forms, the published permutation, planes, and ranks."""

import statistics

import pytest
from program import ROOT, find_fault, read_json, read_rows, write_json
from ranks import NEEDS, compare, run

from rocelab.validate.scoreboard import read_peers

pytestmark = NEEDS

TRACES = ROOT / "test" / "data" / "uet-traces"
PEERS = ROOT / "examples" / "simulators"
VALIDATION = ROOT / "validation"
FABRIC = {
    "topology": "fat-tree",
    "k": 8,
    "hostRate": "100Gbps",
    "linkDelay": "1us",
    "mtu": 4096,
    "framing": "none",
}


def make_scenario(flows, nics, **fabric):
    """Return flows (sender, receiver, bytes) that begin together on a fat-tree of 128 servers."""
    return {
        "name": "ranks",
        "fabric": {**FABRIC, **fabric},
        "nics": nics,
        "workload": {
            "type": "flows",
            "flows": [{"src": s, "dst": d, "bytes": b, "start": "0us"} for s, d, b in flows],
        },
    }


def run_scenario(folder, scenario, nic):
    """Return (rows of flows.csv, summary)."""
    path = write_json(folder / "scenario.json", scenario)
    status, _, errors = run(1, "run", path, "--out", folder / "out", "--quiet")
    assert status == 0, errors
    results = folder / "out" / scenario["name"] / nic
    return read_rows(results / "flows.csv"), read_json(results / "summary.json")


def get_times(rows):
    """Return completion times in us."""
    assert {row["status"] for row in rows} == {"completed"}
    return [float(row["fct_ns"]) / 1e3 for row in rows]


@pytest.mark.parametrize("rate, packet_ns, report_ns", [(100, 332.8, 5.12), (400, 83.2, 1.28)])
def test_one_flow_takes_the_closed_form(tmp_path, rate, packet_ns, report_ns):
    # 512 packets of 4160 bytes over six links of 1 us, and a report of 64 bytes back.
    scenario = make_scenario([(0, 127, 512 * 4096)], ["uet"], hostRate=f"{rate}Gbps")
    rows, _ = run_scenario(tmp_path, scenario, "uet")
    expected = (512 + 6 - 1) * packet_ns + 2 * 6 * 1000 + 6 * report_ns
    assert float(rows[0]["fct_ns"]) == pytest.approx(expected, abs=1e-6)


def run_peer(folder, name, nic):
    """Run a NIC of a scenario of examples/simulators; returns (rows of flows.csv, summary)."""
    return run_scenario(folder, read_json(PEERS / f"{name}.json"), nic)


def get_mean(name, nic):
    """Return the mean completion time of uet-htsim, us."""
    key = f"{name}/{nic}/summary.json#fct_us.mean"
    return next(row.value for row in read_peers(VALIDATION) if row.key == key)


def test_the_permutation_is_that_of_the_connection_matrix():
    lines = [line.split() for line in (TRACES / "perm128_s1_2MiB.cm").read_text().splitlines() if "->" in line]
    flows = read_json(PEERS / "uet-permutation.json")["workload"]["flows"]
    assert [(f"{flow['src']}->{flow['dst']}", flow["bytes"]) for flow in flows] == [(line[0], int(line[-1])) for line in lines]


# Last completion time of uet-htsim (test/data/uet-traces/README.md), us, and its band.
@pytest.mark.parametrize(
    "nic, last, band", [("oblivious", 219.5, 0.15), ("bitmap", 211.5, 0.05), ("reps", 210.6, 0.05), ("mixed", 207.6, 0.05)]
)
def test_the_permutation_takes_as_long_as_in_uet_htsim(tmp_path, nic, last, band):
    rows, summary = run_peer(tmp_path, "uet-permutation", nic)
    times = get_times(rows)
    assert len(times) == 128
    assert statistics.mean(times) == pytest.approx(get_mean("uet-permutation", nic), rel=0.03)
    assert max(times) == pytest.approx(last, rel=band)
    # Without marks to react to, nothing but trimmed packets is sent again.
    assert sum(int(row["retransmitted"]) for row in rows) == summary["trims"]


def test_one_path_takes_twice_as_long(tmp_path):
    rows, _ = run_peer(tmp_path, "uet-permutation", "one-path")
    times = get_times(rows)
    # multipath.md, section 9: "mean 2 times, last at least 3.5 times" those of spraying, 7 and 15 %.
    assert statistics.mean(times) == pytest.approx(414.7, rel=0.15)
    assert max(times) > 3.4 * 207.6


@pytest.mark.parametrize("senders, last, resent", [(8, 700.6, 171), (32, 2761.0, 1630)])
def test_an_incast_without_trimming_takes_as_long_as_in_uet_htsim(tmp_path, senders, last, resent):
    # Means of three seeds of htsim_uec -disable_trim -sleek, built and run with these flows. Bands of
    # multipath.md, section 9: mean 3 % (one seed here: 4 %), end 2 %, retransmissions within a factor of 2.
    name = f"uet-incast-{senders}-untrimmed"
    rows, summary = run_peer(tmp_path, name, "uet")
    times = get_times(rows)
    assert statistics.mean(times) == pytest.approx(get_mean(name, "uet"), rel=0.04)
    assert max(times) == pytest.approx(last, rel=0.02)
    assert resent / 2 < summary["retransmitted"] < resent * 2


def test_a_short_last_packet_overtakes_on_another_route(tmp_path):
    fabric = {"topology": "fat-tree", "hostRate": "100Gbps", "linkDelay": "100ns", "mtu": 4160, "k": 4}
    flow = {"src": 4, "dst": 14, "bytes": 6887, "start": "0us"}
    workload = {"type": "flows", "flows": [flow]}
    rows, _ = run_scenario(tmp_path, {"name": "n", "fabric": fabric, "nics": ["uet"], "workload": workload}, "uet")
    row = rows[0]
    # The ideal is of one route, where the second packet waits for the first one at each port. On another route
    # it arrives before the first one. It has 2728 B of padded payload, and 88 B of headers and framing; 80 ps/B.
    second_ns = (2728 + 88) * 0.08
    assert float(row["ideal_ns"]) - float(row["fct_ns"]) == pytest.approx(second_ns)
    assert float(row["slowdown"]) < 1


@pytest.mark.parametrize("nic, is_refused", [("uet", False), ("connectx6", True)])
def test_attributes_of_the_presets_switch_policy_need_no_admission_policy(tmp_path, nic, is_refused):
    fabric = {"topology": "star", "servers": 9}
    fabric["attributes"] = {"ns3::rdma::TrimmingAdmission::SwitchLimit": 3}
    workload = {"type": "incast", "senders": 8, "bytes": "100kB"}
    scenario = {"name": "n", "fabric": fabric, "nics": [nic], "workload": workload}
    fault = find_fault(write_json(tmp_path / "scenario.json", scenario))
    assert ("expected an attribute of the switches or their policies" in fault) == is_refused == bool(fault)


@pytest.mark.parametrize("preset", ["uet", *(pytest.param(name, marks=pytest.mark.slow) for name in ("uet-rccc", "connectx7-ar", "dcp"))])
def test_one_and_two_ranks_give_the_same_bytes(tmp_path, preset):
    flows = [(i, 127, 200_000) for i in range(0, 64, 4)] + [(i, i + 64, 300_000) for i in range(16)]
    path = write_json(tmp_path / "scenario.json", make_scenario(flows, [preset]))
    summary = compare(tmp_path, path, [2])[preset]["summary.json"]
    assert summary["flows"]["completed"] == len(flows)


def test_planes_give_the_same_bytes_on_two_ranks(tmp_path):
    flows = [(i, 127 - i, 400_000) for i in range(32)]
    path = write_json(tmp_path / "scenario.json", make_scenario(flows, ["uet"], planes=2))
    assert compare(tmp_path, path, [2])["uet"]["summary.json"]["flows"]["completed"] == 32


def test_a_queue_pair_uses_the_rate_of_all_planes(tmp_path):
    # 5120 packets; two planes send two at a time, so that all but the round trip takes half the time.
    # The values that a selector remembers need not be spread evenly over the planes: 10 %.
    size = 5120 * 4096
    one, _ = run_scenario(tmp_path, make_scenario([(0, 127, size)], ["uet"]), "uet")
    (tmp_path / "two").mkdir()
    two, _ = run_scenario(tmp_path / "two", make_scenario([(0, 127, size)], ["uet"], planes=2), "uet")
    rounds = 12_000 + 6 * 338
    transfer = float(one[0]["fct_ns"]) - rounds
    assert float(two[0]["fct_ns"]) == pytest.approx(rounds + transfer / 2, rel=0.1)
