# SPDX-License-Identifier: GPL-2.0-only
"""Figures that run at the same time, each in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rocelab.files import make_folder

POLL_SECONDS = 0.1
STOP_SECONDS = 5  # From SIGTERM to SIGKILL.


@dataclass(frozen=True)
class Ended:
    """A figure's process that has ended: its exit status, its time in seconds, and its output."""

    name: str
    status: int
    seconds: float
    log: Path


class FigureJobs:
    """Runs the command `figure` of each name, at most `jobs` at a time, in the given order.

    A context manager: processes that still run at its end are ended.
    """

    def __init__(self, names, options, logs, jobs):
        """`options` are the words behind the name; `logs` is the folder for what the figures print."""
        self._waiting = list(names)
        self._options = options
        self._logs = Path(logs)
        self._jobs = jobs
        self._running = {}  # {process: (name, start, log)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._running:
            stop(process, signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        for process in self._running:
            try:
                process.wait(max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                stop(process, signal.SIGKILL)
                process.wait()

    def __iter__(self):
        """Yield an Ended for each figure, as they end."""
        while self._waiting or self._running:
            while self._waiting and len(self._running) < self._jobs:
                self._start(self._waiting.pop(0))
            time.sleep(POLL_SECONDS)
            for process in [process for process in self._running if process.poll() is not None]:
                name, begin, log = self._running.pop(process)
                yield Ended(name, process.returncode, time.monotonic() - begin, log)

    def _start(self, name):
        log = self._logs / f"{name.replace('/', '-')}.log"
        make_folder(log.parent)
        command = [sys.executable, "-m", "rocelab", "figure", name, *self._options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with open(log, "w", encoding="utf-8") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,  # Its engine ends with it.
            )
        self._running[process] = (name, time.monotonic(), log)


def stop(process, number):
    """Send a signal to a process and its children, if they still run."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
