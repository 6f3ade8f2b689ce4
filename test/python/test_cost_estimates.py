# SPDX-License-Identifier: GPL-2.0-only
"""rocelab check --cost beside the run that it estimates: packet-hops."""

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

#: The target (docs/validation/performance.md).
WITHIN = 0.3


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
    assert call("run", path, "--out", tmp_path / "results").returncode == 0
    (file,) = tmp_path.glob("results/estimated/*/summary.json")
    assert cost["packet_hops"] == pytest.approx(read_json(file)["packet_hops"], rel=WITHIN)
