# SPDX-License-Identifier: GPL-2.0-only
"""docs/start/tutorial.md: its files and commands as they stand there, in a project of links to this one."""

import os
import re
import subprocess

import pytest
from binding import BUILD, ROOT, needs_module

pytestmark = needs_module

BLOCK = re.compile(r"(?:Save as `([^`]+)`[^\n]*\n(?:[^\n`]*\n)*)?\n?```(\w+)\n(.*?)```", re.DOTALL)

def read_steps():
    """Return (file name or None, language, text) of each block."""
    text = (ROOT / "docs" / "start" / "tutorial.md").read_text(encoding="utf-8")
    return [(name or None, language, body) for name, language, body in BLOCK.findall(text)]


@pytest.fixture
def project(tmp_path):
    """A folder with what the commands use of this project."""
    for name in ("traces", "utils"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").symlink_to(BUILD.resolve())
    return tmp_path


@pytest.mark.slow
def test_each_file_of_the_tutorial_has_a_name_and_each_command_runs(project):
    steps = read_steps()
    assert [name for name, language, _ in steps if language != "sh"] == [
        *("idea.json", "idea.py", "cut-by-share.cc", "same.py", "idea-sweep.json"),
        "plot.py",
    ]
    environment = {key: os.environ[key] for key in os.environ if key != "ROCELAB_BUILD"}
    outputs = []
    for name, language, body in steps:
        if language != "sh":
            (project / name).write_text(body)
            continue
        result = subprocess.run(
            ["bash", "-ec", body],
            cwd=project,
            env=environment | {"NOCOLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert result.returncode == 0, body + result.stdout
        outputs.append(result.stdout)
    results = project / "results"
    assert (results / "idea" / "srnic" / "flows.csv").is_file()
    slowdowns = re.findall(r"^0\.[58]: slowdown ([\d.]+), (\d+) flows$", outputs[1], re.MULTILINE)
    assert len(slowdowns) == 2 and slowdowns[0][0] != slowdowns[1][0]
    assert "ns3::rdma::CutByShare::Share = 0.5" in outputs[2]
    assert f"{slowdowns[0][1]} flows, all the same\n" in outputs[3]
    table = (results / "idea-sweep" / "sweep-summary.csv").read_text().splitlines()
    assert len(table) == 1 + 4 * 2  # Shares, NICs.
    page = (results / "idea-sweep" / "report.html").read_text(encoding="utf-8")
    assert "cut" in page and "srnic" in page
    assert (results / "idea-sweep" / "slowdown.pdf").read_bytes().startswith(b"%PDF")
