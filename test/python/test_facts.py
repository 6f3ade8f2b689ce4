# SPDX-License-Identifier: GPL-2.0-only
"""validation/facts.csv, and the rows that figures make of its facts."""

import json
import re
from pathlib import Path

import pytest

from rocelab.errors import UserError
from rocelab.validate import checks
from rocelab.validate.facts import KINDS, RESULT, Fact, get_fact, load_facts, read_facts

# Where the facts come from; a clone of the project alone does not have it.
REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference" / "paper-facts.json"
LAST = 611  # Of the reference; results with a higher number were added from the papers.
HEADER = "id,paper,where,quantity,relation,value,unit,condition,kind\n"


def make_fact(relation, value):
    """Return a fact with this number."""
    return Fact("P-1", "P", "Fig 1", "throughput", relation, value, "Gb/s", "", RESULT)


@pytest.mark.parametrize(
    "relation, value, ours, is_met",
    [
        ("=", 97, 97 * 1.0999, True),  # The tolerance is 10 % of the paper's number.
        ("=", 97, 97 * 1.1001, False),
        ("=", 97, 97 * 0.9001, True),
        ("=", 97, 97 * 0.8999, False),
        ("<", 5, 4.99, True),
        ("<", 5, 5, False),
        ("<=", 5, 5, True),
        (">", 2, 2, False),
        (">=", 2, 2, True),
    ],
)
def test_a_number_is_met_within_ten_percent_or_by_its_bound(relation, value, ours, is_met):
    assert make_fact(relation, value).is_met(ours) is is_met


def test_a_bound_has_no_difference():
    assert make_fact("=", 50).get_difference(55) == pytest.approx(0.1)
    assert make_fact("<", 50).get_difference(55) is None


def test_an_id_is_its_paper_and_a_number():
    facts = load_facts()
    for fact in facts.values():
        assert re.fullmatch(rf"{re.escape(fact.paper)}-\d{{3}}", fact.id)
    assert {fact.paper for fact in facts.values()} == {"SRNIC", "StRoM", "BALBOA", "ASTRON-thesis", "KV-Direct"}


if REFERENCE.exists():

    def test_the_facts_have_the_numbers_of_the_reference():
        known = {fact["id"]: fact for fact in json.loads(REFERENCE.read_text())["facts"]}
        results = {name for name, fact in known.items() if fact["kind"] == RESULT}
        assert results <= set(load_facts())
        for name, fact in load_facts().items():
            if int(name.rpartition("-")[2]) > LAST:
                assert name not in known
                continue
            assert fact.value == known[name]["value"], name
            # Numbers that the reference takes for constants of a design are results of a paper, too.
            assert fact.kind == known[name]["kind"] or known[name]["kind"] not in KINDS, name


@pytest.mark.parametrize(
    "line, expected",
    [
        ("A-1,A,Fig 1,x,=,1,us,,result\nA-1,A,Fig 1,x,=,1,us,,result", ":3: expected an id that no"),
        ("A-1,A,Fig 1,x,~,1,us,,result", ":2: expected a relation of =, <, <=, >, >=, got '~'"),
        ("A-1,A,Fig 1,x,=,one,us,,result", ":2: expected a number as value, got 'one'"),
        ("A-1,A,Fig 1,x,=,nan,us,,result", ":2: expected a number as value, got 'nan'"),
        ("A-1,A,Fig 1,x,=,,us,,result", ":2: expected a number as value, got ''"),
        ("A-1,A,Fig 1,x,=,1,us,,opinion", ":2: expected one of the kinds"),
        ("A-1,A,Fig 1", ":2: expected 9 fields"),
        ("A-1,A,Fig 1,x,=,1,us,,result,more", ":2: expected 9 fields"),
    ],
)
def test_a_damaged_file_is_one_line_with_its_place(tmp_path, line, expected):
    path = tmp_path / "facts.csv"
    path.write_text(HEADER + line + "\n")
    with pytest.raises(UserError) as error:
        read_facts(path)
    assert str(error.value).startswith(f"{path}{expected}")


def test_another_header_is_refused(tmp_path):
    path = tmp_path / "facts.csv"
    path.write_text("id,paper\n")
    with pytest.raises(UserError, match="facts.csv:1: expected the header id,paper,where"):
        read_facts(path)


def test_rows_say_how_far_ours_is_from_the_paper():
    assert get_fact("SRNIC-074").value == 97
    rows = [
        checks.compare("x", 106.7, ["SRNIC-074", "SRNIC-003"]),
        checks.compare("y", 3, ["SRNIC-089"]),
        checks.check("z", "linear", "0.1 % off", False, ["StRoM-149"]),
        checks.compare("not measured", None, ["SRNIC-074"]),
    ]
    assert rows[0]["difference"] == pytest.approx(0.1) and rows[0]["met"]
    assert rows[1]["difference"] is None and rows[1]["met"]
    measured = checks.get_measured(rows)
    assert measured == rows[:3]
    lines = checks.format_rows(measured).split("\n")
    assert lines[2].split() == ["x", "97.0", "107", "+10.0", "%", "met", "SRNIC-074,", "SRNIC-003"]
    assert lines[3].split() == ["y", "<", "5.00", "3.00", "-", "met", "SRNIC-089"]
    assert lines[4].split() == ["z", "linear", "0.1", "%", "off", "-", "missed", "StRoM-149"]


def test_facts_of_different_units_are_not_compared_with_one_number():
    with pytest.raises(UserError, match="SRNIC-085: expected a number in Gb/s to compare"):
        checks.compare("x", 1, ["SRNIC-074", "SRNIC-085"])
    with pytest.raises(UserError, match="StRoM-149: expected a number"):
        checks.compare("x", 1, ["StRoM-149"])


def test_an_unknown_fact_is_named():
    with pytest.raises(UserError, match="facts.csv: expected a line for SRNIC-999, got none"):
        checks.check("x", "a", "b", True, ["SRNIC-999"])
