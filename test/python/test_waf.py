# SPDX-License-Identifier: GPL-2.0-only
"""Programs that ./waf runs, and signals."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from limits import PROMPT, TIME_LIMIT

from rocelab.__main__ import make_parser

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "utils" / "build"))

import launch_arguments  # noqa: E402

# A program that a signal ends with its own status.
CHILD = """
import signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _frame: sys.exit(40 + number))
print("ready", flush=True)
time.sleep(60)
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


def test_compare_of_waf_has_the_options_of_rocelab():
    help_text = subprocess.check_output([PROJECT / "waf", "--help"], encoding="utf-8", cwd=PROJECT)
    found = re.findall(r"^ +(--[a-z]+)(?:=\S+)?\s+((?:[a-z]+, )*[a-z]+):", help_text, re.MULTILINE)
    options = {name for name, commands in found if "compare" in commands.split(", ")}
    own = make_parser().get_commands()["compare"].get_option_names()
    # waf has the scenario as an option, too, and its own word for --out, which the launcher replaces.
    assert options == {*own, "--scenario", "--results"} - {"--out", "--help"}


@pytest.mark.parametrize(
    "words, rewritten",
    [
        ("compare my.json --seed 2", "compare --scenario=my.json --seed 2"),
        ("compare --series results/my", "compare --series --scenario=results/my"),
        ("compare --scenario my.json", "compare --scenario my.json"),
        ("compare --plugin build/x.so a.json", "compare --plugin build/x.so --scenario=a.json"),
        ("compare --set=workload.sizes=a/b.cdf --out=c", "compare --set=workload.sizes=a/b.cdf --results=c"),
        ("configure --out=x build", "configure --out=x build"),
    ],
)
def test_a_path_after_compare_is_its_scenario(words, rewritten):
    assert launch_arguments.rewrite(words.split()) == rewritten.split()


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
    begin = time.monotonic()
    waf.send_signal(number)
    assert waf.wait(timeout=TIME_LIMIT) == 40 + number
    assert time.monotonic() - begin < PROMPT


@pytest.mark.parametrize(
    "words, complaint",
    [
        ("figure --set a=b", "--set is for compare, not for figure"),
        ("test --nic srnic", "--nic is for compare, not for test"),
        ("compare --filter=Dcqcn.*", "--filter is for test, not for compare"),
        ("--quick", "--quick is for figure, reproduce and bench, not for build"),
    ],
)
def test_an_option_of_another_command_is_refused(words, complaint):
    run = subprocess.run(
        [str(PROJECT / "waf"), *words.split()], capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"waf: {complaint}\n")
