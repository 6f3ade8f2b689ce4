# SPDX-License-Identifier: GPL-2.0-only
"""rocelab reproduce: every figure from one commit, and the differences from the numbers before.

The results of a figure that was run with the same commit and its usual options are kept, so that a
run that was ended goes on where it stood.
"""

import argparse
import csv
import os
from dataclasses import dataclass
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import read_json_object, write_text
from rocelab.places import find_build
from rocelab.runs.engine import get_commit
from rocelab.terminal.parser import make_examples, read_whole
from rocelab.terminal.process import load_matplotlib
from rocelab.terminal.progress import format_duration
from rocelab.terminal.table import format_table
from rocelab.validate import fact_tables
from rocelab.validate.examples import EXAMPLES, list_figures, load_figure_module
from rocelab.validate.facts import VALIDATION
from rocelab.validate.figure_jobs import FigureJobs
from rocelab.validate.ledger import Ledger, format_csv

FAILED = 1  # Exit status.
TOLERANCE = 0.001  # Of a number, relative: compilers and libraries round differently.
DURATIONS = "durations.csv"
DURATION_COLUMNS = ["figure", "seconds"]
USUAL_SECONDS = 60  # Of a figure whose duration is not known.
DIRTY = "-dirty"
LOGS = "reproduce"  # Folder below the results.

DESCRIPTION = f"""Run all figures of examples/ from one commit, as many at a time as there are cores, and
write their numbers to validation/measured.csv and to the tables of docs/.

Results that this commit has made before are kept: the command can be ended and started again.
It fails and writes nothing if a figure fails, if a result of a paper changes its status, or if a
number moves by more than {TOLERANCE:.1%}; --accept writes all the same."""


@dataclass(frozen=True)
class Difference:
    """A row of a figure, or a fact, that differs from before."""

    figure: str
    what: str
    before: str
    after: str


def add_reproduce(commands):
    """Add the command reproduce."""
    reproduce = commands.add_parser(
        "reproduce",
        help="run all figures from one commit and compare with the numbers before",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=make_examples("reproduce --quick", "reproduce", "reproduce --figure srnic/figure-9 --accept"),
    )
    reproduce.add_argument("--quick", action="store_true", help="short variants; checks only that each figure runs")
    reproduce.add_argument("--accept", action="store_true", help="write the numbers although they differ")
    reproduce.add_argument("--figure", action="append", default=[], metavar="NAME", help="only this figure; repeatable")
    reproduce.add_argument("--jobs", type=read_whole(1, 4096), metavar="N", help="figures at a time (default: cores)")
    for name, default, text in (
        ("--out", "results", "results folder (default: %(default)s)"),
        ("--build", find_build(), "build folder (default: %(default)s)"),
        ("--examples", EXAMPLES, "folder of the experiments (default: examples)"),
        ("--validation", VALIDATION, "folder of the facts (default: the project's)"),
        ("--docs", VALIDATION.parent / "docs", "folder of the pages (default: the project's)"),
    ):
        reproduce.add_argument(name, default=default, metavar="DIR", help=text)
    reproduce.set_defaults(run=run_reproduce)


def run_reproduce(options):
    """Carry out the command reproduce."""
    names = choose(options.figure, options.examples)
    load_matplotlib()
    commit = get_commit()
    if commit.endswith(DIRTY) and not options.quick:
        raise UserError("reproduce: expected a clean checkout, got changes (git status lists them)")
    pending = [name for name in names if options.quick or not is_done(name, commit, options)]
    print(f"{commit}: {len(names)} figures, {len(names) - len(pending)} of them done")
    durations = read_durations(options.validation) | read_durations(Path(options.out) / LOGS)
    failed = run_all(pending, durations, options)
    if failed:
        for ended in failed:
            print(f"{ended.name}: failed with exit status {ended.status} ({ended.log})")
        return FAILED, []
    return (0, []) if options.quick else compare(names, durations, options)


def choose(given, examples):
    """Return the names of the figures to run."""
    known = list_figures(examples)
    for name in given:
        if name not in known:
            raise UserError(f"--figure: expected a figure ({describe_nearest(name, known)}), got {name!r}")
    return list(dict.fromkeys(given)) or known


