# SPDX-License-Identifier: GPL-2.0-only
"""Runs the program on several MPI ranks, and compares what comes out with one rank's results."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from program import NEEDS_PROGRAM, PROGRAM, ROOT, TIME_LIMIT, find_children, write_json

MPIRUN = shutil.which("mpirun") or "mpirun"
DESIGNS = ["connectx6", "irn", "srnic", "balboa"]

#: Numbers of summary.json that tell of the processes, not of the simulation.
OF_PROCESSES = ["ranks", "wall_seconds", "packet_hops_per_second", "peak_rss_bytes"]

#: Files of time series, without their ends.
SERIES = ["buffer", "goodput", "port", "queue", "rate"]

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


#: Of each file of such tests.
NEEDS = [
    pytest.mark.skipif(not is_open_mpi(), reason="mpirun is not Open MPI's"),
    NEEDS_PROGRAM,
]


def start(count, *arguments, is_patient=False):
    """Start the program on so many ranks; a patient mpirun lets them end by themselves for a second."""
    command = [str(PROGRAM), *map(str, arguments)]
    if count > 1:
        patience = [] if is_patient else ["--mca", "odls_base_sigkill_timeout", "0"]
        command = [MPIRUN, "--oversubscribe", *patience, "-n", str(count), *command]
    # mpirun asks for these where tests run as root, as in containers.
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


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


def find_ranks(launcher):
    """Return {rank: process id} of the two ranks that a process has started."""
    found = {}
    for pid in find_children(launcher):
        with contextlib.suppress(OSError):
            for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(entry.split(b"=")[1])] = pid
    assert sorted(found) == [0, 1]
    return found


def is_alive(number):
    """Tell whether a process has not ended, even if its status is never read."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def get_own_lines(errors):
    """Return what the program has said, without what mpirun adds."""
    return [line for line in errors.splitlines() if line.startswith("rocelab: ")]


def write_scenario(folder, **parts):
    """Write a scenario; parts replace those of the default one."""
    scenario = {"name": "ranks", "fabric": FABRIC, "nics": DESIGNS, "workload": POISSON, "run": {"seed": 7}}
    scenario.update(parts)
    return write_json(folder / "scenario.json", scenario)


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
