# SPDX-License-Identifier: GPL-2.0-only
"""How many places something new touches (CONTRIBUTING.md, "Where something new goes").

Commands are built in test_own_command.py, workloads with results of their own in test_result_plugins.py.
"""

import re

import pytest

from rocelab.validate.examples import get_title, list_figures
from rocelab.validate.figure import run_figure


def find_files(folder, pattern):
    """Return the C++ files below a folder that have lines like a pattern, {path: number of lines}."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".h", ".cc"):
            count = len(re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE))
            found |= {path.relative_to(folder).as_posix(): count} if count else {}
    return found


@pytest.mark.parametrize("counter", ["ecnMarks", "pfcPauses", "cnps"])
def test_a_counter_of_the_summary_has_two_places(checkout, counter):
    model = checkout / "src" / "rdma-experiment" / "model"
    assert find_files(model, rf"RunReport::{counter}\b|report\.{counter} *\+?= |^    uint64_t {counter}\{{0\}};") == {
        "report/run-report.cc": 1,  # Its row in GetRunCounters().
        "report/run-report.h": 1,  # The member.
    }


def test_no_file_names_the_command_of_another(checkout):
    cli = checkout / "src" / "rdma-experiment" / "cli"
    names = re.findall(r"^class (\w+Command) : public Command$", "".join(
        path.read_text(encoding="utf-8") for path in sorted((cli / "commands").glob("*.cc"))
    ), re.MULTILINE)
    assert len(names) == len(set(names)) > 5
    for name in names:
        assert len(find_files(cli, rf"\b{name}\b")) == 1, name


def test_a_figure_is_its_folder(tmp_path, no_pictures):
    folder = tmp_path / "examples" / "mine" / "figure-1"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text(
        '"""Mine: one point."""\n'
        "def run(context):\n"
        "    axis = {'label': 'Load'}\n"
        "    context.write_figure(axis, axis, {'ours': [[1, 2]]}, [])\n"
    )
    assert list_figures(tmp_path / "examples") == ["mine/figure-1"]
    assert get_title("mine/figure-1", tmp_path / "examples") == "Mine: one point"
    written = run_figure("mine/figure-1", tmp_path / "examples", tmp_path / "out", tmp_path)
    assert written[0] == tmp_path / "out" / "mine" / "figure-1" / "figure.json"
