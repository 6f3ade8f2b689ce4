# SPDX-License-Identifier: GPL-2.0-only
"""rocelab requirements: what radio telescopes ask, met or not, with the number."""

import json

import pytest
from sweeps import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main
from rocelab.cli import requirements

pytestmark = NEEDS_PROGRAM


def ask(capsys, *options):
    status = main(["requirements", "--build", str(BUILD), "--json", *options])
    return status, {answer["requirement"]: answer for answer in json.loads(capsys.readouterr().out)}


def test_all_requirements_are_met_but_those_of_too_few_devices(capfd):
    status, answers = ask(capfd, "--devices", "5")
    assert list(answers) == ["R1", "R2", "R3", "R4", "R5", "R6"]
    assert {name for name, answer in answers.items() if not answer["is_met"]} == {"R3"}
    assert status == 1
    assert answers["R3"]["measured"] == "5 on either side, 25 pairs, 0 without a message; --devices 200 are asked for"
    # 4 x 24 Gb/s x 16384 / (16384 + 4 x 82 + 20) = 94.0 Gb/s of payload.
    assert 93 < float(answers["R4"]["measured"].split()[0]) < 95


@pytest.mark.slow
def test_two_hundred_devices_on_either_side(capfd):
    status, answers = ask(capfd)
    assert (status, answers["R3"]["measured"]) == (0, "200 on either side, 40000 pairs, 0 without a message")


def test_a_transport_that_sends_again_is_not_what_a_telescope_asks_for(tmp_path, monkeypatch):
    monkeypatch.setattr(requirements, "STREAMS", {**requirements.STREAMS, "service": "RC"})
    runner = requirements.Runner(BUILD, tmp_path)
    answers = {answer.requirement: answer for answer in requirements.check_losses(runner, "connectx6", "connectx6")}
    assert not answers["R5"].is_met
    assert not answers["R5"].measured.startswith("0 packets")


@pytest.mark.parametrize("option", ["--sender", "--receiver"])
def test_a_nic_that_there_is_not_is_one_line_that_says_which_there_are(capfd, option):
    assert main(["requirements", "--build", str(BUILD), option, "foo"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"rocelab: {option}: expected a NIC preset (connectx5, ")
    assert "balboa, " in line and line.endswith("), got 'foo'")


def test_a_nic_with_little_room_is_asked_with_the_queue_pairs_that_it_holds(tmp_path, monkeypatch):
    asked = []

    def run(runner, scenario):
        asked.append(scenario["workload"]["queuePairs"])
        return {"streams": {"goodput_gbps": 91.0}}, []

    monkeypatch.setattr(requirements.Runner, "run", run)
    runner = requirements.Runner(BUILD, tmp_path)
    answers = [requirements.check_goodput(runner, "fpga-sender", nic) for nic in ("connectx6", "balboa")]
    assert asked == [2000, 500]
    assert answers[0].measured.endswith("with 2,000 queue pairs")
    assert answers[1].measured.endswith("with 500 queue pairs, balboa has room for 500")


def test_a_number_of_devices_that_makes_no_sense_is_one_line(capsys):
    assert main(["requirements", "--devices", "0"]) == 2
    assert capsys.readouterr().err == "rocelab: command line: argument --devices: expected a whole number from 1 to 1000, got '0'\n"
