# SPDX-License-Identifier: GPL-2.0-only
"""Admission of packets behind gaps: a pool of a whole NIC, and a policy in Python."""

import json

import pytest
from binding import needs_module

import rocelab

pytestmark = needs_module

P = "ns3::rdma::"


class PyPool(rocelab.OutOfOrderAdmission):
    """The rule of OutOfOrderPool."""

    Packets = rocelab.Attribute(32, "Packets behind gaps of the NIC", minimum=1)
    seen = []

    def Admits(self, packet):
        PyPool.seen.append(packet)
        return packet.heldByNic < self.Packets


class PyMaybe(rocelab.OutOfOrderAdmission):
    """Admits() returns no decision."""

    def Admits(self, packet):
        return 1


STAR = {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us", "lossRate": 0.02}


def make_incast(attributes, preset="srnic", fabric=STAR):
    """Return three flows of 400 packets each into one NIC, with losses."""
    return {
        "name": "held",
        "fabric": fabric,
        "nics": [{"preset": preset, "hardware": "off", "attributes": attributes}],
        "workload": {"type": "incast", "senders": 3, "bytes": "400KiB"},
        "run": {"seed": 5},
    }


def run(attributes, preset="srnic", fabric=STAR, **arguments):
    """Return the bytes of flows.csv, and the packets that were sent again."""
    results = rocelab.run(make_incast(attributes, preset, fabric), **arguments)
    assert len(results.only.completed) == 3
    flows = (results.only.folder / "flows.csv").read_bytes()
    return flows, json.loads((results.only.folder / "summary.json").read_text())["retransmitted"]


def pool(packets):
    return {P + "RdmaNic::OutOfOrderAdmission": P + "OutOfOrderPool", P + "OutOfOrderPool::Packets": packets}


@pytest.mark.parametrize("preset", ["srnic", "irn", "uet", "mrc", "dcp"])
def test_a_pool_that_is_never_full_changes_nothing_and_a_small_one_costs_packets(preset):
    free, resent = run({}, preset)
    assert run(pool(1 << 20), preset) == (free, resent)
    small = run(pool(1), preset)
    assert small[0] != free and small[1] > resent


def test_a_policy_in_python_decides_as_the_pool_does():
    PyPool.seen.clear()
    python = run({P + "RdmaNic::OutOfOrderAdmission": PyPool.typeName, PyPool.typeName + "::Packets": 3})
    assert python == run(pool(3))
    # All three queue pairs share the pool, which fills up and is never above its size.
    assert len({packet.qpNumber for packet in PyPool.seen}) == 3
    assert {packet.heldByNic for packet in PyPool.seen} == {0, 1, 2, 3}
    assert any(packet.heldByQueuePair < packet.heldByNic for packet in PyPool.seen)
    assert all(packet.ahead > 0 and packet.payloadBytes == 1024 for packet in PyPool.seen)


def test_an_answer_that_is_none_is_one_line():
    with pytest.raises(rocelab.RunError, match=r"python::PyMaybe: Admits\(\): expected True or False, got 1"):
        rocelab.run(make_incast({P + "RdmaNic::OutOfOrderAdmission": PyMaybe.typeName}))


def test_two_ranks_give_the_bytes_of_one():
    tree = {"topology": "fat-tree", "servers": 64, "lossRate": 0.02}
    assert run(pool(2), fabric=tree) == run(pool(2), fabric=tree, ranks=2)
