# SPDX-License-Identifier: GPL-2.0-only
"""Processes of the program that check points of a sweep, one after the other.

To start the program takes ten times as long as to check a point of a small fabric.
"""

import json
import subprocess
import tempfile
import threading

from rocelab.engine import make_missing_error
from rocelab.errors import UserError

STDIN = "/dev/stdin"  # What the engine calls the scenario that it is given.


class Checker:
    """One process; it is started by the first point."""

    def __init__(self, program, options, text):
        """`options` are those of "check --cost"; `text` is the scenario's."""
        self._command = [str(program.path), "check", STDIN, "--cost", "--points", *options]
        self._text = text
        self._process = None
        self._messages = None

    def check(self, settings, ranks):
        """Return what "check --cost" prints for a point, or {"error": line}; raises UserError."""
        try:
            if not self._process:
                self._start()
            self._write({"sets": list(settings), "ranks": ranks})
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        return json.loads(answer) if answer else {"error": self._describe_end()}

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
        """End the process."""
        if self._process:
            self._process.kill()
            self._process.wait()
            for file in (self._process.stdin, self._process.stdout, self._messages):
                try:
                    file.close()
                except BrokenPipeError:
                    pass  # What was not written yet goes nowhere.


class CheckerPool:
    """As many Checkers as threads ask for; each thread has its own."""

    def __init__(self, *arguments):
        """The arguments are those of Checker."""
        self._arguments = arguments
        self._own = threading.local()
        self._all = []
        self._is_closed = False
        self._lock = threading.Lock()

    def check(self, settings, ranks):
        """Check a point by the Checker of this thread."""
        if not hasattr(self._own, "checker"):
            with self._lock:
                if self._is_closed:
                    raise UserError("interrupted")
                self._own.checker = Checker(*self._arguments)
                self._all.append(self._own.checker)
        return self._own.checker.check(settings, ranks)

    def close(self):
        """End all of them, also amid a point."""
        with self._lock:
            self._is_closed = True
            for checker in self._all:
                checker.close()
