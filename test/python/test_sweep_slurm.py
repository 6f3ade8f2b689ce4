# SPDX-License-Identifier: GPL-2.0-only
"""rocelab sweep --slurm on a Slurm of one node, which utils/slurm_node.py starts; else skipped."""

import os
import signal
import subprocess
import sys
import tempfile

import pytest
from program import BUILD, NEEDS_PROGRAM, ROOT, TIME_LIMIT, wait_for
from sweeps import DUMBBELL, make_build, read_csv, read_tables, run_sweep, start_python, write_sweep

pytestmark = [NEEDS_PROGRAM, pytest.mark.slow]

NODE = [sys.executable, str(ROOT / "utils" / "slurm_node.py")]
FAST = ["--slurm", "--poll", "0.2"]

#: Twenty runs, the last of them on two ranks.
TWENTY = {
    "path": "workload.flows[0].bytes",
    "values": list(range(1000, 21000, 1000)),
    "ranks": [1] * 19 + [2],
}

#: Runs that last until they are ended.
ENDLESS = {
    **DUMBBELL,
    "workload": {
        "type": "incast",
        "senders": 3,
        "bytes": "1MB",
        "repeats": 1_000_000,
        "period": "1ms",
    },
}


@pytest.fixture(scope="module")
def slurm():
    """The environment of a cluster that ends with the tests."""
    # Not one of pytest's folders: user munge could not look into it, and paths of sockets are short.
    with tempfile.TemporaryDirectory(prefix="rocelab-slurm-") as top:
        os.chmod(top, 0o755)
        folder = os.path.join(top, "node")
        start = run_node("start", "--folder", folder, "--cores", "8")
        if start.returncode:
            pytest.skip(f"Slurm does not start here: {start.stderr.strip()}")
        name, _, value = start.stdout.strip().removeprefix("export ").partition("=")
        yield {**os.environ, name: value}
        assert run_node("stop", "--folder", folder).stdout == "3 processes ended\n"


def run_node(*arguments):
    """Start or stop the cluster."""
    return subprocess.run(
        [*NODE, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
    )


def count_jobs(environment):
    """How many elements of arrays are queued or run."""
    command = ["squeue", "--noheader", "--array"]
    return len(subprocess.check_output(command, env=environment).splitlines())


def start_sweep(file, out, environment, *options, build=BUILD):
    """Start a sweep without the program in between: its number is that of the sweep."""
    return start_python(
        *("sweep", file, "--out", out, "--build", build, *FAST, *options),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def test_twenty_runs_one_on_two_ranks_give_the_table_of_a_local_sweep(tmp_path, slurm):
    file = write_sweep(tmp_path, scenario=DUMBBELL, axes=[TWENTY])
    run_sweep(file, tmp_path / "local")
    # The sweep is killed once everything is submitted, and taken up again.
    process = start_sweep(file, tmp_path / "slurm", slurm)
    folder = tmp_path / "slurm" / "tiny"
    wait_for(lambda: len(list(folder.glob("slurm/*/job"))) == 2)  # Of one and of two ranks.
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    submitted = sorted(path.name for path in folder.glob("slurm/*"))
    result = run_sweep(file, tmp_path / "slurm", *FAST, env=slurm)
    assert "20 done" in result.stdout
    assert len(submitted) == 2
    assert read_tables(folder) == read_tables(tmp_path / "local" / "tiny")
    assert [row["ranks"] for row in read_csv(folder / "sweep.csv")] == ["1"] * 19 + ["2"]
    assert not list(folder.glob("slurm/*")) and not list(folder.glob("work/*"))
    # Neither here nor there is anything left to do, and a batch whose runs are all in place goes.
    (folder / "slurm" / "rocelab-0").mkdir()
    (folder / "slurm" / "rocelab-0" / "job").write_text("1\n")
    run_sweep(file, tmp_path / "slurm", *FAST, env=slurm)
    assert not list(folder.glob("slurm/*"))
    run_sweep(file, tmp_path / "slurm")
    assert read_tables(folder) == read_tables(tmp_path / "local" / "tiny")


def test_ctrl_c_leaves_the_jobs_and_scancel_is_a_failure(tmp_path, slurm):
    file = write_sweep(tmp_path, scenario=ENDLESS, seeds=[1, 2])
    folder = tmp_path / "o" / "tiny"
    process = start_sweep(file, tmp_path / "o", slurm)
    wait_for(lambda: len(list(folder.glob("work/*/stderr"))) == 2)  # Both run.
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=TIME_LIMIT)
    assert process.returncode == 130
    (job,) = [path.read_text().strip() for path in folder.glob("slurm/*/job")]
    assert error == (
        "rocelab: interrupted: 2 runs go on in Slurm: the same command takes them up again, "
        f"scancel {job} ends them\n"
    )
    assert count_jobs(slurm) == 2
    assert [row["status"] for row in read_csv(folder / "sweep.csv")] == ["missing", "missing"]
    # Here and in Slurm at once is refused.
    result = run_sweep(file, tmp_path / "o", status=2)
    assert "expected no runs of this sweep in Slurm, got some" in result.stderr
    subprocess.run(["scancel", job], env=slurm, check=True)
    run_sweep(file, tmp_path / "o", *FAST, env=slurm, status=1)
    rows = read_csv(folder / "sweep.csv")
    assert [row["status"] for row in rows] == ["failed", "failed"]
    for index, row in enumerate(rows, start=1):
        assert row["error"].startswith(f"Slurm job {job}_{index} ended without a result: CANCELLED")
    assert not list(folder.glob("slurm/*")) and not list(folder.glob("work/*"))


def test_a_job_that_slurm_does_not_take_is_one_line(tmp_path, slurm):
    file = write_sweep(tmp_path)
    options = [*FAST, "--sbatch=--partition=none"]
    result = run_sweep(file, tmp_path / "o", *options, env=slurm, status=2)
    assert result.stderr.startswith("rocelab: sbatch: expected the job to be accepted, got: ")
    assert "partition" in result.stderr
    assert result.stderr.count("\n") == 1
    run_sweep(file, tmp_path / "o", *FAST, env=slurm)
    assert not list((tmp_path / "o" / "tiny").glob("work/*"))


def test_a_program_that_was_rebuilt_is_noticed_by_the_job(tmp_path, slurm):
    program = make_build(tmp_path / "build", 'exec $REAL "$@"') / "rocelab"
    file = write_sweep(tmp_path)
    process = start_sweep(file, tmp_path / "o", slurm, "--sbatch=--hold", build=program.parent)
    folder = tmp_path / "o" / "tiny"
    wait_for(lambda: list(folder.glob("slurm/*/job")))
    program.write_text(program.read_text() + "# Built again.\n")
    (job,) = [path.read_text().strip() for path in folder.glob("slurm/*/job")]
    subprocess.run(["scontrol", "release", job], env=slurm, check=True)
    process.communicate(timeout=TIME_LIMIT)
    assert process.returncode == 1
    (row,) = read_csv(folder / "sweep.csv")
    assert row["error"] == "the program changed after the run was submitted"


def test_without_slurm_it_says_what_is_missing(tmp_path):
    file = write_sweep(tmp_path)
    result = run_sweep(file, tmp_path / "o", "--slurm", status=2, env={"PATH": str(tmp_path)})
    assert result.stderr == (
        "rocelab: sbatch: expected Slurm's program on PATH (Debian package slurm-client), got none\n"
    )
    assert not (tmp_path / "o").exists()
