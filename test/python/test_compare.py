# SPDX-License-Identifier: GPL-2.0-only
import csv
import json

import pytest
from synthetic import make_flows, stop_flows, write_nic, write_scenario

from rocelab.errors import UserError
from rocelab.report.compare import format_comparison, format_csv
from rocelab.results.folders import load_scenario
from rocelab.terminal.table import format_count, format_difference, format_number, format_table

ITERATIONS = dict.fromkeys(
    ("bytes", "communicators", "ranks", "iterations", "completed", "packets", "retransmitted", "timeouts"), 1
)


def read_table(text):
    """Return {NIC: cells} of the first table and of the ratio table."""
    tables, lines = [], text.splitlines()
    for index, line in enumerate(lines):
        if line.startswith("---"):
            rows = {}
            for row in lines[index + 1 :]:
                if not row.strip():
                    break
                rows[row.split()[0]] = row.split()[1:]
            tables.append(rows)
    return tables


@pytest.mark.parametrize(
    "value, text", [(0.0289, "+2.9 %"), (-0.111, "-11.1 %"), (0.0, "+0.0 %"), (-0.0004, "+0.0 %"), (-0.0006, "-0.1 %")]
)
def test_a_difference_that_rounds_to_zero_has_no_minus(value, text):
    assert format_difference(value) == text


def test_the_table_has_each_nics_numbers_in_the_order_of_the_scenario(compare_folder):
    results, _ = read_table(format_comparison(load_scenario(compare_folder)))
    assert list(results) == ["connectx6", "irn", "srnic", "balboa"]
    # Twice the numbers of synthetic.make_flows(): means 201, P50 200, P99 396, small flows 101.
    assert results["connectx6"] == [
        "200/200", "201", "396", "201", "200", "396", "101", "3,457", "2,346", "1,234", "1.52M", "4,321", "5",
        "1.23M", "17", "6.25", "4.80",
    ]  # fmt: skip


def test_the_table_fits_a_wide_terminal(compare_folder):
    lines = format_comparison(load_scenario(compare_folder)).splitlines()
    assert 100 <= max(len(line) for line in lines) <= 150


def test_ratios_refer_to_srnic(compare_folder):
    _, ratios = read_table(format_comparison(load_scenario(compare_folder)))
    assert ratios["connectx6"] == ["2.00x", "2.00x", "2.00x"]
    assert ratios["irn"] == ["1.10x", "1.10x", "1.10x"]
    assert ratios["srnic"] == ["1.00x", "1.00x", "1.00x"]


def test_ratios_refer_to_the_first_nic_where_there_is_no_srnic(tmp_path):
    folder = write_scenario(tmp_path / "x", {"irn": 1, "balboa": 3})
    text = format_comparison(load_scenario(folder))
    assert "ratio to irn" in text
    assert read_table(text)[1]["balboa"] == ["3.00x", "3.00x", "3.00x"]


def test_ratios_of_collectives_are_those_of_their_iterations(tmp_path):
    scenario = {"name": "x", "nics": ["irn", "balboa"]}
    for nic, factor in (("irn", 2), ("balboa", 3)):
        times = {"mean": 10 * factor, "p50": 1, "p99": 5 * factor * factor, "max": 100}
        part = {**ITERATIONS, "time_us": times}
        none = {"mean": None, "p50": None, "p99": None}
        write_nic(tmp_path / "x" / nic, [], scenario, collective=part, fct_us=none, slowdown=none)
    text = format_comparison(load_scenario(tmp_path / "x"))
    assert "ratio to irn  mean iteration  P99 iteration\n" in text
    assert read_table(text)[1]["balboa"] == ["1.50x", "2.25x"]  # 30 / 20 and 45 / 20.
    rows = list(csv.DictReader(format_csv(load_scenario(tmp_path / "x")).splitlines()))
    assert [row["iteration_p99_ratio"] for row in rows] == ["1", "2.25"]
    assert [row["fct_mean_ratio"] for row in rows] == ["", ""]


NO_FLOWS = {
    "fct_us": {"mean": None, "p50": None, "p99": None},
    "slowdown": {"mean": None, "p50": None, "p99": None},
    **dict.fromkeys(("goodput_gbps", "retransmitted", "timeouts"), 0),
    "goodput_to_last_start_gbps": None,
}


