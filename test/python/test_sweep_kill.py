# SPDX-License-Identifier: GPL-2.0-only
"""A sweep that is killed at random moments and started again gives the table of an undisturbed one.

ROCELAB_SWEEP_RUNS and ROCELAB_SWEEP_KILLS set the size: 200 and 10 take two minutes.
"""

import os
import random
import signal
import subprocess
import time

import pytest
from program import BUILD, NEEDS_PROGRAM, wait_for
from sweeps import INCAST, LOSS, SENDERS, read_csv, read_tables, run_sweep, start_python, write_sweep

pytestmark = NEEDS_PROGRAM

RUNS = int(os.environ.get("ROCELAB_SWEEP_RUNS", "24"))
KILLS = int(os.environ.get("ROCELAB_SWEEP_KILLS", "3"))
JOBS = "2"


def find_ended(folder):
    """What marks a run that has ended, and stays when it is put in place: {run: file}.

    That is every run in place, and every one in work/ whose exit status is there.
    """
    ended = {}
    for path in folder.glob("runs/*/*/flows.csv"):
        ended[f"{path.parent.parent.name}/{path.parent.name}"] = path.stat().st_ino
    for status in folder.glob("work/*/status"):
        for path in status.parent.glob("*/*/flows.csv"):
            if status.read_text().strip() == "0":
                ended[f"{path.parent.parent.name}/{path.parent.name}"] = path.stat().st_ino
    return ended


def count_in_place(folder):
    return sum(1 for _ in folder.glob("runs/*/*/run.json"))


def kill_at(folder, file, out, count, delay):
    """Start the sweep, let so many runs end, wait, and kill it; returns what had ended by then."""
    command = ("sweep", file, "--out", out, "--build", BUILD, "--jobs", JOBS)
    process = start_python(*command, stdout=subprocess.DEVNULL)
    wait_for(lambda: count_in_place(folder) >= count or process.poll() is not None)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return find_ended(folder)


def find_processes_of(folder):
    """Numbers of the processes that work on runs of a folder."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if os.fsencode(f"{folder}/work/") in file.read():
                    found.append(int(name))
        except OSError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_killed_and_started_again_it_gives_the_same_table(tmp_path, seed):
    chance = random.Random(seed)
    file = write_sweep(tmp_path, axes=[SENDERS, LOSS], seeds={"first": 1, "count": RUNS // 4})
    run_sweep(file, tmp_path / "whole", "--jobs", JOBS)
    folder = tmp_path / "killed" / "tiny"
    ended = {}
    kills = [0, *sorted(chance.randrange(RUNS) for _ in range(KILLS - 1))]
    for count in kills:
        now = kill_at(folder, file, tmp_path / "killed", count, chance.uniform(0, 0.1))
        # Nothing that had ended was run again, nor lost.
        assert {run: now.get(run) for run in ended} == ended
        ended = now
        # What could be read in between is whole.
        for path in folder.glob("*.csv"):
            assert len(read_csv(path)) in (4, RUNS)
    run_sweep(file, tmp_path / "killed", "--jobs", JOBS)
    last = find_ended(folder)
    assert {run: last.get(run) for run in ended} == ended
    assert len(last) == RUNS
    assert read_tables(folder) == read_tables(tmp_path / "whole" / "tiny")
    assert not list(folder.glob("work/*"))
    assert [row["status"] for row in read_csv(folder / "sweep.csv")] == ["done"] * RUNS


def test_a_killed_sweep_takes_its_runs_with_it(tmp_path):
    # Far more than the time that this test has.
    workload = {**INCAST["workload"], "repeats": 1_000_000, "period": "1ms"}
    file = write_sweep(tmp_path, scenario={**INCAST, "workload": workload}, seeds=[1, 2])
    folder = tmp_path / "o" / "tiny"
    process = start_python("sweep", file, "--out", tmp_path / "o", "--build", BUILD, "--jobs", JOBS)
    wait_for(lambda: list(folder.glob("work/*/*/.*.part")), process)
    assert find_processes_of(folder)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not find_processes_of(folder))


def test_results_that_were_not_put_in_place_are_at_the_next_start(tmp_path):
    file = write_sweep(tmp_path, seeds=[1, 2])
    run_sweep(file, tmp_path / "o")
    folder = tmp_path / "o" / "tiny"
    before, tables = find_ended(folder), read_tables(folder)
    # As if the sweep had been killed between the end of a run and the rename.
    work = folder / "work" / "x"
    place = folder / "runs" / "seed=2" / "srnic"
    record = (place / "run.json").read_text()
    (work / "seed=2").mkdir(parents=True)
    place.rename(work / "seed=2" / "srnic")
    (work / "seed=2" / "srnic" / "run.json").unlink()
    (work / "work.json").write_text(record)  # Has the keys "run" and "hash".
    (work / "status").write_text("0\n")
    # Others that are not: no status, of no run of the sweep, ended by a signal.
    other = '{"run": "x", "hash": ""}'
    for name, key, status in (("a", record, None), ("b", other, "0"), ("c", record, "143")):
        (folder / "work" / name).mkdir()
        (folder / "work" / name / "work.json").write_text(key)
        if status:
            (folder / "work" / name / "status").write_text(status)
    run_sweep(file, tmp_path / "o")
    assert find_ended(folder) == before
    assert read_tables(folder) == tables
    assert not list(folder.glob("work/*"))
