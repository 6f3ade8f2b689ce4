# SPDX-License-Identifier: GPL-2.0-only
"""The speed guard of build/rocelab-bench, as .ci/run calls it: its exit status and its one line."""

import re
import subprocess

import pytest
from program import BUILD, ROOT, TIME_LIMIT, read_json, write_json

PROGRAM = BUILD / "rocelab-bench"

pytestmark = pytest.mark.skipif(
    BUILD.name == "sanitize", reason="valgrind does not run what has the address sanitizer"
)


def run_guard(reference, *options):
    """Run the guard in its shortest form; returns the finished process."""
    command = [str(PROGRAM), "--quick", "--guard-file", str(reference), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIME_LIMIT)


def find_changes(text):
    """Find the changes of all counts of instructions, in percent: packet-hop, flow, srnic, connectx6."""
    pattern = r"instructions(?: of \w+)? \(([-+.\d]+) %\)"
    return [float(change) for change in re.findall(pattern, text)]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A file as --guard-update writes it for the program as it is; its ratio decides nothing."""
    path = tmp_path_factory.mktemp("guard") / "guard.json"
    result = run_guard(path, "--guard-update")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"speed guard: written: {path}\n")
    # One short pair beside other tests is no measurement.
    return write_json(path, read_json(path) | {"ratio": 0.001})


@pytest.mark.slow
def test_an_unchanged_model_counts_the_same(reference):
    result = run_guard(reference, "--guard")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("speed guard: passed; ")
    assert find_changes(result.stdout) == [0, 0, 0, 0]
    assert re.search(r"off/on 0\.\d\d and 0\.\d\d", result.stdout)


@pytest.mark.slow
def test_more_work_per_hop_and_per_flow_fails_each_count_of_instructions(reference):
    # Four instructions per round, an acknowledgment for each 4.4 packet-hops of a run that short: 78 rounds are
    # 71 instructions per packet-hop, 15 % of 467.
    options = ("--extra-rounds", "78", "--extra-flow-rounds", "1000")
    result = run_guard(reference, "--guard", *options)
    assert (result.returncode, result.stdout) == (1, "")
    reasons = result.stderr.splitlines()[0]
    assert reasons.startswith("speed guard: FAILED (more instructions per packet-hop")
    assert "more instructions per flow" in reasons
    assert "more instructions of srnic with hardware on" in reasons
    assert "more instructions of connectx6 with hardware on" in reasons
    hop, _, srnic, connectx6 = find_changes(result.stderr)
    assert 13 < hop < 17
    # A packet-hop with hardware on takes more instructions, so that the same work is less of it.
    assert 3 < srnic < hop
    assert 3 < connectx6 < hop


def test_a_bad_file_is_bad_input(tmp_path):
    path = tmp_path / "guard.json"
    path.write_text('{"ratio": "fast"}')
    result = run_guard(path, "--guard")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "guard.json: expected" in result.stderr


def test_ci_runs_the_guard_and_the_slow_tests(checkout):
    commands = (checkout / ".ci" / "run").read_text()
    assert "./waf bench --guard\n" in commands
    assert "./waf test --slow\n" in commands
