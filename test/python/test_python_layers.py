# SPDX-License-Identifier: GPL-2.0-only
"""The packages of utils/rocelab look down only (docs/extend/architecture.md)."""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from binding import needs_module

from rocelab.validate.examples import list_figures, load_figure_module

TOP = Path(__file__).resolve().parents[2] / "utils" / "rocelab"
MOST_MODULES = 24

# Lowest first: a module may import modules of its own package and of those before it.
PACKAGES = [
    "",  # errors, files, places: what everything needs.
    "terminal",
    "results",
    "runs",
    "sweeps",
    "draw",
    "validate",
    "report",
    "benchmark",
    "importers",
    "cli",
]
#: Modules beside the packages that are above all of them, or lazy doors to them.
ENTRANCES = ("__init__", "__main__")


def get_modules():
    """Return {dotted name below rocelab: path} of all modules."""
    paths = sorted(TOP.rglob("*.py"))
    return {".".join(path.relative_to(TOP).with_suffix("").parts): path for path in paths}


def get_package(name):
    """Return the package of a module, "" for the top level."""
    return name.rpartition(".")[0]


def list_imports(text):
    """Return the dotted names below rocelab that a text imports, wherever the import stands."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name.removeprefix("rocelab.") for name in found if name.startswith("rocelab.")]


def find_home(name, modules):
    """Return the module of a name: itself, or the one that it is a member of; None for _core."""
    return name if name in modules else next(iter({get_package(name)} & set(modules)), None)


def find_upward_imports(modules, read):
    """Return "module imports module" for each import that looks up."""
    upward = []
    for name, path in modules.items():
        if name in ENTRANCES:
            continue
        for imported in list_imports(read(path)):
            home = find_home(imported, modules)
            if home and PACKAGES.index(get_package(home)) > PACKAGES.index(get_package(name)):
                upward.append(f"{name} imports {home}")
    return upward


def test_every_package_is_known_and_small():
    packages = [get_package(name) for name in get_modules()]
    assert set(packages) == set(PACKAGES)
    assert max(map(packages.count, packages)) <= MOST_MODULES


def test_no_module_imports_one_of_a_higher_package():
    assert find_upward_imports(get_modules(), lambda path: path.read_text()) == []


def is_there(name):
    """Tell whether a dotted name below rocelab is a module or a member of one."""
    package, _, member = f"rocelab.{name}".rpartition(".")
    if hasattr(importlib.import_module(package), member):
        return True
    return importlib.util.find_spec(f"rocelab.{name}") is not None


@needs_module  # Of rocelab.runs.core.
def test_every_imported_name_exists():
    # pyflakes does not look into other modules, and many imports wait for their command.
    names = {name for path in get_modules().values() for name in list_imports(path.read_text())}
    assert [name for name in sorted(names - {"_core"}) if not is_there(name)] == []


def test_every_figure_can_be_loaded():
    for name in list_figures():
        assert callable(load_figure_module(name).run)


@pytest.mark.parametrize(
    "line, found",
    [
        ("from rocelab.sweeps.store import Store", "sweeps.store"),
        ("from rocelab.sweeps import store", "sweeps.store"),
        ("import rocelab.cli.man", "cli.man"),
        ("def f():\n    from rocelab.draw import style", "draw.style"),
    ],
)
def test_an_import_that_looks_up_is_found(line, found):
    modules = get_modules()

    def read(path):
        return line if path == modules["results.samples"] else ""

    assert find_upward_imports(modules, read) == [f"results.samples imports {found}"]


def test_the_command_line_starts_without_numpy_matplotlib_and_pandas():
    # Loading numpy takes longer than a command that reads no table.
    code = "import sys, rocelab.__main__; print(*sorted({'matplotlib', 'numpy', 'pandas'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(TOP.parent)}
    loaded = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert loaded.stdout == "\n"
