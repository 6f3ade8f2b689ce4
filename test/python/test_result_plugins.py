# SPDX-License-Identifier: GPL-2.0-only
"""A workload of one file with results of its own, loaded as a plug-in (test/plugins/beats-workload.cc)."""

from program import call, needs_plugins, read_json, read_rows, write_json

pytestmark = needs_plugins("beats-workload")

SCENARIO = {
    "name": "beats",
    "fabric": {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["connectx6"],
    "workload": {"type": "beats", "interval": "10us", "duration": "45us"},
}


def run(tmp_path, **changes):
    """Return (ended process, folder of the NIC)."""
    path = write_json(tmp_path / "beats.json", SCENARIO | changes)
    ended = call("run", path, "--out", tmp_path, plugins=["beats-workload"])
    assert ended.returncode == 0, ended.stderr
    return ended, tmp_path / "beats" / "connectx6"


def test_its_table_and_its_summary_are_written_and_a_later_run_removes_the_table(tmp_path):
    ended, folder = run(tmp_path)
    assert "15 beats" in ended.stdout + ended.stderr
    rows = read_rows(folder / "beats.csv")
    # 3 servers, at 0, 10, 20, 30 and 40 us.
    assert [int(row["server"]) for row in rows] == [0, 1, 2] * 5
    assert [float(row["start_ns"]) for row in rows] == [10_000.0 * (i // 3) for i in range(15)]
    # Two links each way: 4 us. At 80 ps per byte, each link carries a frame of 8 bytes of payload and 74 of
    # headers (or 62 of an acknowledgment), with 24 of preamble, FCS and gap.
    assert {float(row["round_trip_ns"]) for row in rows} == {4000 + 2 * 0.08 * (106 + 86)}
    assert read_json(folder / "summary.json")["beats"] == {"count": 15, "longest_ns": "4030.72"}
    run(tmp_path, workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000}]})
    assert (folder / "flows.csv").exists()
    assert not (folder / "beats.csv").exists()
