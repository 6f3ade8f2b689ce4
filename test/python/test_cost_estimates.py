# SPDX-License-Identifier: GPL-2.0-only
"""rocelab check --cost beside the run that it estimates: packet-hops, memory and processor time."""

import json
import os
import resource
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
PROGRAM = BUILD / "rocelab"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM.exists(), reason="rocelab is not built"),
]

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
    path = folder / "estimated.json"
    path.write_text(json.dumps(scenario))
    return path


def measure_seconds(arguments):
    """Run the program; return its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, *arguments], stdout=subprocess.DEVNULL, check=True)
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
    text = subprocess.run([PROGRAM, "check", "--cost", path], check=True, capture_output=True, text=True).stdout
    (cost,) = json.loads(text)["costs"]
    seconds = measure_seconds(["run", path, "--out", tmp_path / "results"])
    (file,) = tmp_path.glob("results/estimated/*/summary.json")
    summary = json.loads(file.read_text())
    for number in ("packet_hops", "peak_rss_bytes"):  # Memory: of the process that simulates.
        assert cost[number] == pytest.approx(summary[number], rel=WITHIN)
    assert seconds / SECONDS_WITHIN < cost["processor_seconds"] < seconds * SECONDS_WITHIN
