# SPDX-License-Identifier: GPL-2.0-only
"""A command is one file of cli/commands: the build finds it, and no other file names it."""

import json
import os
import shutil
import subprocess

import pytest

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
    for name in ('rdma-fabric', 'rdma-nic', 'rdma-host', 'fpga-rnic', 'rdma-experiment'):
        bld.read_shlib(name, paths=[bld.bldnode.find_dir('lib')]).use = list(lower)
        lower.append(name)
    bld.recurse('src/rdma-experiment')
"""


def read_example(checkout):
    """Return the C++ file of docs/extend/own-command.md."""
    page = (checkout / "docs" / "extend" / "own-command.md").read_text(encoding="utf-8")
    return page.partition("```cpp\n")[2].partition("```")[0]


def make_project(folder, checkout):
    """Make a project of cli/ and its wscript, with links to what is built."""
    module = checkout / "src" / "rdma-experiment"
    copy = folder / "src" / "rdma-experiment"
    shutil.copytree(module / "cli", copy / "cli")
    shutil.copy(module / "wscript", copy)
    (folder / "wscript").write_text(WSCRIPT)
    (folder / "utils").symlink_to(checkout / "utils")
    shutil.copy(checkout / "build" / "c4che" / "_cache.py", folder / "settings.py")
    for name in ("waf", "packages.txt"):
        shutil.copy(checkout / name, folder)
    build = folder / "build"
    build.mkdir()
    for name in ("lib", "include"):
        (build / name).symlink_to(checkout / "build" / name)
    state = checkout / "build" / ".waf"
    if (state / "waflib").is_dir():
        (build / ".waf").mkdir()
        (build / ".waf" / "waflib").symlink_to(state / "waflib")
        shutil.copy(checkout / "packages.txt", build / ".waf" / "packages.txt.stamp")
    return copy / "cli" / "commands"


@pytest.mark.slow
def test_a_new_file_is_a_new_command_of_the_program(tmp_path, checkout):
    commands = make_project(tmp_path, checkout)
    (commands / "bdp-command.cc").write_text(read_example(checkout))
    built = subprocess.run([tmp_path / "waf", "build"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert built.returncode == 0, built.stdout + built.stderr

    def run(*words):
        program = tmp_path / "build" / "rocelab"
        return subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)

    assert run("bdp").stdout == "100000 bytes\n"  # 100 Gb/s x 8 us / 8.
    assert run("bdp", "--rate", "400Gbps", "--rtt", "2us").stdout == "100000 bytes\n"
    assert "Compute the bandwidth-delay product" in run("--help").stdout
    assert "rocelab bdp --rate 400Gbps" in run("bdp", "--help").stdout
    wrong = run("bdp", "--rat", "1Gbps")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "(nearest: --rate or --rtt)" in wrong.stderr
    assert "expected a value, got an empty text" in run("bdp", "--rtt", "").stderr
    listed = json.loads(run("list", "commands").stdout)["commands"]
    assert listed[-1]["name"] == "bdp" and len(listed) == len(list_commands(checkout)) + 1


def list_commands(checkout):
    """Return the commands of the checkout's program."""
    program = os.environ.get("ROCELAB_BINARY", checkout / "build" / "rocelab")
    words = [program, "list", "commands"]
    return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["commands"]
