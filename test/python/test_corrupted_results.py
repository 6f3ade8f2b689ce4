# SPDX-License-Identifier: GPL-2.0-only
"""Whatever is in a result folder, a command draws it or says in one line what is wrong with it."""

import json
import random
import traceback
import warnings

import pytest
from corruption import copy_all, corrupt, write_all

from rocelab.__main__ import main
from rocelab.draw import style
from rocelab.draw.kinds import KINDS

CASES_OF_A_TEST = 20
CHEAP_TESTS = 1
SLOW_TESTS = 100  # Of 20 cases: 2,000 together.
COMMANDS_OF_A_CASE = 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One folder of each kind, undamaged."""
    folder = tmp_path_factory.mktemp("whole")
    write_all(folder)
    return folder


def list_commands(folder, out, chance):
    """Return command lines that together read all files of the folders of write_all()."""
    runs = folder / "s"
    of_runs = [kind.name for kind in KINDS if "scenario" in kind.draws]
    quick = ["--format", "svg", "--out", out / "picture"]
    commands = [
        ["report", runs, "--out", out / "runs.html"],
        ["diff", runs / "irn", runs / "srnic", "--out", out / "flows.csv"],
        ["plot", chance.choice(of_runs), runs, *quick],
        ["plot", "cpu-use", runs, "--by", chance.choice(("host", "core", "thread")), *quick],
        ["report", folder / "figure", "--out", out / "figure.html"],
        ["plot", "lines", folder / "figure", *quick],
        ["plot", "throughput-queue-pairs", folder / "perftest", *quick],
        ["plot", "goodput-loss", folder / "perftest", folder / "lossless", *quick],
        ["plot", chance.choice(("scale", "lines", "goodput-loss")), folder / "sweep", *quick],
    ]
    if chance.random() < 0.05:  # It draws many pictures.
        commands.append(["compare", runs])
    return [list(map(str, command)) for command in commands]


def find_fault(command, capsys, statuses=frozenset({0, 2})):
    """Run a command; returns what is wrong with how it ends, or nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            status = main(command)
        except Exception:
            return traceback.format_exc()
    error = capsys.readouterr().err
    if status not in statuses:
        return f"status {status}: {error}"
    if status == 2 and error.startswith("rocelab: ") and error.count("\n") == 1:
        return ""
    return "" if (status, error) == (0, "") else f"status {status}: {error}"


def check_seeds(whole, tmp_path, capsys, seeds):
    """Damage the folders anew for each seed, and run all commands on them."""
    faults = []
    for seed in seeds:
        copy_all(whole, tmp_path / "results")
        damage = corrupt(tmp_path / "results", seed)
        kind = damage.split(": ")[1].split("/")[0]
        chance = random.Random(seed)
        commands = list_commands(tmp_path / "results", tmp_path, chance)
        commands = [command for command in commands if f"results/{kind}" in " ".join(command)]
        for command in chance.sample(commands, min(COMMANDS_OF_A_CASE, len(commands))):
            fault = find_fault(command, capsys)
            if fault:
                faults.append(f"{damage}: {' '.join(command)}\n{fault}")
    assert not faults, f"{len(faults)} faults\n\n" + "\n".join(faults)


@pytest.fixture
def only_svg(monkeypatch):
    """compare writes one kind of file for each picture, which takes a sixth of the time."""
    monkeypatch.setattr(style.save, "__defaults__", (("svg",),))


def test_what_is_not_damaged_is_drawn(whole, tmp_path, capsys, only_svg):
    copy_all(whole, tmp_path / "results")
    commands = {}  # Once each, although most are in all three lists.
    for seed in range(3):
        for command in list_commands(tmp_path / "results", tmp_path, random.Random(seed)):
            commands[tuple(command)] = command
    for command in commands.values():
        assert find_fault(command, capsys, {0}) == "", command


def make_seeds(test):
    """Return the seeds of one of the tests."""
    return range(CASES_OF_A_TEST * test, CASES_OF_A_TEST * (test + 1))


@pytest.mark.parametrize("test", range(CHEAP_TESTS))
def test_damaged_results_are_drawn_or_one_line(whole, tmp_path, capsys, only_svg, test):
    check_seeds(whole, tmp_path, capsys, make_seeds(test))


@pytest.mark.slow
@pytest.mark.parametrize("test", range(CHEAP_TESTS, SLOW_TESTS))
def test_many_damaged_results_are_drawn_or_one_line(whole, tmp_path, capsys, only_svg, test):
    check_seeds(whole, tmp_path, capsys, make_seeds(test))


def test_threads_without_the_streams_of_the_summary_are_one_line(whole, tmp_path, capsys):
    copy_all(whole, tmp_path / "results")
    path = tmp_path / "results" / "s" / "srnic" / "summary.json"
    summary = json.loads(path.read_text())
    del summary["streams"]
    path.write_text(json.dumps(summary))
    assert main(["plot", "cpu-use", str(tmp_path / "results" / "s"), "--out", str(tmp_path / "picture")]) == 2
    assert capsys.readouterr().err == f"rocelab: {path}: expected the key streams, as there is threads.csv\n"
