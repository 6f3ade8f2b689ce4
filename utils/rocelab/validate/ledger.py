# SPDX-License-Identifier: GPL-2.0-only
"""Facts of papers beside what our figures measured, and how strong the evidence of each number is.

validation/facts.csv has the facts, status.csv for each of them the figure that answers it and the
class of its evidence, settings.csv the attributes that figures set, measured.csv the rows of all
figures with what made them.
"""

import csv
import io
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import read_json_object, write_text
from rocelab.results.json_files import ANSWERED, check_keys
from rocelab.terminal.table import format_difference
from rocelab.validate.checks import format_cell
from rocelab.validate.facts import FACTS, RESULT, VALIDATION, Fact, read_facts, read_rows
from rocelab.validate.settings import check_declared, read_settings

STATUS_COLUMNS = "fact,figure,class,same_as,chosen,evidence,why".split(",")
MEASURED_COLUMNS = "figure,what,facts,ours,met,options,version,commit".split(",")

# Classes of evidence (docs/validation/validation.md). The first six are of facts that a figure answers.
PREDICTED, SELECTED, FITTED, INPUT = "predicted", "selected", "fitted", "input"
AUTHORS, NO_COMPARISON = "authors' code", "no comparison"
NOT_MODELLED, NOT_DONE = "not modelled", "not done"
ANSWERED_CLASSES = (PREDICTED, SELECTED, FITTED, INPUT, AUTHORS, NO_COMPARISON)
CLASSES = (*ANSWERED_CLASSES, NOT_MODELLED, NOT_DONE)

# A status is the class of a fact that is met, unless the number is already counted with another fact.
SAME, MISSED = "repeated", "missed"
STATUSES = (PREDICTED, SELECTED, FITTED, INPUT, SAME, MISSED, NO_COMPARISON, NOT_MODELLED, NOT_DONE, AUTHORS)

PREDICTION_HEADERS = [
    "paper",
    "results",
    "independent predictions",
    "within 10 %",
    "bound or statement met",
    "predictions missed",
    "all missed",
    "met with the authors' code",
]


@dataclass(frozen=True)
class Source:
    """A line of status.csv: how a fact is answered.

    figure: name of the figure that answers it; empty if none does.
    evidence_class: one of CLASSES. The column is "class"; it is empty there if same_as is set.
    same_as: id of the fact that counts this one: it has the same number, or is a point of the same
        curve with the same constants. Class, chosen and evidence are then those of that fact.
    chosen: constants, conditions and criteria, separated by "; ", that enter the number and were
        chosen with a result in view: with this one if it is selected or fitted, else with another.
    evidence: the part of the model that makes the number.
    why: why it is missed, has no number or no verdict; else a remark.
    """

    fact: str
    figure: str
    evidence_class: str
    same_as: str
    chosen: str
    evidence: str
    why: str

    @property
    def constants(self):
        """What was chosen, as a tuple."""
        return tuple(name.strip() for name in self.chosen.split(";") if name.strip())


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
    """A line of the table: a fact, its source, its status, and the texts of the cells."""

    fact: Fact
    source: Source
    status: str
    paper: str
    ours: str
    difference: str

    @property
    def is_independent_prediction(self):
        """Whether the model predicts the number, met or not, and no other fact counts it."""
        return self.source.evidence_class == PREDICTED and not self.source.same_as


class Ledger:
    """The files of one folder, checked against each other."""

    def __init__(self, folder=VALIDATION):
        self.folder = Path(folder)
        self.facts = read_facts(self.folder / FACTS.name)
        self.sources = read_sources(self.folder / "status.csv", self.facts)
        self.settings = read_settings(self.folder, self.sources)
        self.answers = read_answers(self.folder / "measured.csv", self.sources)

    @property
    def figures(self):
        """The names of all figures that answer a fact, in the order of the facts."""
        return list(dict.fromkeys(s.figure for s in self.sources.values() if s.figure))

    def take(self, figure, path):
        """Replace the answers of a figure by those of its figure.json.

        Raises UserError unless they answer all its facts, and its settings are those of settings.csv.
        """
        found = read_figure(figure, path, self.sources)
        check_declared(path, figure, read_json_object(path)["made"].get("attributes", []), self.settings)
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
    sources, places = {}, {}
    for line, row in read_rows(path, STATUS_COLUMNS):
        place = f"{path}:{line}"
        if row["fact"] not in facts or row["fact"] in sources:
            raise UserError(
                f"{place}: expected a fact of {FACTS.name} that no line before has, got {row['fact']!r}"
            )
        source = Source(**{"evidence_class" if name == "class" else name: row[name] for name in row})
        check_source(place, source)
        sources[source.fact], places[source.fact] = source, place
    for name in facts:
        if name not in sources:
            raise UserError(f"{path}: expected a line for {name}, got none")
    sources = {name: resolve_same(places[name], sources[name], sources) for name in facts}
    check_chosen(places, sources)
    return sources


@cache
def list_facts(figure):
    """Return the facts that a figure answers, in the order of facts.csv."""
    sources = read_sources(VALIDATION / "status.csv", read_facts(FACTS))
    return [name for name, source in sources.items() if source.figure == figure]


