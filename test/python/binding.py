# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the Python module share: scenarios, and runs of the program beside it."""

from pathlib import Path

from program import BUILD, ROOT, call, needs_module

__all__ = ["BUILD", "ROOT", "make_incast", "needs_module", "read_program_flows", "run_program"]

FABRIC = {"topology": "star", "servers": 4, "linkDelay": "1us"}
INCAST = {"type": "incast", "senders": 3, "receiver": 0, "bytes": "200kB"}


def make_incast(*nics, **keys):
    """Return a scenario: three servers send 200 kB each to one, 4 of 1024 B packets' RTTs and more."""
    return {"name": "incast", "fabric": FABRIC, "nics": list(nics), "workload": INCAST, **keys}


def run_program(*arguments):
    """Return (exit status, standard error) of build/rocelab."""
    ended = call(*arguments)
    return ended.returncode, ended.stderr


def read_program_flows(scenario, folder, nic, *arguments):
    """Run a scenario file by the program; return the bytes of flows.csv."""
    status, text = run_program("run", scenario, "--out", folder, "--nic", nic, "--quiet", *arguments)
    assert (status, text) == (0, "")
    (path,) = Path(folder).glob(f"*/{nic}/flows.csv")
    return path.read_bytes()
