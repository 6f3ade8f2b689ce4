# SPDX-License-Identifier: GPL-2.0-only
"""Several MPI ranks give the same bytes as one."""

import json

import pytest
from ranks import DESIGNS, FABRIC, NEEDS, POISSON, SERIES, compare, run, write_scenario
from rocelab.results.folders import load_nic

pytestmark = NEEDS


@pytest.mark.slow
def test_any_number_of_ranks_gives_the_same_bytes(tmp_path):
    path = write_scenario(tmp_path, fabric={**FABRIC, "lossRate": 0.0005})
    results = compare(tmp_path, path, [4])  # The other tests have two.
    assert sorted(results) == sorted(DESIGNS)
    for files in results.values():
        assert files["flows.csv"].count(b"completed") > 20
        assert files["summary.json"]["drops"]["link-loss"] > 0
        assert files["summary.json"]["retransmitted"] > 0


@pytest.mark.slow
def test_hardware_timing_and_links_that_come_and_go(tmp_path):
    path = write_scenario(
        tmp_path,
        nics=[{"preset": nic, "hardware": "on"} for nic in DESIGNS],
        linkEvents=[
            {"at": at, "link": link, "state": state}
            for at, state in (("20us", "down"), ("60us", "up"))
            for link in ([64, 68], [66, 71], *([server, 64] for server in range(8)))
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        assert files["summary.json"]["drops"]["link-down"] > 0
        assert files["hosts.csv"].count(b"\n") == 65


@pytest.mark.slow
def test_switches_that_cut_through(tmp_path):
    path = write_scenario(
        tmp_path,
        attributes={"ns3::rdma::FabricSwitch::CutThrough": True},
        linkEvents=[{"at": at, "link": [64, 68], "state": state} for at, state in (("20us", "down"), ("60us", "up"))],
    )
    results = compare(tmp_path, path, [2, 4])
    for files in results.values():
        assert files["flows.csv"].count(b"completed") > 20


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["read", "send"])
def test_reads_and_sends_under_loss(tmp_path, operation):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "lossRate": 0.0005},
        nics=["irn", "srnic", "uet"],
        workload={**POISSON, "operation": operation},
    )
    for files in compare(tmp_path, path, [2]).values():
        assert files["flows.csv"].count(b"completed") > 20
        assert files["summary.json"]["drops"]["link-loss"] > 0


@pytest.mark.slow
def test_servers_with_several_nics(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "nicsPerServer": {"stores": 3}},
        groups={"stores": [0, 3]},
        nics=[{"preset": nic, "hardware": "on"} for nic in DESIGNS],
        linkEvents=[
            {"at": at, "link": [2, 64], "nic": 1, "state": state} for at, state in (("20us", "down"), ("60us", "up"))
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        assert files["hosts.csv"].count(b"\n") == 1 + 64 + 4 * 2


@pytest.mark.slow
def test_time_series(tmp_path):
    path = write_scenario(
        tmp_path,
        nics=["connectx6", "srnic"],
        fabric={**FABRIC, "buffer": "4MiB"},
        groups={"some": [3, 40]},
        series={"interval": "700ns"},
    )
    results = compare(tmp_path, path, [2, 4])
    for files in results.values():
        lines = {name: files[f"series/{name}.csv"].splitlines() for name in SERIES}
        times = {line.split(b",")[0] for line in lines["buffer"][1:]}
        assert len(times) > 70  # 50 us of flows.
        assert len(lines["buffer"]) == 1 + 8 * len(times)  # 4 + 4 switches.
        assert len(lines["queue"]) == 1 + 160 * len(times)  # 64 + 16 links.
        assert len(lines["rate"]) > 100
    # The same files as without ranks may be named flow by flow and port by port.
    named = run(
        2, "run", path, "--out", tmp_path / "named", "--nic", "srnic",
        "--set", 'series={"interval": "700ns", "ports": ["some", [64, 0]], "flows": [0, 1, "some"]}',
    )
    assert named[0] == 0, named[2]
    rows = (tmp_path / "named/ranks/srnic/series/port.csv").read_bytes().splitlines()
    all_rows = set(results["srnic"]["series/port.csv"].splitlines())
    assert set(rows) < all_rows


@pytest.mark.slow
def test_time_series_with_idle_times_between_the_retries_of_a_lossy_run(tmp_path):
    # After 200 us only retransmission timers expire, up to 2.4 ms: most samples are idle, and the tables are thinned.
    lossy = {"ns3::rdma::GilbertElliottLoss::ToBad": 0.001, "ns3::rdma::GilbertElliottLoss::ToGood": 0.3}
    servers, clients = [3, 29, 4], [56, 58, 22, 17, 44, 42, 5, 13, 1, 31, 7, 6]
    rpc = {"type": "rpc", "name": "main", "clients": "cl", "servers": "sv", "request": "read", "outstanding": 2}
    rpc |= {"keys": 1000, "zipf": 1.2, "absent": 0, "valueBytes": 5000, "requestsPerSecond": 500000}
    rpc |= {"duration": "200us", "warmup": "10us"}
    scenario = {
        "name": "ranks",
        "fabric": {
            **{"topology": "fat-tree", "servers": 64, "hostRate": "400Gbps", "fabricRate": "400Gbps"},
            **{"linkDelay": "100ns", "mtu": 1024, "buffer": "32MiB", "ecn": "off", "nicsPerServer": 2},
            "losses": [{"model": "ns3::rdma::GilbertElliottLoss", "attributes": lossy}],
        },
        "run": {"seed": 15160731352732221175},
        "groups": {"sv": [[one, one] for one in servers], "cl": [[one, one] for one in clients]},
        "nics": [{"preset": "strom100g", "hardware": "on"}],
        "workloads": [rpc, {"type": "incast", "name": "bg", "senders": 3, "receiver": 3, "bytes": "30kB"}],
        "series": {"interval": "1us"},
    }
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(scenario))
    compare(tmp_path, path, [2])


