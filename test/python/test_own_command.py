# SPDX-License-Identifier: GPL-2.0-only
"""A command is one file of cli/commands: the build finds it, and no other file names it."""

import shutil

import pytest
from program import ROOT, ask, call
from test_scratch_plugins import Project

#: A project with the program alone, whose settings and libraries are those of the checkout.
WSCRIPT = """
import os
import sys

from waflib import Configure, Context

sys.path.insert(0, os.path.join(Context.run_dir, 'utils', 'build'))

import build_commands
import build_targets

top = '.'
out = 'build'
Configure.autoconfig = 'clobber'


def options(opt):
    opt.load('compiler_cxx')
    build_commands.add_options(opt)


def configure(conf):
    conf.load('compiler_cxx')
    conf.env.load(os.path.join(Context.run_dir, 'settings.py'))
    conf.env.CXXFLAGS = [flag for flag in conf.env.CXXFLAGS if not flag.startswith('-O')] + ['-O0']


def build(bld):
    # The library and the Python module are there already.
    bld.rdma_module = lambda name, uses: None
    bld.rdma_python_module = lambda name, uses, sources: None
    lower = []
    for name in ('rdma-fabric', 'rdma-nic', 'rdma-host', 'fpga-rnic', 'rdma-apps', 'rdma-bench', 'rdma-experiment'):
        bld.read_shlib(name, paths=[bld.bldnode.find_dir('lib')]).use = list(lower)
        lower.append(name)
    bld.recurse('src/rdma-experiment')
"""


def read_example():
    """Return the C++ file of docs/extend/own-command.md."""
    page = (ROOT / "docs" / "extend" / "own-command.md").read_text(encoding="utf-8")
    return page.partition("```cpp\n")[2].partition("```")[0]


class ProgramProject(Project):
    """A project of cli/ and its wscript, with links to what is built."""

    def __init__(self, folder):
        super().__init__(folder, ROOT)
        module, copy = (top / "src" / "rdma-experiment" for top in (ROOT, folder))
        shutil.copytree(module / "cli", copy / "cli")
        shutil.copy(module / "wscript", copy)
        (folder / "wscript").write_text(WSCRIPT)
        shutil.copy(ROOT / "build" / "c4che" / "_cache.py", folder / "settings.py")
        for name in ("lib", "include"):
            (folder / "build" / name).symlink_to(ROOT / "build" / name)
        self.commands = copy / "cli" / "commands"


@pytest.mark.slow
def test_a_new_file_is_a_new_command_of_the_program(tmp_path, monkeypatch):
    project = ProgramProject(tmp_path / "project")
    (project.commands / "bdp-command.cc").write_text(read_example())
    before = ask("list", "commands")["commands"]
    assert project.build()[0] == 0, project.output
    monkeypatch.setattr("program.PROGRAM", project.folder / "build" / "rocelab")
    assert call("bdp").stdout == "100000 bytes\n"  # 100 Gb/s x 8 us / 8.
    assert call("bdp", "--rate", "400Gbps", "--rtt", "2us").stdout == "100000 bytes\n"
    assert "Compute the bandwidth-delay product" in call("--help").stdout
    assert "rocelab bdp --rate 400Gbps" in call("bdp", "--help").stdout
    wrong = call("bdp", "--rat", "1Gbps")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "(nearest: --rate or --rtt)" in wrong.stderr
    assert "expected a value, got an empty text" in call("bdp", "--rtt", "").stderr
    listed = ask("list", "commands")["commands"]
    assert listed[-1]["name"] == "bdp" and len(listed) == len(before) + 1
