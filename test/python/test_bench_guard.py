# SPDX-License-Identifier: GPL-2.0-only
"""The speed guard of build/rocelab-bench, as .ci/run calls it: its exit status and its one line."""

import json
import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def guard(checkout, tmp_path):
    """Runs the guard in its shortest form against the given content of its file."""
    build = Path(os.environ.get("ROCELAB_BUILD", checkout / "build"))
    program = build / "rocelab-bench"
    if not program.is_file():
        pytest.skip(f"{build.name}/rocelab-bench is not built")

    def run(text):
        reference = tmp_path / "guard.json"
        reference.write_text(text)
        command = [str(program), "--guard", "--quick", "--guard-file", str(reference)]
        return subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=60)

    return run


def make_reference(ratio):
    return json.dumps({"ratio": ratio, "date": "2026-01-02", "machine": "a tortoise"})


def test_a_model_that_has_become_slow_fails(guard):
    # No model is ten times as fast as a loop without one.
    result = guard(make_reference(10))
    assert (result.returncode, result.stdout) == (1, "")
    line = result.stderr
    assert line.count("\n") == 1
    assert line.startswith("speed guard: FAILED: full model by bare loop is 0.")
    assert "below the 10.000" in line


def test_a_model_as_fast_as_it_was_passes(guard):
    result = guard(make_reference(0.001))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("speed guard: passed: ")


def test_a_bad_file_is_bad_input(guard):
    result = guard('{"ratio": "fast"}')
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "guard.json: expected" in result.stderr


def test_ci_runs_the_guard(checkout):
    assert "./waf bench --guard\n" in (checkout / ".ci" / "run").read_text()
