# SPDX-License-Identifier: GPL-2.0-only
"""The process of a command: signals that end it, and its standard output."""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module

from rocelab.errors import make_line, shorten_words

INTERRUPTED = 130  # Exit status.


class OutputError(Exception):
    """The standard output cannot be written; `cause` is the OSError."""

    def __init__(self, cause):
        super().__init__(f"standard output: cannot be written: {cause.strerror}")
        self.cause = cause


class GuardedOutput:
    """The standard output, whose errors are told from those of files."""

    def __init__(self, stream):
        self._stream = stream

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def write(self, text):
        """Write a text as print() does; raises OutputError."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputError(error) from None
        except UnicodeEncodeError:
            return self.write(text.encode("ascii", "backslashreplace").decode("ascii"))

    def flush(self):
        """Write what is buffered; raises OutputError."""
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputError(error) from None

    def discard(self):
        """Let what is still buffered go nowhere: Python would complain when it flushes at exit."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def load_matplotlib():
    """Import matplotlib, for a command that draws.

    It reads the matplotlibrc of the working folder when it is imported, and ends with a traceback if
    that is no text. Pictures use none of it (style.paper()).
    """
    os.environ["MATPLOTLIBRC"] = os.devnull
    folder = os.open(".", os.O_PATH)
    os.chdir(os.path.dirname(__file__))
    try:
        import_module("matplotlib")
    finally:
        os.fchdir(folder)
        os.close(folder)


def print_error(text):
    """Print the one line about a fault; it is lost if nobody reads it (`2>&1 | head`)."""
    with suppress(BrokenPipeError):
        print(f"rocelab: {shorten_words(make_line(text))}", file=sys.stderr, flush=True)


def end(_number, _frame):
    """Handle a signal while there is nothing to be cleaned up."""
    os.write(sys.stderr.fileno(), b"rocelab: interrupted\n")
    os._exit(INTERRUPTED)


def end_on_signals():
    """End at once on SIGINT: without a handler Python prints where it was."""
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def stop(_number, _frame):
    """Handle a signal as Ctrl-C is handled: what is half made is removed on the way out."""
    raise KeyboardInterrupt


def obey_signals():
    """End on SIGINT, SIGTERM and SIGHUP in the same way, unless they are ignored (nohup)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
