# SPDX-License-Identifier: GPL-2.0-only
import os
import signal
import subprocess
import sys

import pytest
from matplotlib.figure import Figure
from program import ROOT, end_by_signal, wait_for
from sweeps import start_python
from synthetic import write_scenario

from rocelab.__main__ import main, make_parser, print_written
from rocelab.report import compare_command
from rocelab.report.compare import format_csv
from rocelab.results.folders import load_scenario


def test_compare_prints_the_table_and_names_every_file_it_wrote(compare_folder, capsys, monkeypatch):
    for name in ("fct_bars", "slowdown_bars", "fct_cdf", "fct_ccdf", "slowdown_by_size"):  # Empty ones take no time.
        monkeypatch.setattr(f"rocelab.draw.plots.draw_{name}", lambda *_: Figure())
    assert main(["compare", str(compare_folder)]) == 0
    printed = capsys.readouterr().out.splitlines()
    pictures = [compare_folder / "plots" / stem for stem in ("fct", "slowdown", "fct-cdf", "fct-ccdf", "slowdown-by-size")]
    lines = [f"  {compare_folder}/compare.csv", *(f"  {path}.png, .svg, .pdf" for path in pictures)]
    assert printed[-len(lines) :] == lines
    expected = [compare_folder / "compare.csv", *(path.with_suffix(f".{kind}") for path in pictures for kind in ("png", "svg", "pdf"))]
    found = sorted(path for path in compare_folder.rglob("*") if path.is_file())
    inputs = [path for path in found if path.parent.name in ("connectx6", "irn", "srnic", "balboa")]
    assert sorted(expected + inputs) == found  # Nothing else, no temporary file.


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["compare", "no-such-folder"], "rocelab: no-such-folder: expected a folder"),
        (["compare", "results/x", "--seed", "2"], "rocelab: --seed: expected a scenario file beside it, got 'results/x'"),
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


def run_module(*arguments, **settings):
    """Run the package in a process of its own; returns (status, stdout, stderr)."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"} | settings
    process = start_python(*arguments, **settings)
    output, errors = process.communicate()
    return process.returncode, output, errors


def test_the_package_runs_as_a_module_without_a_display():
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    line = "rocelab: no-such-folder: expected a folder RESULTS/<scenario name>, got no folder\n"
    assert run_module("compare", "no-such-folder", env=environment) == (2, "", line)


def test_a_full_output_is_one_line_and_status_1(compare_folder):
    with open("/dev/full", "w") as full:
        result = run_compare(compare_folder, stdout=full)
    assert result.returncode == 1
    assert result.stderr == (
        "rocelab: standard output: cannot be written: No space left on device\n"
    )
    assert (compare_folder / "plots" / "slowdown-by-size").is_file()


def test_a_reader_that_has_left_costs_no_file(compare_folder):
    reader, writer = os.pipe()
    os.close(reader)
    result = run_compare(compare_folder, stdout=writer)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, "")
    assert (compare_folder / "compare.csv").is_file()
    assert (compare_folder / "plots" / "slowdown-by-size").is_file()


@pytest.mark.parametrize("words, status", [(["facts"], 0), (["figure", "--list"], 0), (["man"], 0), (["report", "nothing"], 2), (["sweep", "nothing"], 2)])
def test_a_closed_pipe_is_no_error(words, status):
    # As `rocelab ... | head -1`, and as `rocelab ... 2>&1 | head -1`.
    for streams in ("stdout",), ("stdout", "stderr"):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run(
            [sys.executable, "-m", "rocelab", *words],
            env=dict(os.environ, PYTHONPATH=str(ROOT / "utils")),
            encoding="utf-8",
            check=False,
            **{"stderr": subprocess.PIPE, **dict.fromkeys(streams, writer)},
        )
        os.close(writer)
        assert result.returncode == status
        if status == 0 and "stderr" not in streams:
            assert result.stderr == ""


@pytest.mark.parametrize("words", [["sweep", "{}"], ["report", "{}"], ["import", "{}.cm", "--to", "x"], ["import", "x.cm", "--to", "x", "--format", "{}"]])
def test_names_of_5000_letters_are_cut_in_messages(words, capsys):
    assert main([word.format("n" * 5000) for word in words]) == 2
    error = capsys.readouterr().err
    assert "n" * 50 + "..." in error
    assert len(error) < 500 and error.count("\n") == 1


#: The command with pictures that take no time.
COMPARE = """
import sys
from rocelab import __main__, files
from rocelab.draw import plots
from rocelab.report import compare
for name in ("fct_bars", "slowdown_bars", "fct_cdf", "fct_ccdf", "slowdown_by_size"):
    setattr(plots, "draw_" + name, lambda scenario: "picture")