def test_columns_of_collectives_have_their_own_numbers_and_none_of_flows(tmp_path):
    part = {**ITERATIONS, "iterations": 8, "completed": 7, "retransmitted": 16_230, "timeouts": 19, "goodput_gbps": 61.5}
    write_nic(tmp_path / "x" / "irn", [], {"name": "x", "nics": ["irn"]}, collective=part, **NO_FLOWS)
    text = format_comparison(load_scenario(tmp_path / "x"))
    assert "FCT" not in text and "0/0" not in text
    cells = read_table(text)[0]["irn"]
    # Iterations, then their times and bandwidths, which are not given; goodput, drops, discards, resent, timeouts.
    assert cells[:10] == ["7/8", "-", "-", "-", "-", "61.5", "1,234", "1.52M", "16,230", "19"]
    (row,) = csv.DictReader(format_csv(load_scenario(tmp_path / "x")).splitlines())
    assert (row["retransmitted"], row["timeouts"], row["goodput_gbps"]) == ("16230", "19", "61.5")


def test_a_collective_beside_flows_has_no_count_of_flows_and_its_own_goodput(tmp_path):
    # The goodput of flows alone is not that of the NIC's row, which has the collective's traffic, too.
    part = {**ITERATIONS, "iterations": 4, "completed": 4, "retransmitted": 0, "timeouts": 0, "goodput_gbps": 61.5}
    of_flows = {"flows": {"started": 200, "completed": 200, "failed": 0, "stalled": 0}, "goodput_gbps": 7.5}
    of_ring = {**NO_FLOWS, "flows": dict.fromkeys(("started", "completed", "failed", "stalled"), 0), "collective": part}
    stats = {"fct_us": {"mean": 1, "p50": 1, "p99": 1}, "slowdown": {"mean": 1, "p50": 1, "p99": 1}}
    of_flows |= {**stats, "retransmitted": 0, "timeouts": 0, "goodput_to_last_start_gbps": 7}
    write_nic(tmp_path / "x" / "irn", make_flows(1), {"name": "x"}, workloads={"web": of_flows, "ring": of_ring})
    add_workload(tmp_path / "x" / "irn" / "flows.csv", "web")
    scenario = load_scenario(tmp_path / "x")
    rows = list(csv.DictReader(format_csv(scenario).splitlines()))
    assert [row["goodput_gbps"] for row in rows] == ["", "7.5", "61.5"]
    cells = read_table(format_comparison(scenario))[0]
    assert (cells["irn"][0], cells["web"][0], cells["ring"][0]) == ("200/200", "200/200", "-")


def add_workload(path, name):
    """Give the flows of a flows.csv a workload."""
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([f"workload,{header}", *(f"{name},{row}" for row in rows)]) + "\n")


def test_flows_beside_a_collective_add_up_and_uncounted_traffic_has_a_dash(tmp_path):
    part = {**ITERATIONS, "retransmitted": 79, "timeouts": 2}
    write_nic(tmp_path / "x" / "irn", make_flows(1), {"name": "x"}, collective=part)
    (irn,) = load_scenario(tmp_path / "x").nics
    assert (irn.count("retransmitted"), irn.count("timeouts")) == (4321 + 79, 5 + 2)
    assert irn.goodput_gbps is None and irn.goodput_to_last_start_gbps is None  # Of flows alone they would be too small.
    write_nic(tmp_path / "x" / "irn", [], {"name": "x"}, streams={"measured_ms": 1, "retransmitted": 3, "goodput_gbps": 9}, **NO_FLOWS)
    (irn,) = load_scenario(tmp_path / "x").nics
    assert (irn.count("retransmitted"), irn.count("timeouts"), irn.goodput_gbps) == (3, None, 9)


def test_trims_are_apart_from_drops(tmp_path):
    write_nic(tmp_path / "x" / "uet", make_flows(1), {"name": "x"}, trims=9184, fabric_drops=0, drops={})
    write_nic(tmp_path / "x" / "irn", make_flows(1), {"name": "x"}, trims=0)
    text = format_comparison(load_scenario(tmp_path / "x"))
    results, _ = read_table(text)
    # Behind both goodputs: trims, fabric drops.
    assert results["uet"][9:11] == ["9,184", "0"]
    assert results["irn"][9:11] == ["0", "1,234"]
    rows = list(csv.DictReader(format_csv(load_scenario(tmp_path / "x")).splitlines()))
    assert {row["nic"]: row["trims"] for row in rows} == {"uet": "9184", "irn": "0"}


