# SPDX-License-Identifier: GPL-2.0-only
"""A workload of one file with results of its own, loaded as a plug-in (test/plugins/beats-workload.cc)."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
PLUGIN = BUILD / "test" / "beats-workload.so"

pytestmark = pytest.mark.skipif(not PLUGIN.exists(), reason="plug-ins are not built")

SCENARIO = {
    "name": "beats",
    "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["connectx6"],
    "workload": {"type": "beats", "interval": "10us", "duration": "45us"},
}


def run(tmp_path, *options, **changes):
    """Return (ended process, folder of the NIC)."""
    path = tmp_path / "beats.json"
    path.write_text(json.dumps(SCENARIO | changes))
    command = [BUILD / "rocelab", "run", path, "--out", tmp_path, "--plugin", PLUGIN, *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended, tmp_path / "beats" / "connectx6"


def test_its_table_and_its_summary_are_written(tmp_path):
    ended, folder = run(tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "15 beats" in ended.stdout + ended.stderr
    with (folder / "beats.csv").open() as file:
        rows = list(csv.DictReader(file))
    # 3 servers, at 0, 10, 20, 30 and 40 us.
    assert [int(row["server"]) for row in rows] == [0, 1, 2] * 5
    assert [float(row["start_ns"]) for row in rows] == [10_000.0 * (i // 3) for i in range(15)]
    # Two links each way: 4 us. At 80 ps per byte, each link carries a frame of 8 bytes of payload and 74 of
    # headers (or 62 of an acknowledgment), with 24 of preamble, FCS and gap.
    assert {float(row["round_trip_ns"]) for row in rows} == {4000 + 2 * 0.08 * (106 + 86)}
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["beats"] == {"count": 15, "longest_ns": "4030.72"}


def test_a_later_run_of_another_workload_removes_its_table(tmp_path):
    run(tmp_path)
    flows = {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000}]}
    ended, folder = run(tmp_path, workload=flows)
    assert ended.returncode == 0, ended.stderr
    assert (folder / "flows.csv").exists()
    assert not (folder / "beats.csv").exists()
