# SPDX-License-Identifier: GPL-2.0-only
"""rocelab diff: two runs of the same flows, flow by flow and in distribution."""

import json

import numpy
import pytest
from synthetic import make_flows, stop_flows, write_nic, write_scenario

from rocelab.__main__ import main
from rocelab.report.diff import bootstrap_ratio, format_diff, get_change, list_differences, load_pair

SCENARIO = {"name": "mine", "nics": [{"name": "srnic", "preset": "srnic"}], "run": {"seed": 1}}


@pytest.fixture
def make_run(tmp_path):
    """Write a run with rows of make_flows() or others; returns its folder."""

    def make(name, rows, scenario=SCENARIO, **changes):
        folder = tmp_path / name / "mine" / "srnic"
        write_nic(folder, rows, scenario, **changes)
        return folder

    return make


def test_twice_the_time_of_each_flow(make_run):
    pair = load_pair(make_run("a", make_flows(1)), make_run("b", make_flows(2)))
    change = get_change(*pair.get_times())
    assert (change.count, change.mean_a, change.mean_b) == (200, 100.5, 201)
    # Each flow takes twice its time: so does every resample.
    assert (change.ratio, change.low, change.high) == (2, 2, 2)
    # 200 differences of one sign.
    assert change.signed_rank < 1e-6
    # All of 1, 2, ..., 200 lie at or below 200, half of 2, 4, ..., 400.
    assert change.distance == pytest.approx(0.5)
    assert change.same_distribution < 1e-6


def test_the_same_run_does_not_differ(make_run):
    folder = make_run("a", make_flows(1))
    change = get_change(*load_pair(folder, folder).get_times())
    assert (change.ratio, change.low, change.high) == (1, 1, 1)
    assert (change.signed_rank, change.distance, change.same_distribution) == (1, 0, 1)


def test_noise_without_a_trend_is_not_found_significant():
    random = numpy.random.default_rng(7)
    found = 0
    for _ in range(200):
        a = random.lognormal(3, 1, 100)
        change = get_change(a, a * numpy.exp(random.normal(0, 0.1, 100)))
        found += change.signed_rank < 0.05
    # 10 of 200 are expected at 5 %; more than 20 have a probability below 0.002.
    assert 1 <= found <= 20


def test_a_trend_of_five_percent_is_found_in_that_noise():
    random = numpy.random.default_rng(7)
    a = random.lognormal(3, 1, 400)
    change = get_change(a, 1.05 * a * numpy.exp(random.normal(0, 0.1, 400)))
    assert change.signed_rank < 1e-6 and 1 < change.low < 1.05 < change.high < 1.1
    # The distribution as a whole hardly moves: pairs see what it does not.
    assert change.same_distribution > 0.05


def test_the_interval_holds_the_true_ratio_in_about_95_of_100_cases():
    random = numpy.random.default_rng(3)
    held = 0
    for _ in range(200):
        a = random.exponential(10, 200)
        low, high = bootstrap_ratio(a, 1.2 * a * random.uniform(0.5, 1.5, 200))
        held += low <= 1.2 <= high
    # 190 of 200 are expected, standard deviation 3.
    assert 178 <= held <= 200


def test_small_and_large_flows_have_rows_of_their_own(make_run, capsys):
    # Flows up to 100 have 50 kB and change, the others have 200 kB and do not.
    rows = make_flows(1)
    for row in rows[:100]:
        row[5] *= 2
        row[7] *= 2
    assert main(["diff", str(make_run("a", make_flows(1))), str(make_run("b", rows))]) == 0
    printed = capsys.readouterr().out
    cells = {line[:14].strip(): line[14:].split() for line in printed.splitlines() if " to " in line}
    assert cells["below 100 kB"][:4] == ["100", "50.5", "101", "2.000"]
    assert cells["from 100 kB on"][:4] == ["100", "150", "150", "1.000"]
    assert "0 flows are faster in B, 100 slower, 100 take the same time." in printed
    assert "The scenarios are the same." in printed


def test_flows_that_did_not_complete_in_both_are_counted_and_left_out(make_run):
    a = make_run("a", stop_flows(make_flows(1), [200], "stalled"))
    b = make_run("b", stop_flows(make_flows(1), [1, 2], "failed"))
    pair = load_pair(a, b)
    assert len(pair.flows_a) == 197
    text = format_diff(pair)
    assert "A: 3 of 200 flows are not compared (199 of 200 flows completed, 1 stalled)" in text
    assert "B: 3 of 200 flows are not compared (198 of 200 flows completed, 2 failed)" in text


