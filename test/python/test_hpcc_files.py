# SPDX-License-Identifier: GPL-2.0-only
"""utils/hpcc_files.py, the files that it wrote, and the engine that reads them."""

import subprocess
import sys

import pytest
from program import ROOT, TIME_LIMIT, call, expect_one_line, write_json

WRITER = ROOT / "utils" / "hpcc_files.py"
SIZES = "traces/cache-follower.cdf"


def write(*arguments):
    """Return the writer's exit status and output."""
    command = [sys.executable, str(WRITER), *map(str, arguments)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIME_LIMIT)
    return result.returncode, result.stdout


def test_help_names_the_arguments():
    for words in (["--help"], ["-h"], ["flows", "--help"]):
        status, text = write(*words)
        assert status == 0
        assert "usage: hpcc_files.py topology SERVERS" in text
    assert write()[0] == 2


def run_engine(command, folder, topology, flows):
    """Run srnic with a trace; returns the finished process."""
    fabric = {"topology": "hpcc-file", "file": str(topology)}
    if isinstance(topology, int):
        rates = {"hostRate": "100Gbps", "fabricRate": "400Gbps", "linkDelay": "1us"}
        fabric = {"topology": "fat-tree", "servers": topology, **rates}
    scenario = {
        "name": "replay",
        "fabric": fabric,
        "nics": ["srnic"],
        "workload": {"type": "hpcc-trace", "file": str(flows)},
    }
    folder.mkdir(exist_ok=True)
    write_json(folder / "replay.json", scenario)
    return call(command, "replay.json", *(["--quiet"] if command == "run" else []), cwd=folder)


@pytest.mark.parametrize("servers", [16, 64, 256, 1024])
def test_a_topology_is_written_again_as_it_is(servers):
    file = ROOT / "traces" / "hpcc" / f"fat-tree-{servers}.txt"
    assert write("topology", servers) == (0, file.read_text())


def test_flows_are_written_again_as_they_are():
    file = ROOT / "traces" / "hpcc" / "cache-follower-64.txt"
    assert write("flows", 64, SIZES, 0.7, 2000, 1) == (0, file.read_text())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["topology"],
        ["topology", "17"],
        ["topology", "16", "17"],
        ["flows", "64", "nowhere.cdf", "0.7", "10", "1"],
        ["flows", "64", SIZES, "much", "10", "1"],
        ["trees", "64"],
    ],
)
def test_bad_arguments_write_nothing(arguments):
    assert write(*arguments) == (2, "")


def test_a_trace_of_31085_flows_is_read_to_its_last_line(tmp_path):
    topology = ROOT / "traces" / "hpcc" / "fat-tree-256.txt"
    status, text = write("flows", 256, SIZES, 0.7, 10_000, 1)
    flows = tmp_path / "flows.txt"
    flows.write_text(text)
    assert (status, text.split("\n", 1)[0]) == (0, "31085")
    assert run_engine("check", tmp_path, topology, flows).returncode == 0
    # Line 1 has the count, so that the last flow is in line 31086.
    flows.write_text(text[: text.rindex("2.")] + "soon\n")
    expect_one_line(run_engine("check", tmp_path, topology, flows), f"{flows}:31086: expected a start")


@pytest.mark.slow
def test_flows_take_the_same_on_a_tree_of_a_file_as_on_the_built_in_one(tmp_path):
    flows = ROOT / "traces" / "hpcc" / "cache-follower-64.txt"
    rows = []
    for topology in (64, ROOT / "traces" / "hpcc" / "fat-tree-64.txt"):
        folder = tmp_path / str(len(rows))
        result = run_engine("run", folder, topology, flows)
        assert (result.returncode, result.stderr) == (0, "")
        table = (folder / "results" / "replay" / "srnic" / "flows.csv").read_text()
        rows.append(sorted(table.splitlines()))
    assert len(rows[0]) == 1 + 1540
    assert rows[0] == rows[1]
