# SPDX-License-Identifier: GPL-2.0-only
"""A function of a user's own in a key-value store, loaded as a plug-in (test/plugins/saturating-add.cc)."""

import json
import os
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("ROCELAB_BUILD", Path(__file__).resolve().parents[2] / "build"))
PLUGIN = BUILD / "test" / "saturating-add.so"

pytestmark = pytest.mark.skipif(not PLUGIN.exists(), reason="plug-ins are not built")

SCENARIO = {
    "name": "own-function",
    "fabric": {"topology": "star", "servers": 2, "hostRate": "40Gbps", "linkDelay": "500ns"},
    "groups": {"store": [0], "client": [1]},
    "nics": ["kv-direct"],
    "kernels": {"store": ["ns3::rdma::KvDirectKernel"]},
    "workload": {
        "type": "kv",
        "clients": "client",
        "servers": "store",
        "get": 0.5,
        "modify": 0.5,
        "function": "ns3::rdma::SaturatingAdd",
        "keyBytes": 8,
        "valueBytes": 8,
        "memory": "64KiB",
        "utilization": 0.2,
        "batch": 8,
        "outstanding": 4,
        "duration": "50us",
    },
}


def run(tmp_path, *options):
    path = tmp_path / "own.json"
    path.write_text(json.dumps(SCENARIO))
    return subprocess.run(
        [BUILD / "rocelab", "run", path, "--out", tmp_path / "out", *options], capture_output=True, text=True, check=False
    )


def test_updates_apply_the_function(tmp_path):
    ended = run(tmp_path, "--plugin", PLUGIN)
    assert ended.returncode == 0, ended.stderr
    summary = json.loads((tmp_path / "out" / "own-function" / "kv-direct" / "summary.json").read_text())
    assert summary["rpc"]["status"]["ok"] == summary["rpc"]["requests"] > 300


def test_without_the_plugin_it_is_unknown(tmp_path):
    ended = run(tmp_path)
    assert ended.returncode == 2
    assert "$.workload.function: expected a type below ns3::rdma::KvFunction" in ended.stderr
