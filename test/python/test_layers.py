# SPDX-License-Identifier: GPL-2.0-only
"""Modules and layers look down only (docs/extend/architecture.md)."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

# Lowest first: a file may include headers of its own layer and of those before it.
LAYERS = [
    "rdma-fabric/units",
    "rdma-fabric/policy",
    "rdma-fabric/config",
    "rdma-fabric/engine",
    "rdma-fabric/frame",
    "rdma-fabric/link",
    "rdma-fabric/routing",
    "rdma-fabric/switch",
    "rdma-fabric/topology",
    "rdma-nic/wire",
    "rdma-nic/verbs",
    "rdma-nic/congestion",
    "rdma-nic/recovery",
    "rdma-nic/multipath",
    "rdma-nic/transport",
    "rdma-nic/hardware",
    "rdma-nic/host",
    "rdma-nic/design",
    "rdma-nic/chip",
    "rdma-nic/nic",
    "rdma-nic/capture",
    "rdma-host/cores",
    "rdma-host/program",
    "rdma-host/network",
    "fpga-rnic/clocked",
    "fpga-rnic/memory",
    "fpga-rnic/kernel",
    "fpga-rnic/balboa",
    "fpga-rnic/strom",
    "fpga-rnic/kv-direct/store",
    "fpga-rnic/kv-direct/processor",
    "fpga-rnic/kv-direct/nic",
    "rdma-apps/records",
    "rdma-apps/ranks",
    "rdma-apps/workload",
    "rdma-apps/flows",
    "rdma-apps/request",
    "rdma-apps/get",
    "rdma-apps/messages",
    "rdma-apps/stream",
    "rdma-apps/kv",
    "rdma-apps/collective",
    "rdma-apps/moe",
    "rdma-apps/transfer",
    "rdma-bench/options",
    "rdma-bench/perftest",
    "rdma-bench/nccl",
    "rdma-experiment/json",
    "rdma-experiment/keys",
    "rdma-experiment/report",
    "rdma-experiment/scenario",
    "rdma-experiment/scenario/keys",
    "rdma-experiment/scenario/kinds",
    "rdma-experiment/scenario/traffic",
    "rdma-experiment/scenario/file",
    "rdma-experiment/observe",
    "rdma-experiment/run",
    "rdma-experiment/why",
    "rdma-experiment/bench/perftest",
    "rdma-experiment/bench/nccl",
    "rdma-experiment/bench/measure",
    "rdma-experiment/bench/offload",
    "rdma-experiment/accounts",
]

INCLUDE = re.compile(r'#include "ns3/([^"]+)"')


def get_layer(path):
    """Return "module/folder" of a file under src/."""
    module, _model, *folders = path.relative_to(PROJECT / "src").parts[:-1]
    return "/".join([module, *folders])


def get_model_files():
    """Return all C++ files of the models."""
    folder = PROJECT / "src"
    return sorted(path for kind in ("h", "cc") for path in folder.glob(f"*/model/**/*.{kind}"))


def find_upward_includes(files, read):
    """Return "file includes header" for each include that looks up."""
    home = {path.name: get_layer(path) for path in files if path.suffix == ".h"}
    upward = []
    for path in files:
        for name in INCLUDE.findall(read(path)):
            if name in home and LAYERS.index(home[name]) > LAYERS.index(get_layer(path)):
                upward.append(f"{path.name} includes {name}")
    return upward


def test_every_folder_is_a_known_layer():
    assert {get_layer(path) for path in get_model_files()} == set(LAYERS)


def test_no_file_includes_a_header_of_a_higher_layer():
    assert find_upward_includes(get_model_files(), lambda path: path.read_text()) == []


def read_uses(module):
    """Return the modules that a module uses, by its wscript, and itself."""
    text = (PROJECT / "src" / module / "wscript").read_text()
    return {module, *re.findall(r"'([\w-]+)'", re.search(r"rdma_module\(([^)]*)\)", text).group(1))}


def test_no_module_includes_a_header_of_one_that_it_does_not_use():
    files = get_model_files()
    home = {path.name: get_layer(path).split("/")[0] for path in files if path.suffix == ".h"}
    uses = {module: read_uses(module) for module in set(home.values())}
    unused = [
        f"{path.name} includes {name}"
        for path in files
        for name in INCLUDE.findall(path.read_text())
        if name in home and home[name] not in uses[get_layer(path).split("/")[0]]
    ]
    assert unused == []
    # FPGA NICs and host programs are beside each other.
    assert "rdma-host" not in uses["fpga-rnic"] and "fpga-rnic" not in uses["rdma-host"]


def test_header_names_are_unique():
    names = [path.name for path in get_model_files() if path.suffix == ".h"]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("header", ["fabric-switch.h", "rdma-nic.h", "scenario.h"])
def test_an_include_that_looks_up_is_found(header):
    files = get_model_files()
    victim = next(path for path in files if path.name == "frame.h")

    def read(path):
        return f'#include "ns3/{header}"\n' if path == victim else ""

    assert find_upward_includes(files, read) == [f"frame.h includes {header}"]


def test_only_wide_integer_h_names_the_type_that_iso_cpp_lacks():
    # Elsewhere -Wpedantic warns, with which ns-3 compiles from 3.42 on.
    folders = [PROJECT / "src", PROJECT / "test", PROJECT / "scratch"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".h", ".cc")]
    assert [path.name for path in files if "__int128" in path.read_text()] == ["wide-integer.h"]
