# SPDX-License-Identifier: GPL-2.0-only
"""Rows of validation: what a figure measured beside the facts of papers that it answers.

A row names its facts; their numbers come from validation/facts.csv. `./waf validate` collects the
rows of all figures.
"""

from rocelab.errors import UserError
from rocelab.terminal.table import MISSING, format_difference, format_number, format_table
from rocelab.validate.facts import get_fact

HEADERS = ["", "paper", "ours", "difference", "", "facts"]


def compare(what, ours, facts):
    """Return a row that sets our number beside that of facts which state the same one.

    ours is in their unit; None, for what was not measured, makes a row that finish() leaves out.
    """
    known = [get_fact(name) for name in facts]
    first = known[0]
    for fact in known:
        if fact.is_statement or fact.unit != first.unit:
            raise UserError(f"{fact.id}: expected a number in {first.unit or 'no unit'} to compare")
    row = {"what": what, "ours": ours, "facts": facts, "paper": first.value}
    row["relation"] = first.relation
    if ours is not None:
        row["difference"] = first.get_difference(ours)
        row["met"] = all(fact.is_met(ours) for fact in known)
    return row


def check(what, paper, ours, is_met, facts):
    """Return a row for facts whose number decides nothing, as of a shape; paper and ours are texts."""
    for name in facts:
        get_fact(name)
    return {"what": what, "ours": ours, "facts": facts, "paper": paper, "met": bool(is_met)}


def get_measured(rows):
    """Return the rows without those whose number was not measured."""
    return [row for row in rows if row["ours"] is not None]


def format_cell(value):
    """Return a text as it is, a number with three digits."""
    return value if isinstance(value, str) else format_number(value)


def get_cells(row):
    """Return the texts of a row that compare() or check() made, below HEADERS."""
    bound = row.get("relation", "=")
    difference = row.get("difference")
    return [
        row["what"],
        ("" if bound == "=" else bound + " ") + format_cell(row["paper"]),
        format_cell(row["ours"]),
        MISSING if difference is None else format_difference(difference),
        "met" if row["met"] else "missed",
        ", ".join(row["facts"]),
    ]


def format_statements(statements):
    """Return what a paper states, a line each below a headline."""
    lines = [f"  {entry['statement']} ({', '.join(entry['sources'])})" for entry in statements]
    return "\n".join(["The paper states:", *lines])


def format_rows(rows):
    """Return the table of rows that compare() and check() made."""
    return format_table(HEADERS, [get_cells(row) for row in rows])
