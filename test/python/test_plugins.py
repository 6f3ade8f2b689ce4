# SPDX-License-Identifier: GPL-2.0-only
"""Plug-ins that collide with what is there, and how they are given to the commands."""

import os
import subprocess
from pathlib import Path

import pytest

from rocelab.__main__ import main

SCENARIO = """{
  "name": "n",
  "fabric": {"topology": "star", "servers": 2},
  "nics": [%s],
  "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 1000}]}
}"""


@pytest.fixture
def engine(checkout):
    """The program; ./waf test names its folder in ROCELAB_BUILD."""
    build = Path(os.environ.get("ROCELAB_BUILD", checkout / "build"))
    if not (build / "test" / "same-type.so").is_file():
        pytest.skip(f"{build.name}/test/same-type.so is not built")
    return build / "rocelab"


def run(engine, tmp_path, nic, *plugins):
    """Return (exit status, standard error) of a run into tmp_path/out."""
    (tmp_path / "n.json").write_text(SCENARIO % nic)
    command = [engine, "run", tmp_path / "n.json", "--out", tmp_path / "out", "--quiet"]
    for plugin in plugins:
        command += ["--plugin", plugin]
    result = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    return result.returncode, result.stderr


def test_a_copy_that_kept_the_name_of_its_type_is_refused(engine, tmp_path):
    plugin = engine.parent / "test" / "same-type.so"
    assert run(engine, tmp_path, '"srnic"', plugin) == (
        2,
        f"rocelab: --plugin {plugin}: expected TypeIds of names of its own, got "
        "ns3::rdma::WindowDctcp, which exists already\n",
    )
    assert not (tmp_path / "out").exists()


def test_a_copy_that_kept_the_name_of_its_class_is_refused(engine, tmp_path):
    # Its functions, or only its virtual table, would be those of the class that was there before.
    plugin = engine.parent / "test" / "same-class.so"
    assert run(engine, tmp_path, '"srnic"', plugin) == (
        2,
        f"rocelab: --plugin {plugin}: expected classes of names of its own, got "
        "ns3::rdma::NoCongestionControl::GetTypeId(), which exists already\n",
    )


def test_two_plug_ins_of_one_source_are_refused_and_one_given_twice_is_not(engine, tmp_path):
    plugin = engine.parent / "test" / "nonsense.so"
    copy = tmp_path / "copy.so"
    copy.write_bytes(plugin.read_bytes())
    assert run(engine, tmp_path, '"srnic"', plugin, plugin) == (0, "")
    # Its classes are inline: the linker takes those of the first, which have their TypeIds.
    assert run(engine, tmp_path, '"srnic"', plugin, copy) == (
        2,
        f"rocelab: --plugin {copy}: expected a TypeId of its own, got none: its classes exist "
        "already, or NS_OBJECT_ENSURE_REGISTERED is missing\n",
    )


def test_an_unknown_type_hints_at_the_option(engine, tmp_path):
    nic = '{"preset": "srnic", "congestionControl": "ns3::rdma::NonsenseControl"}'
    status, text = run(engine, tmp_path, nic)
    assert status == 2
    assert "types of a plug-in need --plugin FILE" in text
    assert run(engine, tmp_path, nic, engine.parent / "test" / "nonsense.so") == (0, "")


def test_figure_gives_plug_ins_to_every_run(tmp_path):
    engine = tmp_path / "build" / "rocelab"
    engine.parent.mkdir()
    engine.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nexit 1\n')
    engine.chmod(0o755)
    folder = tmp_path / "examples" / "some"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text("def run(context):\n    context.run_scenario({'name': 'n'})\n")
    arguments = ["figure", "some", "--plugin", "a.so", "--plugin", "b.so"]
    arguments += ["--examples", str(folder.parent), "--build", str(engine.parent)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert (tmp_path / "calls").read_text().endswith("--plugin a.so --plugin b.so\n")
