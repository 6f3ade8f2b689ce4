# SPDX-License-Identifier: GPL-2.0-only
"""examples/fabric/kv: its scenarios, and a figure from small ones."""

import json
import os
from pathlib import Path

import pytest

from rocelab.validate.examples import EXAMPLES, load_figure_module
from rocelab.validate.figure import run_figure

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
FIGURE = "fabric/kv"

pytestmark = pytest.mark.skipif(not (BUILD / "rocelab").exists(), reason="rocelab is not built")


def test_only_stores_by_kernels_have_kernels():
    module = load_figure_module(FIGURE)
    options = {name: option.quick for name, option in module.OPTIONS.items()}
    for system in module.SYSTEMS:
        scenario = module.get_scenario("s", system, "goodput", 0.4, options)
        assert ("kernels" in scenario) == system.startswith("KV-Direct")
        stores = next(one for one in scenario["workloads"] if one["type"] != "poisson")
        assert ("cores" in stores) == system.startswith("Two-sided")


@pytest.mark.slow
def test_a_small_figure(tmp_path, check_pictures, capsys):
    settings = ["latency=60us", "goodput=40us", "warmup=10us", "memory=256KiB", "loads=0"]
    run_figure(FIGURE, EXAMPLES, tmp_path, BUILD, is_quick=True, settings=settings)
    data = json.loads((tmp_path / f"{FIGURE}-quick" / "figure.json").read_text())
    idle = [
        {name: points[0][1] for name, points in panel["series"].items()} for panel in data["panels"]
    ]
    # One crossing of the fabric and back, or two.
    assert idle[0]["KV-Direct, ConnectX-6 clients"] < idle[0]["One-sided GETs, ConnectX-6"]
    # 8 cores serve 63 million operations per second, of pairs that take two or three reads.
    assert idle[3]["Two-sided, ConnectX-6"] < idle[3]["KV-Direct, ConnectX-6 clients"]
    assert not data["incomplete"]
    assert "Two-sided, SRNIC" in capsys.readouterr().out
