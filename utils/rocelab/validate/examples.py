# SPDX-License-Identifier: GPL-2.0-only
"""Modules of examples/: a folder GROUP/NAME with a figure.py is a figure, GROUP/common.py what its group shares.

While they are loaded, examples/ is a package, so that a figure.py can say `from .. import common`
and `from ...strom import common as strom`. Folders need no __init__.py.
"""

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType

from rocelab.errors import UserError, describe_nearest
from rocelab.files import read_text
from rocelab.places import find_data

EXAMPLES = find_data("examples")
SCRIPT = "figure.py"
PACKAGE = "rocelab_examples"


def list_figures(examples=EXAMPLES):
    """Return the names of all figures, "strom/figure-7", sorted with numbers by value."""
    scripts = [*Path(examples).glob(f"*/{SCRIPT}"), *Path(examples).glob(f"*/*/{SCRIPT}")]
    return sorted((script.parent.relative_to(examples).as_posix() for script in scripts), key=make_sort_key)


def make_sort_key(name):
    """Return what orders figure-9 before figure-10."""
    words = "".join(sign if sign.isdigit() else f" {sign} " for sign in name).split()
    return [(word.isdigit(), int(word) if word.isdigit() else 0, word) for word in words]


def find_folder(name, examples=EXAMPLES):
    """Return the folder of a figure; raises UserError that names the nearest one."""
    known = list_figures(examples)
    folder = Path(examples, name)
    if name not in known:
        hint = f"{describe_nearest(name, known)}; --list has all" if known else "there are none"
        raise UserError(f"{folder}: expected a folder with a {SCRIPT} ({hint})")
    return folder


def get_title(name, examples=EXAMPLES):
    """Return the first line of what a figure.py says of itself."""
    text = ast.get_docstring(ast.parse(read_text(find_folder(name, examples) / SCRIPT)))
    return (text or "").partition("\n")[0].rstrip(".")


def load_example(name, examples=EXAMPLES):
    """Import EXAMPLES/<name>.py, such as "strom/common"."""
    root = str(Path(examples).resolve())
    package = sys.modules.get(PACKAGE)
    if package is None or package.__path__ != [root]:
        forget("")
        package = sys.modules[PACKAGE] = ModuleType(PACKAGE)
        package.__path__ = [root]
    importlib.invalidate_caches()
    return importlib.import_module(".".join([PACKAGE, *name.split("/")]))


def load_figure_module(name, examples=EXAMPLES):
    """Import a figure's script anew; raises UserError unless it defines run(context)."""
    folder = find_folder(name, examples)
    forget("." + name.replace("/", "."))
    module = load_example(f"{name}/{Path(SCRIPT).stem}", examples)
    if not callable(getattr(module, "run", None)):
        raise UserError(f"{folder / SCRIPT}: expected a function run(context), got none")
    return module


def forget(end):
    """Forget the modules below PACKAGE + end."""
    own = PACKAGE + end
    for name in [name for name in sys.modules if name == own or name.startswith(own + ".")]:
        del sys.modules[name]
