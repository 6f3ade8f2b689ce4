# SPDX-License-Identifier: GPL-2.0-only
import json
import shutil

import numpy
import pytest
from synthetic import FLOWS_HEADER, make_flows, stop_flows, write_nic, write_scenario

from rocelab.errors import UserError
from rocelab.results.columns import get_columns
from rocelab.results.csv_table import read_table
from rocelab.results.folders import load_nic, load_scenario


def change_json(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def test_flows_are_read_with_their_types_and_gaps_as_nan(tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text(
        f"{FLOWS_HEADER}\n0,3,5,70,0,4013.5,4000,1.003375,1,0,0,completed\n"
        "1,5,3,5000000000,12.25,,400000,,4882813,7,2,stalled\n"
    )
    flows = read_table(tmp_path, "flows.csv")
    assert list(flows["bytes"]) == [70, 5_000_000_000]
    assert flows["fct_ns"][0] == 4013.5
    assert numpy.isnan(flows["fct_ns"][1]) and numpy.isnan(flows["slowdown"][1])
    assert list(flows["status"]) == ["completed", "stalled"]


def test_a_gap_at_the_end_of_a_line_reads_as_nan(tmp_path):
    names = ",".join(name for name, _ in get_columns("samples.csv"))
    (tmp_path / "samples.csv").write_text(f"{names}\n10,1,receiver,20,5,,0,\n20,1,receiver,20,5,7,0,20\n")
    samples = read_table(tmp_path, "samples.csv")
    assert list(numpy.isnan(samples["measured_gbps"])) == [True, False]
    assert list(numpy.isnan(samples["least_queue_fill"])) == [True, False]


def test_a_run_without_flows_reads_as_no_flows(tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text(FLOWS_HEADER + "\n")
    assert len(read_table(tmp_path, "flows.csv")) == 0


@pytest.mark.parametrize(
    "text, expected",
    [
        ("flow,src\n", ":1: expected the header flow,src,dst"),
        (f"{FLOWS_HEADER}\n0,1,2,70,0\n", ": expected rows of flow,src,dst,"),
        (f"{FLOWS_HEADER}\n0,1,2,70,0,soon,4,1,1,0,0,completed\n", ": expected rows of flow,src,dst,"),
        (f"{FLOWS_HEADER}\n0,1,2,70,0,4,4,1,1,0,0,comp", ": expected whole lines, got a last one that is cut off"),
        (None, ": expected a table, got: No such file or directory"),
    ],
)
def test_a_damaged_or_missing_table_is_one_line(tmp_path, text, expected):
    path = tmp_path / "flows.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError) as error:
        read_table(tmp_path, "flows.csv")
    assert str(error.value).startswith(f"{path}{expected}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "change, expected",
    [
        (lambda s: s.pop("ecn_marks"), "expected a number at $.ecn_marks, got nothing"),
        (lambda s: s.pop("flows"), "expected an object at $.flows, got nothing"),
        (lambda s: s["flows"].update(stalled="2"), 'expected a whole number at $.flows.stalled, got "2"'),
        (lambda s: s.update(drops=7), "expected an object at $.drops, got 7"),
    ],
)
def test_a_summary_without_a_key_names_file_and_json_path(compare_folder, change, expected):
    path = compare_folder / "irn" / "summary.json"
    change_json(path, change)
    with pytest.raises(UserError) as error:
        load_scenario(compare_folder)
    assert str(error.value) == f"{path}: {expected}"


def test_broken_json_names_line_and_column(compare_folder):
    path = compare_folder / "irn" / "summary.json"
    path.write_text('{"flows":\n  oops}')
    with pytest.raises(UserError, match=r"summary\.json:2:3: expected JSON"):
        load_scenario(compare_folder)


def test_flows_that_do_not_belong_to_the_summary_are_an_error(compare_folder):
    shutil.copy(compare_folder / "irn" / "flows.csv", compare_folder / "flows.csv")
    rows = stop_flows(make_flows(1), [7], "failed")
    write_nic(compare_folder / "irn", rows, {})
    shutil.move(compare_folder / "flows.csv", compare_folder / "irn" / "flows.csv")
    with pytest.raises(UserError, match="expected 199 completed flows as in summary.json, got 200"):
        load_nic(compare_folder / "irn")


def test_nics_come_in_the_order_of_the_scenario(tmp_path):
    folder = write_scenario(tmp_path / "x", {"zebra": 1, "balboa": 1, "connectx6": 1})
    assert [nic.name for nic in load_scenario(folder).nics] == ["zebra", "balboa", "connectx6"]


def test_a_listed_nic_without_results_is_reported_missing(compare_folder):
    shutil.rmtree(compare_folder / "irn")
    scenario = load_scenario(compare_folder)
    assert [nic.name for nic in scenario.nics] == ["connectx6", "srnic", "balboa"]
    assert scenario.missing == ["irn"]


def test_other_folders_beside_the_nics_are_left_alone(compare_folder):
    (compare_folder / "plots").mkdir()
    assert len(load_scenario(compare_folder).nics) == 4


def test_the_numbers_of_the_summary_win_over_those_of_the_flows(compare_folder):
    change_json(compare_folder / "srnic" / "summary.json", lambda s: s["fct_us"].update(p99=197.9996))
    nic = load_nic(compare_folder / "srnic")
    assert nic.fct_us("p99") == 197.9996
    assert nic.fct_us("mean") == 100.5


def test_statistics_that_the_summary_lacks_come_from_the_flows(compare_folder):
    change_json(compare_folder / "srnic" / "summary.json", lambda s: s.update(fct_us={}, slowdown={}))
    nic = load_nic(compare_folder / "srnic")
    assert [nic.fct_us(name) for name in ("mean", "p50", "p99")] == [100.5, 100, 198]
    assert [nic.slowdown(name) for name in ("mean", "p50", "p99")] == [100.5, 100, 198]


def test_small_flows_are_those_below_100_kB(compare_folder):
    # Flows 1 to 100: (1 + ... + 100) / 100.
    assert load_nic(compare_folder / "srnic").small_flow_slowdown == 50.5


@pytest.mark.parametrize(
    "stopped, status, changes, expected",
    [
        ([], "", {}, ""),
        ([3, 4], "stalled", {}, "198 of 200 flows completed, 2 stalled"),
        ([3], "failed", {}, "199 of 200 flows completed, 1 failed"),
        ([3], "unfinished", {"partial": True}, "interrupted, 199 of 200 flows completed"),
        (
            [],
            "",
            {"violations": ["FCT below ideal"]},
            "200 of 200 flows completed, 1 invariants broken",
        ),
    ],
)
def test_what_keeps_a_run_from_being_complete_is_said(tmp_path, stopped, status, changes, expected):
    write_nic(tmp_path / "irn", stop_flows(make_flows(1), stopped, status), {}, **changes)
    nic = load_nic(tmp_path / "irn")
    assert nic.defect == expected
    assert nic.is_complete == (expected == "")


@pytest.mark.parametrize(
    "is_reached, stopped, changes, expected",
    [
        (True, "", {}, ""),
        (False, "", {}, "precision not reached"),
        (True, "failed", {}, "1 failed"),
        (False, "stalled", {}, "precision not reached, 1 stalled"),
        (False, "", {"partial": True}, "interrupted, precision not reached"),
    ],
)
def test_what_keeps_a_run_that_ends_by_precision_from_being_complete(
    tmp_path, is_reached, stopped, changes, expected
):
    # A flow that is still under way is no defect.
    rows = stop_flows(make_flows(1), [3], "unfinished")
    rows = stop_flows(rows, [4], stopped) if stopped else rows
    precision = {"reached": is_reached, "from_us": 0}
    write_nic(tmp_path / "irn", rows, {}, precision=precision, **changes)
    result = load_nic(tmp_path / "irn")
    assert result.defect == expected
    assert result.is_complete == (expected == "")


def test_a_run_that_ends_by_precision_counts_what_ended_after_its_warm_up(tmp_path):
    # Flow k ends at k x 1.01 us, so those from 150 to 200 count: mean 175. The last is still under
    # way, which is no defect.
    rows = stop_flows(make_flows(1, 201), [201], "unfinished")
    precision = {"reached": True, "from_us": 151.5}
    write_nic(tmp_path / "irn", rows, {"name": "s"}, precision=precision)
    result = load_nic(tmp_path / "irn")
    assert len(result.completed) == 51
    assert result.fct_us("mean") == pytest.approx(175)
    assert result.slowdown("mean") == pytest.approx(175)
