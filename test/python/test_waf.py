# SPDX-License-Identifier: GPL-2.0-only
"""Programs that ./waf runs, and signals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from limits import TIME_LIMIT
from program import end_by_signal

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "utils" / "build"))

import launch_arguments  # noqa: E402

# A program that a signal ends with its own status.
CHILD = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _frame: sys.exit(40 + number))
print("ready", flush=True)
while True:
    signal.pause()
"""

RUN = """
import subprocess, sys
import child_signals
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
restore = child_signals.forward_signals(child)
status = child.wait()
restore()
sys.exit(status)
"""


@pytest.mark.parametrize(
    "arguments, own, words",
    [
        ("compare my.json --seed 2", "compare", "my.json --seed 2"),
        ("-j1 figure srnic/figure-11 --quick", "-j1 figure", "srnic/figure-11 --quick"),
        ("compare --out x --nic test", "compare", "--out x --nic test"),
        ("configure --out=x build", "configure --out=x build", ""),
    ],
)
def test_words_behind_a_command_of_the_program_are_handed_over(arguments, own, words):
    assert launch_arguments.split(arguments.split()) == (own.split(), words.split())


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ("figure --name=srnic/figure-11", "--name: expected the word alone: ./waf figure srnic/figure-11"),
        ("compare --seed 2 --scenario my.json", "--scenario: expected the word alone: ./waf compare my.json"),
    ],
)
def test_an_option_that_was_a_word_is_refused(arguments, complaint):
    run = subprocess.run(
        [str(PROJECT / "waf"), *arguments.split()], capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"waf: {complaint}\n")


def test_plugins_among_the_words_are_found():
    words = "a.json --plugin b.so --nic irn --plugin=c.so".split()
    assert launch_arguments.find_plugins(words) == ["b.so", "c.so"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_waf_reaches_its_program(number):
    # A session of its own has no terminal, from which Ctrl-C would reach both.
    waf = subprocess.Popen(
        [sys.executable, "-c", RUN, CHILD],
        env={**os.environ, "PYTHONPATH": str(PROJECT / "utils" / "build")},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert waf.stdout.readline() == b"ready\n"
    assert end_by_signal(waf, number) == (40 + number, b"", None)


@pytest.mark.parametrize(
    "words, complaint",
    [
        ("test --guard", "--guard is for bench, not for test"),
        ("docs --filter=Dcqcn.*", "--filter is for test, not for docs"),
        ("--quick", "--quick is for bench, not for build"),
    ],
)
def test_an_option_of_another_command_is_refused(words, complaint):
    run = subprocess.run(
        [str(PROJECT / "waf"), *words.split()], capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"waf: {complaint}\n")


@pytest.mark.parametrize("words", ["--help", "list"])
def test_a_reader_that_ends_first_causes_no_traceback(words):
    # A pipe without a reader: each write fails.
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [str(PROJECT / "waf"), words], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=TIME_LIMIT, check=False
    )
    os.close(writer)
    assert (run.returncode, "Error" in run.stderr) == (0, False), run.stderr
