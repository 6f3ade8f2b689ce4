# SPDX-License-Identifier: GPL-2.0-only
"""rocelab compare with several scenarios: one table, one picture, and what they show."""

import csv
import json

import pytest
from program import ROOT, call
from synthetic import make_flows, write_nic, write_scenario

from rocelab.__main__ import main
from rocelab.draw import across as drawing
from rocelab.report import across
from rocelab.results.folders import load_scenario

DEFAULTS = [ROOT / "examples" / "start" / "compare" / f"{name}.json" for name in ("as-designed", "lossy")]


@pytest.fixture(name="fabrics")
def make_fabrics(tmp_path):
    """Return the results of two scenarios: mean slowdowns 100.5 times the factors."""
    quiet = write_scenario(tmp_path / "quiet", {"connectx6": 1, "srnic": 1})
    lossy = write_scenario(tmp_path / "lossy", {"connectx6": 4, "srnic": 2})
    for nic in ("connectx6", "srnic"):
        change_summary(quiet / nic, fabric_drops=0, nic_discards=0, retransmitted=0)
    change_summary(lossy / "connectx6", fabric_drops=100, nic_discards=4900, retransmitted=5000, timeouts=3)
    change_summary(lossy / "srnic", fabric_drops=100, nic_discards=0, retransmitted=120, timeouts=0)
    return [load_scenario(quiet), load_scenario(lossy)]


def change_summary(folder, **changes):
    """Change values of a summary.json; the reasons of drops are made to fit."""
    summary = json.loads((folder / "summary.json").read_text())
    summary.update(changes)
    summary["drops"] = {"buffer-full": summary["fabric_drops"], "out-of-order": summary["nic_discards"]}
    (folder / "summary.json").write_text(json.dumps(summary))


def test_each_fabric_has_ratios_to_its_own_srnic(fabrics):
    rows = list(csv.DictReader(across.format_csv(across.list_rows(fabrics)).splitlines()))
    found = {(row["scenario"], row["nic"]): float(row["slowdown_mean_ratio"]) for row in rows}
    assert found == {
        ("quiet", "connectx6"): 1,
        ("quiet", "srnic"): 1,
        ("lossy", "connectx6"): 2,  # 4 / 2.
        ("lossy", "srnic"): 1,
    }


def test_the_sentences_name_the_winner_and_the_resent_packets_per_lost_frame(fabrics):
    text = across.format_across(fabrics)
    assert "lossy: srnic has the lowest mean slowdown, 201; connectx6 2.00x." in text
    # 5000 / 100 and 120 / 100: discards of the NIC are no losses of the fabric.
    assert "lossy: packets sent again per frame that the fabric dropped: srnic 1.20, connectx6 50.0." in text
    assert "quiet: the fabric dropped no frame." in text


def test_trimmed_packets_are_lost_but_not_dropped(fabrics):
    lossy = fabrics[1]
    # Of 50 trimmed packets 10 were dropped later, which are among the 20 drops: 60 losses.
    lossy["srnic"].summary.update(trims=50, trimmed_drops=10, fabric_drops=20, retransmitted=90)
    text = across.format_across(fabrics)
    assert "per frame that the fabric dropped or trimmed: srnic 1.50, connectx6 50.0." in text
    row = next(row for row in csv.DictReader(across.format_csv(across.list_rows([lossy])).splitlines()) if row["nic"] == "srnic")
    assert (row["trims"], row["fabric_drops"]) == ("50", "20")


def test_the_papers_ratios_stand_beside_ours_only_for_figure_12s_traffic(fabrics):
    assert "Figure 12" not in across.format_across(fabrics)
    for scenario in fabrics:
        for nic in scenario.nics:
            nic.scenario["fabric"] = {"topology": "fat-tree"}
            nic.scenario["workload"] = {"type": "poisson", "sizes": "traces/cache-follower.cdf"}
    text = across.format_across(fabrics)
    # 1.9 and 2.2: facts SRNIC-110 and SRNIC-111.
    assert "has 1.9 to 2.2 for ConnectX-6 with PFC over SRNIC" in text
    assert "here: quiet 1.00x, 1.00x, 1.00x; lossy 2.00x, 2.00x, 2.00x" in text


def test_nics_share_a_line_only_if_they_agree_in_all_fabrics(fabrics):
    labels = [[label for _, label, _ in row] for row in drawing.get_lines(fabrics)]
    assert labels == [["ConnectX-6", "SRNIC"]] * 2  # Equal in "quiet", not in "lossy".
    same = [fabrics[0], fabrics[0]]
    assert [[label for _, label, _ in row] for row in drawing.get_lines(same)] == [["ConnectX-6 = SRNIC"]] * 2


def test_the_picture_has_a_row_per_fabric(fabrics):
    figure = drawing.draw_slowdown_by_size(fabrics)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert [label.partition(" slowdown")[0] for label in labels] == ["Mean", "P99"] * 2
    assert [axes.get_title("left") for axes in figure.axes] == ["quiet", "quiet", "lossy", "lossy"]
    assert all(len(axes.get_lines()) for axes in figure.axes)


