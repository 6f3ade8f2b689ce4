# SPDX-License-Identifier: GPL-2.0-only
"""The CMakeLists.txt of each module, for contrib/ of an upstream ns-3, lists the same files as its wscript."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path.parent.name for path in (ROOT / "src").glob("*/wscript"))


class ListReader:
    """Stands in for waf's build context and keeps what a wscript lists."""

    def __init__(self):
        self.files = {}
        self.uses = []

    def rdma_module(self, name, uses, sources, headers, tests):
        self.name = name
        self.uses = uses
        self.files["source_files"] = sources
        self.files["header_files"] = headers

    def rdma_program(self, name, uses, sources):
        self.files["program_files"] = sources


def read_wscript(module):
    """Return what the module's wscript declares."""
    scope = {}
    exec((ROOT / "src" / module / "wscript").read_text(encoding="utf-8"), scope)
    reader = ListReader()
    scope["build"](reader)
    return reader


def read_cmake(text):
    """Return the file lists of a CMakeLists.txt: {variable: [names]} of each set(..._files ...)."""
    code = re.sub(r"#.*", "", text)
    return {
        name: words.split() for name, words in re.findall(r"\bset\(\s*(\w+_files)\s([^)]*)\)", code)
    }


def read_module(module):
    return (ROOT / "src" / module / "CMakeLists.txt").read_text(encoding="utf-8")


def test_there_are_modules():
    assert "rdma-fabric" in MODULES


def test_a_list_is_read_without_its_comments():
    text = "set(source_files\n    a.cc # first\n    b.cc\n)\nset(other x)\nset(program_files c.cc)\n"
    assert read_cmake(text) == {"source_files": ["a.cc", "b.cc"], "program_files": ["c.cc"]}


@pytest.mark.parametrize("module", MODULES)
def test_cmake_lists_the_files_of_the_wscript(module):
    assert read_cmake(read_module(module)) == read_wscript(module).files


@pytest.mark.parametrize("module", MODULES)
def test_cmake_builds_the_library_under_the_name_of_the_wscript(module):
    names = re.findall(r"\bbuild_lib\(\s*LIBNAME\s+(\S+)", read_module(module))
    assert names == [read_wscript(module).name] == [module]


@pytest.mark.parametrize("module", MODULES)
def test_cmake_links_the_modules_that_the_wscript_uses(module):
    call = re.search(r"\bbuild_lib\((.*?)^\)", read_module(module), re.DOTALL | re.MULTILINE)
    linked = re.findall(r"\$\{lib(rdma-[\w-]+)\}", call.group(1))
    assert linked == read_wscript(module).uses


def test_cmake_states_the_version_of_the_project():
    version = re.search(r"^VERSION = '(.*)'", (ROOT / "wscript").read_text(), re.MULTILINE)
    assert f'ROCELAB_VERSION="{version.group(1)}"' in read_module("rdma-experiment")
