# SPDX-License-Identifier: GPL-2.0-only
"""Sweep files for tests, and running them."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from limits import TIME_LIMIT

from rocelab.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
PROGRAM = BUILD / "rocelab"

#: Of each file of tests that run the program.
NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

#: A sweep that hangs is a failed test, seconds.

#: Takes the program some milliseconds: eight senders, one receiver.
INCAST = {
    "name": "base",
    "fabric": {"topology": "star", "servers": 9, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["srnic"],
    "workload": {"type": "incast", "senders": 8, "bytes": "16kB"},
}

#: Two flows from one side of a fabric that two ranks can share to the other.
DUMBBELL = {
    "name": "base",
    "fabric": {"topology": "dumbbell", "servers": 2, "hostRate": "100Gbps", "linkDelay": "1us"},
    "nics": ["srnic"],
    "workload": {
        "type": "flows",
        "flows": [{"src": 0, "dst": 2, "bytes": 9000}, {"src": 1, "dst": 3, "bytes": "32kB"}],
    },
}

LOSS = {"path": "fabric.lossRate", "values": [0, 0.01], "name": "loss"}
SENDERS = {"path": "workload.senders", "values": [2, 4]}


def write_sweep(folder, **keys):
    """Write FOLDER/s.json, a sweep over INCAST with these keys; returns its path."""
    path = folder / "s.json"
    path.write_text(json.dumps({"name": "tiny", "scenario": INCAST, **keys}, indent=1))
    return path


def make_command(file, out, *options):
    return [str(PROGRAM), "sweep", str(file), "--out", str(out), *options]


def run_sweep(file, out, *options, status=0, **settings):
    """Run the program in a process of its own and return what subprocess.run() does."""
    result = subprocess.run(
        make_command(file, out, *options),
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
        **settings,
    )
    assert result.returncode == status, result.stderr + result.stdout
    return result


def read_csv(path):
    """Return the rows as dicts."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_tables(folder):
    """Return what must be the same however a sweep was run."""
    return [(folder / name).read_text() for name in ("sweep.csv", "sweep-summary.csv")]


def start_python(*arguments, env=os.environ, **settings):
    """Start the Python package without the program in between."""
    return subprocess.Popen(
        [sys.executable, "-m", "rocelab", *map(str, arguments)],
        env={**env, "PYTHONPATH": str(ROOT / "utils")},
        **settings,
    )


def sweep_here(file, out, *options):
    """Run in this process; returns the exit status."""
    return main(["sweep", str(file), "--out", str(out), "--build", str(BUILD), *options])


def get_stamps(folder):
    """What changes when a run is put in place again: {run: file}."""
    return {
        str(path.parent.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in folder.glob("runs/*/*/run.json")
    }


def make_build(folder, script):
    """A build folder whose program is a shell script in front of the real one ($REAL)."""
    folder.mkdir()
    program = folder / "rocelab"
    program.write_text(f"#!/bin/sh\nREAL={PROGRAM}\n{script}\n")
    program.chmod(0o755)
    return folder
