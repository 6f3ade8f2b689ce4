# SPDX-License-Identifier: GPL-2.0-only
"""Facts of papers beside what our figures measured, and why a fact has no number of ours.

validation/facts.csv has the facts, status.csv for each of them the figure that answers it, or why
none does, measured.csv the rows of all figures with what made them.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rocelab.checks import format_cell
from rocelab.errors import UserError
from rocelab.facts import FACTS, VALIDATION, Fact, read_facts, read_rows
from rocelab.files import read_json_object, write_text

STATUS_COLUMNS = ["fact", "source", "fitted", "why"]
MEASURED_COLUMNS = "figure,what,facts,ours,met,options,version,commit".split(",")

MET, FITTED, MISSED = "met", "met (fitted)", "missed"
NOT_MODELLED, NOT_DONE = "not modelled", "not done"
STATUSES = (MET, FITTED, MISSED, NOT_MODELLED, NOT_DONE)


@dataclass(frozen=True)
class Source:
    """Where the status of a fact comes from: a figure's name, NOT_MODELLED or NOT_DONE.

    fitted names the constant that was fitted to the fact; why says why it is missed, or has no
    number, and is else a remark.
    """

    fact: str
    source: str
    fitted: str
    why: str

    @property
    def figure(self):
        """The figure's name; None where none answers."""
        return None if self.source in (NOT_MODELLED, NOT_DONE) else self.source


@dataclass(frozen=True)
class Answer:
    """One row of a figure. `met` is None where the number decides."""

    figure: str
    what: str
    facts: tuple
    ours: float | str
    met: bool | None
    options: str
    version: str
    commit: str

    def meets(self, fact):
        """Tell whether this row meets a fact."""
        return fact.is_met(self.ours) if self.met is None else self.met


@dataclass(frozen=True)
class Entry:
    """A line of the table: a fact, its status, and the texts of the cells."""

    fact: Fact
    status: str
    paper: str
    ours: str
    difference: str
    why: str
    figure: str


class Ledger:
    """The three files of one folder, checked against each other."""

    def __init__(self, folder=VALIDATION):
        self.folder = Path(folder)
        self.facts = read_facts(self.folder / FACTS.name)
        self.sources = read_sources(self.folder / "status.csv", self.facts)
        self.answers = read_answers(self.folder / "measured.csv", self.sources)

    @property
    def figures(self):
        """The names of all figures that answer a fact, in the order of the facts."""
        return list(dict.fromkeys(s.figure for s in self.sources.values() if s.figure))

    def take(self, figure, path):
        """Replace the answers of a figure by those of its figure.json, if they answer all its facts."""
        found = read_figure(figure, path, self.sources)
        answered = {name for answer in found for name in answer.facts}
        asked = {name for name, source in self.sources.items() if source.figure == figure}
        if asked - answered:
            raise UserError(
                f"{path}: expected an answer to {', '.join(sorted(asked - answered))}, got none"
                " (a run with other options?)"
            )
        self.answers = [a for a in self.answers if a.figure != figure] + found

    def format_answers(self):
        """Return measured.csv: the figures in the order of the facts, their rows as they are."""
        order = {name: place for place, name in enumerate(self.figures)}
        rows = sorted(self.answers, key=lambda answer: order[answer.figure])
        return format_csv(MEASURED_COLUMNS, [format_answer(answer) for answer in rows])

    def write_answers(self):
        """Write measured.csv; returns the path."""
        return write_text(self.folder / "measured.csv", self.format_answers())

    def get_entries(self):
        """Return an Entry per fact, in their order; raises UserError where a status has no ground."""
        answers = {name: [] for name in self.facts}
        for answer in self.answers:
            for name in answer.facts:
                answers[name].append(answer)
        return [
            make_entry(self.folder / "status.csv", fact, self.sources[name], answers[name])
            for name, fact in self.facts.items()
        ]


def read_sources(path, facts):
    """Return {fact: Source} of status.csv, which has exactly one line for each fact."""
    sources = {}
    for line, row in read_rows(path, STATUS_COLUMNS):
        if row["fact"] not in facts or row["fact"] in sources:
            raise UserError(
                f"{path}:{line}: expected a fact of {FACTS.name} that no line before has, got"
                f" {row['fact']!r}"
            )
        source = Source(**row)
        if not source.source or (source.source == NOT_MODELLED and not source.why):
            raise UserError(
                f"{path}:{line}: expected a figure, {NOT_DONE!r}, or {NOT_MODELLED!r} and why"
            )
        sources[source.fact] = source
    for name in facts:
        if name not in sources:
            raise UserError(f"{path}: expected a line for {name}, got none")
    return sources