@pytest.mark.slow
def test_series_of_reports(tmp_path):
    path = write_scenario(tmp_path, nics=["uet", "uet-rccc"], series={"interval": "1us", "what": ["spray"]})
    for files in compare(tmp_path, path, [2]).values():
        assert len(files["series/spray.csv"].splitlines()) > 50


@pytest.mark.slow
def test_two_planes_of_which_a_switch_fails(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "portsPerNic": 2},
        nics=[
            {
                "preset": nic,
                "hardware": "on",
                "attributes": {
                    "ns3::rdma::RdmaNic::PathSelector": "ns3::rdma::FailbackPath",
                    "ns3::rdma::FailbackPath::RetryDelay": "20us",
                },
            }
            for nic in DESIGNS
        ],
        linkEvents=[
            *({"at": "20us", "switch": switch, "state": "down"} for switch in (73, 76, 77, 78, 79)),
            {"at": "60us", "switch": 73, "state": "up"},
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        assert files["summary.json"]["drops"]["link-down"] > 0
        assert files["summary.json"]["flows"]["failed"] == 0
        assert files["hosts.csv"].count(b"\n") == 65


def test_incast_with_pfc_and_congestion_notification(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "buffer": "4MiB"},
        workload={"type": "incast", "senders": 48, "receiver": 0, "bytes": "50kB", "period": "100us", "repeats": 2},
    )
    results = compare(tmp_path, path, [2])
    assert results["connectx6"]["summary.json"]["pfc_pauses"] > 0
    assert results["connectx6"]["summary.json"]["cnps"] > 0


