# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the Python module share: where it is, scenarios, and runs of the program beside it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))

#: Puts the tests of a file aside where the module cannot be loaded.
needs_module = pytest.mark.skipif(
    BUILD.name == "sanitize" or not list((BUILD / "python").glob("rocelab/_core.*.so")),
    reason="rocelab._core is not built, or with the address sanitizer, which Python is not",
)

FABRIC = {"topology": "star", "servers": 4, "linkDelay": "1us"}
INCAST = {"type": "incast", "senders": 3, "receiver": 0, "bytes": "200kB"}


def make_incast(*nics, **keys):
    """Return a scenario: three servers send 200 kB each to one, 4 of 1024 B packets' RTTs and more."""
    return {"name": "incast", "fabric": FABRIC, "nics": list(nics), "workload": INCAST, **keys}


def run_program(*arguments):
    """Return (exit status, standard error) of build/rocelab."""
    result = subprocess.run(
        [BUILD / "rocelab", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    return result.returncode, result.stderr


def read_program_flows(scenario, folder, nic, *arguments):
    """Run a scenario file by the program; return the bytes of flows.csv."""
    status, text = run_program("run", scenario, "--out", folder, "--nic", nic, "--quiet", *arguments)
    assert (status, text) == (0, "")
    (path,) = Path(folder).glob(f"*/{nic}/flows.csv")
    return path.read_bytes()
