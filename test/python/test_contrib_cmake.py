# SPDX-License-Identifier: GPL-2.0-only
"""The CMakeLists.txt of each module, for contrib/ of an upstream ns-3, says the same as its wscript."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path.parent.name for path in (ROOT / "src").glob("*/wscript"))


class UsesReader:
    """Stands in for waf's build context and keeps which modules a wscript uses."""

    def rdma_module(self, name, uses):
        self.name = name
        self.uses = uses

    def rdma_program(self, name, uses, sources):
        pass

    def rdma_python_module(self, name, uses, sources):
        pass


def read_wscript(module):
    """Return what the module's wscript declares."""
    scope = {}
    exec((ROOT / "src" / module / "wscript").read_text(encoding="utf-8"), scope)
    reader = UsesReader()
    scope["build"](reader)
    return reader


def read_patterns(text):
    """Return the file patterns of a CMakeLists.txt: {variable: [patterns]}."""
    return {
        name: patterns.split()
        for name, patterns in re.findall(
            r"\bfile\(GLOB\w* (\w+) RELATIVE \$\{folder\} CONFIGURE_DEPENDS ([^)]*)\)", text
        )
    }


def read_module(module):
    return (ROOT / "src" / module / "CMakeLists.txt").read_text(encoding="utf-8")


def test_there_are_modules():
    assert "rdma-fabric" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_cmake_takes_the_folders_that_waf_takes(module):
    patterns = read_patterns(read_module(module))
    assert patterns["source_files"] == ["model/*.cc", "helper/*.cc"]
    assert patterns["header_files"] == ["model/*.h", "helper/*.h"]
    assert patterns["test_files"] == ["test/*.cc"]


@pytest.mark.parametrize("module", MODULES)
def test_cmake_builds_the_library_under_the_name_of_the_wscript(module):
    names = re.findall(r"\bbuild_lib\(\s*LIBNAME\s+(\S+)", read_module(module))
    assert names == [read_wscript(module).name] == [module]


@pytest.mark.parametrize("module", MODULES)
def test_cmake_links_the_modules_that_the_wscript_uses(module):
    call = re.search(r"\bbuild_lib\((.*?)^\)", read_module(module), re.DOTALL | re.MULTILINE)
    linked = re.findall(r"\$\{lib((?:rdma|fpga)-[\w-]+)\}", call.group(1))
    # Libraries of others are in capitals, as of waf; CMake finds them by itself.
    assert linked == [use for use in read_wscript(module).uses if not use.isupper()]


def test_cmake_states_the_version_of_the_project():
    version = re.search(r"^VERSION = '(.*)'", (ROOT / "wscript").read_text(), re.MULTILINE)
    assert f'ROCELAB_VERSION="{version.group(1)}"' in read_module("rdma-experiment")
