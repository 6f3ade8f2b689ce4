# SPDX-License-Identifier: GPL-2.0-only
"""Ctrl-C amid a run in this process: the run ends between two events, also if a policy in Python is being called."""

import _thread
import signal
import threading

from rocelab.runs.core import _core

PATIENCE_SECONDS = 1.0  # For a policy's call to return; then the exception is raised in it.


class Interrupts:
    """Handles SIGINT during a run, in a `with` statement; handlers of the user stay."""

    def __init__(self):
        self._before = None
        self._timer = None

    def __enter__(self):
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_):
        if self._timer:
            self._timer.cancel()
        if self._before:
            signal.signal(signal.SIGINT, self._before)

    def _handle(self, _number, _frame):
        if not _core.defer_interrupt():
            raise KeyboardInterrupt
        self._timer = threading.Timer(PATIENCE_SECONDS, _thread.interrupt_main)
        self._timer.daemon = True
        self._timer.start()
