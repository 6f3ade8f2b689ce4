# SPDX-License-Identifier: GPL-2.0-only
"""Columns of result files are declared by the program; what repeats them is generated."""

import subprocess
import sys

import numpy
from program import NEEDS_PROGRAM, PROGRAM, ROOT

from rocelab.results.columns import get_columns, load_tables


def check(*options):
    """Return the ended process of column_tables.py --check."""
    command = [sys.executable, ROOT / "utils" / "column_tables.py", "--program", PROGRAM, "--check", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@NEEDS_PROGRAM
def test_the_copies_of_the_columns_are_those_of_the_program():
    ended = check()
    assert (ended.returncode, ended.stdout) == (0, "")


@NEEDS_PROGRAM
def test_a_page_with_another_table_fails_the_check(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- columns: hosts.csv -->\nold\n<!-- end of columns -->\n")
    ended = check("--docs", tmp_path)
    assert (ended.returncode, ended.stdout) == (1, f"{page}: columns are not what ./waf docs writes\n")
    assert "old" in page.read_text()


def test_empty_fields_are_of_columns_that_may_be_empty():
    kinds = dict(get_columns("flows.csv"))
    assert (kinds["flow"], kinds["start_ns"], kinds["status"]) == ("i8", "f8", "U16")


def test_each_table_is_a_numpy_type():
    for file in load_tables():
        names = [name for name, _ in get_columns(file)]
        assert numpy.dtype(list(get_columns(file))).names == tuple(names)
