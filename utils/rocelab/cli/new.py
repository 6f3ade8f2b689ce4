# SPDX-License-Identifier: GPL-2.0-only
"""rocelab new: writes a plug-in of one's own, its test, and a scenario that runs it."""

import re
from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.files import read_text, write_text
from rocelab.places import get_called
from rocelab.runs.engine import read_output

TEMPLATES = Path(__file__).with_name("templates")
#: What each kind of plug-in is; templates/KIND has its files.
KINDS = {
    "cc": "congestion control of a NIC",
    "detector": "loss detector of a NIC",
    "selector": "entropy selector of a NIC",
    "balancer": "load balancer of switches",
    "admission": "admission policy of switches",
    "scheduler": "egress scheduler of ports",
    "kernel": "kernel on NICs",
    "workload": "kind of workload",
}
#: {file of a template: what is behind the name in the file that is made of it}
FILES = {"policy.cc": ".cc", "test.cc": "-test.cc", "scenario.json": ".json"}
CLASS, STEM = "TemplateName", "template-name"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
MOST_LETTERS = 60


def make_stem(name):
    """Return "my-window" of itself or of MyWindow; raises UserError."""
    stem = CAPITAL.sub("-", name).lower()
    if not NAME.fullmatch(stem) or len(stem) > MOST_LETTERS:
        raise UserError(
            f"new: expected a name such as my-window, of at most {MOST_LETTERS} letters, digits and hyphens, got {name!r}"
        )
    return stem


def make_class(stem):
    """Return MyWindow of "my-window"."""
    return "".join(word.capitalize() for word in stem.split("-"))


def check_class(name, build):
    """Raise UserError if the program has a class of that name: plug-ins must have names of their own."""
    if any(line.startswith(f"ns3::rdma::{name} ") for line in read_output(build, ["list", "types"]).splitlines()):
        raise UserError(f"new: expected a class of a new name, got {name}, which the program has")


def write_plugin(options):
    """Carry out the command; returns the paths written."""
    if options.kind not in KINDS:
        hint = describe_nearest(options.kind, list(KINDS))
        raise UserError(f"new: expected a kind of plug-in ({hint}), got {options.kind!r}")
    folder = Path(options.name).parent
    stem = make_stem(Path(options.name).name)
    name = make_class(stem)
    check_class(name, options.build)
    paths = {source: folder / (stem + ending) for source, ending in FILES.items()}
    for path in paths.values():
        if path.exists():
            raise UserError(f"{path}: expected no file of that name yet, got one (it stays as it is)")
    written = []
    for source, path in paths.items():
        text = read_text(TEMPLATES / options.kind / source)
        written.append(write_text(path, text.replace(CLASS, name).replace(STEM, stem)))
    source, test, scenario = written
    print(f"{get_called()} plugin {source} {test}")
    print(f"{'' if folder.is_absolute() else './'}{test.with_suffix('')}")
    print(f"{get_called()} compare {scenario}")
    return written
