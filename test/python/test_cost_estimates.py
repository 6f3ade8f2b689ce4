# SPDX-License-Identifier: GPL-2.0-only
"""rocelab check --cost beside the run that it estimates: packet-hops, memory and processor time."""

import resource

import pytest
from program import NEEDS_PROGRAM, ROOT, ask, call, read_json, write_json

pytestmark = [pytest.mark.slow, NEEDS_PROGRAM]

POISSON = {
    "type": "poisson",
    "sizes": str(ROOT / "traces" / "cache-follower.cdf"),
    "load": 0.7,
    "duration": "2ms",
}
RING = {
    "type": "collective",
    "operation": "all-reduce",
    "algorithm": "ring",
    "size": "16MiB",
    "group": "all",
    "iterations": 2,
}

#: The target of each number is 30 % (docs/validation/performance.md).
WITHIN = 0.3

#: Other work on the machine changes processor time, through caches and clock rates.
SECONDS_WITHIN = 3


def make_scenario(folder, servers, nic, workload):
    """Write a scenario of a fat-tree and return its path."""
    scenario = {
        "name": "estimated",
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": "32MiB",
        },
        "groups": {"all": [[0, servers - 1]]},
        "nics": [nic],
        "workload": workload,
    }
    return write_json(folder / "estimated.json", scenario)


def measure_seconds(arguments):
    """Run the program; return its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert call(*arguments).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    "servers, nic, workload",
    [
        pytest.param(64, "srnic", POISSON, id="flows"),
        pytest.param(64, "uet", POISSON, id="reports"),
        pytest.param(64, {"preset": "connectx6", "hardware": "on"}, POISSON, id="hardware"),
        pytest.param(1024, "srnic", POISSON | {"duration": "100us"}, id="a large fabric"),
        pytest.param(64, "srnic", RING, id="a collective"),
    ],
)
def test_an_estimate_is_near_the_run(tmp_path, servers, nic, workload):
    path = make_scenario(tmp_path, servers, nic, workload)
    (cost,) = ask("check", "--cost", path)["costs"]
    seconds = measure_seconds(["run", path, "--out", tmp_path / "results"])
    (file,) = tmp_path.glob("results/estimated/*/summary.json")
    summary = read_json(file)
    for number in ("packet_hops", "peak_rss_bytes"):  # Memory: of the process that simulates.
        assert cost[number] == pytest.approx(summary[number], rel=WITHIN)
    assert seconds / SECONDS_WITHIN < cost["processor_seconds"] < seconds * SECONDS_WITHIN
