# SPDX-License-Identifier: GPL-2.0-only
"""Figures that answer facts, run again one at a time: which one is due, and which of its rows have moved."""

import csv
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.validate.ledger import read_figure

MOST_SECONDS = 25  # Of the figures that take part.
TOLERANCE = 1e-5  # Relative: measured.csv has six digits.


def list_short_figures(ledger):
    """Return the figures of a Ledger that take at most MOST_SECONDS, in the order of the facts."""
    rows = csv.DictReader(read_text(ledger.folder / "durations.csv").splitlines())
    seconds = {row["figure"]: float(row["seconds"]) for row in rows}
    return [name for name in ledger.figures if seconds.get(name, MOST_SECONDS + 1) <= MOST_SECONDS]


def choose_due(ledger, commit):
    """Return the figure that is due at a commit: they take turns at random, as the hashes are."""
    figures = list_short_figures(ledger)
    digits = commit.removesuffix("-dirty")
    try:
        return figures[int(digits, 16) % len(figures)]
    except ValueError:
        raise UserError(f"rotation: expected the hash of a commit, got {commit!r}") from None


def list_moved(ledger, figure, results):
    """Return a line for each row of a figure that its figure.json in `results` has otherwise than measured.csv."""
    path = Path(results) / figure / "figure.json"
    found = {(answer.what, answer.facts): answer for answer in read_figure(figure, path, ledger.sources)}
    lines = []
    for before in ledger.answers:
        if before.figure == figure:
            now = found.get((before.what, before.facts))
            if now is None or not is_same(before, now):
                lines.append(f"{figure}: {before.what}: measured.csv has {before.ours}, now {now and now.ours}")
    return lines


def is_same(before, now):
    """Tell whether two answers are the same, up to the digits of measured.csv."""
    if isinstance(before.ours, str) or isinstance(now.ours, str):
        return (before.ours, before.met) == (now.ours, now.met)
    return abs(now.ours - before.ours) <= TOLERANCE * abs(before.ours)
