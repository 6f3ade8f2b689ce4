# SPDX-License-Identifier: GPL-2.0-only
"""Topologies and flows in the forms of the HPCC simulator family, run by the program."""

import pytest
from program import NEEDS_PROGRAM, call, read_rows, write_json

pytestmark = NEEDS_PROGRAM

#: HPCC: three servers at switch 3, and a legend.
HPCC = """4 1 3
3
0 3 100Gbps 0.001ms 0
1 3 100Gbps 0.001ms 0
2 3 100Gbps 0.001ms 0

nodes, switches, links; then the switches
"""
FLOWS = "2\n0 1 3 100 2000000 2\n2 1 1 100 2000000 2\n\nsource destination class port bytes start\n"

#: PowerTCP: ToRs in line 1, rates without a unit.
POWERTCP = """6 2 2 5
4 5
0 4 25000000000.0 1us 0
1 4 25000000000.0 1us 0
2 5 25000000000.0 1us 0
3 5 25000000000.0 1us 0
4 5 100000000000.0 1us 0
"""
ENDLESS = "3\n0 2 3 10000 1000000000000 0.001\n1 2 3 10001 1000000000000 0.002\n3 2 3 10002 1000000000000 0.003\n"

#: Two racks of two ToRs each: servers 0 to 3 are linked to both ToRs of their rack.
DUAL_HOMED = """10 6 12
4 5 6 7 8 9
0 4 25Gbps 1us 0
0 5 25Gbps 1us 0
1 4 25Gbps 1us 0
1 5 25Gbps 1us 0
2 6 25Gbps 1us 0
2 7 25Gbps 1us 0
3 6 25Gbps 1us 0
3 7 25Gbps 1us 0
4 8 100Gbps 1us 0
6 8 100Gbps 1us 0
5 9 100Gbps 1us 0
7 9 100Gbps 1us 0
"""
CROSSING = "2\n0 2 3 1 1000000 0\n0 2 3 2 1000000 0\n"


def write(folder, topology, flows, **workload):
    """Write a scenario with its files; returns its path."""
    (folder / "topology.txt").write_text(topology)
    (folder / "flow.txt").write_text(flows)
    one = {"name": "flows", "type": "hpcc-trace", "file": "flow.txt", **workload}
    scenario = {
        "name": "family",
        "fabric": {"topology": "hpcc-file", "file": "topology.txt"},
        "nics": ["connectx6"],
        "workloads": [one],
        "run": {"drain": "end" not in workload},
    }
    return write_json(folder / "family.json", scenario)


def run(path, *options, status=0):
    """Run a scenario; returns (lines on the standard error, rows of flows.csv)."""
    out = path.parent / f"out{len(options)}"
    result = call("run", path, "--out", out, "--quiet", *options)
    assert result.returncode == status, result.stderr
    return result.stderr.splitlines(), read_rows(out / "family" / "connectx6" / "flows.csv")


def test_a_legend_is_a_line_and_the_flows_run(tmp_path):
    lines, flows = run(write(tmp_path, HPCC, FLOWS))
    assert [line.partition(": warning: ")[2].removeprefix(f"{tmp_path}/") for line in lines] == [
        "topology.txt:7: this line and all lines behind it are ignored, since line 1 announces 3 links",
        "flow.txt:5: this line and all lines behind it are ignored, since line 1 announces 2 flows",
    ]
    assert [flow["status"] for flow in flows] == ["completed", "completed"]


def test_flows_without_end_report_their_packets_at_the_time_that_is_asked(tmp_path):
    lines, flows = run(write(tmp_path, POWERTCP, ENDLESS, end="4ms"))
    assert lines == []
    assert [flow["status"] for flow in flows] == ["unfinished"] * 3
    # Starts are absolute: 1 ms of 25 Gb/s before the second flow are 3,125,000 bytes of frames of 1024 bytes and headers.
    assert [float(flow["start_ns"]) for flow in flows] == [1e6, 2e6, 3e6]
    assert int(flows[0]["packets"]) > 0.9 * 3_125_000 / 1112
    assert sum(int(flow["packets"]) for flow in flows) <= 3 * 3_125_000 / 1024


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_server_with_two_links_sends_on_both(tmp_path, ranks):
    _, flows = run(write(tmp_path, DUAL_HOMED, CROSSING), *(["--ranks", "2"] if ranks == 2 else []))
    # 977 packets of up to 1024 bytes and 78 bytes of headers and framing at 25 Gb/s, each flow on a link of its own;
    # on one link they would take twice as long.
    wire_ns = (1_000_000 + 977 * 78) * 8 / 25
    for flow in flows:
        assert wire_ns < float(flow["fct_ns"]) < 1.1 * wire_ns


def test_servers_that_forward_are_one_line(tmp_path):
    ring = "3 0 3\n\n0 1 25Gbps 1us 0\n1 2 25Gbps 1us 0\n2 0 25Gbps 1us 0\n"
    result = call("check", write(tmp_path, ring, CROSSING))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "topology.txt:3: expected links to switches for server 0, which has several (servers do not forward frames)" in result.stderr
