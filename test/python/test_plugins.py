# SPDX-License-Identifier: GPL-2.0-only
"""Plug-ins that collide with what is there, and how they are given to the commands."""

import pytest
from program import call, get_plugin, needs_plugins, write_json

from rocelab.__main__ import main

needs_built = needs_plugins("same-type", "same-class", "nonsense")


def run(tmp_path, nic, *plugins):
    """Return (exit status, standard error) of a run into tmp_path/out."""
    flows = [{"src": 0, "dst": 1, "bytes": 1000}]
    scenario = {"name": "n", "fabric": {"topology": "star", "servers": 2}, "nics": [nic]}
    path = write_json(tmp_path / "n.json", {**scenario, "workload": {"type": "flows", "flows": flows}})
    options = [word for plugin in plugins for word in ("--plugin", plugin)]
    ended = call("run", path, "--out", tmp_path / "out", "--quiet", *options)
    return ended.returncode, ended.stderr


@needs_built
@pytest.mark.parametrize(
    "name, expected",
    [
        ("same-type", "TypeIds of names of its own, got ns3::rdma::WindowDctcp, which exists already"),
        # Its functions, or only its virtual table, would be those of the class that was there before.
        ("same-class", "classes of names of its own, got ns3::rdma::NoCongestionControl::GetTypeId(), which exists already"),
    ],
)
def test_a_copy_that_kept_a_name_is_refused(tmp_path, name, expected):
    plugin = get_plugin(name)
    assert run(tmp_path, "srnic", plugin) == (2, f"rocelab: --plugin {plugin}: expected {expected}\n")
    assert not (tmp_path / "out").exists()


@needs_built
def test_two_plug_ins_of_one_source_are_refused_and_one_given_twice_is_not(tmp_path):
    plugin = get_plugin("nonsense")
    copy = tmp_path / "copy.so"
    copy.write_bytes(plugin.read_bytes())
    assert run(tmp_path, "srnic", plugin, plugin) == (0, "")
    # Its classes are inline: the linker takes those of the first, which have their TypeIds.
    assert run(tmp_path, "srnic", plugin, copy) == (
        2,
        f"rocelab: --plugin {copy}: expected a TypeId of its own, got none: its classes exist "
        "already, or NS_OBJECT_ENSURE_REGISTERED is missing\n",
    )


@needs_built
def test_an_unknown_type_hints_at_the_option(tmp_path):
    nic = {"preset": "srnic", "congestionControl": "ns3::rdma::NonsenseControl"}
    status, text = run(tmp_path, nic)
    assert status == 2
    assert "types of a plug-in need --plugin FILE" in text
    assert run(tmp_path, nic, get_plugin("nonsense")) == (0, "")


def test_figure_gives_plug_ins_to_every_run(tmp_path):
    engine = tmp_path / "build" / "rocelab"
    engine.parent.mkdir()
    engine.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nexit 1\n')
    engine.chmod(0o755)
    folder = tmp_path / "examples" / "some"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text("def run(context):\n    context.run_scenario({'name': 'n'})\n")
    plugins = [tmp_path / name for name in ("a.so", "b.so")]
    for plugin in plugins:
        plugin.touch()
    arguments = ["figure", "some", "--plugin", str(plugins[0]), "--plugin", str(plugins[1])]
    arguments += ["--examples", str(folder.parent), "--build", str(engine.parent)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert (tmp_path / "calls").read_text().endswith(f"--plugin {plugins[0]} --plugin {plugins[1]}\n")
