# SPDX-License-Identifier: GPL-2.0-only
"""rocelab scoreboard: adapters, clusters, simulators, a test plan, and the papers' figures, beside our results, misses first.

validation/peers.csv has a row for each number of others, with the command that predicts it and the place of our number in the
JSON that it prints, or in a file of its results. The papers' rows are those of validation/*.csv (ledger.py).
"""

import csv
import shlex
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import read_json_object, read_text, write_text
from rocelab.places import find_data
from rocelab.results import csv_text
from rocelab.runs.engine import read_output, run_json_command
from rocelab.terminal.table import format_difference
from rocelab.validate.facts import BOUNDS, RESULT, TOLERANCE
from rocelab.validate.ledger import MISSED, NOT_DONE, PREDICTED, SELECTED

COLUMNS = "id,kind,source,what,relation,value,unit,ours,class,command,key,seconds,why".split(",")
PEERS = "peers.csv"
OPEN = "open"  # Status of a row without a measured value, or without ours.
EQUAL = "="
STEADY = 1e-6  # Relative: the program gives the same number again.


@dataclass(frozen=True)
class Row:
    """A number of others, and ours."""

    id: str
    kind: str  # adapter, cluster, simulator or plan (a test plan).
    source: str
    what: str
    relation: str  # "=", or the bound that the number is: one of facts.BOUNDS.
    value: float | None  # None: a prediction that is not compared yet.
    unit: str
    ours: float | None  # None: not run yet.
    evidence: str  # "predicted"; "selected": a constant was chosen with this number in view; "input": the link's rate less headers.
    command: str  # Words of rocelab, with --json added if it prints the number; files are relative to the checkout.
    key: str  # Place of the number in its JSON, "results.0.typicalUs", or in a file below its --out: "NIC/summary.json#fct_us.mean".
    seconds: float  # Of the command.
    why: str  # What is known of a miss, or what was selected.

    @property
    def difference(self):
        """Ours over theirs, minus 1; None without a number, and of a bound."""
        return None if self.is_open or self.relation != EQUAL else self.ours / self.value - 1

    @property
    def is_open(self):
        """Whether one of both numbers is missing."""
        return None in (self.ours, self.value)

    @property
    def is_met(self):
        """Whether ours is within the tolerance, or keeps the bound."""
        if self.is_open:
            return False
        if self.relation == EQUAL:
            return abs(self.difference) <= TOLERANCE
        return BOUNDS[self.relation](self.ours, self.value)

    @property
    def status(self):
        """The class, "missed (CLASS)", or "open"."""
        if self.is_open:
            return OPEN
        return self.evidence if self.is_met else f"missed ({self.evidence})"


class Runner:
    """Runs the commands of rows, each once, and finds their numbers."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = Path(folder)  # Results of the commands, a folder each.
        self.found = {}  # By command: the JSON that it printed, or the folder of its results.

    def run(self, row):
        """Return the row with the number that the program gives now; raises UserError."""
        file, _, place = row.key.rpartition("#")
        found = self.get_printed(row.command) if not file else read_json_object(self.get_results(row.command) / file)
        for name in place.split("."):
            found = found[int(name) if name.isdigit() else name]
        return replace(row, ours=float(f"{found:.6g}"))

    def get_printed(self, command):
        """Return the JSON that a command prints."""
        if command not in self.found:
            self.found[command] = run_json_command(self.build, [*shlex.split(command), "--json"])
        return self.found[command]

    def get_results(self, command):
        """Return the folder with the results of a command."""
        if command not in self.found:
            out = self.folder / str(len(self.found))
            read_output(self.build, [*shlex.split(command), "--out", out], find_data())
            self.found[command] = out
        return self.found[command]


def read_peers(folder):
    """Return the rows of peers.csv; raises UserError with the line of a row that is none."""
    path = Path(folder) / PEERS
    reader = csv.DictReader(read_text(path).splitlines())
    if reader.fieldnames != COLUMNS:
        raise UserError(f"{path}:1: expected the columns {','.join(COLUMNS)}, got {','.join(reader.fieldnames or [])}")
    rows = []
    for line, entry in enumerate(reader, 2):
        try:
            numbers = [float(entry[name]) if entry[name] else None for name in ("value", "ours", "seconds")]
        except (TypeError, ValueError):
            raise UserError(f"{path}:{line}: expected numbers as value, ours and seconds, got {entry}") from None
        value, ours, seconds = numbers
        if entry["relation"] not in (EQUAL, *BOUNDS):
            raise UserError(f"{path}:{line}: expected a relation of {', '.join((EQUAL, *BOUNDS))}, got {entry['relation']!r}")
        texts = {name: entry[name] for name in ("id", "kind", "source", "what", "relation", "unit", "command", "key", "why")}
        rows.append(Row(value=value, ours=ours, seconds=seconds, evidence=entry["class"], **texts))
    return rows


def format_peers(rows):
    """Return peers.csv."""
    lines = [COLUMNS]
    for row in rows:
        lines.append(
            [row.id, row.kind, row.source, row.what, row.relation, row.value, row.unit]
            + [row.ours, row.evidence, row.command, row.key, row.seconds, row.why]
        )
    return csv_text.format_table(lines)


def select(rows, ids, is_quick):
    """Return the rows to be run again: those named, the shortest of each kind, or all; raises UserError."""
    known = {row.id: row for row in rows}
    for name in ids:
        if name not in known:
            raise UserError(f"scoreboard: expected a row ({describe_nearest(name, list(known))}), got {name!r}")
    if ids:
        return [known[name] for name in ids]
    if not is_quick:
        return rows
    kinds = dict.fromkeys(row.kind for row in rows)
    return [min((row for row in rows if row.kind == kind), key=lambda row: row.seconds) for kind in kinds]


def format_value(value):
    """Return a number with four digits, or all digits before the point."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def format_theirs(row):
    """Return the number of others with its bound and unit."""
    return f"{row.relation} {format_value(row.value)} {row.unit}".removeprefix("= ").rstrip()


