# SPDX-License-Identifier: GPL-2.0-only
"""rocelab scoreboard: the rows of machines, simulators and a test plan, run again, kept and refused."""

import shutil

import pytest
from program import NEEDS_PROGRAM, ROOT, call, expect_one_line

from rocelab.errors import UserError
from rocelab.validate.ledger import Ledger, count_predictions
from rocelab.validate.scoreboard import count_kinds, format_peers, list_peers, read_peers, select

VALIDATION = ROOT / "validation"


def copy_validation(folder):
    """Return a copy of the folder of facts."""
    return shutil.copytree(VALIDATION, folder / "validation")


def test_the_file_is_as_it_is_written():
    rows = read_peers(VALIDATION)
    assert format_peers(rows) == (VALIDATION / "peers.csv").read_text()
    assert len({row.id for row in rows}) == len(rows)


def test_each_row_has_a_class_a_source_and_our_number_and_says_what_was_selected():
    for row in read_peers(VALIDATION):
        assert row.evidence in ("predicted", "selected", "input") and row.source and row.ours is not None, row
        assert row.why or row.evidence != "selected", row


def test_a_bound_is_kept_or_missed():
    row = next(row for row in read_peers(VALIDATION) if row.relation == "<=" and row.value == 0)
    for ours, is_met in ((0.0, True), (1.0, False)):
        changed = type(row)(**{**row.__dict__, "ours": ours})
        assert changed.is_met == is_met and changed.difference is None and changed.status.startswith("missed") != is_met


def test_misses_come_first_and_are_counted():
    rows = read_peers(VALIDATION)
    cells = list_peers(rows)
    places = ["open" if row[5] == "open" else "missed" if row[5].startswith("missed") else "met" for row in cells]
    assert places == sorted(places, key=["missed", "met", "open"].index) and set(places) == {"missed", "met", "open"}
    counted = {kind: met for kind, _, met, *_ in count_kinds(rows, Ledger().get_entries())}
    predicted = [row for row in rows if row.kind == "cluster" and row.evidence == "predicted" and row.value is not None]
    # Within 10 % of the measured value.
    met = sum(0.9 * row.value <= row.ours <= 1.1 * row.value for row in predicted)
    assert counted["cluster"] == f"{met} of {len(predicted)}"
    (*_, totals) = count_predictions(Ledger().get_entries())[1]
    assert counted["paper"] == f"{totals[3] + totals[4]} of {totals[2]}"


def test_a_row_that_is_none_is_named(tmp_path):
    folder = copy_validation(tmp_path)
    path = folder / "peers.csv"
    path.write_text(path.read_text().replace(",55.86,", ",fast,"))
    with pytest.raises(UserError, match="peers.csv:2: expected numbers"):
        read_peers(folder)
    path.write_text((VALIDATION / "peers.csv").read_text().replace(",<=,0,", ",about,0,"))
    with pytest.raises(UserError, match="expected a relation of =, <"):
        read_peers(folder)
    path.write_text("id,kind\n")
    with pytest.raises(UserError, match="peers.csv:1: expected the columns"):
        read_peers(folder)
    with pytest.raises(UserError, match="nearest: CX5-"):
        select(read_peers(VALIDATION), ["CX5-9"], False)


def test_quick_rows_are_one_of_each_kind():
    rows = read_peers(VALIDATION)
    assert [row.kind for row in select(rows, [], True)] == list(dict.fromkeys(row.kind for row in rows))


@NEEDS_PROGRAM
def test_a_machine_and_a_simulator_give_the_numbers_of_the_file():
    ended = call("scoreboard", "CX5-1", "UET-1")
    assert (ended.returncode, ended.stderr) == (0, "") and ended.stdout.count("theirs") == 2
    assert ended.stdout.endswith("\n2 of 2 rows have the numbers of peers.csv\n")


@NEEDS_PROGRAM
def test_a_number_that_has_moved_ends_with_status_1_and_is_kept_on_request(tmp_path):
    folder = copy_validation(tmp_path)
    path = folder / "peers.csv"
    rows = read_peers(folder)
    moved = [row if row.id != "CX5-4" else type(row)(**{**row.__dict__, "ours": 5.0}) for row in rows]
    path.write_text(format_peers(moved))
    ended = call("scoreboard", "CX5-4", "--validation", folder)
    assert ended.returncode == 1 and "not the numbers of peers.csv: CX5-4" in ended.stdout
    assert call("scoreboard", "CX5-4", "--keep", "--validation", folder).returncode == 0
    assert read_peers(folder) == rows
    expect_one_line(call("scoreboard", "--keep"), "--keep: expected rows")
    expect_one_line(call("scoreboard", "CX5-4", "--quick"), "expected rows, --quick or --rerun")
    expect_one_line(call("scoreboard", "--quick", "--rerun"), "expected rows, --quick or --rerun")


@NEEDS_PROGRAM
@pytest.mark.slow
def test_all_rows_give_the_numbers_of_the_file():
    ended = call("scoreboard", "--rerun")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    # What the plan's case of the drop threshold says: one line.
    assert all("frames of a lossless priority were dropped" in line for line in ended.stderr.splitlines()), ended.stderr
