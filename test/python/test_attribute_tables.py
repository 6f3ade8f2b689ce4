# SPDX-License-Identifier: GPL-2.0-only
"""The attribute tables of docs/ are what `rocelab list attributes` says, and the script that writes them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "utils" / "attribute_tables.py"

PAGE = """# Losses

<!-- attributes: {} -->
an old table
<!-- end of attributes -->

The rest.
"""

ATTRIBUTES = [
    {
        "type": "ns3::rdma::UniformLoss",
        "name": name,
        "value": value,
        "default": default,
        "bounds": bounds,
        "help": text,
    }
    for name, value, default, bounds, text in [
        ("LossRate", "Double", "0", "0 to 1", "Probability that a frame is lost"),
        ("Kind", "Enum", "ns3::rdma::Plain", "", "a|b (ours)"),
        ("Inner", "Pointer", "0", "", "made by code"),
    ]
]


def run(tmp_path, selection, *options):
    """Run the script over one page with a program that lists ATTRIBUTES; return status, output and page."""
    program = tmp_path / "rocelab"
    program.write_text("#!/bin/sh\ncat <<'END'\n{}\nEND\n".format(json.dumps(ATTRIBUTES)))
    program.chmod(0o755)
    page = tmp_path / "losses.md"
    page.write_text(PAGE.format(selection))
    result = subprocess.run(
        [sys.executable, str(SCRIPT), "--program", str(program), "--docs", str(tmp_path), *options],
        capture_output=True,
        text=True,
    )
    return result.returncode, result.stdout, page.read_text()


def test_a_class_gives_a_row_for_each_attribute_that_a_scenario_can_set(tmp_path):
    status, _, page = run(tmp_path, "UniformLoss")
    assert status == 0
    assert page == PAGE.format("UniformLoss").replace(
        "an old table\n",
        "| attribute | default | bounds | meaning, source |\n"
        "|---|---|---|---|\n"
        "| `UniformLoss::LossRate` | 0 | 0 to 1 | Probability that a frame is lost |\n"
        "| `UniformLoss::Kind` | Plain |  | a\\|b (ours) |\n",
    )


def test_one_attribute_can_be_named(tmp_path):
    assert run(tmp_path, "UniformLoss::Kind")[2].count("\n| `") == 1


def test_check_names_the_page_and_leaves_it(tmp_path):
    status, output, page = run(tmp_path, "UniformLoss", "--check")
    assert (status, page) == (1, PAGE.format("UniformLoss"))
    assert output == f"{tmp_path}/losses.md: attribute tables are not what ./waf docs writes\n"


def test_an_unknown_class_is_named(tmp_path):
    status, output, page = run(tmp_path, "UniformLos")
    assert (status, page) == (1, PAGE.format("UniformLos"))
    assert output.endswith("expected a class or attribute of `rocelab list attributes`, got UniformLos\n")


def test_the_pages_of_the_project_are_as_the_program_lists_them():
    engine = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build")) / "rocelab"
    if not engine.is_file():
        pytest.skip(f"{engine} is not built")
    result = subprocess.run(
        [sys.executable, str(SCRIPT), "--check", "--program", str(engine)], capture_output=True, text=True
    )
    assert (result.returncode, result.stdout) == (0, "")
