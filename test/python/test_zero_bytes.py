# SPDX-License-Identifier: GPL-2.0-only
"""Messages without bytes: one packet with a PSN, acknowledged, without payload (IBTA Vol. 1, Section 9.2.1)."""

import pytest
from imported import run_import
from program import NEEDS_PROGRAM, ask, call, expect_one_line, read_rows, run_scenario, write_json

pytestmark = NEEDS_PROGRAM

STAR = {"topology": "star", "servers": 3, "hostRate": "100Gbps", "linkDelay": "1us"}
GRAPH = {
    "type": "graph",
    "operations": [
        {"id": "sync", "src": 0, "dst": 1, "bytes": 0},
        {"id": "data", "src": 1, "dst": 2, "bytes": "1MB", "after": ["sync"]},
    ],
}
PROGRAMS = ["write_bw", "send_bw", "read_bw", "send_lat", "read_lat"]


def get_nics():
    """Return the names of all presets."""
    ended = call("list", "presets")
    return [line.split()[0] for line in ended.stdout.splitlines() if line and not line[0].isspace()]


def test_a_message_without_bytes_releases_what_waits_for_it_with_each_preset(tmp_path):
    nics = get_nics()
    path = write_json(tmp_path / "zero.json", {"name": "zero", "fabric": STAR, "nics": nics, "workload": GRAPH})
    ended = call("run", path, "--out", tmp_path / "out", "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")
    for nic in nics:
        sync, data = read_rows(tmp_path / "out" / "zero" / nic / "flows.csv")
        assert (sync["bytes"], sync["packets"], sync["slowdown"], sync["status"]) == ("0", "1", "1", "completed"), nic
        assert float(data["start_ns"]) >= 2000, nic  # Two links of 1 us.


@pytest.mark.parametrize("nic", ["srnic", "connectx6", "irn", "uet", "mrc", "dcp"])
@pytest.mark.parametrize("operation", ["write", "send", "read"])
def test_flows_without_bytes_complete_under_loss(tmp_path, nic, operation):
    fabric = STAR | {"lossRate": 0.05}
    flows = [{"src": n % 2, "dst": 2, "bytes": 0, "start": f"{n}us"} for n in range(100)]
    workload = {"type": "flows", "operation": operation, "flows": flows}
    out = run_scenario(tmp_path, {"name": "lossy", "fabric": fabric, "nics": [nic], "workload": workload})
    rows = read_rows(out / "flows.csv")
    assert [row["status"] for row in rows] == ["completed"] * 100
    assert sum(int(row["retransmitted"]) for row in rows) > 0  # 100 x 4 frames x 5 %: some twenty are lost.


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("hardware", ["off", "on"])
def test_perftest_sends_messages_without_bytes(program, hardware):
    result = ask("perftest", program, "-s", "0", "-n", "100", "--hardware", hardware, "--json")
    assert [row["size"] for row in result["results"]] == [0]


def test_write_lat_needs_a_byte_that_changes_in_memory():
    expect_one_line(call("perftest", "write_lat", "-s", "0"), "--size: expected a whole number from 1")


def test_a_scenario_may_spell_zero_with_a_unit_and_not_below_it(tmp_path):
    for size, isGood in ((0, True), ("0B", True), (-1, False), ("-1B", False)):
        operation = {"id": "a", "src": 0, "dst": 1, "bytes": size}
        scenario = {"name": "s", "fabric": STAR, "nics": ["irn"], "workload": {"type": "graph", "operations": [operation]}}
        ended = call("check", write_json(tmp_path / "s.json", scenario))
        if isGood:
            assert ended.returncode == 0, ended.stderr
        else:
            expect_one_line(ended, "$.workload.operations[0].bytes: expected a number of bytes")


def test_an_imported_message_without_bytes_stays_one(tmp_path):
    path = tmp_path / "zero.goal"
    path.write_text("num_ranks 2\nrank 0 {\nl1: send 0b to 1 tag 3\n}\nrank 1 {\nl1: recv 0b from 0 tag 3\n}\n")
    (operation,) = run_import(path)["workload"]["operations"]
    assert (operation["src"], operation["dst"], operation["bytes"]) == (0, 1, 0)
