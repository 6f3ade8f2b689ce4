# SPDX-License-Identifier: GPL-2.0-only
"""Ports that fail and come back: the rate over time, and the same bytes on two MPI ranks."""

import csv
import json

import pytest
from ranks import FABRIC, NEEDS, PROGRAM, compare, run
from rocelab.results.link_events import list_link_events

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

PREFIX = "ns3::rdma::"
FAILBACK = {
    PREFIX + "RdmaNic::PathSelector": PREFIX + "FailbackPath",
    PREFIX + "FailbackPath::RetryDelay": "500us",
}

#: Servers 0 and 1 with a port of 25 Gb/s in each of two planes, which are the switches 2 and 3.
TWO_PORTS = {"topology": "star", "servers": 2, "hostRate": "25Gbps", "linkDelay": "10us", "mtu": 4096, "portsPerNic": 2}

#: Of each 10 ms the port of plane 1 is down for 1 ms.
FLAP = {"period": "10ms", "down": "1ms"}
DESIGNS = {
    "srnic": {"preset": "srnic", "attributes": FAILBACK},
    "irn": {"preset": "irn", "attributes": FAILBACK},
    "connectx6": {"preset": "connectx6", "attributes": FAILBACK},
    "uet": {"preset": "uet"},
    "mrc": {"preset": "mrc"},
}


def write(folder, **more):
    path = folder / "s.json"
    path.write_text(json.dumps({"name": "flap", **more}))
    return path


def read_rates(folder, nic):
    """Return the goodput of each tenth of a ms, Gb/s, beginning with the first."""
    (path,) = (folder / "out").rglob(f"{nic}/series/goodput.csv")
    return [float(row["goodput_gbps"]) for row in csv.DictReader(path.read_text().splitlines())]


def average(rates, begin_ms, end_ms):
    tenths = rates[round(10 * begin_ms) : round(10 * end_ms)]
    return sum(tenths) / len(tenths)


def run_flap(folder, design, end):
    """Run two flows of 70 MB, at 25 Gb/s each about 23 ms, while a port of a server is down from 4 to 5 and from 14 to 15 ms."""
    flow = {"src": 0, "dst": 1, "bytes": 70_000_000, "start": "0us"}
    path = write(
        folder,
        fabric=TWO_PORTS,
        nics=[{"name": "nic", **DESIGNS[design]}],
        linkEvents=[{"at": "4ms", "server": end, "port": 1, "state": "down", "flap": FLAP}],
        workload={"type": "flows", "flows": [flow, flow]},
        series={"interval": "100us", "what": ["goodput"]},
    )
    status, _, errors = run(1, "run", path, "--out", folder / "out")
    assert status == 0, errors
    (flows,) = (folder / "out").rglob("flows.csv")
    assert [row["status"] for row in csv.DictReader(flows.read_text().splitlines())] == ["completed"] * 2
    return read_rates(folder, "nic")


#: A port's goodput: of 4,178 and 24 bytes on the wire 4,096 are payload; headers of the designs differ by less than 0.7 %.
PORT_GBPS = 25 * 4096 / 4202


@NEEDS_PROGRAM
@pytest.mark.parametrize("design", DESIGNS)
def test_a_port_that_is_down_for_1_ms_of_10_halves_the_rate_for_this_ms(tmp_path, design):
    # The NIC of the sender detects the state of its link. Goodput is counted when all before it is acknowledged: what
    # is behind a lost packet counts when its timer, up to 0.3 ms, has expired. This time and two round trips are left out.
    rates = run_flap(tmp_path, design, 0)
    assert average(rates, 1, 4) == pytest.approx(2 * PORT_GBPS, rel=0.03)
    for begin in (4, 14):
        assert average(rates, begin + 0.4, begin + 1) == pytest.approx(PORT_GBPS, rel=0.03)
        assert average(rates, begin + 1.2, begin + 8) == pytest.approx(2 * PORT_GBPS, rel=0.03)


@NEEDS_PROGRAM
@pytest.mark.parametrize("design", DESIGNS)
def test_a_path_that_fails_behind_the_senders_link_is_tried_again(tmp_path, design):
    # The sender's link stays up: it leaves after expiries, and returns after RetryDelay, 0.5 ms, or two such times.
    rates = run_flap(tmp_path, design, 1)
    for begin in (4, 14):
        assert average(rates, begin + 0.4, begin + 1) == pytest.approx(PORT_GBPS, rel=0.03)
        assert average(rates, begin + 2, begin + 8) == pytest.approx(2 * PORT_GBPS, rel=0.03)


EVENTS = [
    {"at": "10us", "link": [0, 64], "state": "down", "flap": {"period": "37us", "down": "3us"}},
    {"at": "12us", "server": 40, "state": "half-open", "flap": {"period": "40us", "down": "4us", "until": "100us"}},
    {"at": "5us", "link": [64, 68], "loss": {"to": 0.05, "over": "40us"}},
    {"at": "7us", "switch": 69, "state": "down", "flap": {"period": "50us", "down": "10us"}, "routesAfter": "5us"},
]


@pytest.mark.parametrize("ranks", [pytest.param(2, marks=NEEDS)])
def test_two_ranks_give_the_bytes_of_one(tmp_path, ranks):
    flows = [{"src": i, "dst": (i * 7 + 33) % 64, "bytes": 150_000, "start": f"{i % 5}us"} for i in range(64)]
    flows = [flow for flow in flows if flow["src"] != flow["dst"]]
    path = write(
        tmp_path,
        name="ranks",
        fabric=FABRIC,
        nics=["irn", "uet"],
        linkEvents=EVENTS,
        workload={"type": "flows", "flows": flows},
        series={"interval": "10us"},
    )
    for files in compare(tmp_path, path, [ranks]).values():
        drops = files["summary.json"]["drops"]
        assert drops["link-down"] > 0 and drops["link-loss"] > 0


def test_events_are_described_and_have_their_changes():
    events = list_link_events({"linkEvents": EVENTS})
    assert [str(event) for event in events] == [
        "link 64-68 loss 0 to 0.05 over 40 us at 5 us",
        "switch 69 down at 7 us for 10 us of each 50 us",
        "link 0-64 down at 10 us for 3 us of each 37 us",
        "server 40 half-open at 12 us for 4 us of each 40 us",
    ]
    # The last period begins at 92 us, before 100 us.
    assert events[3].find_changes(1000) == [(12, True), (16, False), (52, True), (56, False), (92, True), (96, False)]
    assert events[2].find_changes(49) == [(10, True), (13, False), (47, True)]
    assert events[0].find_changes(4) == []