def check_names(place, figure, names, sources):
    """Raise UserError unless a row names facts that are to be answered by its figure."""
    for name in names:
        if name not in sources or sources[name].figure != figure:
            known = sources[name].source if name in sources else "not among the facts"
            raise UserError(
                f"{place}: expected facts whose source in status.csv is {figure}, got {name} ({known})"
            )


def read_answers(path, sources):
    """Return the Answers of measured.csv; none if there is no such file yet."""
    answers = []
    if not Path(path).exists():
        return answers
    for line, row in read_rows(path, MEASURED_COLUMNS):
        names = tuple(row["facts"].split())
        check_names(f"{path}:{line}", row["figure"], names, sources)
        met = {"yes": True, "no": False}.get(row["met"])
        ours = row["ours"]
        if met is None:
            try:
                ours = float(ours)
            except ValueError:
                raise UserError(f"{path}:{line}: expected a number as ours, got {ours!r}") from None
        answers.append(Answer(**(row | {"facts": names, "met": met, "ours": ours})))
    return answers


def read_figure(figure, path, sources):
    """Return the Answers of a figure.json; raises UserError where it is not one of a full run."""
    data = read_json_object(path)
    made = data.get("made")
    if not isinstance(made, dict) or made.get("quick"):
        raise UserError(f"{path}: expected a full run that says what made it (run the figure again)")
    options = " ".join(f"{name}={value}" for name, value in made["options"].items())
    answers = []
    for row in [*data.get("comparison", []), *data.get("checks", [])]:
        if not row.get("facts"):
            continue
        check_names(path, figure, row["facts"], sources)
        is_text = isinstance(row["ours"], str)
        answers.append(
            Answer(
                figure,
                row["what"],
                tuple(row["facts"]),
                row["ours"],
                row["met"] if is_text else None,
                options,
                made["version"],
                made["commit"],
            )
        )
    return answers


def format_answer(answer):
    """Return the fields of an answer in measured.csv; numbers have six digits."""
    met = {None: "", True: "yes", False: "no"}[answer.met]
    ours = answer.ours if isinstance(answer.ours, str) else f"{answer.ours:.6g}"
    made = [answer.options, answer.version, answer.commit]
    return [answer.figure, answer.what, " ".join(answer.facts), ours, met, *made]


def format_csv(columns, rows):
    """Return a CSV file of lists of fields."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def make_entry(path, fact, source, answers):
    """Return the line of the table for a fact and all rows that answer it."""
    paper = "so stated" if fact.is_statement else format_paper(fact)
    if not source.figure:
        return Entry(fact, source.source, paper, "", "", source.why, "")
    if not answers:
        raise UserError(
            f"{path}: {fact.id}: expected {source.figure} to answer it, measured.csv has no answer"
        )
    status = MET if all(answer.meets(fact) for answer in answers) else MISSED
    if status == MET and source.fitted:
        status = FITTED
    if status == MISSED and not source.why:
        raise UserError(f"{path}: {fact.id}: expected why it is missed, got nothing")
    why = "; ".join(part for part in (source.fitted and f"fitted: {source.fitted}", source.why) if part)
    ours, difference = format_ours(fact, answers)
    return Entry(fact, status, paper, ours, difference, why, source.figure)


def format_paper(fact):
    """Return "< 5 %" of a fact with a number."""
    bound = "" if fact.relation == "=" else fact.relation + " "
    return f"{bound}{fact.value:,g} {fact.unit}".rstrip()


def format_ours(fact, answers):
    """Return our number, or the range of several, or texts; and the difference from the paper's."""
    if all(answer.met is None for answer in answers):
        values = sorted({format_cell(answer.ours): answer.ours for answer in answers}.values())
        ends = [values[0], values[-1]] if len(values) > 1 else values
        differences = [fact.get_difference(value) for value in ends]
        if None in differences:
            return " to ".join(map(format_cell, ends)), ""
        return " to ".join(map(format_cell, ends)), " to ".join(f"{d:+.1%}" for d in differences)
    if len(answers) == 1:
        return answers[0].ours, ""
    return "; ".join(f"{answer.what}: {format_cell(answer.ours)}" for answer in answers), ""
