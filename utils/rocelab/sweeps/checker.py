# SPDX-License-Identifier: GPL-2.0-only
"""Processes of the program that check points of a sweep, one after the other.

To start the program takes ten times as long as to check a point of a small fabric.
"""

import json
import queue
import subprocess
import tempfile
import threading
from contextlib import suppress

from rocelab.errors import UserError
from rocelab.runs.engine import make_missing_error

STDIN = "/dev/stdin"  # What the engine calls the scenario that it is given.


class Checker:
    """One process; it is started by the first point."""

    def __init__(self, program, options, text):
        """`options` are those of "check --cost"; `text` is the scenario's."""
        self._command = [str(program.path), "check", STDIN, "--cost", "--points", *options]
        self._text = text
        self._process = None
        self._messages = None
        self._lock = threading.Lock()  # Of the start and the end: either may come first.
        self._is_closed = False

    def check(self, settings, ranks):
        """Return what "check --cost" prints for a point, or {"error": line}, with "ended" if the process has; raises UserError."""
        try:
            with self._lock:
                if self._is_closed:
                    raise UserError("interrupted")
                if not self._process:
                    self._start()
            self._write({"sets": list(settings), "ranks": ranks})
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        return json.loads(answer) if answer else {"error": self._describe_end(), "ended": True}

    def _start(self):
        self._messages = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=pipe,
                stdout=pipe,
                stderr=self._messages,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C is for the sweep, which ends these.
            )
        except OSError as error:
            raise make_missing_error(self._command[0], error) from None
        self._write(self._text)

    def _write(self, value):
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def _describe_end(self):
        """Return the line with which the process has ended."""
        status = self._process.wait()
        self._messages.seek(0)
        line = next(iter(self._messages.read().splitlines()), f"exit status {status}")
        return line.removeprefix("rocelab: ")

    def close(self):
        """End the process, and that no other is started."""
        with self._lock:
            self._is_closed = True
            if self._process:
                self._process.kill()
                self._process.wait()
                for file in (self._process.stdin, self._process.stdout):
                    with suppress(OSError):  # What was not written yet goes nowhere.
                        file.close()


class CheckerPool:
    """Some Checkers, for as many threads."""

    def __init__(self, count, *arguments):
        """Make so many; the arguments are those of Checker."""
        self._all = [Checker(*arguments) for _ in range(count)]
        self._free = queue.SimpleQueue()
        for checker in self._all:
            self._free.put(checker)

    def check(self, settings, ranks):
        """Check a point by a Checker that no other thread uses."""
        checker = self._free.get()
        try:
            return checker.check(settings, ranks)
        finally:
            self._free.put(checker)

    def close(self):
        """End all of them, also amid a point."""
        for checker in self._all:
            checker.close()
