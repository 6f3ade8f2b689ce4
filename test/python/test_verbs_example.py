# SPDX-License-Identifier: GPL-2.0-only
"""The example of verbs in C++ prints what its README says; the README derives the times."""

import re
import subprocess

import pytest


def test_the_example_prints_what_its_readme_says(checkout):
    program = checkout / "build" / "shared-receive"
    if not program.exists():
        pytest.skip(f"no program at {program}")
    readme = (checkout / "examples" / "verbs" / "README.md").read_text()
    expected = re.search(r"```text\n(.*?)```", readme, re.DOTALL).group(1)
    result = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == expected
