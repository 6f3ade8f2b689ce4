# SPDX-License-Identifier: GPL-2.0-only
"""rocelab init, help with examples, shell completion, the manual page, and the nearest right word."""

import re
import shlex
import shutil
import subprocess

import pytest
from program import BUILD, NEEDS_PROGRAM, call, read_json
from sweeps import SENDERS, write_sweep

from rocelab.__main__ import main, make_parser
from rocelab.cli.commands import list_commands
from rocelab.cli.completion import SHELLS, make_words, write_bash, write_zsh
from rocelab.errors import describe_nearest
from rocelab.terminal.progress import CountLine

pytestmark = NEEDS_PROGRAM


@pytest.fixture(scope="module")
def commands():
    """All commands with their options."""
    return {command.name: command for command in list_commands(BUILD, make_parser())}


@pytest.fixture(scope="module")
def scripts(commands):
    """{shell: its completion}; that of bash as the program prints it."""
    words = make_words(BUILD)
    scripts = {"bash": write_bash(list(commands.values()), words), "zsh": write_zsh(list(commands.values()), words)}
    assert set(scripts) == set(SHELLS)
    assert run("completion", "bash").stdout == scripts["bash"]
    return scripts


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    """A scenario file, as init writes it."""
    path = tmp_path_factory.mktemp("scenario") / "s.json"
    assert init(path, "--topology", "star", "--workload", "incast", "--nics", "irn") == 0
    return path


def run(*arguments, status=0, **settings):
    """Run the program and return what subprocess.run() does."""
    result = call(*arguments, **settings)
    assert result.returncode == status, result.stderr
    return result


def init(*arguments):
    """Return the exit status of the command init, in this process."""
    return main(["init", *map(str, arguments), "--build", str(BUILD)])


