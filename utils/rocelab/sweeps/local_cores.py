# SPDX-License-Identifier: GPL-2.0-only
"""Runs of a sweep on the cores of this machine."""

import os
import signal
import subprocess
import time
from collections import deque

from rocelab.sweeps.work import Work, make_orphan_guard

STOP_SECONDS = 5  # From SIGTERM to SIGKILL.


class LocalCores:
    """Starts runs as cores are free; a run on several ranks takes as many cores."""

    POLL_SECONDS = 0.02

    def __init__(self, sweep, store, program, jobs):
        self._sweep = sweep
        self._store = store
        self._program = program
        self._jobs = jobs
        self._waiting = deque()
        self._running = []  # (process, work, run)

    @property
    def running_count(self):
        return len(self._running)

    def adopt(self, runs):
        """Return those runs that are under way already; of a sweep that was killed none are."""
        self._store.recover(runs)
        return []

    def submit(self, runs):
        self._waiting.extend(runs)

    def poll(self):
        """Start what can be started; returns (run, Record) of each run that has ended since."""
        self._start()
        ended = [entry for entry in self._running if entry[0].poll() is not None]
        self._running = [entry for entry in self._running if entry not in ended]
        return [
            (run, self._store.commit(work, run, describe_end(process, work)))
            for process, work, run in ended
        ]

    def _start(self):
        while self._waiting:
            run = self._waiting[0]
            busy = sum(min(other.ranks, self._jobs) for _, _, other in self._running)
            if busy + min(run.ranks, self._jobs) > self._jobs:
                return
            self._program.check_unchanged()
            self._waiting.popleft()
            work = Work.create(self._store.works, run)
            work.write_script(self._sweep, run, self._program, self._store.scenario)
            self._running.append((start_script(work), work, run))

    def stop(self):
        """End what is running; returns what to tell the user."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process, _, _ in self._running:
                send_to_group(process, number)
            end = time.monotonic() + STOP_SECONDS
            while time.monotonic() < end and any(p.poll() is None for p, _, _ in self._running):
                time.sleep(self.POLL_SECONDS)
        self._store.recover([run for _, _, run in self._running])
        self._running = []
        return ""


def start_script(work):
    """Start a run in a session of its own: Ctrl-C is for the sweep, which ends its runs itself."""
    # The script ends when this process does, and the engine when the script does.
    guard = make_orphan_guard()
    return subprocess.Popen(
        [*guard, *([str(os.getpid())] if guard else []), "/bin/sh", str(work.folder / "task.sh")],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # The shell's own lines, as on a full disk; describe_end() says it.
        start_new_session=True,
    )


def send_to_group(process, number):
    """Signal a script and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, number)


def describe_end(process, work):
    """Return why a run has no status, in one line; empty if it has one."""
    return "" if work.status is not None else f"its script ended with {process.returncode}"