def test_flows_that_began_as_a_fluid_are_in_no_number(tmp_path):
    # Flow k starts at 10 k ns and has an FCT of k us: from 1,010 ns on flows 101 to 200.
    fluid = {"until_us": 1.005, "flows": 100}
    measured = {"mean": 150.5, "p50": 150.0, "p99": 199.0}
    write_nic(tmp_path / "x" / "irn", make_flows(1), {"name": "x"}, fluid=fluid, fct_us=measured, slowdown=measured)
    scenario = load_scenario(tmp_path / "x")
    (irn,) = scenario.nics
    assert sorted(irn.completed["slowdown"]) == list(range(101, 201))
    assert (irn.fluid_count, irn.measured_count) == (100, 100)
    assert irn.small_flow_slowdown is None  # All small flows began in the fluid.
    text = format_comparison(scenario)
    assert read_table(text)[0]["irn"][:4] == ["200/200", "150", "199", "150"]
    assert "  irn: without the 100 flows that began as a fluid (run.fluidStart)" in text.splitlines()


def test_what_had_no_effect_and_few_flows_are_said(tmp_path):
    write_nic(tmp_path / "x" / "irn", make_flows(1), {"name": "x"}, notes=["Dcqcn never acted"])
    lines = format_comparison(load_scenario(tmp_path / "x")).splitlines()
    assert "  irn: Dcqcn never acted" in lines
    assert "  A P99 rests on the slowest hundredth of few flows (irn 200)." in lines


def test_incomplete_and_missing_nics_are_marked(compare_folder):
    scenario = {"name": "compare", "nics": ["connectx6", "irn", "srnic", "balboa", "strom10g"]}
    rows = stop_flows(make_flows(1.1), range(151, 201), "stalled")
    write_nic(compare_folder / "irn", rows, scenario)
    text = format_comparison(load_scenario(compare_folder))
    assert "irn*" in read_table(text)[0] and "srnic" in read_table(text)[0]
    assert "* irn: 150 of 200 flows completed, 50 stalled" in text.splitlines()
    assert "  strom10g: no results" in text.splitlines()


def test_a_nic_that_completed_nothing_has_dashes_and_no_ratio(compare_folder):
    rows = stop_flows(make_flows(1), range(1, 201), "failed")
    write_nic(compare_folder / "balboa", rows, {"name": "compare"})
    results, ratios = read_table(format_comparison(load_scenario(compare_folder)))
    assert results["balboa*"][:7] == ["0/200"] + ["-"] * 6
    assert ratios["balboa*"] == ["-", "-", "-"]


def test_the_csv_has_unrounded_numbers(compare_folder):
    rows = list(csv.DictReader(format_csv(load_scenario(compare_folder)).splitlines()))
    assert [row["nic"] for row in rows] == ["connectx6", "irn", "srnic", "balboa"]
    irn = rows[1]
    assert irn["complete"] == "yes" and irn["partial"] == "no"
    assert float(irn["fct_us_mean"]) == pytest.approx(110.55, rel=1e-9)  # 100.5 x 1.1
    assert float(irn["fct_us_p99"]) == pytest.approx(217.8, rel=1e-9)  # 198 x 1.1
    assert float(irn["slowdown_mean_below_100kB"]) == pytest.approx(55.55, rel=1e-6)
    assert irn["fabric_drops"] == "1234" and irn["nic_discards"] == "1520000" and irn["ecn_marks"] == "1234567"
    assert irn["ratio_to"] == "srnic"
    assert float(irn["fct_mean_ratio"]) == pytest.approx(1.1, rel=1e-9)


def test_numbers_are_rounded_to_three_digits():
    numbers = [None, 0, 0.01234, 1.005, 12.345, 123.4, 12345.6]
    texts = ["-", "0", "0.0123", "1.00", "12.3", "123", "12,346"]
    assert [format_number(number) for number in numbers] == texts
    assert [format_count(count) for count in (0, 999_999, 12_345_678)] == ["0", "999,999", "12.3M"]


def test_columns_are_aligned():
    text = format_table(["NIC", "a\nus"], [["irn", "1"], ["connectx6", "1,000"]])
    assert text.splitlines() == [
        "NIC            a",
        "              us",
        "---------  -----",
        "irn            1",
        "connectx6  1,000",
    ]