compare.save = lambda figure, stem: [files.write_text(stem, figure)]
sys.exit(__main__.run_main())
"""


def run_compare(folder, **redirection):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", COMPARE, "compare", str(folder)],
        env=dict(os.environ, PYTHONPATH=str(ROOT / "utils")),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        **redirection,
    )


@pytest.mark.parametrize(
    "settings",
    [
        b"lines.linewidth: 9\naxes.facecolor: red\nfont.size: 20\n",
        pytest.param(b"\xff\xfe", marks=pytest.mark.slow),
        pytest.param(b"nonsense\nbackend: nonsense\n", marks=pytest.mark.slow),
    ],
)
def test_a_matplotlibrc_in_the_working_folder_changes_no_picture(compare_folder, tmp_path, settings):
    words = ["plot", "fct", compare_folder, "--format", "svg", "--out"]
    assert main([*map(str, words), str(tmp_path / "usual")]) == 0
    (tmp_path / "matplotlibrc").write_bytes(settings)
    status, _, errors = run_module(*words, tmp_path / "other", cwd=tmp_path)
    assert (status, errors) == (0, "")
    assert (tmp_path / "other.svg").read_bytes() == (tmp_path / "usual.svg").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["report", "n" * 300],
        ["compare", "n" * 300],
        ["diff", "n" * 300, "b"],
        ["plot", "fct", "n" * 300],
        ["plot", "fct", "RUNS", "--format", "svg", "--out", "n" * 300],
        ["report", "loop"],
        ["init", "loop/s"],
        ["sweep", "loop"],
        ["report", "RUNS", "--out", "loop"],
    ],
)
def test_names_of_300_characters_and_loops_of_links_are_one_line(compare_folder, tmp_path, words, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert main([str(compare_folder) if word == "RUNS" else word for word in words]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("rocelab: ") and errors.count("\n") == 1, errors
    assert "standard output" not in errors


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_named(compare_folder, capsys):
    (compare_folder / "irn").chmod(0)
    status = main(["report", str(compare_folder)])
    (compare_folder / "irn").chmod(0o755)
    assert status == 2 and str(compare_folder) in capsys.readouterr().err


def test_a_folder_that_the_system_refuses_is_named(compare_folder, monkeypatch, capsys):
    def refuse(folder):
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    assert main(["compare", str(compare_folder)]) == 2
    assert capsys.readouterr().err == f"rocelab: {compare_folder}: cannot be used: Permission denied\n"


def test_a_defect_is_one_line_unless_its_traceback_is_wanted(compare_folder, monkeypatch, capsys):
    def fail(_):
        raise KeyError("where")

    monkeypatch.setattr("rocelab.report.command.make_page", fail)
    assert main(["report", str(compare_folder)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("rocelab: report: defect of this command: KeyError: 'where' (test_command_line.py:")
    assert error.count("\n") == 1
    monkeypatch.setenv("ROCELAB_TRACEBACK", "1")
    with pytest.raises(KeyError):
        main(["report", str(compare_folder)])


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(number, marks=pytest.mark.slow) for number in (signal.SIGINT, signal.SIGHUP))]
)
def test_a_command_ends_of_a_signal_and_leaves_nothing(number, compare_folder, tmp_path):
    # A pipe without a reader keeps the command waiting for ever.
    os.mkfifo(tmp_path / "pipe")
    process = start_python(
        *("report", compare_folder, "--out", tmp_path / "pipe"),
        env=dict(os.environ, TMPDIR=str(tmp_path)),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # Under nohup the tests ignore SIGHUP, and so would the command.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    wait_for(lambda: list(tmp_path.glob("rocelab-*/content*")), process)  # Until the page is written.
    assert end_by_signal(process, number) == (130, None, "rocelab: interrupted\n")
    assert not list(tmp_path.glob("rocelab-*"))


def test_files_that_differ_in_their_suffix_share_a_line(capsys):
    print_written(["a/x.csv", "a/p/x.png", "a/p/x.svg", "a/p/x.pdf", "a/p/y.png"])
    assert capsys.readouterr().out == "\nWritten:\n  a/x.csv\n  a/p/x.png, .svg, .pdf\n  a/p/y.png\n"


EMPTY_TEXTS = [
    ["sweep", "s.json", "--out", ""],
    ["report", "s", "--out", ""],
    ["plot", "fct", "s", "--x", ""],
    ["plot", "fct", ""],
    ["figure", "srnic/figure-2", "--out", ""],
    ["init", "s", "--nics", ""],
    ["diff", "", "b"],
]


@pytest.mark.parametrize("words", EMPTY_TEXTS)
def test_an_empty_text_is_no_value(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "expected a value, got an empty text" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


BAD_NUMBERS = [
    (["sweep", "s", "--jobs", " 5"], "expected a whole number from 1 to 65536, got ' 5'"),
    (["sweep", "s", "--jobs", "1_0"], "expected a whole number from 1 to 65536, got '1_0'"),
    (["sweep", "s", "--jobs", "\u0665"], "expected a whole number"),
    (["sweep", "s", "--jobs", "9" * 5000], "expected a whole number"),
    (["sweep", "s", "--slurm", "--poll", "inf"], "expected a number above 0, at most 86400, got 'inf'"),
    (["sweep", "s", "--slurm", "--poll", "nan"], "expected a number above 0"),
    (["sweep", "s", "--slurm", "--poll", "0x10"], "expected a number above 0"),
    (["init", "s", "--servers", "-1"], "expected a whole number from 1 to 4294967295, got '-1'"),
]


@pytest.mark.parametrize("words, expected", BAD_NUMBERS)
def test_numbers_are_decimal_and_within_bounds(words, expected, capsys):
    assert main(words) == 2
    assert expected in capsys.readouterr().err


def test_options_without_effect_are_refused(compare_folder, capsys):
    for words, expected in (
        (["sweep", "s", "--sbatch=-p"], "--sbatch: expected --slurm beside it"),
        (["sweep", "s", "--poll", "2"], "--poll: expected --slurm beside it"),
        (["plot", "fct", str(compare_folder), "--x", "nope"], "--x: expected results of a sweep"),
        (["plot", "fct", str(compare_folder), "--where", "a=1"], "--where: expected results of a sweep"),
        (["plot", "fct", str(compare_folder), "--by", "core"], "--by: expected the picture cpu-use, got fct"),
    ):
        assert main(words) == 2
        assert expected in capsys.readouterr().err
    assert not (compare_folder / "plots").exists()


def test_line_breaks_of_names_make_no_lines(compare_folder, capsys, tmp_path):
    assert main(["report", str(tmp_path / "a\nb")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["report", str(compare_folder), "--out", str(tmp_path / "a\nb.html")]) == 0
    assert capsys.readouterr().out == f"\nWritten:\n  {tmp_path}/a?b.html\n"
    stem = str(tmp_path / "c\nd")
    assert main(["plot", "fct", str(compare_folder), "--format", "svg", "--out", stem]) == 0
    assert capsys.readouterr().out == f"\nWritten:\n  {tmp_path}/c?d.svg\n"


def test_a_name_that_a_spreadsheet_would_compute_is_quoted(tmp_path):
    folder = write_scenario(tmp_path / "s", {"=1+1": 1, "irn": 2})
    lines = format_csv(load_scenario(folder)).splitlines()
    assert [line.split(",")[0] for line in lines] == ["nic", '"=1+1"', "irn"]


def test_compare_without_a_scenario_runs_the_default_ones(monkeypatch):
    called = []

    def run_one(options, path, out):
        called.append((path.name, str(out)))
        return 0, ["file"]

    monkeypatch.setattr(compare_command, "run_one", run_one)
    monkeypatch.setattr(compare_command, "load", lambda folder, workload: folder)
    monkeypatch.setattr(compare_command, "write_across", lambda results, out: [str(out)])
    options = make_parser().parse_args(["compare"])
    assert compare_command.compare(options) == (0, ["file", "file", "results/compare"])
    assert called == [("as-designed.json", "results/compare"), ("lossy.json", "results/compare")]
