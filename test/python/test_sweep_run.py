# SPDX-License-Identifier: GPL-2.0-only
"""rocelab sweep with the program: results, what is skipped, what fails, what is refused."""

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from program import BUILD, NEEDS_PROGRAM, ROOT, TIME_LIMIT, call, read_json, write_json
from sweeps import DUMBBELL, INCAST, LOSS, SENDERS, get_stamps, make_build, make_command
from sweeps import read_csv, read_tables, run_sweep, sweep_here, write_sweep

from rocelab.__main__ import main
from rocelab.errors import FullError
from rocelab.sweeps import store

pytestmark = NEEDS_PROGRAM

# A line rate so low that the only flow stalls at once.
STALLING = {"path": "run.stallLimit", "values": ["1s", "1ps"], "name": "limit"}


def get_counts(row):
    """What a row of the summary says of its runs."""
    return [row[key] for key in ("runs", "results", "stalled", "failed")]


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A sweep of 2 x 2 points, 2 NICs and 2 seeds that has been run; not to be changed."""
    folder = tmp_path_factory.mktemp("done")
    file = write_sweep(folder, axes=[SENDERS, LOSS], nics=["srnic", "irn"], seeds=[1, 2])
    result = run_sweep(file, folder / "out")
    return file, folder / "out" / "tiny", result


@pytest.fixture
def copied(done, tmp_path):
    """The same in a folder of its own: (file, results folder)."""
    file, folder, _ = done
    shutil.copytree(folder, tmp_path / "out" / "tiny")
    return Path(shutil.copy(file, tmp_path)), tmp_path / "out" / "tiny"


def test_each_run_has_a_row_with_its_axes_and_numbers(done):
    rows = read_csv(done[1] / "sweep.csv")
    assert len(rows) == 2 * 2 * 2 * 2
    assert rows[0]["run"] == "senders=2,loss=0,seed=1/srnic"
    keys = ("senders", "loss", "nic", "seed", "ranks", "status", "error")
    assert [rows[0][key] for key in keys] == ["2", "0", "srnic", "1", "1", "done", ""]
    for row in rows:
        folder = done[1] / "runs" / row["run"]
        summary = read_json(folder / "summary.json")
        assert float(row["fct_us_mean"]) == pytest.approx(summary["fct_us"]["mean"], rel=1e-8)
        assert int(row["flows_completed"]) == int(row["senders"])
        fabric = ("buffer-full", "link-loss", "link-down", "no-route")
        assert int(row["fabric_drops"]) == sum(summary["drops"][reason] for reason in fabric)
        assert int(row["nic_discards"]) == sum(summary["drops"].values()) - int(row["fabric_drops"])
        assert "drops" not in row
        resolved = read_json(folder / "scenario.json")
        assert resolved["workload"]["senders"] == int(row["senders"])
        assert resolved["fabric"]["lossRate"] == float(row["loss"])
        assert resolved["run"]["seed"] == int(row["seed"])


def test_a_run_is_what_the_engine_makes_of_the_same_scenario(done, tmp_path):
    file = write_json(tmp_path / "base.json", INCAST)
    settings = ["--set", "workload.senders=4", "--set", "fabric.lossRate=0.01", "--seed", "2"]
    assert call("run", file, "--out", tmp_path / "r", "--nic", "irn", *settings).returncode == 0
    ours = done[1] / "runs" / "senders=4,loss=0.01,seed=2" / "irn" / "flows.csv"
    assert ours.read_bytes() == (tmp_path / "r" / "base" / "irn" / "flows.csv").read_bytes()


def test_the_summary_has_mean_and_students_interval_over_seeds(done):
    runs = read_csv(done[1] / "sweep.csv")
    for row in read_csv(done[1] / "sweep-summary.csv"):
        key = ("senders", "loss", "nic")
        group = [r for r in runs if all(r[k] == row[k] for k in key)]
        a, b = (float(r["fct_us_mean"]) for r in group)
        assert float(row["fct_us_mean_mean"]) == pytest.approx((a + b) / 2, rel=1e-6)
        # n = 2: s / sqrt(2) = |a - b| / 2, and t of one degree of freedom is 12.706.
        assert float(row["fct_us_mean_ci95"]) == pytest.approx(abs(a - b) / 2 * 12.706, rel=1e-3)
        assert get_counts(row) == ["2", "2", "0", "0"]


def test_sqlite_has_the_same_tables(done):
    connection = sqlite3.connect(done[1] / "sweep.sqlite")
    rows = connection.execute(
        "SELECT run, senders, fct_us_mean FROM runs WHERE nic = 'irn' AND loss > 0 ORDER BY run"
    ).fetchall()
    wanted = [
        (row["run"], int(row["senders"]), float(row["fct_us_mean"]))
        for row in read_csv(done[1] / "sweep.csv")
        if row["nic"] == "irn" and float(row["loss"]) > 0
    ]
    assert [row[:2] for row in rows] == [row[:2] for row in sorted(wanted)]
    assert [row[2] for row in rows] == pytest.approx([row[2] for row in sorted(wanted)], rel=1e-8)
    assert connection.execute("SELECT count(*) FROM summary").fetchone() == (8,)
    assert connection.execute("SELECT min(wall_seconds) > 0 FROM timing").fetchone() == (1,)
    connection.close()


def test_without_a_terminal_each_run_is_a_line(done):
    lines = done[2].stdout.splitlines()
    assert done[2].stderr == ""
    counts = [line for line in lines if re.fullmatch(r"\d+/16 \S+: done", line)]
    assert len(counts) == 16
    assert "sweep tiny: 16 runs: 16 done" in lines
    assert not any("\r" in line for line in lines)


def test_a_finished_sweep_runs_nothing_again(copied, capsys):
    file, folder = copied
    before, tables = get_stamps(folder), read_tables(folder)
    assert sweep_here(file, folder.parent) == 0
    assert get_stamps(folder) == before
    assert read_tables(folder) == tables
    assert "/16 " not in capsys.readouterr().out


def test_only_what_changed_is_run_again(copied):
    file, folder = copied
    sweep = json.loads(file.read_text())
    sweep["axes"][0]["values"] = [2, 8]
    sweep |= {"nics": ["irn"], "seeds": [1]}
    file.write_text(json.dumps(sweep))
    before = get_stamps(folder)
    assert sweep_here(file, folder.parent) == 0
    after = get_stamps(folder)
    assert {run: after[run] for run in before} == before  # Those that the sweep no longer has are kept, too.
    assert sorted(set(after) - set(before)) == [f"runs/senders=8,loss={loss},seed=1/irn" for loss in ("0", "0.01")]
    runs = [f"runs/{row['run']}" for row in read_csv(folder / "sweep.csv")]
    assert len(runs) == 4
    # A default that is said is the same scenario; another MTU is not.
    sweep["scenario"]["fabric"]["mtu"] = 1024
    file.write_text(json.dumps(sweep))
    assert sweep_here(file, folder.parent) == 0
    assert get_stamps(folder) == after
    sweep["scenario"]["fabric"]["mtu"] = 4096
    file.write_text(json.dumps(sweep))
    assert sweep_here(file, folder.parent) == 0
    changed = get_stamps(folder)
    assert all((changed[run] != after[run]) == (run in runs) for run in after)


def test_another_program_or_file_runs_all_again(tmp_path):
    (tmp_path / "sizes.cdf").write_text("0 0\n2000 1\n")
    workload = {"type": "poisson", "sizes": "sizes.cdf", "load": 0.5, "duration": "5us"}
    file = write_sweep(tmp_path, scenario={**INCAST, "workload": workload})
    build = make_build(tmp_path / "build", 'exec $REAL "$@"')
    stamps = []
    for change in (
        lambda: None,
        lambda: (build / "rocelab").write_text((build / "rocelab").read_text() + "# Rebuilt.\n"),
        lambda: (tmp_path / "sizes.cdf").write_text("0 0\n3000 1\n"),
        lambda: None,
    ):
        change()
        assert main(["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(build)]) == 0
        stamps.append(get_stamps(tmp_path / "o" / "tiny"))
    assert len(stamps[0]) == 1
    assert stamps[0] != stamps[1] != stamps[2] == stamps[3]


FAILS_ONCE = """
case "$*" in run*senders=4,seed=1*)
    if mkdir {flag} 2>/dev/null; then
        echo 'noise' >&2; echo 'rocelab: out of luck' >&2; exit 1
    fi;;