@pytest.mark.slow
def test_servers_with_different_nics(tmp_path):
    path = write_scenario(
        tmp_path,
        groups={"stores": [0, 15]},
        nics=[
            {"name": "mixed", "groups": {"stores": "balboa"}, "default": "connectx6"},
            {
                "name": "timed",
                "groups": {"stores": {"preset": "balboa", "hardware": "on"}},
                "default": {"preset": "connectx6", "hardware": "on"},
            },
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        flows = files["summary.json"]["flows"]
        assert flows["completed"] == flows["started"] > 20


@pytest.mark.slow
def test_int_and_flowlets_of_each_nic(tmp_path):
    hpcc = {"preset": "irn", "congestionControl": "ns3::rdma::Hpcc"}
    flowlets = {"type": "ns3::rdma::FlowletBalancer", "attributes": {"ns3::rdma::FlowletBalancer::Timeout": "1us"}}
    path = write_scenario(
        tmp_path,
        nics=[
            {**hpcc, "name": "ecmp"},
            {**hpcc, "name": "flowlets", "loadBalancer": flowlets},
            *(
                {"preset": "irn", "name": name.lower(), "congestionControl": f"ns3::rdma::{name}"}
                for name in ("Swift", "PowerTcp", "ThetaPowerTcp", "Timely", "Smartt")
            ),
            {"preset": "uet", "name": "uet-smartt", "congestionControl": "ns3::rdma::Smartt"},
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        flows = files["summary.json"]["flows"]
        assert flows["completed"] == flows["started"] > 20
    # Another path for some packets: the flows are not what they were.
    assert results["ecmp"]["flows.csv"] != results["flowlets"]["flows.csv"]


@pytest.mark.slow
def test_load_balancers_with_state_and_tags_across_ranks(tmp_path):
    names = ["Spray", "RoundRobin", "Drill", "Adaptive", "Conga"]
    path = write_scenario(
        tmp_path,
        nics=[
            {
                "preset": "irn",
                "name": name,
                "loadBalancer": {
                    "type": f"ns3::rdma::{name}Balancer",
                    # By default queues as short as here are of one grade, and the choice is as that of Spray.
                    "attributes": {"ns3::rdma::AdaptiveBalancer::Grade": 1} if name == "Adaptive" else {},
                },
            }
            for name in names
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        flows = files["summary.json"]["flows"]
        assert flows["completed"] == flows["started"] > 20
    assert len({files["flows.csv"] for files in results.values()}) == len(names)


def make_operations():
    """Return 1000 operations: each of 64 servers passes on what it got, to servers near and far."""
    operations = []
    for number in range(1000):
        step, src = divmod(number, 64)
        operation = {
            "id": number,
            "src": src,
            "dst": (src + 1 + 3 * step) % 64,
            "bytes": 2000 + 137 * (number % 40),
            "delay": f"{number % 5 * 100}ns",
        }
        if step > 0:
            first = (step - 1) * 64
            # Its own last one, one that came to it, and one that arrives by a control message.
            arrived = first + (src - 1 - 3 * (step - 1)) % 64
            operation["after"] = sorted({first + src, arrived, first + (src + 33) % 64})
        operation["operation"] = ("write", "read", "send", "read", "write")[number % 5]
        if number % 3 == 0:
            operation["queuePair"] = f"{operation['src']} to {operation['dst']}"
        operations.append(operation)
    return operations


@pytest.mark.slow
def test_a_graph_of_a_thousand_operations(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "lossRate": 0.0005},
        nics=["irn", {"preset": "balboa", "hardware": "on"}],
        workload={"type": "graph", "operations": make_operations()},
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        assert files["flows.csv"].count(b"completed") == 1000
        assert files["summary.json"]["flows"]["started"] == 1000


def test_a_graph_from_a_file_whose_first_operation_fails(tmp_path):
    operations = [
        {"id": "a", "src": 0, "dst": 40, "bytes": "1MB"},
        {"id": "b", "src": 40, "dst": 1, "bytes": "1kB", "after": ["a"]},
        {"id": "c", "src": 50, "dst": 2, "bytes": "1kB", "delay": "5us"},
    ]
    (tmp_path / "operations.json").write_text(json.dumps({"operations": operations}))
    path = write_scenario(
        tmp_path,
        nics=["irn"],
        workload={"type": "graph", "file": "operations.json"},
        linkEvents=[{"at": "10us", "link": [40, 66], "state": "down"}],
    )
    results = compare(tmp_path, path, [2], status=3)
    assert results["irn"]["flows.csv"].count(b"failed") == 1
    assert results["irn"]["flows.csv"].count(b"\n") == 3


@pytest.mark.slow
def test_loss_models_of_links_between_and_within_ranks(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={
            **FABRIC,
            "losses": [
                {
                    "model": "ns3::rdma::GilbertElliottLoss",
                    "attributes": {
                        "ns3::rdma::GilbertElliottLoss::ToBad": 0.001,
                        "ns3::rdma::GilbertElliottLoss::ToGood": 0.5,
                    },
                },
                {
                    "link": [64, 68],
                    "model": "ns3::rdma::LinkImpairment",
                    "attributes": {
                        "ns3::rdma::LinkImpairment::DuplicateRate": 0.01,
                        "ns3::rdma::LinkImpairment::ReorderRate": 0.01,
                        "ns3::rdma::LinkImpairment::MaxExtraDelay": "2us",
                    },
                },
            ],
        },
        nics=["srnic"],
    )
    results = compare(tmp_path, path, [2])
    assert results["srnic"]["summary.json"]["drops"]["link-loss"] > 0


@pytest.mark.slow
def test_a_run_that_ends_with_its_workload(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "servers": 256},
        nics=["connectx6", "srnic"],
        workload={**POISSON, "duration": "30us"},
        run={"seed": 2, "drain": False},
    )
    results = compare(tmp_path, path, [2])
    assert b"unfinished" in results["srnic"]["flows.csv"]


@pytest.mark.slow
def test_a_run_that_starts_as_a_fluid_and_ends_by_precision(tmp_path):
    # Flows of 30 kB on average: 64 servers start 16 of them per us.
    (tmp_path / "sizes.cdf").write_text("10000 0\n50000 1\n")
    path = write_scenario(
        tmp_path,
        workload={**POISSON, "sizes": "sizes.cdf", "duration": "2ms"},
        nics=["connectx6", "srnic"],
        run={"seed": 2, "fluidStart": "50us", "precision": 0.25, "warmup": "20us"},
    )
    results = compare(tmp_path, path, [2])
    for nic, files in results.items():
        precision = files["summary.json"]["precision"]
        assert precision["reached"]
        assert precision["flows"] >= 1000
        assert len(load_nic(tmp_path / "1" / "ranks" / nic).completed) == precision["flows"]
        assert files["summary.json"]["simulated_ms"] < 2


@pytest.mark.slow
def test_pods_of_1024_servers(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "servers": 1024},
        nics=["srnic"],
        workload={**POISSON, "duration": "10us"},
        run={"seed": 2, "drain": False},
    )
    compare(tmp_path, path, [2])


@pytest.mark.slow
def test_an_hpcc_trace(tmp_path):
    # Two switches with two servers each, joined by two links of other delays.
    (tmp_path / "topology.txt").write_text(
        "6 2 6\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 500ns 0\n2 5 100Gbps 1us 0\n3 5 40Gbps 2us 0\n"
        "4 5 100Gbps 3us 0\n4 5 100Gbps 1us 0.001\n"
    )
    flows = [(i % 4, (i + 1 + i % 3) % 4, 3000 * i + 1, 2 + i // 3 * 1e-6) for i in range(60)]
    lines = [f"{src} {dst} 3 100 {size} {at:.9f}\n" for src, dst, size, at in flows]
    (tmp_path / "flows.txt").write_text(f"{len(lines)}\n" + "".join(lines))
    path = write_scenario(
        tmp_path,
        fabric={"topology": "hpcc-file", "file": "topology.txt"},
        workload={"type": "hpcc-trace", "file": "flows.txt"},
    )
    results = compare(tmp_path, path, [2])
    assert results["irn"]["flows.csv"].count(b"completed") == 60


@pytest.mark.slow
def test_flows_that_stall_are_named_alike(tmp_path):
    flows = [
        {"src": 0, "dst": 40, "bytes": "1MB"},
        {"src": 17, "dst": 33, "bytes": "500kB", "start": "3us"},
        {"src": 50, "dst": 40, "bytes": "1MB"},
    ]
    path = write_scenario(
        tmp_path,
        nics=["connectx6", "irn"],
        workload={"type": "flows", "flows": flows},
        linkEvents=[{"at": "30us", "link": [40, 66], "state": "down"}],
        run={"stallLimit": "1ms"},
    )
    results = compare(tmp_path, path, [2], status=3)
    assert results["irn"]["flows.csv"].count(b"stalled") == 2


@pytest.mark.slow
def test_captures_are_written_by_the_rank_of_the_server(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload={**POISSON, "duration": "10us"})
    results = compare(tmp_path, path, [3], "--pcap", "--pcap-hosts", "0,20,40,60")
    captures = [name for name in results["srnic"] if name.endswith(".pcap")]
    assert len(captures) == 4


def test_summary_says_how_the_ranks_shared_the_work(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload={**POISSON, "duration": "10us"})
    assert run(2, "run", path, "--out", tmp_path)[0] == 0
    summary = json.loads((tmp_path / "ranks" / "srnic" / "summary.json").read_text())
    ranks = summary["ranks"]
    assert ranks["count"] == len(ranks["events"]) == len(ranks["wait_seconds"]) == 2
    assert sum(ranks["events"]) == summary["events"]
    assert ranks["windows"] > 10
    assert ranks["sent_bytes"] > 80 * 100  # A frame takes about 80 bytes.
