# SPDX-License-Identifier: GPL-2.0-only
"""rocelab validate: the facts of papers beside what the figures measured.

Reads RESULTS/<figure>/figure.json of each figure that answers facts and is there (or runs the
figures first), keeps their rows in validation/measured.csv, and writes the tables of docs/ and
README.md.
"""

import time
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import make_folder, write_text
from rocelab.terminal.progress import format_duration
from rocelab.terminal.table import format_table
from rocelab.validate import fact_tables
from rocelab.validate.facts import RESULT
from rocelab.validate.figure import run_figure
from rocelab.validate.ledger import MISSED, Ledger, count_predictions, count_statuses, format_csv

MAX_CELL = 40
TABLE_COLUMNS = [
    *"fact,kind,where,quantity,condition,paper,ours,difference".split(","),
    *"status,class,same_as,chosen,evidence,why,figure".split(","),
]


def choose_figures(ledger, names):
    """Return the figures to read: those named, or all that answer facts."""
    for name in names:
        if name not in ledger.figures:
            hint = describe_nearest(name, ledger.figures)
            raise UserError(f"--figure: expected one that answers facts ({hint}), got {name!r}")
    return list(dict.fromkeys(names)) or ledger.figures


def run_figures(figures, examples, out, build, settings):
    """Run figures one after the other, with a line before each that has the time left."""
    if settings and len(figures) != 1:
        raise UserError("--option: expected exactly one --figure beside it")
    begin = time.monotonic()
    for number, name in enumerate(figures):
        elapsed = time.monotonic() - begin
        # Figures take minutes or hours each: this is no more than an order of magnitude.
        left = elapsed * (len(figures) - number) / number if number else None
        end = f" (about {format_duration(left)} left)" if left is not None else ""
        print(f"[{number + 1} of {len(figures)}] {name}{end}", flush=True)
        run_figure(name, examples, out, build, settings=settings)


def read_figures(ledger, figures, out, must_exist):
    """Let the ledger take the results of figures; returns the names of those that have none."""
    absent = []
    for name in figures:
        path = Path(out) / name / "figure.json"
        if path.exists() or must_exist:
            ledger.take(name, path)
        else:
            absent.append(name)
    return absent


def format_entries(entries):
    """Return the whole table as CSV, a line per fact."""
    rows = []
    for e in entries:
        fact, source = e.fact, e.source
        rows.append(
            [fact.id, fact.kind, fact.where, fact.quantity, fact.condition, e.paper, e.ours]
            + [e.difference, e.status, source.evidence_class, source.same_as, source.chosen]
            + [source.evidence, source.why, source.figure]
        )
    return format_csv(TABLE_COLUMNS, rows)


def shorten(text):
    """Return a text for a cell of the terminal's table."""
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 3] + "..."


def format_counts(counts):
    """Return a table of counts of ledger.py for the terminal."""
    headers, rows = counts
    return format_table(headers, [[str(cell) for cell in row] for row in rows])


def format_summary(entries):
    """Return what the command prints: predictions and statuses by paper, and each missed result."""
    missed = [
        [e.fact.id, e.fact.where, e.paper, shorten(e.ours), e.difference or "-", e.source.evidence_class]
        for e in entries
        if e.status == MISSED and e.fact.kind == RESULT
    ]
    parts = [format_counts(count_predictions(entries)), format_counts(count_statuses(entries))]
    if missed:
        headers = ["missed", "where", "paper", "ours", "difference", "class"]
        parts.append(format_table(headers, missed))
    return "\n\n".join(parts)


def run_validation(results, docs, folder, figures=(), rerun=None, is_kept=True):
    """Renew validation/measured.csv and docs/ from results; returns the paths written.

    rerun(figures), if given, makes the results first. All is checked before anything is written.
    Unless the numbers are kept, only RESULTS/validation.csv is written.
    """
    ledger = Ledger(folder)
    chosen = choose_figures(ledger, figures)
    if rerun:
        make_folder(results)
        rerun(chosen)
    absent = read_figures(ledger, chosen, results, must_exist=bool(figures or rerun))
    entries = ledger.get_entries()
    changed = fact_tables.renew_pages(Path(docs), ledger)
    written = [write_text(Path(results) / "validation.csv", format_entries(entries))]
    if is_kept:
        written.append(ledger.write_answers())
        written += fact_tables.write_pages(changed)
    print(format_summary(entries))
    if absent:
        print(f"\nNo results in {results}, numbers as in measured.csv: {', '.join(absent)}")
    return written
