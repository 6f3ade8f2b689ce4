# SPDX-License-Identifier: GPL-2.0-only
"""Ranks end together, whatever happens to one of them, and say what is wrong once."""

import os
import signal

import pytest
from program import call, read_json, wait_for
from ranks import NEEDS, POISSON, find_ranks, finish, get_own_lines, is_alive, start, write_scenario

pytestmark = NEEDS

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
    ended = call("run", path, "--out", tmp_path / "out", env=environment)
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
    wait_for(lambda: any(until in file.read_bytes() for file in (folder / "out").glob(flows)), process)
    return process, find_ranks(process.pid)


def test_a_rank_that_dies_takes_the_run_down(tmp_path):
    runs = []
    for victim in (0, 1):
        folder = tmp_path / str(victim)
        folder.mkdir()
        runs.append((victim, folder, *start_endless(folder)))
    for victim, _, _, ranks in runs:
        os.kill(ranks[victim], signal.SIGKILL)
    for victim, folder, process, ranks in runs:
        status, output, errors = finish(process)
        assert status not in (0, None)
        assert f"rank {victim} " in errors  # Of the other rank, or of mpirun if that was faster.
        assert output == ""
        assert not (folder / "out" / "ranks" / "srnic").exists()
        wait_for(lambda: not any(map(is_alive, ranks.values())))


#: A server without link and queue pairs that break at the first timeout: flows fail.
FAILING = {
    "linkEvents": [{"at": "20us", "link": [0, 64], "state": "down"}],
    "attributes": {"ns3::rdma::RdmaNic::RetryCount": 0},
}


@pytest.mark.parametrize(
    "until,parts",
    [
        pytest.param(b"completed", {}, id="good"),
        pytest.param(b"failed", FAILING, id="failing", marks=pytest.mark.slow),
    ],
)
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
    summary = read_json(tmp_path / "out" / "ranks" / "srnic" / "summary.json")
    assert summary["partial"]
    assert summary["flows"]["completed"] > 0
    assert not (tmp_path / "out" / "ranks" / "irn").exists()
