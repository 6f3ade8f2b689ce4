# SPDX-License-Identifier: GPL-2.0-only
"""The examples in C++ print what their READMEs say."""

import re
import subprocess

import pytest
from program import BUILD, ROOT, TIME_LIMIT

EXAMPLES = [
    ("examples/start/verbs", "shared-receive"),
    ("src/rdma-nic/examples", "own-fabric"),
    ("src/rdma-nic/examples", "traces"),
    ("src/rdma-nic/examples", "tcp-beside-rdma"),
]


@pytest.mark.parametrize(("folder", "name"), EXAMPLES)
def test_the_example_prints_what_its_readme_says(folder, name):
    program = BUILD / name
    if not program.exists():
        pytest.skip(f"no program at {program}")
    readme = (ROOT / folder / "README.md").read_text()
    block = r"```text(?: {})?\n(.*?)```".format(name)
    expected = re.search(block, readme, re.DOTALL).group(1)
    result = subprocess.run([str(program)], capture_output=True, text=True, timeout=TIME_LIMIT)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == expected