def list_peers(rows):
    """Return the cells of HEADERS of rows, misses first, open ones last."""
    order = sorted(rows, key=lambda row: (row.status == OPEN, row.is_met))
    return [
        [
            row.id,
            row.what,
            "-" if row.value is None else format_theirs(row),
            "-" if row.ours is None else format_value(row.ours) + (f" {row.unit}" if row.value is None else ""),
            "-" if row.difference is None else format_difference(row.difference),
            row.status,
            f"{row.seconds:g}",
            row.why,
        ]
        for row in order
    ]


HEADERS = ["row", "what", "theirs", "ours", "difference", "class", "seconds", "remark"]


def count_figures(ledger, seconds):
    """Return a row per figure: missed, met predictions, other met results, seconds; most misses first."""
    found = {}
    for entry in ledger.get_entries():
        if entry.source.figure:
            counts = found.setdefault(entry.source.figure, [0, 0, 0])
            place = 0 if entry.status == MISSED else 1 if entry.is_independent_prediction else 2
            counts[place] += 1
    order = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    return [[name, *map(str, counts), seconds.get(name, "-")] for name, counts in order]


FIGURE_HEADERS = ["figure", "missed, all classes", "independent predictions met", "met otherwise, or not compared", "seconds"]


def read_seconds(folder):
    """Return {figure: seconds of its last run} of durations.csv."""
    return {row["figure"]: row["seconds"] for row in csv.DictReader(read_text(Path(folder) / "durations.csv").splitlines())}


def count_papers(entries):
    """Return a row for the results of all papers, as count_kinds() has for machines."""
    results = [entry for entry in entries if entry.fact.kind == RESULT]
    predicted = [entry for entry in results if entry.is_independent_prediction]
    met = sum(entry.status != MISSED for entry in predicted)
    statuses = [entry.status for entry in results]
    selected, undone = statuses.count(SELECTED), statuses.count(NOT_DONE)
    others = len(results) - len(predicted) - selected - undone
    return ["paper", str(len(results)), f"{met} of {len(predicted)}", str(selected), str(others), str(undone)]


def count_kinds(rows, entries):
    """Return a row for the papers and one per kind of peers: number, predictions met, selected, other classes, open."""
    counted = [count_papers(entries)]
    for kind in dict.fromkeys(row.kind for row in rows):
        group = [row for row in rows if row.kind == kind]
        is_open = [row.status == OPEN for row in group]
        predicted = [row for row in group if row.evidence == PREDICTED and row.status != OPEN]
        met = sum(row.is_met for row in predicted)
        selected = sum(row.evidence == SELECTED and row.status != OPEN for row in group)
        others = len(group) - len(predicted) - selected - sum(is_open)
        counted.append([kind, str(len(group)), f"{met} of {len(predicted)}", str(selected), str(others), str(sum(is_open))])
    return counted


KIND_HEADERS = ["kind", "results", "independent predictions met", "selected", "other classes", "open"]


def rerun(folder, build, ids, is_quick, report):
    """Run rows again; returns [(row before, row now)]. `report` is called with each pair."""
    pairs = []
    with tempfile.TemporaryDirectory() as results:
        runner = Runner(build, results)
        for row in select(read_peers(folder), ids, is_quick):
            pairs.append((row, runner.run(row)))
            report(*pairs[-1])
    return pairs


def is_same(before, now):
    """Tell whether a number is that of the file."""
    return before.ours is not None and abs(now.ours - before.ours) <= STEADY * abs(before.ours)


def store(folder, pairs):
    """Write the new numbers into peers.csv; returns its path."""
    new = {now.id: now for _, now in pairs}
    path = Path(folder) / PEERS
    write_text(path, format_peers([new.get(row.id, row) for row in read_peers(folder)]))
    return path
