# SPDX-License-Identifier: GPL-2.0-only
"""rocelab run --watch: on a terminal, in a pipe, on ranks, and its end by Ctrl-C."""

import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from program import PROGRAM, TIME_LIMIT, call, expect_one_line, read_json
from ranks import NEEDS, POISSON, finish, start, write_scenario

pytestmark = NEEDS

LINE = re.compile(
    r"^(srnic|irn): [\d.]+ ms simulated, \d+/\d+ flows done, \d+ active, goodput [\d.]+ Gb/s, \d+ drops, \d+ discards,"
    r" \d+ pauses, fullest queues: (none|\d+>\d+ [\d.]+ k?M?B(, \d+>\d+ [\d.]+ k?M?B){0,4})(, \d+:\d\d left)?$"
)


@pytest.fixture
def endless(tmp_path):
    """A scenario that does not end by itself in the time of a test."""
    return write_scenario(tmp_path, nics=["srnic", "irn"], workload={**POISSON, "duration": "1s"})


def read_until(descriptor, wanted):
    """Return what arrives up to a wanted text."""
    text = ""
    deadline = time.monotonic() + TIME_LIMIT
    while wanted not in text:
        assert time.monotonic() < deadline, text
        if select.select([descriptor], [], [], 1)[0]:
            text += os.read(descriptor, 4096).decode()
    return text


def test_a_terminal_shows_a_table_until_ctrl_c(tmp_path, endless):
    terminal, end = pty.openpty()
    command = [str(PROGRAM), "run", str(endless), "--out", str(tmp_path / "out"), "--watch"]
    process = subprocess.Popen(command, stderr=end, stdout=subprocess.DEVNULL, stdin=end)
    os.close(end)
    text = read_until(terminal, "fullest queues: ")
    text += read_until(terminal, "\x1b[J")  # It is drawn over.
    assert "NIC        flows done    active   simulated" in text
    process.send_signal(signal.SIGINT)
    rest = read_until(terminal, "interrupted")
    assert process.wait(TIME_LIMIT) == 130
    os.close(terminal)
    # The table is gone before the last line: up, to the left, cleared.
    assert re.search(r"\x1b\[\d+A\r\x1b\[J[^\x1b]*rocelab: interrupted", text[-200:] + rest)
    summary = read_json(tmp_path / "out" / "ranks" / "srnic" / "summary.json")
    assert summary["partial"]


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_elsewhere_there_is_a_plain_line_per_refresh(tmp_path, endless, count):
    process = start(count, "run", endless, "--out", tmp_path / "out", "--watch", is_patient=True)
    text = read_until(process.stderr.fileno(), " pauses, fullest queues: ") + read_until(process.stderr.fileno(), "\n")
    process.send_signal(signal.SIGTERM)
    status, output, _ = finish(process)
    assert status not in (0, None)
    lines = [line for line in text.splitlines() if line.startswith(("srnic: ", "irn: "))]
    assert lines and all(LINE.match(line) for line in lines), text
    assert "\x1b" not in text and "simulated" not in output


def test_a_watched_run_has_the_same_results(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"])
    files = []
    for name, options in (("plain", []), ("watched", ["--watch"])):
        assert call("run", path, "--out", tmp_path / name, *options).returncode == 0
        files.append((tmp_path / name / "ranks" / "srnic" / "flows.csv").read_bytes())
    assert files[0] == files[1]


def test_quiet_and_watched_do_not_go_together(tmp_path):
    path = write_scenario(tmp_path)
    expect_one_line(call("run", path, "--out", tmp_path / "out", "--watch", "--quiet"), "--watch")
    assert not (tmp_path / "out").exists()
