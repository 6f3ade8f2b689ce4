# SPDX-License-Identifier: GPL-2.0-only

import pytest
from program import BUILD, NEEDS_PROGRAM, call, read_json, write_json

from rocelab.errors import UserError
from rocelab.validate.examples import load_figure_module
from rocelab.validate.figure import run_figure

FIGURE = "srnic/figure-12-authors"
RUNS = ["srnic", "irn", "connectx6-run-py", "connectx6-config-txt"]


@pytest.fixture
def module(checkout):
    return load_figure_module(FIGURE)


@pytest.fixture
def run_authors(checkout, fake_build, tmp_path, no_pictures):
    """Call run_figure() on the real folder with the fake engine; returns (figure.json, folder)."""

    def run(*settings, is_quick=False):
        run_figure(FIGURE, checkout / "examples", tmp_path / "out", fake_build, is_quick, settings)
        folder = tmp_path / "out" / (FIGURE + "-quick" if is_quick else FIGURE)
        return read_json(folder / "figure.json"), folder

    return run


def test_the_scenario_has_the_authors_wire_and_nothing_else_differs(run_authors):
    _, folder = run_authors("servers=64", "causes=off", "duration=100us", "seeds=1")
    own, theirs = (
        read_json(folder / "scenarios" / f"{name}-64.json")
        for name in ("rocelab-s-own", "theirs")
    )
    assert theirs["fabric"]["hostRate"] == "101012Mbps"  # 1,048 B take 83 ns.
    assert theirs["fabric"]["fabricRate"] == "419200Mbps"  # 20 ns.
    assert theirs["fabric"]["mtu"] == 1000
    assert theirs["fabric"]["framing"] == "none"
    assert own["workload"] == theirs["workload"]
    assert [nic["name"] for nic in theirs["nics"]] == RUNS
    attributes = {nic["name"]: nic["attributes"] for nic in theirs["nics"]}
    assert attributes["srnic"] == {
        "ns3::rdma::RdmaNic::AckPriority": 3,
        "ns3::rdma::RdmaNic::WireFormat": "ns3::rdma::HpccFormat",
        "ns3::rdma::HpccFormat::AnswerBytes": 51,  # 4 ns and 1 ns.
        "ns3::rdma::WindowDctcp::Step": 630,
        "ns3::rdma::RdmaNic::SendScheduler": "ns3::rdma::RingScheduler",
    }
    for name in RUNS[1:]:
        assert attributes[name] == {
            "ns3::rdma::RdmaNic::AckPriority": 3,
            "ns3::rdma::RdmaNic::WireFormat": "ns3::rdma::HpccFormat",
            "ns3::rdma::HpccFormat::AnswerBytes": 51,
            "ns3::rdma::Dcqcn::CnpsInAcks": True,
            "ns3::rdma::RdmaNic::SendScheduler": "ns3::rdma::RingScheduler",
        }
    assert all(set(nic["attributes"]) == {"ns3::rdma::RdmaNic::AckPriority"} for nic in own["nics"])


def test_each_cause_is_switched_on_alone(run_authors):
    data, folder = run_authors("servers=16", "causes=16", "duration=100us", "seeds=1")
    titles = list(data["causes"]["rows"])
    assert titles[0] == "RoceLab's own"
    alone = ["links", "headers", "CNPs in acks", "step", "ring", "timeout", "acks first"]
    assert titles[1:8] == alone
    assert titles[8:] == ["theirs", "theirs with 'links'", "theirs, and the timeout"]
    scenarios = {
        path.stem: read_json(path) for path in (folder / "scenarios").glob("*.json")
    }
    timeout = {nic["name"]: nic["attributes"] for nic in scenarios["timeout-16"]["nics"]}
    assert timeout["srnic"]["ns3::rdma::BackoffTimeout::RtoLow"] == "82us"
    assert list(timeout) == ["srnic", "irn"]  # Nothing changes in the others.
    rows = data["causes"]["rows"]
    assert rows["timeout"]["connectx6-run-py"] == rows["RoceLab's own"]["connectx6-run-py"]
    assert scenarios["links-16"]["fabric"]["hostRate"] == "101885Mbps"
    assert "framing" not in scenarios["links-16"]["fabric"]


