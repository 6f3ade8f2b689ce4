# SPDX-License-Identifier: GPL-2.0-only
"""What papers state as results: validation/facts.csv, a line per number or statement.

Figures name the facts that they answer; a paper's number stands here and nowhere else.
"""

import csv
import io
import math
import operator
from dataclasses import dataclass
from functools import cache

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.places import find_data

VALIDATION = find_data("validation")
FACTS = VALIDATION / "facts.csv"
COLUMNS = "id,paper,where,quantity,relation,value,unit,condition,kind".split(",")
RESULT = "result"
KINDS = (RESULT, "baseline")

# A number is met within this part of it: the papers' own rounding is up to half of that.
TOLERANCE = 0.1
BOUNDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True)
class Fact:
    """One number of a paper, or a statement without one: then `value` is None.

    relation "=" gives the number itself, any other a bound of it.
    """

    id: str
    paper: str
    where: str
    quantity: str
    relation: str
    value: float | None
    unit: str
    condition: str
    kind: str

    @property
    def is_statement(self):
        return self.value is None

    @property
    def text(self):
        """The number with its bound and unit, "< 5 %"; empty for a statement."""
        if self.is_statement:
            return ""
        bound = "" if self.relation == "=" else self.relation + " "
        return f"{bound}{self.value:,g} {self.unit}".rstrip()

    def get_difference(self, ours):
        """Return ours relative to the paper's number; None where there is no such ratio."""
        if self.relation != "=" or not self.value:
            return None
        return ours / self.value - 1

    def is_met(self, ours):
        """Tell whether our number is within the tolerance of the paper's, or keeps its bound."""
        if self.relation == "=":
            # With room for the rounding of a difference that is just the tolerance.
            return abs(ours - self.value) <= (TOLERANCE + 1e-9) * abs(self.value)
        return BOUNDS[self.relation](ours, self.value)


def read_rows(path, columns):
    """Yield (line number, {column: text}) of a CSV file with exactly these columns."""
    reader = csv.DictReader(io.StringIO(read_text(path)), restval=None, restkey="")
    if reader.fieldnames != columns:
        raise UserError(f"{path}:1: expected the header {','.join(columns)}")
    for row in reader:
        if None in row.values() or "" in row:
            raise UserError(f"{path}:{reader.line_num}: expected {len(columns)} fields")
        yield reader.line_num, row


def read_facts(path=FACTS):
    """Return {id: Fact} in the order of the file; raises UserError with file and line."""
    facts = {}
    for line, row in read_rows(path, COLUMNS):
        place = f"{path}:{line}"
        if not row["id"] or row["id"] in facts:
            raise UserError(f"{place}: expected an id that no line before has, got {row['id']!r}")
        if row["kind"] not in KINDS:
            raise UserError(f"{place}: expected one of the kinds {KINDS}, got {row['kind']!r}")
        facts[row["id"]] = Fact(**(row | {"value": read_value(place, row)}))
    return facts


def read_value(place, row):
    """Return the number of a line, None for a statement."""
    if not row["value"] and not row["relation"]:
        return None
    if row["relation"] not in ("=", *BOUNDS):
        known = ", ".join(("=", *BOUNDS))
        raise UserError(f"{place}: expected a relation of {known}, got {row['relation']!r}")
    try:
        value = float(row["value"])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UserError(f"{place}: expected a number as value, got {row['value']!r}")
    return value


@cache
def load_facts():
    """Return the project's facts, read once."""
    return read_facts()


def get_fact(name):
    """Return the project's fact of this id."""
    try:
        return load_facts()[name]
    except KeyError:
        raise UserError(f"{FACTS}: expected a line for {name}, got none") from None


def make_statements(names):
    """Return what papers state by these facts, a dict each, as figure.json has it."""
    statements = []
    for name in names:
        fact = get_fact(name)
        what = f"{fact.quantity}: {fact.text}" if fact.text else fact.quantity
        text = f"{what} ({fact.condition})" if fact.condition else what
        statements.append({"sources": [name], "where": fact.where, "statement": text})
    return statements
