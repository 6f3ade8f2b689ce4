# SPDX-License-Identifier: GPL-2.0-only
import json

import pytest

from rocelab.errors import UserError
from rocelab.validate.figure import run_figure

FIGURE = "srnic/figure-12-sensitivity"


@pytest.fixture
def run_sensitivity(checkout, fake_build, tmp_path, no_pictures):
    """Call run_figure() on the real folder with the fake engine; returns (figure.json, folder)."""

    def run(*settings, is_quick=False):
        run_figure(FIGURE, checkout / "examples", tmp_path / "out", fake_build, is_quick, settings)
        folder = tmp_path / "out" / (FIGURE + "-quick" if is_quick else FIGURE)
        return json.loads((folder / "figure.json").read_text()), folder

    return run


def test_each_buffer_has_srnic_and_every_set_at_both_priorities(run_sensitivity, check_pictures, capsys):
    data, folder = run_sensitivity()
    sets = ["zhu2015", "nvidia", "hpcc", "srnic-authors"]
    names = sets + [name + "+acks" for name in sets]
    assert list(data["series"]) == names
    assert all([x for x, _ in data["series"][name]] == [4, 8, 32] for name in names)
    for buffer in (4, 8, 32):
        scenario = json.loads((folder / "scenarios" / f"buffer-{buffer}MiB.json").read_text())
        assert scenario["fabric"]["buffer"] == f"{buffer}MiB"
        assert [nic["name"] for nic in scenario["nics"]] == ["srnic", *names]
    high = scenario["nics"][5]
    assert high["parameters"] == "zhu2015"
    assert high["attributes"] == {"ns3::rdma::RdmaNic::AckPriority": 6}
    assert "ConnectX-6 over SRNIC, least: 1.9 x" in capsys.readouterr().out


def test_ratios_are_to_srnic_with_the_same_buffer(run_sensitivity):
    data, folder = run_sensitivity("parameters=hpcc", "acks=data", "buffers=8")
    runs = folder / "runs" / "buffer-8MiB"
    mean = {
        nic: json.loads((runs / nic / "summary.json").read_text())["fct_us"]["mean"]
        for nic in ("hpcc", "srnic")
    }
    assert data["series"] == {"hpcc": [[8, mean["hpcc"] / mean["srnic"]]]}


@pytest.mark.parametrize(
    "setting, message",
    [
        ("buffers=0", "option buffers: expected whole numbers from 1 to 99999"),
        ("buffers=4,x", "option buffers: expected whole numbers from 1 to 99999"),
        ("acks=low", "option acks: expected some of data,high, got 'low'"),
        ("servers=17", "option servers: expected some of"),
        ("seed=-1", "option seed: expected whole numbers from 0"),
    ],
)
def test_an_option_that_is_wrong_is_one_line(run_sensitivity, setting, message):
    with pytest.raises(UserError, match=message.replace("(", r"\(")):
        run_sensitivity(setting)