def test_the_standalone_time_is_the_authors(module):
    # Lines of their file: 1,570 B between racks, 8,333 ns; 1,784 B in a rack, 4,310 ns.
    assert int(module.get_standalone_ns(64, 25, 51, 1570)) == 8333
    assert int(module.get_standalone_ns(64, 9, 0, 1784)) == 4310
    # Between pods: 6 links of 1 us there and back, 2 x 80 + 4 x 20 + 104.8 x 0.8 ns.
    assert module.get_standalone_ns(1024, 0, 64, 1000) == pytest.approx(12000 + 240 + 83.84)
    assert module.get_standalone_ns(1024, 0, 63, 1000) == pytest.approx(8000 + 200 + 83.84)


@pytest.mark.parametrize(
    "setting, message",
    [
        ("servers=17", "option servers: expected some of 16,64,256,1024, got '17'"),
        ("causes=none", "option causes: expected some of 16,64,256,1024, got 'none'"),
        ("duration=0ms", 'option duration: expected a time such as "10ms"'),
        ("seeds=1,x", "option seeds: expected whole numbers from 0 to"),
    ],
)
def test_an_option_that_is_wrong_is_one_line(run_authors, setting, message):
    with pytest.raises(UserError, match=message):
        run_authors(setting)


@NEEDS_PROGRAM
def test_frames_that_have_sizes_only_cannot_be_captured(tmp_path):
    nic = {
        "preset": "srnic",
        "attributes": {"ns3::rdma::RdmaNic::WireFormat": "ns3::rdma::HpccFormat"},
    }
    flow = {"src": 0, "dst": 1, "bytes": "10kB", "start": "0us"}
    scenario = {"name": "sizes", "fabric": {"topology": "back-to-back", "framing": "none"}, "nics": [nic]}
    scenario["workload"] = {"type": "flows", "flows": [flow]}
    command = ["run", write_json(tmp_path / "sizes.json", scenario), "--out", tmp_path / "out"]
    run = call(*command, "--pcap")
    assert run.returncode == 2
    assert run.stderr == (
        "rocelab: --pcap: expected frames of RoCE v2, got ns3::rdma::HpccFormat of the NIC"
        ' "srnic", which has sizes only\n'
    )
    assert not (tmp_path / "out").exists()
    assert call(*command).returncode == 0
    # 10,480 B at 100 Gb/s, 1 us there and back, an acknowledgment of 60 B.
    flows = (tmp_path / "out" / "sizes" / "srnic" / "flows.csv").read_text()
    assert ",10000,0,2843.2,2843.2," in flows


@pytest.mark.slow
@NEEDS_PROGRAM
def test_64_servers_are_within_five_percent_of_the_authors_simulator(
    module, checkout, tmp_path, no_pictures
):
    run_figure(
        FIGURE, checkout / "examples", tmp_path, BUILD, settings=["servers=64", "causes=off"]
    )
    data = read_json(tmp_path / FIGURE / "figure.json")
    authors = module.read_authors()
    assert data["incomplete"] == {} and data["settings"]["seeds"] == [1, 2, 3, 4, 5]
    # P99 of config.txt's DCQCN rests on 76 flows: +0.8 to +9.0 % over the seeds, +5.5 on average.
    bounds = {("connectx6-config-txt", "p99_fct_us"): 0.07}
    for panel, (metric, _) in zip(data["panels"][:2], module.METRICS):
        for name in RUNS:
            ours = dict(map(tuple, panel["series"][f"{name}, theirs"]))[64]
            bound = bounds.get((name, metric), 0.05)
            assert ours == pytest.approx(authors[name][metric], rel=bound), (name, metric)
