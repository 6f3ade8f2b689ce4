# SPDX-License-Identifier: GPL-2.0-only
"""examples/fabric/lofar: what its quick variant must show."""

import json

import pytest
from program import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main

pytestmark = [NEEDS_PROGRAM, pytest.mark.slow]


def test_an_outage_costs_the_data_of_its_time(tmp_path, check_pictures):
    options = ["--option", "loads=0", "--option", "outages=0.2,1", "--option", "nics=balboa"]
    arguments = ["--quick", "--out", str(tmp_path), "--build", str(BUILD), *options]
    assert main(["figure", "fabric/lofar", *arguments]) == 0
    data = json.loads((tmp_path / "fabric/lofar-quick" / "figure.json").read_text())
    by_load, by_outage = [panel["series"] for panel in data["panels"]]
    assert by_load["balboa, UC"] == [[0, 0]]
    # Of 3 ms in which messages are due, 0.2 and 1 ms are lost on UC: no more than 6.7 and 33.3 % of the
    # node's, and less where stations send to other nodes; RC brings what an outage of 0.2 ms has lost.
    short, long = [late for _, late in by_outage["balboa, UC"]]
    assert 0 < short < 10 and short < long < 50
    assert by_outage["balboa, RC"][0][1] == 0