def write_runs(folder, **scenarios):
    """Write one run per NIC, of the scenario.json given by its name."""
    for nic, scenario in scenarios.items():
        write_nic(folder / nic, make_flows(1), scenario)


def make_scenario(content="0a", said=(), **changes):
    """Return a scenario.json as the engine writes it; `said` is what its scenario says of itself."""
    scenario = {
        "name": "x",
        "fabric": {"servers": 4, "pfc": False},
        "workload": {"type": "poisson", "sizes": "s.cdf", "load": 0.5},
        "run": {"seed": 1},
    }
    scenario = {key: value | changes.get(key, {}) if key in changes else value for key, value in scenario.items()}
    said = {"files": {"s.cdf": content}, "attributes": {}, **dict(said)}
    said["hash"] = str(hash(json.dumps([scenario["workload"], scenario["run"], said], sort_keys=True)))
    return scenario | {"rocelab": {"scenario": said}}


@pytest.mark.parametrize(
    "other, difference",
    [
        (make_scenario(run={"seed": 2}), "$.run.seed: 1 in irn, 2 in srnic"),
        (make_scenario(workload={"load": 0.7}), "$.workload.load: 0.5 in irn, 0.7 in srnic"),
        (make_scenario(workload={"extra": [1]}), "$.workload.extra: nothing in irn, [1] in srnic"),
        (make_scenario(said={"pfc": True}), "$.fabric.pfc: nothing in irn, true in srnic"),
        (
            make_scenario(said={"attributes": {"a::B": "1"}}),
            '$.attributes.a::B: nothing in irn, "1" in srnic',
        ),
        (
            make_scenario(content="0b"),
            'the content of s.cdf, by its hash: "0a" in irn, "0b" in srnic',
        ),
    ],
)
def test_runs_of_different_scenarios_are_not_compared(tmp_path, other, difference):
    write_runs(tmp_path, irn=make_scenario(), srnic=other)
    with pytest.raises(UserError) as error:
        load_scenario(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: expected runs of one scenario, got {difference}"
        " (run all of them again, or use another folder)"
    )
    assert load_scenario(tmp_path, only=["srnic"]).nics[0].name == "srnic"


def test_pfc_as_each_preset_asks_for_it_is_of_the_nic(tmp_path):
    lossless = make_scenario()
    lossless["fabric"] = {"servers": 4, "pfc": True}
    write_runs(tmp_path, irn=make_scenario(), connectx5=lossless)
    assert len(load_scenario(tmp_path).nics) == 2


def test_switches_as_a_preset_sets_them_are_of_the_nic(tmp_path):
    plain = make_scenario()
    plain["fabric"]["ecn"] = {"100Gbps": "off"}
    trimming = make_scenario()
    trimming["fabric"]["admissionPolicy"] = "a::Trimming"
    trimming["rocelab"]["scenario"] |= {"hash": "other", "fabric": {"ecn": {"100Gbps": "off"}, "admissionPolicy": None}}
    write_runs(tmp_path, irn=plain, uet=trimming)
    with pytest.raises(UserError, match=r"\$\.rocelab\.scenario\.hash"):
        load_scenario(tmp_path)


def test_runs_without_a_hash_are_compared_by_what_they_say(tmp_path):
    old = make_scenario()
    del old["rocelab"]
    write_runs(tmp_path, irn=old, srnic=old)
    assert len(load_scenario(tmp_path).nics) == 2
    write_runs(tmp_path, srnic=old | {"run": {"seed": 3}})
    with pytest.raises(UserError, match=r"\$\.run\.seed: 1 in irn, 3 in srnic"):
        load_scenario(tmp_path)


def test_a_line_says_if_its_means_are_of_finished_flows_only(compare_folder):
    scenario = {"name": "compare", "nics": ["connectx6", "irn", "srnic", "balboa"]}
    write_nic(compare_folder / "irn", stop_flows(make_flows(1), range(151, 201), "stalled"), scenario)
    lines = format_comparison(load_scenario(compare_folder)).splitlines()
    marked = [line for line in lines if line.endswith("  means of finished flows only")]
    assert [line.split()[0] for line in marked] == ["irn*", "irn*"]  # Results and ratios.
