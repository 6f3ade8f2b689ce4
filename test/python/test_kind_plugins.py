# SPDX-License-Identifier: GPL-2.0-only
"""A workload and a topology of one file each, loaded as plug-ins (test/plugins/ring-*.cc)."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
PLUGINS = [BUILD / "test" / f"ring-{kind}.so" for kind in ("topology", "workload")]
SERVERS = 6

pytestmark = pytest.mark.skipif(not PLUGINS[0].exists(), reason="plug-ins are not built")

SCENARIO = {
    "name": "ring",
    "fabric": {"topology": "ring", "servers": SERVERS, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["connectx6"],
    "workload": {"type": "ring", "bytes": "600kB"},
}


def rocelab(*arguments, plugins=PLUGINS):
    options = [word for path in plugins for word in ("--plugin", path)]
    return subprocess.run([BUILD / "rocelab", *arguments, *options], capture_output=True, text=True, check=False)


@pytest.fixture(name="scenario")
def make_scenario(tmp_path):
    path = tmp_path / "ring.json"
    path.write_text(json.dumps(SCENARIO))
    return path


def test_a_ring_runs_on_a_ring(scenario, tmp_path):
    ended = rocelab("run", scenario, "--out", tmp_path)
    assert ended.returncode == 0, ended.stderr
    with (tmp_path / "ring" / "connectx6" / "flows.csv").open() as file:
        rows = {int(row["flow"]): row for row in csv.DictReader(file)}
    assert len(rows) == 2 * (SERVERS - 1) * SERVERS
    for number, row in rows.items():
        assert row["status"] == "completed"
        assert int(row["bytes"]) == 100_000
        assert int(row["dst"]) == (int(row["src"]) + 1) % SERVERS
        if number >= SERVERS:  # What the server before has sent is there.
            step, place = divmod(number, SERVERS)
            before = rows[(step - 1) * SERVERS + (place - 1) % SERVERS]
            assert float(row["start_ns"]) > float(before["start_ns"])
    resolved = json.loads((tmp_path / "ring" / "connectx6" / "scenario.json").read_text())
    assert resolved["workload"] == {"type": "ring", "bytes": 600_000}
    assert resolved["rocelab"]["plugins"] == [path.name for path in PLUGINS]


def test_both_are_listed_and_their_keys_are_checked(scenario):
    assert "ring          switches in a ring" in rocelab("list", "topologies").stdout
    assert "ring          a ring all-reduce" in rocelab("list", "workloads").stdout
    for change, message in (
        ("workload.byte=1", "$.workload.byte: expected a known key (nearest: bytes"),
        ("fabric.servers=2", "$.fabric.servers: expected a whole number from 3 to 65536, got 2"),
    ):
        ended = rocelab("check", scenario, "--set", change)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert message in ended.stderr


def test_without_the_plugin_the_kind_is_unknown(scenario):
    ended = rocelab("check", scenario, plugins=PLUGINS[:1])
    assert ended.returncode == 2
    assert "$.workload.type: expected one of aartfaac, alma, collective, flows, graph, hpcc-trace, incast, kv, lofar, many-to-one, one-to-many, one-to-one, poisson, rpc or streams" in ended.stderr
