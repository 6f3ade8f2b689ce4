# SPDX-License-Identifier: GPL-2.0-only
"""rocelab sweep ends on signals, with the tables of what has been run."""

import os
import signal
import subprocess

import pytest
from program import BUILD, NEEDS_PROGRAM, end_by_signal, wait_for
from sweeps import get_stamps, make_build, read_csv, start_python, write_sweep

from rocelab.__main__ import main
from rocelab.sweeps import command, session

pytestmark = NEEDS_PROGRAM


SIGNALS = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_runs_and_leaves_a_table(tmp_path, number):
    file = write_sweep(tmp_path, seeds={"first": 1, "count": 40})
    folder = tmp_path / "o" / "tiny"
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    process = start_python("sweep", file, "--out", tmp_path / "o", "--build", BUILD, **options)
    wait_for(lambda: len(get_stamps(folder)) >= 3, process)
    status, _, error = end_by_signal(process, number)
    assert (status, error) == (130, "rocelab: interrupted\n")
    assert not list(folder.glob("work/*"))
    statuses = [row["status"] for row in read_csv(folder / "sweep.csv")]
    assert statuses.count("done") == len(get_stamps(folder)) >= 3
    assert statuses.count("missing") == 40 - statuses.count("done") > 0


def test_after_a_signal_tables_that_take_long_are_left_out(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(session, "execute", lambda *_: "")
    file = write_sweep(tmp_path, seeds=[1, 2, 3])
    words = ["sweep", str(file), "--out", str(tmp_path / "o"), "--build", str(BUILD)]
    assert main(words) == 130
    assert (tmp_path / "o" / "tiny" / "sweep.csv").exists()
    capsys.readouterr()
    monkeypatch.setattr(command, "LATE_SECONDS", -1)
    (tmp_path / "o" / "tiny" / "sweep.csv").unlink()
    assert main(words) == 130
    assert capsys.readouterr().err == "rocelab: interrupted; with 3 runs no table is written now\n"
    assert not (tmp_path / "o" / "tiny" / "sweep.csv").exists()


def test_a_signal_is_obeyed_while_earlier_results_are_read(monkeypatch):
    class Launcher:
        def adopt(self, _):
            os.kill(os.getpid(), signal.SIGTERM)
            return []

        def stop(self):
            return "stopped"

    assert session.execute(Launcher(), [object()], None, 1, False, None) == "stopped"


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_planning_at_once(tmp_path, number):
    build = make_build(tmp_path / "build", f'touch {tmp_path}/started; exec sleep infinity')
    words = ["sweep", write_sweep(tmp_path), "--out", tmp_path / "o", "--build", build]
    process = start_python(*words, stderr=subprocess.PIPE, encoding="utf-8")
    wait_for((tmp_path / "started").exists, process)
    assert end_by_signal(process, number) == (130, None, "rocelab: interrupted\n")
    assert not (tmp_path / "o").exists()
