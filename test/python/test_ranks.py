# SPDX-License-Identifier: GPL-2.0-only
"""Several MPI ranks give the same bytes as one, and end together whatever happens to one of them."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from rocelab.results import load_nic

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build")) / "rocelab"
MPIRUN = shutil.which("mpirun") or "mpirun"
DESIGNS = ["connectx6", "irn", "srnic", "balboa"]

#: Numbers of summary.json that tell of the processes, not of the simulation.
OF_PROCESSES = ["ranks", "wall_seconds", "packet_hops_per_second", "peak_rss_bytes"]

#: Files of time series, without their ends.
SERIES = ["buffer", "port", "queue", "rate"]

#: A run that hangs is a failed test, seconds.
TIME_LIMIT = 60

FABRIC = {
    "topology": "fat-tree",
    "servers": 64,
    "hostRate": "100Gbps",
    "fabricRate": "400Gbps",
    "linkDelay": "1us",
    "ecn": {
        "100Gbps": {"kmin": "40kB", "kmax": "160kB", "pmax": 0.2},
        "400Gbps": {"kmin": "160kB", "kmax": "640kB", "pmax": 0.2},
    },
}

POISSON = {
    "type": "poisson",
    "sizes": str(ROOT / "traces" / "cache-follower.cdf"),
    "load": 0.6,
    "duration": "50us",
}



def is_open_mpi():
    """Tell whether mpirun is Open MPI's: others have other options."""
    version = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True, check=False)
    return "Open MPI" in version.stdout


pytestmark = [
    pytest.mark.skipif(not is_open_mpi(), reason="mpirun is not Open MPI's"),
    pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first"),
]


def start(count, *arguments, is_patient=False):
    """Start the program on so many ranks; a patient mpirun lets them end by themselves for a second."""
    command = [str(PROGRAM), *map(str, arguments)]
    if count > 1:
        patience = [] if is_patient else ["--mca", "odls_base_sigkill_timeout", "0"]
        command = [MPIRUN, "--oversubscribe", *patience, "-n", str(count), *command]
    # mpirun asks for these where tests run as root, as in containers.
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """Return (status, stdout, stderr) of a process that ends in time."""
    try:
        output, errors = process.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return process.returncode, output, errors


def run(count, *arguments):
    return finish(start(count, *arguments))


def get_own_lines(errors):
    """Return what the program has said, without what mpirun adds."""
    return [line for line in errors.splitlines() if line.startswith("rocelab: ")]


def write_scenario(folder, **parts):
    """Write a scenario; parts replace those of the default one."""
    scenario = {"name": "ranks", "fabric": FABRIC, "nics": DESIGNS, "workload": POISSON, "run": {"seed": 7}}
    scenario.update(parts)
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario))
    return path


def read_results(folder):
    """Return {NIC: {file: text}} of a scenario's results, summary.json without numbers of processes."""
    results = {}
    for nic in sorted(folder.iterdir()):
        files = {
            str(path.relative_to(nic)): path.read_bytes() for path in nic.rglob("*") if path.is_file()
        }
        summary = json.loads(files["summary.json"])
        assert summary["ranks"]["count"] >= 1
        files["summary.json"] = {key: summary[key] for key in summary if key not in OF_PROCESSES}
        results[nic.name] = files
    return results


def compare(folder, path, counts, *arguments, status=0):
    """Run on one rank and on others, and expect the same; return the results."""
    alone = run(1, "run", path, "--out", folder / "1", *arguments)
    assert alone[0] == status, alone[2]
    expected = read_results(folder / "1" / "ranks")
    assert expected
    for count in counts:
        ended = run(count, "run", path, "--out", folder / str(count), *arguments)
        assert ended[0] == status, ended[2]
        assert sorted(get_own_lines(ended[2])) == sorted(get_own_lines(alone[2]))
        found = read_results(folder / str(count) / "ranks")
        assert sorted(found) == sorted(expected)
        for nic, files in expected.items():
            assert found[nic] == files, f"{nic} on {count} ranks"
    return expected


def test_any_number_of_ranks_gives_the_same_bytes(tmp_path):
    path = write_scenario(tmp_path, fabric={**FABRIC, "lossRate": 0.0005})
    results = compare(tmp_path, path, [2, 4])
    assert sorted(results) == sorted(DESIGNS)
    for files in results.values():
        assert files["flows.csv"].count(b"completed") > 20
        assert files["summary.json"]["drops"]["link-loss"] > 0
        assert files["summary.json"]["retransmitted"] > 0


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


