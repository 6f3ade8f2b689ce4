# SPDX-License-Identifier: GPL-2.0-only
"""A line about work under way: drawn over and over on a terminal, seldom or never elsewhere."""

import sys
import time

LINE_SECONDS = 0.2  # Between two lines on a terminal.
PLAIN_SECONDS = 10  # Elsewhere.


def format_duration(seconds):
    """Return a time as "0:07", "12:05" or "3:12:05"."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


class TerminalLine:
    """One line on stderr that is drawn over and over."""

    def __init__(self):
        self.is_terminal = sys.stderr.isatty()
        self._shown = 0.0
        self._width = 0

    def is_due(self):
        """Tell whether there is a terminal and the last line is not too recent."""
        return self.is_terminal and time.monotonic() - self._shown >= LINE_SECONDS

    def draw(self, text):
        """Draw a text in place of the last one."""
        if self.is_terminal:
            self._shown = time.monotonic()
            print(f"\r{text.ljust(self._width)}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def clear(self):
        """Remove the line."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0
            self._shown = 0.0


class CountLine:
    """Says how many of some things are done, and the time left if the number of all is known.

    To be used in a `with` statement, at whose end the line goes.
    """

    def __init__(self, what, total=None, has_plain_lines=False):
        """`what` stands in front, as "checking".

        With plain lines it says so every 10 s where there is no terminal, too.
        """
        self._what = what
        self._total = total
        self._done = 0
        self._begin = time.monotonic()
        self._line = TerminalLine()
        self._plain = self._begin if has_plain_lines and not self._line.is_terminal else None

    def __enter__(self):
        self.show()
        return self

    def __exit__(self, *_):
        self._line.clear()

    def add(self):
        """One more is done."""
        self._done += 1
        self.show()

    def set(self, done, total):
        """So many of all are done."""
        self._done, self._total = done, total
        self.show()

    def clear(self):
        """Remove the line, so that others can be written."""
        self._line.clear()

    def show(self):
        """Draw the line."""
        now = time.monotonic()
        self._line.draw(self.format_line(now - self._begin))
        if self._plain is not None and now - self._plain >= PLAIN_SECONDS:
            self._plain = now
            print(self.format_line(now - self._begin), file=sys.stderr, flush=True)

    def format_line(self, elapsed):
        """Return the line after so many seconds."""
        if not self._total:
            return f"{self._what}: {self._done} done, {format_duration(elapsed)}"
        text = f"{self._what}: {self._done} of {self._total} done"
        if 0 < self._done < self._total:
            left = elapsed * (self._total - self._done) / self._done
            return f"{text}, {format_duration(left)} left"
        return text
