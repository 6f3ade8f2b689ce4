# SPDX-License-Identifier: GPL-2.0-only
import os
import subprocess
import sys

import pytest
from matplotlib.figure import Figure

from rocelab.__main__ import main


def test_compare_prints_the_table_and_names_every_file_it_wrote(compare_folder, capsys, monkeypatch):
    for name in ("fct_bars", "slowdown_bars", "fct_cdf", "slowdown_by_size"):  # Empty ones take no time.
        monkeypatch.setattr(f"rocelab.plots.draw_{name}", lambda *_: Figure())
    assert main(["compare", str(compare_folder)]) == 0
    printed = capsys.readouterr().out.splitlines()
    expected = [compare_folder / "compare.csv"]
    for stem in ("fct", "slowdown", "fct-cdf", "slowdown-by-size"):
        expected += [compare_folder / "plots" / f"{stem}.{kind}" for kind in ("png", "svg", "pdf")]
    assert printed[-len(expected) :] == [f"  {path}" for path in expected]
    found = sorted(path for path in compare_folder.rglob("*") if path.is_file())
    inputs = [path for path in found if path.parent.name in ("connectx6", "irn", "srnic", "balboa")]
    assert sorted(expected + inputs) == found  # Nothing else, no temporary file.


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["compare", "no-such-folder"], "rocelab: no-such-folder: expected a folder"),
        (["compare"], "rocelab: command line: the following arguments are required: FOLDER"),
        (["plots"], "rocelab: command line: expected a command (nearest: plot), got 'plots'"),
        ([], "rocelab: command line: the following arguments are required: COMMAND"),
        (["figure", "no-such-figure"], "rocelab: "),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, expected, capsys):
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(expected)
    assert output.err.count("\n") == 1


def test_an_empty_results_folder_is_bad_input(tmp_path, capsys):
    assert main(["compare", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"rocelab: {tmp_path}: expected results of a NIC, <nic>/summary.json, got none\n"
    )


def test_a_bad_file_writes_nothing(compare_folder, capsys):
    (compare_folder / "srnic" / "flows.csv").write_text("nonsense\n")
    assert main(["compare", str(compare_folder)]) == 2
    assert f"rocelab: {compare_folder / 'srnic' / 'flows.csv'}:1: expected" in capsys.readouterr().err
    assert not (compare_folder / "compare.csv").exists()
    assert not (compare_folder / "plots").exists()


def test_a_results_folder_that_cannot_be_written_is_named(compare_folder, capsys):
    (compare_folder / "plots").write_text("a file where the folder should be")
    assert main(["compare", str(compare_folder)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rocelab: {compare_folder / 'plots' / 'fct.png'}: expected a writable")
    assert error.count("\n") == 1


def test_the_package_runs_as_a_module_without_a_display(compare_folder, checkout):
    environment = {**os.environ, "PYTHONPATH": str(checkout / "utils")}
    environment.pop("DISPLAY", None)
    result = subprocess.run(
        [sys.executable, "-m", "rocelab", "compare", "no-such-folder"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "rocelab: no-such-folder: expected a folder RESULTS/<scenario name>, got no folder\n"
    )


def test_a_full_output_is_one_line_and_status_1(compare_folder, checkout):
    with open("/dev/full", "w") as full:
        result = run_compare(compare_folder, checkout, stdout=full)
    assert result.returncode == 1
    assert result.stderr == (
        "rocelab: standard output: cannot be written: No space left on device\n"
    )
    assert (compare_folder / "plots" / "slowdown-by-size").is_file()


def test_a_reader_that_has_left_costs_no_file(compare_folder, checkout):
    reader, writer = os.pipe()
    os.close(reader)
    result = run_compare(compare_folder, checkout, stdout=writer)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, "")
    assert (compare_folder / "compare.csv").is_file()
    assert (compare_folder / "plots" / "slowdown-by-size").is_file()


#: The command with pictures that take no time.
COMPARE = """
import sys
from rocelab import __main__, compare, files, plots
for name in ("fct_bars", "slowdown_bars", "fct_cdf", "slowdown_by_size"):
    setattr(plots, "draw_" + name, lambda scenario: "picture")
compare.save = lambda figure, stem: [files.write_text(stem, figure)]
sys.exit(__main__.run_main())
"""


def run_compare(folder, checkout, **redirection):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", COMPARE, "compare", str(folder)],
        env=dict(os.environ, PYTHONPATH=str(checkout / "utils")),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        **redirection,
    )
