# SPDX-License-Identifier: GPL-2.0-only
"""examples/thesis/requirements: what radio telescopes ask, met or not, with the number."""

import subprocess

import pytest
from sweeps import NEEDS_PROGRAM, PROGRAM

from rocelab.validate.examples import load_figure_module

pytestmark = NEEDS_PROGRAM
FIGURE = "thesis/requirements"


def list_answers(data):
    """Return the answers of figure.json by requirement."""
    return {answer["requirement"]: answer for answer in data["answers"]}


def test_all_requirements_are_met_but_those_of_too_few_devices(quick_figure):
    data = quick_figure(FIGURE)
    answers = list_answers(data)
    assert list(answers) == ["R1", "R2", "R3", "R4", "R5", "R6"]
    assert {name for name, answer in answers.items() if not answer["is_met"]} == {"R3"}
    assert data["series"]["met"] == [[1, 1], [2, 1], [3, 0], [4, 1], [5, 1], [6, 1]]
    assert answers["R3"]["measured"] == "5 on either side, 25 pairs, 0 without a message; 200 are asked for"
    # 4 x 24 Gb/s x 16384 / (16384 + 4 x 82 + 20) = 94.0 Gb/s of payload.
    assert 93 < float(answers["R4"]["measured"].split()[0]) < 95


@pytest.mark.slow
def test_two_hundred_devices_on_either_side(quick_figure):
    answers = list_answers(quick_figure(FIGURE, "devices=200"))
    assert answers["R3"]["measured"] == "200 on either side, 40000 pairs, 0 without a message"


def test_a_transport_that_sends_again_is_not_what_a_telescope_asks_for(monkeypatch):
    module = load_figure_module(FIGURE)
    rows = module.numpy.array([(10, 8, 3)], [("sent", "i8"), ("received", "i8"), ("retransmitted", "i8")])
    monkeypatch.setattr(module, "run_streams", lambda *_: ({}, rows))
    answers = {answer.requirement: answer for answer in module.check_losses(None, "connectx6", "connectx6")}
    assert answers["R2"].is_met and not answers["R5"].is_met
    assert answers["R5"].measured == "3 packets sent again while 2 messages were lost"


def test_the_command_of_older_versions_names_the_figure():
    ended = subprocess.run([PROGRAM, "requirements"], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("rocelab: expected figure thesis/requirements, got the former command requirements")
    assert ended.stderr.count("\n") == 1