@pytest.mark.parametrize(
    "topology, workload", [("fat-tree", "poisson"), ("star", "incast"), ("back-to-back", "flows")]
)
def test_a_new_scenario_runs(tmp_path, topology, workload, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert init("mine", "--topology", topology, "--workload", workload, "--nics", "irn") == 0
    assert "rocelab run" in capsys.readouterr().out
    scenario = read_json(tmp_path / "mine.json")
    assert scenario["name"] == "mine" and scenario["fabric"]["topology"] == topology
    end = run("run", "mine.json", cwd=tmp_path)
    assert "flows completed" in end.stdout
    assert (tmp_path / "results" / "mine" / "irn" / "flows.csv").is_file()


BAD_INITS = [
    (["mine"], "mine.json: expected no file of that name yet"),
    (["other", "--topology", "dumbell"], "(nearest: dumbbell), got 'dumbell'"),
    (["other", "--workload", "poison"], "(nearest: poisson), got 'poison'"),
    (["other", "--nics", "irn,srnicc"], '$.nics[1]: expected a NIC preset (nearest: srnic), got "srnicc"'),
    (["other", "--servers", "65"], "expected one of 16, 64, 256, 1024, 4096 servers (k or racks for others), got 65"),
    (["other", "--topology", "back-to-back", "--servers", "3"], "--servers: expected none"),
    (["oth*er"], "expected a name of letters"),
]


@pytest.mark.parametrize("arguments, expected", BAD_INITS)
def test_init_writes_nothing_that_is_wrong_or_there(tmp_path, monkeypatch, capfd, arguments, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text("precious")
    assert init(*arguments) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and expected in error
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]


def test_every_command_has_examples_whose_options_it_knows(commands):
    assert {"run", "check", "plot", "sweep", "init", "man"} <= set(commands)
    for command in commands.values():
        known = {name for option in command.options for name in option.names}
        lines = [line for line in command.examples.splitlines() if line.strip()]
        assert lines, f"{command.name} has no examples"
        for line in lines:
            words = shlex.split(line.replace("<", "").replace("|", " "))
            assert f"rocelab {command.name}" in line
            own = words[words.index("rocelab") + 2 :]
            for word in own:
                if word.startswith("--") and command.name != "man":
                    assert word.partition("=")[0] in known, f"{command.name}: {word}"


def test_the_help_of_each_command_ends_with_examples(commands):
    own = make_parser().get_commands()
    for name in commands:
        # One of the Python package's, by way of the program, stands for all of these.
        shown = own[name].format_help() if name in own and name != "plot" else run(name, "--help").stdout
        assert "Examples:\n  rocelab " in shown or "Examples:\n  mpirun" in shown, name
    assert re.fullmatch(r"rocelab \d+\.\d+\.\d+( \(commit [0-9a-f]{10}(-dirty)?\))?\n", run("--version").stdout)


def complete(script, *words):
    """Return what bash offers for the last of some words."""
    body = (
        f"compopt() {{ :; }}\n{script}\nCOMP_WORDS=({' '.join(map(shlex.quote, words))})\n"
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_rocelab\nprintf '%s\\n' \"${COMPREPLY[@]}\""
    )
    result = subprocess.run(["bash", "-c", body], capture_output=True, encoding="utf-8", check=True)
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.parametrize(
    "words, expected",
    [
        (["rocelab", "plo"], ["plot"]),
        (["rocelab", "run", "--wat"], ["--watch"]),
        (["rocelab", "plot", "x", "--col"], ["--column"]),
        (["rocelab", "plot", "queue-"], ["queue-depth", "queue-heat-map"]),
        (["rocelab", "plot", "fct", "--column", "d"], ["double"]),
        (["rocelab", "run", "a.json", "--nic", "sr"], ["srnic"]),
        (["rocelab", "run", "a.json", "--nic", "=", "ba"], ["balboa"]),
        (["rocelab", "check", "a.json", "--set", "fabric.buf"], ["fabric.buffer=", "fabric.bufferAlpha="]),
        (["rocelab", "init", "x", "--topology", "st"], ["star"]),
        (["rocelab", "new", "ker"], ["kernel"]),
        (["rocelab", "list", "pre"], ["presets"]),
        (["rocelab", "measure", "kv-d"], ["kv-dispatch", "kv-dma"]),
        (["rocelab", "measure", "kv-dma", "o"], ["outstanding="]),
        (["rocelab", "measure", "kv-dma", "--js"], ["--json"]),
        (["rocelab", "nonsense", "--x"], []),
    ],
)
def test_bash_completes(scripts, words, expected):
    assert complete(scripts["bash"], *words) == expected


def test_all_that_is_completed_is_what_the_program_has(commands, scripts):
    for command in commands.values():
        for option in command.options:
            for name in option.names:
                assert name in scripts["bash"] and name in scripts["zsh"], (command.name, name)
    subprocess.run(["bash", "-n"], input=scripts["bash"], encoding="utf-8", check=True)
    if shutil.which("zsh"):
        subprocess.run(["zsh", "-n"], input=scripts["zsh"], encoding="utf-8", check=True)


def test_keys_of_all_objects_and_kinds_are_completed():
    keys = set(make_words(BUILD)["keys"])
    assert {"groups", "nics", "fabric.headroom", "run.warmup", "series.flows"} <= keys
    assert {"fabric.topology", "fabric.racks", "workload.type", "workload.sizes", "workload.streams"} <= keys
    assert "$schema" not in keys


def test_the_manual_page_has_each_command_and_option(commands, tmp_path):
    page = run("man").stdout
    path = tmp_path / "rocelab.1"
    path.write_text(page)
    for command in commands.values():
        name = command.name.replace("-", "\\-")
        assert f".SS {name}" in page
    assert not [line for line in page.splitlines() if line.startswith("'")]
    if shutil.which("man"):
        shown = subprocess.run(
            ["man", "--warnings", "-E", "ascii", "-l", str(path)],
            capture_output=True,
            encoding="utf-8",
            env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C"},
            check=True,
        )
        assert shown.stderr == ""
        assert "--column" in shown.stdout and "EXIT STATUS" in shown.stdout


WRONG_WORDS = [
    (["pol"], "expected a command (nearest: plot"),
    (["run", "S", "--wach"], "expected an option of run (nearest: --watch"),
    (["plot", "fct", "S", "--formt", "pdf"], "expected an option of plot (nearest: --format)"),
    (["check", "S", "--set", "fabric.bufer=1MiB"], "nearest: buffer"),
    (["check", "S", "--set", "workload.sendres=3"], "nearest: senders"),
    (["check", "S", "--nic", "srnci"], "nearest: srnic"),
    (
        ["check", "S", "--set", 'nics=[{"preset": "irn", "attributes": {"ns3::rdma::Dcqcn::Gian": "0.1"}}]'],
        "expected an attribute of ns3::rdma::Dcqcn (nearest: Gain)",
    ),
    (["list", "preset"], "presets"),
    (["measure", "kv-dma", "byts=64"], "nearest: bytes"),
    (["completion", "bsh"], "(nearest: bash)"),
    (["figure", "srnic-figure-22"], "nearest: srnic/figure-2"),
]
OF_PYTHON = ("plot", "completion", "figure")


@pytest.mark.parametrize("arguments, expected", WRONG_WORDS)
def test_a_wrong_word_is_answered_with_the_nearest(scenario, capfd, arguments, expected):
    given = [str(scenario) if word == "S" else word for word in arguments]
    status = main(given) if given[0] in OF_PYTHON else None
    error = run(*given, status=2).stderr if status is None else capfd.readouterr().err
    assert status in (None, 2)
    assert error.count("\n") == 1 and expected in error


def test_axes_of_sweeps_name_the_nearest_key_too(tmp_path, capsys):
    file = write_sweep(tmp_path, axes=[SENDERS | {"path": "workload.sendres"}])
    assert main(["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(BUILD)]) == 2
    assert "nearest: senders" in capsys.readouterr().err


def test_a_count_has_the_time_left_when_all_are_known():
    line = CountLine("drawing", 4)
    line.add()
    # One of four took 20 s: three more take 60.
    assert line.format_line(20) == "drawing: 1 of 4 done, 1:00 left"
    assert CountLine("figure x").format_line(65) == "figure x: 0 done, 1:05"


@pytest.mark.parametrize(
    "word, known, nearest",
    [
        ("cx6", ["connectx5", "connectx6", "irn"], "nearest: connectx6"),
        ("hl", ["heat-map", "fct-cdf", "heat-lines"], "nearest: heat-lines"),
        ("goodput", ["fct_us_mean", "goodput_to_last_start_gbps"], "nearest: goodput_to_last_start_gbps"),
        # One edit is nearer than an abbreviation.
        ("irm", ["irremovable", "irn"], "nearest: irn"),
        ("xyz", ["irn", "srnic"], "irn, srnic"),
    ],
)
def test_an_abbreviation_is_near_the_name_that_it_is_made_of(word, known, nearest):
    assert describe_nearest(word, known) == nearest
