# SPDX-License-Identifier: GPL-2.0-only
"""The progress line of a sweep, and how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from rocelab.errors import make_line
from rocelab.terminal.progress import TerminalLine, format_duration

SweepProgress = Callable[[int, int], object]
TELLING_SECONDS = 0.2
START_SECONDS = 0.05  # Of a run beside its simulation: processes, the scenario checked.


def measure_rate(results):
    """Return packet-hops per second of the runs that tell it; None without any.

    Short runs do not: most of their time goes into building the network.
    """
    summaries = [result.summary for result in results]
    done = [s for s in summaries if s.get("wall_seconds", 0) >= TELLING_SECONDS]
    seconds = sum(summary["wall_seconds"] for summary in done)
    hops = sum(summary["packet_hops"] for summary in done)
    return hops / seconds if hops else None


def get_cost(run):
    """Return the estimated packet-hops of a run; of one without an estimate 1."""
    return max(1, run.packet_hops or 0)


def estimate_seconds(run, rate):
    """Return the processor time of a run at a measured rate, else as the engine estimates it; None without packet-hops."""
    if run.packet_hops is None:
        return None
    return START_SECONDS + (run.packet_hops / rate if rate else run.cost["processor_seconds"])


class Progress:
    """Counts runs and says so: one line on a terminal, else a line for each run that ends."""

    def __init__(self, total, settled, pending, jobs, rate):
        """`settled` are Results that stay as they are; `pending` are runs that are to end now."""
        self._total = total
        self._failed = sum(result.status == "failed" for result in settled)
        self._done = len(settled) - self._failed
        self._left = sum(get_cost(run) for run in pending)
        self._ended = 0
        self._usual_seconds = sum(estimate_seconds(run, rate) or 0 for run in pending) / jobs
        self._begin = time.monotonic()
        self._line = TerminalLine()

    @property
    def seconds_left(self):
        """By what this sweep has done so far; before that by the usual rate."""
        elapsed = time.monotonic() - self._begin
        if not self._ended:
            return max(0.0, self._usual_seconds - elapsed)
        return elapsed * self._left / self._ended

    def count(self, run, record):
        """A run has ended."""
        self._left -= get_cost(run)
        self._ended += get_cost(run)
        if record.status == "failed":
            self._failed += 1
        else:
            self._done += 1
        said = record.status + (f": {record.error}" if record.error else "")
        if not self._line.is_terminal:
            print(make_line(f"{self._done + self._failed}/{self._total} {run.name}: {said}"), flush=True)
        elif record.error:
            self.clear()
            print(make_line(f"{run.name}: {said}"), file=sys.stderr, flush=True)

    def show(self, running):
        """Draw the line again, if it is time and there is a terminal."""
        if self._line.is_due():
            self._line.draw(self.format_line(running))

    def format_line(self, running):
        """Return the line."""
        return (
            f"{self._done}/{self._total} done, {running} running, {self._failed} failed, "
            f"{format_duration(self.seconds_left)} left"
        )

    def clear(self):
        """Remove the line."""
        self._line.clear()


class Reporter:
    """Calls a function, if there is one, where the command draws a line."""

    def __init__(self, call: SweepProgress | None, total: int, settled: Sequence[Any], *_: Any) -> None:
        self._call = call
        self._total = total
        self._done = len(settled)

    def count(self, *_: Any) -> None:
        """A run has ended."""
        self._done += 1
        if self._call:
            self._call(self._done, self._total)

    def show(self, *_: Any) -> None:
        """There is no line."""

    def clear(self) -> None:
        """There is no line."""