def check_source(place, source):
    """Raise UserError unless the fields of a line agree with its class."""
    if source.same_as:
        if not source.figure or source.evidence_class or source.chosen or source.evidence:
            raise UserError(f"{place}: expected figure, same_as and why only, as same_as is set")
    elif source.evidence_class not in CLASSES:
        raise UserError(
            f"{place}: expected one of the classes {', '.join(CLASSES)}, got {source.evidence_class!r}"
        )
    elif source.evidence_class in ANSWERED_CLASSES:
        if not source.figure or not source.evidence:
            raise UserError(f"{place}: expected a figure and the evidence of what is {source.evidence_class}")
        if source.evidence_class in (SELECTED, FITTED) and not source.constants:
            raise UserError(f"{place}: expected what was chosen, as it is {source.evidence_class}")
        if source.evidence_class == NO_COMPARISON and not source.why:
            raise UserError(f"{place}: expected why there is no comparison")
    elif source.figure or source.chosen or source.evidence:
        raise UserError(f"{place}: expected no figure, chosen or evidence of what is {source.evidence_class}")
    elif source.evidence_class == NOT_MODELLED and not source.why:
        raise UserError(f"{place}: expected why it is not modelled")


def resolve_same(place, source, sources):
    """Return a Source with class, chosen and evidence of the fact that it is the same as."""
    if not source.same_as:
        return source
    other = sources.get(source.same_as)
    if other is None or other.same_as or not other.figure:
        raise UserError(
            f"{place}: expected a fact that a figure answers, and that is the same as no other, as"
            f" same_as, got {source.same_as!r}"
        )
    return replace(
        source, evidence_class=other.evidence_class, chosen=other.chosen, evidence=other.evidence
    )


def check_chosen(places, sources):
    """Raise UserError unless each constant that enters a prediction was chosen with another fact."""
    known = {
        name
        for source in sources.values()
        if source.evidence_class != PREDICTED
        for name in source.constants
    }
    for fact, source in sources.items():
        for name in source.constants:
            if name not in known:
                raise UserError(
                    f"{places[fact]}: expected what a selected, fitted or input fact has, too, as"
                    f" chosen, got {name!r}"
                )


def check_names(place, figure, names, sources):
    """Raise UserError unless a row names facts that are to be answered by its figure."""
    for name in names:
        if name not in sources or sources[name].figure != figure:
            known = "not among the facts"
            if name in sources:
                known = sources[name].figure or sources[name].evidence_class
            raise UserError(
                f"{place}: expected facts whose figure in status.csv is {figure}, got {name} ({known})"
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
    check_keys(path, data, ANSWERED)
    options = " ".join(f"{name}={value}" for name, value in made["options"].items())
    answers = []
    parts = [data.get(name, []) for name in ("comparison", "checks")]
    if not all(isinstance(part, list) for part in parts):
        raise UserError(f"{path}: expected lists of comparison and checks (run the figure again)")
    for row in [row for part in parts for row in part]:
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
    paper = "so stated" if fact.is_statement else fact.text
    if not source.figure:
        return Entry(fact, source, source.evidence_class, paper, "", "")
    if not answers:
        raise UserError(
            f"{path}: {fact.id}: expected {source.figure} to answer it, measured.csv has no answer"
        )
    status = SAME if source.same_as else source.evidence_class
    if source.evidence_class == NO_COMPARISON:
        status = NO_COMPARISON
    elif not all(answer.meets(fact) for answer in answers):
        status = MISSED
    if status == MISSED and not source.why:
        raise UserError(f"{path}: {fact.id}: expected why it is missed, got nothing")
    ours, difference = format_ours(fact, answers)
    return Entry(fact, source, status, paper, ours, difference)


def group_results(entries):
    """Return [(paper, its results)] in the order of the facts, and last ("all", all results)."""
    results = [entry for entry in entries if entry.fact.kind == RESULT]
    papers = dict.fromkeys(entry.fact.paper for entry in results)
    groups = [(name, [e for e in results if e.fact.paper == name]) for name in papers]
    return [*groups, ("all", results)]


def count_statuses(entries):
    """Return the headers and the rows of a table: results per paper by status, predictions first.

    Rows of the authors' code state a result once more, so they are none of the results.
    """
    statuses = [status for status in STATUSES if status != AUTHORS]
    rows = []
    for name, own in group_results(entries):
        counts = [sum(entry.status == status for entry in own) for status in statuses]
        rows.append([name, len(own), *counts])
    return ["paper", "results", *statuses], rows


def count_authors(entries, paper):
    """Return "1 of 3", the met rows of the class authors' code of a paper or of "all"; 0 if there are none."""
    own = [e for e in entries if e.source.evidence_class == AUTHORS and paper in (e.fact.paper, "all")]
    return f"{sum(entry.status == AUTHORS for entry in own)} of {len(own)}" if own else 0


def count_predictions(entries):
    """Return the headers and the rows of a table: how the predictions of each paper came out.

    A prediction counts once, however many facts state its number.
    """
    rows = []
    for name, own in group_results(entries):
        predictions = [entry for entry in own if entry.is_independent_prediction]
        met = [entry for entry in predictions if entry.status == PREDICTED]
        close = sum(entry.difference != "" for entry in met)
        missed = sum(entry.status == MISSED for entry in own)
        counts = [len(predictions), close, len(met) - close, len(predictions) - len(met), missed]
        rows.append([name, len(own), *counts, count_authors(entries, name)])
    return PREDICTION_HEADERS, rows


def format_ours(fact, answers):
    """Return our number, or the range of several, or texts; and the difference from the paper's."""
    if all(answer.met is None for answer in answers):
        values = sorted({format_cell(answer.ours): answer.ours for answer in answers}.values())
        ends = [values[0], values[-1]] if len(values) > 1 else values
        differences = [fact.get_difference(value) for value in ends]
        if None in differences:
            return " to ".join(map(format_cell, ends)), ""
        return " to ".join(map(format_cell, ends)), " to ".join(format_difference(d, "%") for d in differences)
    if len(answers) == 1:
        return answers[0].ours, ""
    return "; ".join(f"{answer.what}: {format_cell(answer.ours)}" for answer in answers), ""