esac
exec $REAL "$@"
"""


def test_a_failed_run_is_recorded_and_run_again_only_on_demand(tmp_path, capsys):
    build = make_build(tmp_path / "build", FAILS_ONCE.format(flag=tmp_path / "flag"))
    file = write_sweep(tmp_path, axes=[SENDERS], seeds=[1, 2])
    command = ["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(build)]
    folder = tmp_path / "o" / "tiny"
    assert main(command) == 1
    assert "rocelab: senders=4,seed=1/srnic: out of luck\n" in capsys.readouterr().err
    rows = {row["run"]: row for row in read_csv(folder / "sweep.csv")}
    failed = rows["senders=4,seed=1/srnic"]
    assert (failed["status"], failed["error"]) == ("failed", "out of luck")
    assert failed["fct_us_mean"] == ""
    assert [row["status"] for row in rows.values()].count("done") == 3
    (point,) = [r for r in read_csv(folder / "sweep-summary.csv") if r["senders"] == "4"]
    assert get_counts(point) == ["2", "1", "0", "1"]
    assert point["fct_us_mean_ci95"] == ""  # Of one run.
    before = get_stamps(folder)
    assert main(command) == 1
    assert get_stamps(folder) == before
    assert main([*command, "--retry-failed"]) == 0
    after = get_stamps(folder)
    assert [run for run in after if after[run] != before[run]] == ["runs/senders=4,seed=1/srnic"]


@pytest.mark.parametrize(
    "script, error",
    [
        ("kill -9 $$", "ended by signal 9"),
        ("exit 7", "exit status 7"),
        ("echo 'srnic: invariant broken' >&2; exit 4", "srnic: invariant broken"),
    ],
)
def test_how_a_run_ended_is_said(tmp_path, script, error):
    build = make_build(tmp_path / "build", f'[ "$1" = check ] && exec $REAL "$@"\n{script}')
    file = write_sweep(tmp_path)
    assert main(["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(build)]) == 1
    (row,) = read_csv(tmp_path / "o" / "tiny" / "sweep.csv")
    assert (row["status"], row["error"]) == ("failed", error)


def test_stalled_flows_are_results_with_a_mark(tmp_path):
    file = write_sweep(tmp_path, axes=[STALLING], seeds=[1, 2])
    result = run_sweep(file, tmp_path / "o", status=3)
    folder = tmp_path / "o" / "tiny"
    rows = read_csv(folder / "sweep.csv")
    assert [row["status"] for row in rows] == ["done", "done", "stalled", "stalled"]
    assert rows[2]["flows_stalled"] != "0"
    assert rows[2]["error"]
    assert "2 done, 2 stalled" in result.stdout
    point = read_csv(folder / "sweep-summary.csv")[1]
    assert get_counts(point) == ["2", "2", "2", "0"]
    before = get_stamps(folder)
    run_sweep(file, tmp_path / "o", "--retry-failed", status=3)  # They would stall again.
    assert get_stamps(folder) == before


# What is wrong, and the line without the name of the file at its begin.
REFUSED = {
    "an axis that names no key": (
        {"axes": [SENDERS, {"path": "workload.lod", "values": [1]}]},
        r':\d+: \$\.axes\[1\]\.values\[0\]: \$\.workload\.lod: expected a known key \(.*\), got the unknown key "lod"',
    ),
    "an axis below no object": (
        {"axes": [{"path": "name.x", "values": [1]}]},
        r":\d+: \$\.axes\[0\]\.values\[0\]: --set name\.x=1: expected \$\.name to be an object, got .*",
    ),
    "a value that the key does not take": (
        {"axes": [{"path": "fabric.servers", "values": [9, "many"]}]},
        r":\d+: \$\.axes\[0\]\.values\[1\]: \$\.fabric\.servers: expected .*",
    ),
    "an unknown attribute": (
        {"axes": [{"path": 'attributes["ns3::rdma::Dcqcn::Gian"]', "values": [1]}]},
        r":\d+: \$\.axes\[0\]\.values\[0\]: .*unknown attribute Gian",
    ),
    "NICs that the engine does not know": ({"nics": ["srnik"]}, r":3: \$\.scenario: \$\.nics\[0\].*srnic.*"),
    "two NICs of one name": ({"nics": ["irn", "irn"]}, r":3: \$\.scenario: \$\.nics\[1\].*"),
    "values that are equal in other units": (
        {"axes": [{"path": "workload.bytes", "values": ["1kB", "2kB", "1000B"]}]},
        r':\d+: \$\.axes\[0\]\.values\[2\]: expected a value that makes other runs than \$\.axes\[0\]\.values\[0\], "1kB", got "1000B"',
    ),
    "the name of a folder of results": ({"name": "plots"}, r':2: \$\.name: expected a name that no file of results has, got "plots"'),
    "the name of a file of results": ({"name": "compare.csv"}, r':2: \$\.name: expected a name .*, got "compare\.csv"'),
    "more ranks than parts": ({"ranks": 2}, r":3: \$\.scenario: \$\.fabric: expected at most 1 rank.*"),
}


@pytest.mark.parametrize("keys, expected", REFUSED.values(), ids=REFUSED.keys())
def test_what_the_engine_refuses_is_one_line_and_nothing_is_written(tmp_path, capsys, keys, expected):
    file = write_sweep(tmp_path, **keys)
    assert sweep_here(file, tmp_path / "o") == 2
    error = capsys.readouterr().err
    assert re.fullmatch(f"rocelab: {re.escape(str(file))}{expected}\n", error), error
    assert not (tmp_path / "o").exists()


def test_values_that_make_other_runs_of_one_nic_only_are_no_equal_values(tmp_path, capsys):
    axis = {"path": 'attributes["ns3::rdma::Dcqcn::Gain"]', "values": [0.25, 0.5]}
    file = write_sweep(tmp_path, axes=[axis], nics=["connectx6", "irn"])  # irn has no DCQCN.
    assert sweep_here(file, tmp_path / "o", "--dry-run") == 0
    assert "4 runs" in capsys.readouterr().out


def write_manifest(folder):
    (folder / "sweep.json").write_text('{"format": 99}')


def remove_manifest(folder):
    (folder / "sweep.json").unlink()


def damage_record(folder):
    next(folder.glob("runs/*/*/run.json")).write_text('{"hash": ')


def replace_record(folder):
    next(folder.glob("runs/*/*/run.json")).write_text('{"hash": "", "status": "fine"}')


@pytest.mark.parametrize(
    "damage, expected",
    [
        (write_manifest, "sweep.json: expected results of format 1, got 99: of another version"),
        (remove_manifest, ": expected results of a sweep or no such folder, got one without sweep.json"),
        (damage_record, "run.json:1:10: expected JSON, got: "),
        (replace_record, "run.json: expected a text at $.error, got nothing"),
    ],
)
def test_a_damaged_results_folder_is_one_line_and_stays_as_it_is(copied, capsys, damage, expected):
    file, folder = copied
    damage(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert sweep_here(file, folder.parent) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rocelab: {folder}")
    assert expected in error
    assert error.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_two_sweeps_in_one_folder_are_refused(copied, capsys):
    import fcntl

    file, folder = copied
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert sweep_here(file, folder.parent) == 2
    assert "expected no other sweep that runs in this folder" in capsys.readouterr().err


def test_dry_run_writes_nothing_and_estimates_packet_hops(done, tmp_path, capsys):
    file, folder, _ = done
    assert sweep_here(file, tmp_path / "none", "--dry-run") == 0
    assert not (tmp_path / "none").exists()
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines if "/srnic" in line or "/irn" in line]
    assert len(rows) == 16
    measured = {row["run"]: row for row in read_csv(folder / "sweep.csv")}
    for run, _, flows, hops, _, state in rows:
        assert state == "missing"
        assert flows == measured[run]["senders"]
        # 16 kB are 16 packets: with their acknowledgments over two links 64 hops a flow.
        assert int(hops.replace(",", "")) == int(flows) * 64
        true = int(measured[run]["packet_hops"])
        if measured[run]["loss"] == "0":
            assert true == int(hops.replace(",", ""))
        else:  # Of what is lost, a part of the path is missing, and it is sent again.
            assert true == pytest.approx(int(hops.replace(",", "")), rel=0.25)
    assert "16 runs, 16 to be run: 3,072 packet-hops, about" in lines[-1]


def test_dry_run_of_slurm_prints_the_scripts_and_needs_no_slurm(tmp_path, capsys, monkeypatch):
    monkeypatch.delattr("rocelab.sweeps.slurm.Slurm.ask")
    axis = {"path": "workload.flows[0].bytes", "values": [1000, 2000, 3000], "ranks": [1, 1, 2]}
    file = write_sweep(tmp_path, scenario=DUMBBELL, axes=[axis])
    options = ["--slurm", "--dry-run", "--sbatch=--partition=long", "--jobs", "4"]
    assert sweep_here(file, tmp_path / "out", *options) == 0
    assert not (tmp_path / "out").exists()
    text = capsys.readouterr().out
    folder = tmp_path / "out" / "tiny"
    commands = [line.split() for line in text.splitlines() if line.startswith("sbatch ")]
    assert [(words[3], words[4]) for words in commands] == [("--array=1-2%4", "--ntasks=1"), ("--array=1-1%4", "--ntasks=2")]
    assert all(words[-2:] == ["--partition=long", str(folder / "slurm" / "rocelab-BATCH" / "job.sh")] for words in commands)
    assert text.count("#!/bin/sh") == 4  # The script of each array, and that of its first run.
    assert f"run {folder / 'scenarios'}" in text and "name=bytes=1000" in text and "name=bytes=3000" in text


def test_dry_run_tells_what_is_done(done, capsys):
    assert sweep_here(done[0], done[1].parent, "--dry-run") == 0
    assert "16 runs, 0 to be run" in capsys.readouterr().out


def test_a_run_on_two_ranks_has_the_same_numbers(tmp_path):
    axis = {"path": "workload.flows[0].bytes", "values": [8000]}
    tables = []
    for ranks in (1, 2):
        file = write_sweep(tmp_path, scenario=DUMBBELL, axes=[{**axis, "ranks": [ranks]}])
        run_sweep(file, tmp_path / str(ranks))
        (row,) = read_csv(tmp_path / str(ranks) / "tiny" / "sweep.csv")
        assert row.pop("ranks") == str(ranks)
        tables.append(row)
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_the_example_is_planned(tmp_path, capsys):
    example = ROOT / "examples" / "start" / "sweep" / "load-and-loss.json"
    assert sweep_here(example, tmp_path, "--dry-run") == 0
    assert "36 runs, 36 to be run" in capsys.readouterr().out


def test_on_a_terminal_there_is_one_line(tmp_path):
    file = write_sweep(tmp_path, seeds=[1, 2, 3])
    master, slave = pty.openpty()
    process = subprocess.Popen(
        make_command(file, tmp_path / "o"), stderr=slave, stdout=subprocess.PIPE, encoding="utf-8"
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            block = os.read(master, 4096)
        except OSError:
            break
        if not block:
            break
        shown += block
    out, _ = process.communicate(timeout=TIME_LIMIT)
    os.close(master)
    assert process.returncode == 0
    parts = shown.decode().split("\r")
    assert b"\n" not in shown
    assert parts[1].strip() == "" or parts[1].startswith("checking: ")
    lines = [part.strip() for part in parts if part.strip() and not part.startswith("checking: ")]
    assert re.fullmatch(r"[01]/3 done, \d running, 0 failed, \d+:\d\d left", lines[0])
    assert parts[-1] == ""  # The line is gone at the end.
    assert "3 done" in out
    assert "1/3" not in out


def test_points_share_processes(tmp_path, capsys):
    build = make_build(tmp_path / "build", f'echo "$1" >> {tmp_path}/started\nexec $REAL "$@"')
    file = write_sweep(tmp_path, axes=[{"path": "workload.bytes", "values": list(range(1000, 1030))}])
    options = ["--out", str(tmp_path / "o"), "--build", str(build), "--jobs", "1", "--dry-run"]
    assert main(["sweep", str(file), *options]) == 0
    assert "30 runs, 30 to be run" in capsys.readouterr().out
    assert len((tmp_path / "started").read_text().split()) <= len(os.sched_getaffinity(0))


def test_a_checking_process_that_dies_is_one_line(tmp_path, capsys):
    build = make_build(tmp_path / "build", "echo 'rocelab: out of luck' >&2; exit 1")
    assert main(["sweep", str(write_sweep(tmp_path)), "--out", str(tmp_path / "o"), "--build", str(build)]) == 2
    assert capsys.readouterr().err == "rocelab: out of luck\n"


def test_more_runs_than_memory_holds_are_refused(tmp_path, capsys):
    axes = [{"path": "workload.bytes", "values": list(range(1, 102))}]
    file = write_sweep(tmp_path, axes=axes, seeds={"first": 1, "count": 5000})
    assert sweep_here(file, tmp_path / "o") == 2
    assert "expected at most 500,000 runs (points times NICs times seeds), got more" in capsys.readouterr().err


def test_a_full_disk_is_one_line_and_a_failure(tmp_path, capfd, monkeypatch):
    file = write_sweep(tmp_path, axes=[SENDERS])
    write_json = store.write_json

    def fill(path, value):
        if path.name == "run.json" and "senders=4" in str(path):
            raise FullError(f"{path}: expected a writable file, got: No space left on device")
        return write_json(path, value)

    monkeypatch.setattr(store, "write_json", fill)
    assert main(["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(BUILD), "--jobs", "1"]) == 1
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and error.endswith("run.json: expected a writable file, got: No space left on device\n")
    # What was run is there for the next try.
    assert [path.parent.name for path in (tmp_path / "o").rglob("runs/*/srnic")] == ["senders=2,seed=1"]
    monkeypatch.undo()
    assert main(["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(BUILD)]) == 0


def test_a_script_that_cannot_write_prints_nothing(tmp_path, capfd):
    # The shell complains if it cannot write the status.
    build = make_build(tmp_path / "build", 'case "$1" in run) mkdir status.part;; esac; exec $REAL "$@"')
    assert main(["sweep", str(write_sweep(tmp_path)), "--out", str(tmp_path / "o"), "--build", str(build)]) == 1
    error = capfd.readouterr().err
    assert "its script ended with" in error and "task.sh" not in error


def test_slurm_that_takes_no_job_leaves_no_folder(tmp_path):
    for program, text in (("sbatch", "echo no >&2; exit 1"), ("squeue", "exit 0"), ("scontrol", "exit 0")):
        path = tmp_path / "bin" / program
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    result = run_sweep(write_sweep(tmp_path), tmp_path / "o", "--slurm", status=2, env=environment)
    assert result.stderr == "rocelab: sbatch: expected the job to be accepted, got: no\n"
    assert not (tmp_path / "o" / "tiny").exists()