def test_few_flows_are_not_tested(make_run):
    pair = load_pair(make_run("a", make_flows(1, 19)), make_run("b", make_flows(2, 19)))
    change = get_change(*pair.get_times())
    assert (change.ratio, change.low, change.signed_rank, change.distance) == (2, None, None, None)
    assert "Fewer than 20 flows: nothing was tested." in format_diff(pair)


def test_what_differs_in_the_scenarios_is_named(make_run):
    other = SCENARIO | {"run": {"seed": 1, "drain": False}, "rocelab": {"version": "9"}}
    pair = load_pair(make_run("a", make_flows(1)), make_run("b", make_flows(1), other))
    assert list_differences(pair.a, pair.b) == [
        "  $.run.drain: nothing in A, false in B",
        "  version: None in A, 9 in B",
    ]


def test_names_of_nics_do_not_hide_what_differs(make_run):
    folders = []
    for name, interval in (("a", 1), ("b", 4)):
        attributes = {"ns3::rdma::RdmaNic::AckInterval": interval}
        nics = [{"name": name, "preset": "srnic", "attributes": attributes}]
        folders.append(make_run(name, make_flows(1), {**SCENARIO, "nics": nics}))
    (line,) = list_differences(*(load_pair(*folders).a, load_pair(*folders).b))
    assert "AckInterval" in line
    assert line.endswith("1 in A, 4 in B")


def test_folders_of_scenarios_are_compared_nic_by_nic(tmp_path, capsys):
    a = write_scenario(tmp_path / "a" / "mine", {"srnic": 1, "irn": 1, "balboa": 1})
    b = write_scenario(tmp_path / "b" / "mine", {"srnic": 2, "irn": 1.5})
    assert main(["diff", str(a), str(b)]) == 0
    printed = capsys.readouterr().out
    assert printed.index(f"B: {b}/irn") < printed.index(f"B: {b}/srnic") and "/balboa" not in printed
    assert "2.000 to 2.000" in printed and "1.500 to 1.500" in printed


def test_the_flows_can_be_written_side_by_side(make_run, tmp_path):
    out = tmp_path / "flows.csv"
    folders = [str(make_run("a", make_flows(1))), str(make_run("b", make_flows(2)))]
    assert main(["diff", *folders, "--out", str(out)]) == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "flow,src,dst,bytes,start_ns,fct_a_ns,fct_b_ns,ratio"
    assert lines[1] == "0,0,1,50000,10,1000,2000,2" and len(lines) == 201


def shift_start(rows):
    """Let one flow start 1 ns later."""
    rows[5][4] += 1
    return rows


@pytest.mark.parametrize(
    "rows, changes, expected",
    [
        (shift_start(make_flows(1)), {}, "got start_ns 61 for 60 of flow 5"),
        (make_flows(1, 150), {}, "expected the flows of {a}, 200, got 150"),
        (make_flows(1), {"partial": True}, "expected a run that came to its end, got one that was interrupted"),
        (
            stop_flows(make_flows(1), range(1, 201), "stalled"),
            {},
            "expected a flow that completed here and in {a}, got none",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(
    make_run, tmp_path, capsys, rows, changes, expected
):
    a, b = make_run("a", make_flows(1)), make_run("b", rows, **changes)
    out = tmp_path / "out.csv"
    assert main(["diff", str(a), str(b), "--out", str(out)]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and expected.format(a=a) in said.err
    assert said.out == "" and not out.exists()


def test_folders_that_hold_no_results_are_named(make_run, tmp_path, capsys):
    run = make_run("a", make_flows(1))
    assert main(["diff", str(run), str(tmp_path / "nothing")]) == 2
    assert "nothing: expected results, RESULTS/<scenario>" in capsys.readouterr().err
    other = write_scenario(tmp_path / "b" / "mine", {"irn": 1})
    assert main(["diff", str(run.parent), str(other)]) == 2
    assert "expected a NIC that" in capsys.readouterr().err
    several = write_scenario(tmp_path / "c" / "mine", {"irn": 1, "srnic": 1})
    assert main(["diff", str(several), str(several), "--out", str(tmp_path / "x.csv")]) == 2
    assert "--out: expected two folders of one NIC" in capsys.readouterr().err


def test_a_damaged_file_is_named(make_run, capsys):
    a, b = make_run("a", make_flows(1)), make_run("b", make_flows(1))
    (b / "summary.json").write_text(json.dumps({}))
    assert main(["diff", str(a), str(b)]) == 2
    assert f"{b}/summary.json: expected an object at $.flows" in capsys.readouterr().err
