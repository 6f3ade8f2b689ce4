# SPDX-License-Identifier: GPL-2.0-only
"""Entropy selectors of users: a plug-in in C++ and its twin in Python."""

import pytest
from binding import BUILD, needs_module

import rocelab

pytestmark = needs_module

PLUGIN = "ns3::rdma::OwnEntropy"
SELECTOR = "ns3::rdma::RdmaNic::EntropySelector"


class PyEntropy(rocelab.EntropySelector):
    """The values of OwnEntropy."""

    Paths = rocelab.Attribute(16, "Entropy values of a queue pair", minimum=1)

    def Start(self, facts):
        assert facts.bdpPackets > 1 and facts.baseRttPs > 0 and facts.planes == 1
        self.first = facts.seed
        self.next = 0

    def GetNext(self, inFlightBytes, nowPs):
        self.next = (self.next + 1) % self.Paths
        return (self.first + self.next) % 2**32


class PyReader(PyEntropy):
    """The same, with a look at feedback."""

    reports = []

    def OnFeedback(self, entropy, signal, nowPs):
        assert nowPs > 0 and (entropy - self.first) % 2**32 < self.Paths
        PyReader.reports.append(rocelab.RouteSignal(signal))


class PyNonsense(rocelab.EntropySelector):
    """GetNext() returns no value."""

    def GetNext(self, inFlightBytes, nowPs):
        return -1


def make_spray(selector):
    """Return eight flows across a fat-tree, whose packets take the routes of a selector."""
    flows = [{"src": i, "dst": i + 32, "bytes": "200kB", "start": "0us"} for i in range(8)]
    nic = {
        "preset": "irn",
        "name": "spray",
        "congestionControl": "ns3::rdma::NoCongestionControl",
        "lossDetector": "ns3::rdma::Sleek",
        "attributes": {
            SELECTOR: selector,
            "ns3::rdma::RdmaNic::ReceiverControl": "ns3::rdma::SackReceiver",
        },
    }
    return {
        "name": "spray",
        "fabric": {"topology": "fat-tree", "servers": 64},
        "nics": [nic],
        "workload": {"type": "flows", "flows": flows},
    }


def run(selector, **arguments):
    """Return (flows.csv, results) of a run."""
    results = rocelab.run(make_spray(selector), **arguments)
    assert len(results.only.completed) == 8
    return (results.only.folder / "flows.csv").read_bytes(), results


def test_a_plug_in_and_its_twin_in_python_choose_the_same_values():
    plugin = BUILD / "test" / "own-entropy.so"
    if not plugin.is_file():
        pytest.skip("test/own-entropy.so is not built")
    own, _ = run(PLUGIN, plugins=[plugin])
    python, _ = run(PyEntropy.typeName)
    assert own == python
    fixed, _ = run("ns3::rdma::FixedEntropy")
    assert fixed != own


def test_a_selector_gets_a_report_for_its_packets():
    PyReader.reports.clear()
    assert run(PyReader.typeName)[0] == run(PyEntropy.typeName)[0]
    # At least one report per 16,384 bytes of 200,000, in each of eight flows.
    assert len(PyReader.reports) >= 8 * 12
    assert rocelab.RouteSignal.GOOD in PyReader.reports


def test_a_value_that_is_none_is_one_line():
    with pytest.raises(rocelab.RunError, match=r"python::PyNonsense: GetNext\(\): expected .*, got -1"):
        rocelab.run(make_spray(PyNonsense.typeName))