def test_results_of_several_scenarios_are_compared(tmp_path, empty_pictures, capsys):
    folders = [write_scenario(tmp_path / name, {"irn": factor, "srnic": 1}) for name, factor in (("a", 1), ("b", 3))]
    assert main(["compare", *map(str, folders), "--out", str(tmp_path / "both")]) == 0
    printed = capsys.readouterr().out
    assert "Scenario a" in printed and "Scenario b" in printed
    assert "b: srnic has the lowest mean slowdown, 100; irn 3.00x." in printed
    assert {path.name for path in (tmp_path / "both").rglob("fabrics.*")} == {"fabrics.csv", "fabrics.svg"}


def test_two_scenarios_of_one_name_are_refused_before_a_run(tmp_path, capsys):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.json").write_text('{"name": "same"}')
    files = [str(tmp_path / folder / "x.json") for folder in ("a", "b")]
    assert main(["compare", *files, "--build", str(tmp_path)]) == 2
    expected = f'rocelab: {files[1]}: expected another name than {files[0]} has, got "same" in both\n'
    assert capsys.readouterr().err == expected


def test_the_default_fabrics_differ_only_in_what_makes_one_lossy():
    designed, lossy = (json.loads(path.read_text()) for path in DEFAULTS)
    assert designed.pop("name") == "as-designed" and lossy.pop("name") == "lossy"
    changed = {key for key in {*designed["fabric"], *lossy["fabric"]} if designed["fabric"].get(key) != lossy["fabric"].get(key)}
    assert changed == {"pfc", "buffer", "lossRate"}
    assert lossy["fabric"]["pfc"] is False
    # At most 0.01 % of the packets of a path of four links (SRNIC section 4.2).
    assert 4 * lossy["fabric"]["lossRate"] == pytest.approx(1e-4)
    del designed["fabric"], lossy["fabric"]
    assert designed == lossy


def test_a_design_that_completed_nothing_has_no_place_in_the_order(tmp_path):
    folder = write_scenario(tmp_path / "x", {"irn": 1, "srnic": 2})
    flows = [[*row[:5], "", row[6], "", *row[8:11], "failed"] for row in make_flows(1)]
    write_nic(folder / "balboa", flows, {"name": "x"})
    scenario = load_scenario(folder)
    assert across.describe_order(scenario) == "x: irn has the lowest mean slowdown, 100; srnic 2.00x."


#: Designs of the lossy fabric that differ from ConnectX-6 in one part, as docs/start/first-steps.md has them.
CAUSES = [
    "srnic",
    {"preset": "connectx6", "name": "repeat", "lossDetector": "ns3::rdma::SelectiveRepeat"},
    {"preset": "connectx6", "name": "window", "attributes": {"ns3::rdma::RdmaNic::BdpFlowControl": True}},
]


def find_ratios(path, nics, folder):
    """Return {NIC: mean slowdown over that of srnic} of a run."""
    scenario = json.loads(path.read_text())
    scenario["workload"]["sizes"] = str((path.parent / scenario["workload"]["sizes"]).resolve())
    scenario["nics"] = nics
    file = folder / f"{path.stem}.json"
    file.write_text(json.dumps(scenario))
    assert call("run", file, "--out", folder, "--quiet").returncode == 0
    result = load_scenario(folder / scenario["name"])
    return {nic.name: nic.slowdown("mean") / result["srnic"].slowdown("mean") for nic in result.nics}


@pytest.mark.slow
def test_the_readme_states_the_slowdown_of_connectx6_and_its_cause(tmp_path):
    text = " ".join((ROOT / "README.md").read_text().split())
    designed = find_ratios(DEFAULTS[0], ["connectx6", "srnic", "uet"], tmp_path)
    lossy = find_ratios(DEFAULTS[1], ["connectx6", "uet", *CAUSES], tmp_path)
    assert designed["uet"] == min(designed.values()) and lossy["uet"] == min(lossy.values())
    assert f"That of `connectx6` is {lossy['connectx6']:.1f} times that of `srnic` in the lossy fabric" in text
    assert f"bandwidth-delay product it is {lossy['window']:.2f} times, with selective repeat alone {lossy['repeat']:.1f} times" in text
    assert f"With PFC it is {designed['connectx6']:.1f} times" in text


@pytest.mark.slow
def test_first_steps_has_the_rows_of_the_default_comparison(tmp_path):
    # ./waf compare prints them; its plots/fabrics.svg is docs/pictures/default-comparison.svg.
    for path in DEFAULTS:
        assert call("run", path, "--out", tmp_path, "--quiet").returncode == 0
    printed = across.format_across([load_scenario(tmp_path / path.stem) for path in DEFAULTS])
    page = (ROOT / "docs" / "start" / "first-steps.md").read_text()

    def read(text):
        # The page leaves out the last column.
        words = (line.split()[:9] for line in text.splitlines())
        return [row for row in words if row[:1] in (["as-designed"], ["lossy"]) and len(row) == 9]

    assert read(page) == read(printed)
