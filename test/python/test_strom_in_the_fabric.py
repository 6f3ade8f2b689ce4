# SPDX-License-Identifier: GPL-2.0-only
"""examples/fabric/strom: its scenarios, and a figure from small ones."""

import pytest
from program import BUILD, NEEDS_PROGRAM, read_json

from rocelab.errors import UserError
from rocelab.validate.examples import EXAMPLES, load_example, load_figure_module
from rocelab.validate.figure import run_figure

common = load_example("fabric/common")

FIGURE = "fabric/strom"

pytestmark = NEEDS_PROGRAM


def test_each_system_has_56_clients_and_8_servers():
    module = load_figure_module(FIGURE)
    options = {name: option.quick for name, option in module.OPTIONS.items()}
    for system in module.SYSTEMS:
        scenario = module.get_scenario("s", system, "goodput", 0.4, options)
        groups = {
            name: sum(last - first + 1 for first, last in ranges)
            for name, ranges in scenario["groups"].items()
        }
        assert groups == {"stores": 8, "clients": 56}
        assert ("kernels" in scenario) == system.startswith("Kernel")


@pytest.mark.parametrize("loads", ["0.95", "-1", "x", ""])
def test_loads_are_checked(loads):
    with pytest.raises(UserError, match="option loads: expected numbers from 0 to 0.9"):
        common.read_loads({"loads": loads})


@pytest.mark.slow
def test_a_small_figure(tmp_path, check_pictures, capsys):
    settings = ["latency=60us", "goodput=60us", "warmup=10us", "keys=500", "loads=0,0.5"]
    run_figure(FIGURE, EXAMPLES, tmp_path, BUILD, is_quick=True, settings=settings)
    data = read_json(tmp_path / f"{FIGURE}-quick" / "figure.json")
    assert len(data["panels"]) == 3
    for panel in data["panels"]:
        assert len(panel["series"]) == 4
    idle = {name: points[0][1] for name, points in data["panels"][0]["series"].items()}
    # One round trip and two PCIe reads; two round trips with one each; two with cores.
    assert idle["Kernel, StRoM"] < idle["READ, StRoM"] < idle["TCP, ConnectX-6"]
    assert not data["incomplete"]
    assert "Kernel, StRoM" in capsys.readouterr().out
