# SPDX-License-Identifier: GPL-2.0-only
"""Sweep files for tests, and running them."""

import json
import os
import subprocess
import sys

from program import BUILD, NEEDS_PROGRAM, PROGRAM, ROOT, TIME_LIMIT, call
from program import read_rows as read_csv

from rocelab.__main__ import main

__all__ = ["BUILD", "NEEDS_PROGRAM", "PROGRAM", "ROOT", "TIME_LIMIT", "read_csv"]

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
    result = call("sweep", file, "--out", out, *options, **settings)
    assert result.returncode == status, result.stderr + result.stdout
    return result


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
