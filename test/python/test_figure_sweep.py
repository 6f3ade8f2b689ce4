# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios of a figure as sweeps: parts that differ, groups, what is kept, failures."""

import pytest
from sweeps import BUILD, INCAST, NEEDS_PROGRAM

from rocelab.errors import UserError
from rocelab.validate.figure import FigureContext
from rocelab.validate.figure_sweep import describe


def make(name, senders=8, **changes):
    """Return a scenario."""
    workload = {**INCAST["workload"], "senders": senders}
    return {**INCAST, "name": name, "workload": workload, "run": {"seed": 1}, **changes}


def test_the_parts_that_differ_advance_together():
    wide = make("c", 2, fabric={**INCAST["fabric"], "linkDelay": "2us"})
    root, points = describe([make("a", 2), make("b", 4), wide, make("again", 2)])
    (axis,) = root["axes"]
    assert [one["path"] for one in axis["zip"]] == ["fabric", "workload"]
    assert [one["labels"] for one in axis["zip"]] == [["a", "b", "c"], ["-", "-", "-"]]
    assert [value["senders"] for value in axis["zip"][1]["values"]] == [2, 4, 2]
    assert points == [0, 1, 2, 0]  # The last is the first under another name.


def test_a_single_scenario_has_no_axis():
    root, points = describe([make("a"), make("b")])
    assert "axes" not in root and points == [0, 0]


@pytest.fixture
def make_context(tmp_path):
    """A function: a FigureContext in the same folder of results."""
    return lambda: FigureContext("group/name", tmp_path, tmp_path / "out", BUILD, False, {})


@NEEDS_PROGRAM
def test_results_are_those_of_single_runs_and_are_kept(make_context, capsys):
    scenarios = {
        2: make("two", 2),
        4: make("four", 4),
        "irn": make("irn", 4, nics=["irn", "srnic"]),
        "seed": make("seed", 4, run={"seed": 2}),
        "list": {**make("list"), "workloads": [{**INCAST["workload"], "name": "one"}]},
    }
    del scenarios["list"]["workload"]
    results = make_context().sweep(scenarios)
    assert list(results) == list(scenarios)
    for key, scenario in scenarios.items():
        single = make_context().run_scenario(scenario)
        assert [nic.name for nic in single.nics] == [nic.name for nic in results[key].nics]
        for ours, theirs in zip(results[key].nics, single.nics):
            assert (ours.flows == theirs.flows).all()
            assert ours.scenario["run"]["seed"] == theirs.scenario["run"]["seed"]
    assert "done" in capsys.readouterr().out
    again = make_context().sweep(scenarios)
    assert "done" not in capsys.readouterr().out
    assert again["irn"].nics[0].summary == results["irn"].nics[0].summary


@NEEDS_PROGRAM
def test_a_bad_scenario_is_one_line(make_context):
    with pytest.raises(UserError, match=r"\$.workload: incast: expected 1 to 8 senders .*, got 99$"):
        make_context().sweep({1: make("one", 2), 2: make("two", 99)})


@NEEDS_PROGRAM
@pytest.mark.parametrize("senders", [4, 8])
def test_results_of_nics_that_the_scenario_no_longer_has_are_left_out(make_context, senders):
    both = make("one", 4, nics=["irn", "srnic"])
    one = make("one", senders, nics=["srnic"])
    for scenario in (both, one):
        names = scenario["nics"]
        assert [nic.name for nic in make_context().sweep({"only": scenario})["only"].nics] == names
        assert [nic.name for nic in make_context().run_scenario(scenario).nics] == names