def test_two_planes_of_which_a_switch_fails(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "portsPerNic": 2},
        nics=[
            {
                "preset": nic,
                "hardware": "on",
                "attributes": {"ns3::rdma::RdmaNic::PathSelector": "ns3::rdma::FailoverPath"},
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


def test_int_and_flowlets_of_each_nic(tmp_path):
    hpcc = {"preset": "irn", "congestionControl": "ns3::rdma::Hpcc"}
    flowlets = {"type": "ns3::rdma::FlowletBalancer", "attributes": {"ns3::rdma::FlowletBalancer::Timeout": "1us"}}
    path = write_scenario(
        tmp_path,
        nics=[
            {**hpcc, "name": "ecmp"},
            {**hpcc, "name": "flowlets", "loadBalancer": flowlets},
            {"preset": "irn", "name": "swift", "congestionControl": "ns3::rdma::Swift"},
        ],
    )
    results = compare(tmp_path, path, [2])
    for files in results.values():
        flows = files["summary.json"]["flows"]
        assert flows["completed"] == flows["started"] > 20
    # Another path for some packets: the flows are not what they were.
    assert results["ecmp"]["flows.csv"] != results["flowlets"]["flows.csv"]


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
            # Its own last one, one that came to it, and one that it hears of by a control message.
            arrived = first + (src - 1 - 3 * (step - 1)) % 64
            operation["after"] = sorted({first + src, arrived, first + (src + 33) % 64})
        if number % 3 == 0:
            operation["queuePair"] = f"{operation['src']} to {operation['dst']}"
        operations.append(operation)
    return operations


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


def test_pods_of_1024_servers(tmp_path):
    path = write_scenario(
        tmp_path,
        fabric={**FABRIC, "servers": 1024},
        nics=["srnic"],
        workload={**POISSON, "duration": "10us"},
        run={"seed": 2, "drain": False},
    )
    compare(tmp_path, path, [2])


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


def test_captures_are_written_by_whoever_simulates_the_server(tmp_path):
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


REFUSED = [
    (["run", "--set", "fabric.servers=16"], "$.fabric: expected at most 1 rank"),
    (["run", "--no-such-option"], "--no-such-option"),
    (["check"], 'expected only "run" on more than one rank (mpirun -n)'),
]


def test_bad_input_is_said_once(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"])
    out = tmp_path / "out"
    # At the same time: most of it is mpirun's start and end.
    processes = [
        start(2, command, path, *arguments, *(["--out", out] if command == "run" else []))
        for (command, *arguments), _ in REFUSED
    ]
    for process, (_, message) in zip(processes, REFUSED):
        status, output, errors = finish(process)
        assert status == 2, errors
        assert output == ""
        lines = get_own_lines(errors)
        assert len(lines) == 1
        assert message in lines[0]
    assert not out.exists()


def test_a_launcher_of_another_mpi_is_refused(tmp_path):
    # MPICH's says PMI_SIZE; to Open MPI such a process is alone.
    path = write_scenario(tmp_path, nics=["srnic"])
    environment = {**os.environ, "PMI_SIZE": "2", "OMPI_ALLOW_RUN_AS_ROOT": "1"}
    ended = subprocess.run(
        [str(PROGRAM), "run", str(path), "--out", str(tmp_path / "out")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    assert ended.returncode == 2, ended.stderr
    lines = get_own_lines(ended.stderr)
    assert len(lines) == 1
    assert lines[0].startswith("rocelab: expected 2 ranks, as many as were started, got 1: ")
    assert not (tmp_path / "out").exists()


def start_endless(folder, until=b"completed", **parts):
    """Start two ranks that will not end by themselves and wait until a flow has ended in a way.

    Returns mpirun and the ranks' process ids.
    """
    path = write_scenario(folder, nics=["srnic", "irn"], workload={**POISSON, "duration": "1s"}, **parts)
    process = start(2, "run", path, "--out", folder / "out", is_patient=True)
    flows = "ranks/.srnic.*.part/flows.csv"
    deadline = time.time() + TIME_LIMIT
    while not any(until in file.read_bytes() for file in (folder / "out").glob(flows)):
        assert process.poll() is None, process.stderr.read()
        assert time.time() < deadline
        time.sleep(0.02)
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
    )
    ranks = {}
    for pid in children.stdout.split():
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        for entry in environment:
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                ranks[int(entry.split(b"=")[1])] = int(pid)
    if sorted(ranks) != [0, 1]:
        process.terminate()
        process.communicate()
        pytest.skip("not Open MPI: cannot tell the ranks' processes")
    return process, ranks


def wait_until_gone(pid):
    """Wait until a process has ended, even if nobody asks for its status."""
    deadline = time.time() + TIME_LIMIT
    while time.time() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} goes on")


def test_a_rank_that_dies_takes_the_run_down(tmp_path):
    runs = []
    for victim in (0, 1):
        folder = tmp_path / str(victim)
        folder.mkdir()
        runs.append((victim, folder, *start_endless(folder)))
    begin = time.time()
    for victim, _, _, ranks in runs:
        os.kill(ranks[victim], signal.SIGKILL)
    for victim, folder, process, ranks in runs:
        status, output, errors = finish(process)
        assert status not in (0, None)
        assert f"rank {victim} " in errors  # Of the other rank, or of mpirun if that was faster.
        assert output == ""
        assert not (folder / "out" / "ranks" / "srnic").exists()
        for pid in ranks.values():
            wait_until_gone(pid)
    assert time.time() - begin < 15


#: A server without link and queue pairs that break at the first timeout: flows fail.
FAILING = {
    "linkEvents": [{"at": "20us", "link": [0, 64], "state": "down"}],
    "attributes": {"ns3::rdma::RdmaNic::RetryCount": 0},
}


@pytest.mark.parametrize("until,parts", [(b"completed", {}), (b"failed", FAILING)], ids=["good", "failing"])
def test_an_interrupted_run_keeps_what_is_done(tmp_path, until, parts):
    process, _ = start_endless(tmp_path, until, **parts)
    process.send_signal(signal.SIGTERM)
    status, _, errors = finish(process)
    assert status not in (0, None)
    *troubles, last = get_own_lines(errors)
    assert bool(troubles) == bool(parts)
    assert all("transport retry counter exceeded" in line or " more" in line for line in troubles)
    assert last.startswith("rocelab: interrupted; srnic: ")
    assert last.endswith("; irn: not run")
    summary = json.loads((tmp_path / "out" / "ranks" / "srnic" / "summary.json").read_text())
    assert summary["partial"]
    assert summary["flows"]["completed"] > 0
    assert not (tmp_path / "out" / "ranks" / "irn").exists()
