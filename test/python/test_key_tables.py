# SPDX-License-Identifier: GPL-2.0-only
"""Tables of scenario keys in docs/ are generated from the program."""

import subprocess
import sys

import pytest
from program import NEEDS_PROGRAM, PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "utils"))

from key_tables import write_default, write_table, write_value  # noqa: E402


def start(*options):
    """Return the ended process of key_tables.py."""
    command = [sys.executable, ROOT / "utils" / "key_tables.py", "--program", PROGRAM, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@NEEDS_PROGRAM
def test_the_tables_of_the_pages_are_those_of_the_program():
    ended = start("--check")
    assert (ended.returncode, ended.stdout) == (0, "")


@NEEDS_PROGRAM
def test_a_page_with_another_table_fails_the_check_and_is_written_without_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- keys: hpcc-trace -->\nold\n<!-- end of keys -->\nend\n")
    ended = start("--docs", tmp_path, "--check")
    assert (ended.returncode, ended.stdout) == (1, f"{page}: keys are not what ./waf docs writes\n")
    assert "old" in page.read_text()
    assert start("--docs", tmp_path).returncode == 0
    assert page.read_text().startswith("<!-- keys: hpcc-trace -->\n| key | value | default | meaning |\n|---|---|---|---|\n| `file` | file | required |")
    assert page.read_text().endswith("<!-- end of keys -->\nend\n") and "old" not in page.read_text()
    assert start("--docs", tmp_path, "--check").returncode == 0


@pytest.mark.parametrize(
    "key, value, default",
    [
        ({"type": "whole number", "least": 1, "most": 16, "default": "1"}, "whole number, 1 to 16", "1"),
        ({"type": "whole number", "least": 0, "required": "yes"}, "whole number, from 0", "required"),
        ({"type": "other", "required": "yes"}, "", "required"),
        ({"type": "size", "most": 9, "default": '"1B"'}, "size, at most 9", "1B"),
        ({"type": "choice", "choices": ["on", "off"], "default": '"off"'}, "`on` or `off`", "off"),
        ({"type": "number", "bounds": "a number from 0 to 1"}, "number from 0 to 1", ""),
        ({"type": "class", "base": "ns3::rdma::Loss", "required": "one of several"}, "class below `Loss`", "required, one of several"),
    ],
)
def test_a_key_has_its_values_and_its_default(key, value, default):
    assert (write_value(key), write_default(key)) == (value, default)


def test_a_table_of_several_objects_names_the_object_of_each_key():
    key = {"name": "k", "type": "text", "meaning": "a | b"}
    assert write_table({"one": {"keys": [key]}, "two": {"keys": [key]}}) == (
        "| object | key | value | default | meaning |\n|---|---|---|---|---|\n"
        "| `one` | `k` | text | | a \\| b |\n| `two` | `k` | text | | a \\| b |\n"
    )