def is_done(name, commit, options):
    """Tell whether the results of a figure are those of this commit with the usual options."""
    from rocelab.validate.figure import resolve_options  # It loads matplotlib.

    path = Path(options.out) / name / "figure.json"
    if not path.exists():
        return False
    made = read_json_object(path).get("made", {})
    module = load_figure_module(name, options.examples)
    usual = resolve_options(path, getattr(module, "OPTIONS", {}), [], False)
    return made.get("commit") == commit and not made.get("quick") and made.get("options") == usual


def read_durations(folder):
    """Return {figure: seconds}, wall-clock time, of a folder; empty if it has none."""
    path = Path(folder) / DURATIONS
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["figure"]: float(row["seconds"]) for row in csv.DictReader(file)}


def write_durations(folder, durations):
    """Write what read_durations() reads; returns the path."""
    rows = [[name, f"{seconds:.0f}"] for name, seconds in sorted(durations.items())]
    return write_text(Path(folder) / DURATIONS, format_csv(DURATION_COLUMNS, rows))


def run_all(names, durations, options):
    """Run figures, the longest first; updates durations, returns an Ended for each that failed."""
    expected = {name: durations.get(name, USUAL_SECONDS) for name in names}
    ordered = sorted(names, key=lambda name: -expected[name])
    jobs = options.jobs or len(os.sched_getaffinity(0))
    words = ["--out", options.out, "--build", options.build, "--examples", str(options.examples)]
    words += ["--quick"] if options.quick else []
    failed = []
    with FigureJobs(ordered, words, Path(options.out) / LOGS, jobs) as figures:
        for number, ended in enumerate(figures, 1):
            del expected[ended.name]
            if ended.status:
                failed.append(ended)
            elif not options.quick:
                durations[ended.name] = ended.seconds
                write_durations(Path(options.out) / LOGS, durations)
            print(format_line(number, len(names), ended, sum(expected.values()) / jobs), flush=True)
    return failed


def format_line(number, total, ended, seconds_left):
    """Return the line about a figure that has ended."""
    state = f"failed ({ended.log})" if ended.status else format_duration(ended.seconds)
    left = f", about {format_duration(seconds_left)} left" if seconds_left else ""
    return f"[{number} of {total}] {ended.name}: {state}{left}"


def compare(names, durations, options):
    """Compare the new numbers with the old ones, and write them unless they differ."""
    old, new = Ledger(options.validation), Ledger(options.validation)
    for name in names:
        if name in new.figures:
            new.take(name, Path(options.out) / name / "figure.json")
    entries = new.get_entries()
    differences = find_moved(old.answers, new.answers)
    differences += find_changed(old.get_entries(), entries) if old.answers else []
    if differences:
        rows = [[d.figure, d.what, d.before, d.after] for d in differences]
        print(format_table(["figure", "row", "before", "after"], rows))
        if not options.accept:
            print(f"{len(differences)} differences; --accept writes the numbers all the same")
            return FAILED, []
    seconds = write_durations(options.validation, durations)  # Pages have a column of them.
    changed = fact_tables.renew_pages(Path(options.docs), new)
    return 0, [new.write_answers(), seconds, *fact_tables.write_pages(changed)]


def find_moved(old, new):
    """Return a Difference for each row that is new, gone, or moved by more than the tolerance."""
    before = {(answer.figure, answer.what): answer for answer in old}
    after = {(answer.figure, answer.what): answer for answer in new}
    differences = []
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        if was is None or now is None or not is_same(was, now):
            differences.append(Difference(*key, describe(was), describe(now)))
    return differences


def is_same(was, now):
    """Tell whether two Answers agree within the tolerance."""
    if was.met != now.met or isinstance(was.ours, str) != isinstance(now.ours, str):
        return False
    if isinstance(was.ours, str):
        return was.ours == now.ours
    return abs(now.ours - was.ours) <= TOLERANCE * max(abs(was.ours), abs(now.ours))


def describe(answer):
    """Return the number of an answer, or "-"."""
    if answer is None:
        return "-"
    return answer.ours if isinstance(answer.ours, str) else f"{answer.ours:.6g}"


def find_changed(old, new):
    """Return a Difference for each fact whose status is another."""
    return [
        Difference(was.source.figure, was.fact.id, was.status, now.status)
        for was, now in zip(old, new)
        if was.status != now.status
    ]
