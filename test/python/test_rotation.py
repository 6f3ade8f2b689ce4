# SPDX-License-Identifier: GPL-2.0-only
"""One figure per run of the slow tests, chosen by the commit, gives the rows of measured.csv again."""

import os
from dataclasses import replace

import pytest
from program import BUILD, NEEDS_PROGRAM, ROOT

from rocelab.errors import UserError
from rocelab.runs.engine import get_commit
from rocelab.validate.examples import EXAMPLES
from rocelab.validate.figure import run_figure
from rocelab.validate.ledger import Answer, Ledger
from rocelab.validate.rotation import choose_due, is_same, list_moved, list_short_figures


def test_each_short_figure_is_due_at_some_commit():
    ledger = Ledger()
    figures = list_short_figures(ledger)
    assert len(figures) > 30
    assert {choose_due(ledger, f"{number:x}") for number in range(len(figures))} == set(figures)
    # The hash modulo their number; a tree with changes counts as its commit.
    assert choose_due(ledger, f"{len(figures) + 3:x}-dirty") == figures[3]
    with pytest.raises(UserError, match="rotation: expected the hash of a commit, got 'unknown'"):
        choose_due(ledger, "unknown")


def test_a_number_has_moved_if_its_sixth_digit_has():
    answer = Answer("f", "rate", ("X-1",), 96.6777, None, "", "", "")
    assert is_same(answer, replace(answer, ours=96.67774))
    assert not is_same(answer, replace(answer, ours=96.68))
    words = replace(answer, ours="holds", met=True)
    assert is_same(words, words) and not is_same(words, replace(words, met=False))


@NEEDS_PROGRAM
@pytest.mark.slow
def test_the_figure_that_is_due_gives_its_rows_again(tmp_path):
    ledger = Ledger()
    commit = os.environ.get("ROCELAB_ROTATION") or get_commit()
    figure = choose_due(ledger, commit if commit != "unknown" else "0")
    run_figure(figure, EXAMPLES, tmp_path, BUILD)
    assert list_moved(ledger, figure, tmp_path) == [], f"of {ROOT / 'validation' / 'measured.csv'}"
