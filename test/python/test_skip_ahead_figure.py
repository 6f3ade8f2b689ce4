# SPDX-License-Identifier: GPL-2.0-only
"""examples/fabric/skip-ahead: its windows, its errors by hand, and a small figure."""

import math
from types import SimpleNamespace

import numpy
import pytest
from program import BUILD, NEEDS_PROGRAM, read_json

from rocelab.errors import UserError
from rocelab.validate.examples import EXAMPLES, load_figure_module
from rocelab.validate.figure import run_figure

FIGURE = "fabric/skip-ahead"
FLOW = [("start_ns", float), ("fct_ns", float), ("slowdown", float), ("status", "U10")]

module = load_figure_module(FIGURE)
DEFAULTS = {name: option.default for name, option in module.OPTIONS.items()}


def make_nic(hops, *flows):
    """Return a result with flows of (end in us, slowdown); each began 1 us before its end."""
    rows = [((end - 1) * 1e3, 1e3, slowdown, "completed") for end, slowdown in flows]
    return SimpleNamespace(flows=numpy.array(rows, dtype=FLOW), summary={"packet_hops": hops})


@pytest.fixture(name="plan")
def fixture_plan():
    options = DEFAULTS | {"begin": "1", "windows": "2", "warmup": "50", "measured": "50", "share": "0.5"}
    return module.Plan(options)


def test_windows_are_a_share_of_the_time(plan):
    # 100 us of packets are half of a period of 200 us.
    assert plan.windows == [(1000, 1050, 1100), (1200, 1250, 1300)]
    assert plan.end == 1400


def test_errors_of_the_fluid_and_by_chance_make_the_error(plan):
    # Always: flows that end at 1060, 1150, 1260 and 1350 us, mean (2 + 4 + 4 + 6) / 4 = 4; those of the
    # windows' times, the first and the third, have 3. The windows have 2 and 4.6: mean 3.3.
    always = make_nic(1000, (1010, 99), (1060, 2), (1150, 4), (1260, 4), (1350, 6))
    windows = [make_nic(60, (1020, 99), (1060, 2)), make_nic(40, (1260, 4.6))]
    comparison = module.Comparison(always, windows, plan)
    error, fluid, chance, half_width = comparison.get_errors("slowdown")
    assert error == pytest.approx(3.3 / 4 - 1)
    assert fluid == pytest.approx(0.1)
    assert chance == pytest.approx(-0.25)
    assert (1 + fluid) * (1 + chance) == pytest.approx(1 + error)
    # The windows are 1.3 / 3.3 from their mean: standard error 1.3 / 3.3, times 12.706 of t with 1 degree.
    assert half_width == pytest.approx(12.706 * 1.3 / 3.3, rel=1e-4)
    assert comparison.work == 0.1


def test_windows_count_by_their_flows(plan):
    # Three flows of 2 and one of 6 have a mean of 3, not 4.
    windows = [make_nic(1, (1060, 2), (1061, 2), (1062, 2)), make_nic(1, (1260, 6))]
    always = make_nic(10, (1060, 3), (1260, 3))
    error, *_ = module.Comparison(always, windows, plan).get_errors("slowdown")
    assert error == pytest.approx(0)


def test_a_window_without_a_flow_is_bad_input(plan):
    with pytest.raises(UserError, match="option measured: expected a time in which flows end"):
        module.Comparison(make_nic(1, (1060, 2), (1260, 2)), [make_nic(1, (1060, 2)), make_nic(1, (1210, 2))], plan)


@pytest.mark.parametrize(
    "name, value", [("windows", "1"), ("windows", "2.5"), ("share", "0"), ("share", "1.1"), ("begin", "x")]
)
def test_settings_of_the_windows_are_checked(name, value):
    with pytest.raises(UserError, match=f"option {name}: expected a number from"):
        module.Plan(DEFAULTS | {name: value})


def test_sizes_of_the_fabric_are_checked(plan):
    with pytest.raises(UserError, match="option servers: expected one of"):
        module.make_scenario("s", plan, 1000, 2000, DEFAULTS | {"servers": "63"})


@pytest.mark.slow
@NEEDS_PROGRAM
def test_a_small_figure_has_less_work(tmp_path, check_pictures, capsys):
    run_figure(FIGURE, EXAMPLES, tmp_path, BUILD, is_quick=True)
    data = read_json(tmp_path / f"{FIGURE}-quick" / "figure.json")
    errors = data["errors"]["srnic"]
    assert 0.3 < errors["work"] < 0.7  # Half of the time; the first window fills up as the whole run does.
    assert all(math.isfinite(value) for value in errors["slowdown"])
    assert len(data["panels"][0]["series"]["windows of packets"]) == 2
    assert "mean slowdown" in capsys.readouterr().out
