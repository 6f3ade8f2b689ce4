# SPDX-License-Identifier: GPL-2.0-only
"""Traffic classes in scenarios: shares, losses, watchdog, ranks, and values that are refused."""

import json
import random

import pytest
import ranks
from program import NEEDS_PROGRAM, read_json, write_json
from test_deadlock import SWITCHES, write_ring

pytestmark = NEEDS_PROGRAM

#: Loss-free by PFC, without congestion control: the pauses alone bound the queues.
NO_CONTROL = {"preset": "connectx6", "name": "no-cc", "congestionControl": "ns3::rdma::NoCongestionControl"}


def make_scenario(**fabric):
    return {
        "name": "classes",
        "fabric": {"topology": "star", "servers": 5, "rate": "100Gbps", "delay": "1us", **fabric},
        "nics": ["connectx6"],
        "workload": {"type": "incast", "senders": 4, "bytes": "100kB", "receiver": 4},
    }


def run(folder, scenario, *options, processes=1):
    """Run a scenario; returns (exit status, stderr, {NIC: summary})."""
    path = write_json(folder / "scenario.json", scenario)
    status, _, errors = ranks.run(processes, "run", path, "--out", folder / "out", *options)
    found = {}
    for summary in (folder / "out").rglob("summary.json"):
        if summary.parent.name != "classes":
            found[summary.parent.name] = read_json(summary)
    return status, errors, found


def check(folder, scenario):
    path = write_json(folder / "scenario.json", scenario)
    status, _, errors = ranks.run(1, "check", path)
    return status, errors
