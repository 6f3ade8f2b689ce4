# SPDX-License-Identifier: GPL-2.0-only
"""`rocelab run --ranks` starts the ranks itself: same bytes, one line for each way to end, its exit status."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from program import BUILD, PROGRAM, TIME_LIMIT, call, read_json, wait_for
from ranks import FABRIC, NEEDS, POISSON, compare, find_ranks, finish, is_alive, read_results, run, start, write_scenario

from rocelab.__main__ import main

pytestmark = NEEDS

SHORT = {**POISSON, "duration": "20us"}

#: With 1024 servers: 1024 * 12.5 GB/s * 0.9 * 120 us / 1 KiB = 1.35 million packets and as many acknowledgments, most
#: over 6 links: 16 million packet-hops. Two ranks save 75 ns / 2 of each, 0.6 s; they cost 0.45 s and 40 us per window.
LONG = {**POISSON, "load": 0.9, "duration": "120us"}


def read_ranks(folder, nic="srnic"):
    return read_json(folder / "ranks" / nic / "summary.json")["ranks"]


def test_results_have_the_same_bytes_as_without_ranks(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic", "irn"], workload=SHORT)
    expected = compare(tmp_path, path, [])
    status, output, errors = run(1, "run", path, "--ranks", 2, "--out", tmp_path / "2")
    assert (status, errors) == (0, "")
    assert [line.split(":")[0] for line in output.splitlines()] == ["srnic", "irn"]
    assert read_results(tmp_path / "2" / "ranks") == expected
    summary = read_json(tmp_path / "2" / "ranks" / "srnic" / "summary.json")
    ranks = summary["ranks"]
    assert ranks["count"] == 2
    for parts in zip(ranks["compute_seconds"], ranks["wait_seconds"], ranks["exchange_seconds"], strict=True):
        assert min(parts) >= 0
        assert parts[0] > 0 and parts[2] > 0
        assert sum(parts) <= summary["wall_seconds"]


def test_one_rank_needs_no_mpirun(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload=SHORT)
    ended = run_with({"PATH": ""}, "run", path, "--ranks", 1, "--out", tmp_path / "out")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert read_ranks(tmp_path / "out") == {"count": 1}


def run_with(changes, *arguments, **options):
    """Run the program with changes of its environment."""
    return call(*arguments, env={**os.environ, **changes}, **options)


@pytest.mark.parametrize(
    "cores,workload,arguments,count",
    [
        pytest.param(2, LONG, ["--nic", "srnic"], 2, id="one-nic"),
        pytest.param(1, LONG, ["--nic", "srnic"], 1, id="one-core"),
        pytest.param(2, LONG, ["--nic", "srnic", "--nic", "irn"], 1, id="a-core-for-each-nic"),
        pytest.param(2, LONG, ["--nic", "srnic", "--set", "fabric.servers=16"], 1, id="one-switch"),
        pytest.param(2, LONG, ["--nic", "srnic", "--set", "fabric.linkDelay=0s"], 1, id="no-delay"),
        pytest.param(2, SHORT, ["--nic", "srnic"], 1, id="few-packet-hops"),
        # 120 us / 10 ns = 12,000 windows cost 0.48 s.
        pytest.param(2, LONG, ["--nic", "srnic", "--set", "fabric.linkDelay=10ns"], 1, id="few-packet-hops-per-window"),
    ],
)
def test_auto_takes_as_many_ranks_as_help(tmp_path, cores, workload, arguments, count):
    path = write_large(tmp_path, workload)
    command = ("check", path, *arguments, "--cost", "--ranks", "auto")
    ended = run_on_cores(cores, *command)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["ranks"] == count


@pytest.mark.parametrize(
    "workload,arguments,count",
    [
        pytest.param(LONG, ["--jobs", "1"], 2, id="one-nic-at-a-time", marks=pytest.mark.slow),
        pytest.param(SHORT, [], 1, id="a-core-for-each-nic"),
    ],
)
def test_auto_runs_as_many_ranks_as_help(tmp_path, workload, arguments, count):
    path = write_large(tmp_path, workload)
    ended = run_on_cores(2, "run", path, *arguments, "--ranks", "auto", "--out", tmp_path / "out")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [read_ranks(tmp_path / "out", nic)["count"] for nic in ("srnic", "irn")] == [count, count]


def write_large(folder, workload):
    """Write a scenario of two NICs, whose runs are long enough for several ranks with LONG."""
    return write_scenario(folder, nics=["srnic", "irn"], fabric={**FABRIC, "servers": 1024}, workload=workload)


def run_on_cores(cores, *arguments, **options):
    """Run the program on so many of the usable cores."""
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < cores:
        pytest.skip(f"needs {cores} cores")
    return run_with({}, *arguments, preexec_fn=lambda: os.sched_setaffinity(0, usable[:cores]), **options)


@pytest.mark.parametrize("value", ["0", "-1", "two", "1025", "2.5", ""])
def test_other_values_are_refused(tmp_path, value):
    path = write_scenario(tmp_path)
    status, output, errors = run(1, "run", path, f"--ranks={value}", "--out", tmp_path / "out")
    assert (status, output) == (2, "")
    assert errors.startswith("rocelab: --ranks: expected ")
    assert errors.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_bad_input_is_one_line(tmp_path):
    path = write_scenario(tmp_path)
    for change, message in (("fabric.servers=16", "$.fabric: expected at most 1 rank"), ("x=1", "$.x: ")):
        status, output, errors = run(1, "run", path, "--ranks", 2, "--set", change, "--out", tmp_path / "out")
        assert (status, output) == (2, "")
        assert errors.startswith("rocelab: ") and message in errors
        assert errors.count("\n") == 1
        assert not (tmp_path / "out").exists()


def test_a_missing_mpirun_is_one_line(tmp_path):
    path = write_scenario(tmp_path)
    ended = run_with({"PATH": str(tmp_path)}, "run", path, "--ranks", 2, "--out", tmp_path / "out")
    assert ended.returncode == 2
    assert ended.stderr.startswith("rocelab: --ranks: expected mpirun, which starts 2 ranks, in a folder of PATH")
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_mpirun_that_starts_nothing_is_one_line_with_its_reason(tmp_path):
    fake = tmp_path / "mpirun"
    fake.write_text(f"#!{shutil.which('sh')}\necho ------\necho There are no slots left.\necho Bye.\nexit 7\n")
    fake.chmod(0o755)
    path = write_scenario(tmp_path)
    ended = run_with({"PATH": str(tmp_path)}, "run", path, "--ranks", 2, "--out", tmp_path / "out")
    assert (ended.returncode, ended.stderr) == (1, "rocelab: mpirun: There are no slots left.\n")


@pytest.mark.parametrize("count", [1, 2])
def test_ranks_of_a_users_mpirun_start_no_others(tmp_path, count):
    path = write_scenario(tmp_path)
    environment = {"OMPI_COMM_WORLD_SIZE": "1"} if count == 1 else {}
    if count == 1:
        ended = run_with(environment, "run", path, "--ranks", "auto", "--out", tmp_path / "out")
        status, lines = ended.returncode, ended.stderr.splitlines()
    else:
        status, _, errors = run(count, "run", path, "--ranks", 2, "--out", tmp_path / "out")
        lines = [line for line in errors.splitlines() if line.startswith("rocelab: ")]
    assert status == 2
    assert lines == ["rocelab: --ranks: expected no mpirun or srun beside it, which starts the ranks"]
    assert not (tmp_path / "out").exists()


def start_endless(folder):
    """Start two ranks that do not end by themselves, wait for a completed flow; return the process and the ranks."""
    folder.mkdir(exist_ok=True)
    path = write_scenario(folder, nics=["srnic", "irn"], workload={**POISSON, "duration": "1s"})
    process = start(1, "run", path, "--ranks", 2, "--out", folder / "out")
    flows = "ranks/.srnic.*.part/flows.csv"
    wait_for(lambda: any(b"completed" in file.read_bytes() for file in (folder / "out").glob(flows)), process)
    return process, find_ranks(process.pid)


def wait_until_gone(ranks):
    wait_for(lambda: not any(map(is_alive, ranks.values())))


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_an_interrupted_run_is_one_line_and_keeps_what_is_done(tmp_path, number):
    process, ranks = start_endless(tmp_path)
    process.send_signal(number)
    status, output, errors = finish(process)
    assert status == 130
    assert errors.startswith("rocelab: interrupted; srnic: ")
    assert errors.endswith(" (partial); irn: not run\n")
    assert errors.count("\n") == 1
    assert output.startswith("srnic: ") and output.count("\n") == 1
    summary = read_json(tmp_path / "out" / "ranks" / "srnic" / "summary.json")
    assert summary["partial"]
    assert sorted(path.name for path in (tmp_path / "out" / "ranks").iterdir()) == ["srnic"]
    wait_until_gone(ranks)


def test_a_run_that_is_interrupted_before_its_ranks_begin_is_one_line(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload={**POISSON, "duration": "1s"})
    for delay in (0.03, 0.2, 0.5):
        process = start(1, "run", path, "--ranks", 2, "--out", tmp_path / "out")
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        status, _, errors = finish(process)
        assert status in (130, -signal.SIGINT)  # The program may not have begun.
        if status == 130:
            assert errors.startswith("rocelab: interrupted")
            assert errors.count("\n") == 1


def test_an_mpirun_that_never_ends_is_killed_after_the_second_signal(tmp_path):
    # Open MPI 4.1 may wait for ever if it is stopped while its ranks start.
    fake = tmp_path / "mpirun"
    fake.write_text("#!/bin/sh\ntrap '' TERM\ntouch begun\nwhile :; do sleep 1; done\n")
    fake.chmod(0o755)
    path = write_scenario(tmp_path, nics=["srnic"], workload=SHORT)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = [PROGRAM, "run", path, "--ranks", "2", "--out", tmp_path / "out"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(words, cwd=tmp_path, env=environment, **pipes)
    wait_for((tmp_path / "begun").exists, process)
    process.send_signal(signal.SIGINT)
    time.sleep(1)  # A signal within half a second counts as the echo of the first.
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert finish(process) == (130, "", "rocelab: interrupted; stopped at once, no results\n")


@pytest.mark.parametrize("victim", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_a_killed_rank_is_one_line(tmp_path, victim):
    process, ranks = start_endless(tmp_path)
    os.kill(ranks[victim], signal.SIGKILL)
    status, output, errors = finish(process)
    assert (status, output) == (1, "")
    assert errors == (
        f"rocelab: rank {victim} died from signal 9 (Killed); all ranks are stopped, no results\n"
    )
    assert not (tmp_path / "out" / "ranks" / "srnic").exists()
    wait_until_gone(ranks)


@pytest.mark.slow
def test_ranks_end_with_the_program_that_has_started_them(tmp_path):
    process, ranks = start_endless(tmp_path)
    process.kill()
    wait_until_gone(ranks)
    process.communicate()


@pytest.mark.slow
def test_a_killed_mpirun_is_one_line(tmp_path):
    process, ranks = start_endless(tmp_path)
    mpirun = int(Path(f"/proc/{ranks[0]}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(mpirun, signal.SIGKILL)
    status, output, errors = finish(process)
    assert (status, output) == (1, "")
    assert errors.startswith("rocelab: ") and errors.count("\n") == 1
    wait_until_gone(ranks)


def expect_no_room(status, errors):
    assert status == 1, errors
    assert errors.startswith("rocelab: srnic: ")
    assert errors.endswith("flows.csv: cannot be written\n")
    assert errors.count("\n") == 1


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload={**POISSON, "duration": "400us"})
    out = tmp_path / "out"
    out.mkdir()
    mount = f"mount -t tmpfs -o size=4k none '{out}'"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode != 0:
        pytest.skip("cannot mount a file system")
    script = f"{mount} && '{PROGRAM}' run '{path}' --ranks 2 --out '{out}'; status=$?; find '{out}' -type f; exit $status"
    ended = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    expect_no_room(ended.returncode, ended.stderr)
    assert ended.stdout == ""


@pytest.mark.slow
def test_a_file_beyond_the_limit_of_its_size_is_one_line(tmp_path):
    # The shared memory of MPI would exceed the limit: messages go by TCP.
    settings = {"OMPI_MCA_btl": "self,tcp", "PMIX_MCA_gds": "hash"}
    path = write_scenario(tmp_path, nics=["srnic"], workload={**POISSON, "duration": "400us"})
    limit = (4000, 4000)
    ended = run_with(
        settings, "run", path, "--ranks", 2, "--out", tmp_path / "out",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        restore_signals=False,  # mpirun would die from SIGXFSZ.
    )
    expect_no_room(ended.returncode, ended.stderr)
    assert not list((tmp_path / "out").rglob("*.*"))


def test_a_full_output_is_one_line_and_status_1(tmp_path):
    path = write_scenario(tmp_path, nics=["srnic"], workload=SHORT)
    with open("/dev/full", "w") as full:
        settings = {"capture_output": False, "stdout": full, "stderr": subprocess.PIPE}
        ended = run_with({}, "run", path, "--ranks", 2, "--out", tmp_path / "out", **settings)
    assert ended.returncode == 1
    assert ended.stderr.startswith("rocelab: standard output: cannot be written")
    assert ended.stderr.count("\n") == 1
    assert read_ranks(tmp_path / "out")["count"] == 2


def test_compare_passes_ranks_on(tmp_path, empty_pictures):
    path = write_scenario(tmp_path, nics=["srnic", "irn"], workload=SHORT)
    assert main(["compare", str(path), "--ranks", "2", "--out", str(tmp_path), "--build", str(BUILD)]) == 0
    assert read_ranks(tmp_path)["count"] == 2
    assert (tmp_path / "ranks" / "compare.csv").is_file()
