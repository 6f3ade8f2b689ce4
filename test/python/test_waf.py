# SPDX-License-Identifier: GPL-2.0-only
"""Programs that ./waf runs, and signals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

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
    assert waf.wait(timeout=10) == 40 + number
    assert time.monotonic() - begin < 5


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
        [str(PROJECT / "waf"), *words.split()], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"waf: {complaint}\n")
