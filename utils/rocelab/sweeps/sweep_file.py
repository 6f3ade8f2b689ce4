# SPDX-License-Identifier: GPL-2.0-only
"""The sweep file: which scenario, what varies, which seeds."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.sweeps.located_json import JsonNode, read_located_json

KEYS = ("name", "scenario", "nics", "axes", "seeds", "ranks", "plugins")
AXIS_KEYS = ("path", "values", "name", "labels", "ranks")
NAME = re.compile(r"[A-Za-z0-9_+@-][A-Za-z0-9._+@=,-]*")  # As names of scenarios.
LABEL = re.compile(r"[A-Za-z0-9._+@-]+")  # Without what separates the parts of a name.
AXIS_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # A column of a table.
# Paths that are no axes, and why.
TAKEN_PATHS = {
    "name": "the name, which each run has of its own",
    "nics": 'that of the key "nics"',
    "run.seed": 'that of the key "seeds"',
}
# Columns of the tables (gather.py), and how those begin that are numbers of a group: no axis has
# such a name.
TAKEN_COLUMNS = (
    "run",
    "nic",
    "seed",
    "ranks",
    "status",
    "error",
    "runs",
    "results",
    "stalled",
    "failed",
    "goodput_gbps",
    "goodput_to_last_start_gbps",
    "fabric_drops",
    "nic_discards",
    "ecn_marks",
    "pfc_pauses",
    "cnps",
    "retransmitted",
    "timeouts",
    "packet_hops",
    "events",
    "simulated_ms",
)
TAKEN_PREFIXES = (
    *("flows_", "fct_us_", "slowdown_", "drops_"),
    *("precision_", "rpc_", "messages_", "streams_", "collective_", "hardware_", "workloads_"),
)
TAKEN_SUFFIXES = ("_mean", "_ci95")  # Of the summary's columns.
MAX_SEED = 2**64 - 1
MAX_SEEDS = 5000  # The engine is given them as one word of its command line.
MAX_RANKS = 65536


@dataclass(frozen=True)
class AxisValue:
    """One value of an axis."""

    value: object  # As JSON has it.
    label: str  # What run names say.
    ranks: int  # That it asks for; None: it does not.
    node: JsonNode


@dataclass(frozen=True)
class Axis:
    """A place of the scenario and the values that it takes in turn."""

    path: str
    name: str
    values: list
    node: JsonNode


@dataclass(frozen=True)
class Sweep:
    """A sweep file, checked as far as it can be without the engine."""

    name: str
    scenario_text: str  # JSON.
    scenario_file: str  # Names it in messages: a path, or the place of this key.
    base: Path  # Where the scenario's paths start.
    groups: list  # Lists of axes: those of one list advance together.
    nics: list  # Replaces the scenario's; None: the scenario's own.
    seeds: list  # None: the scenario's own.
    ranks: int  # Of runs whose axes ask for none.
    plugins: list
    root: JsonNode

    @property
    def axes(self):
        return [axis for group in self.groups for axis in group]


def read_sweep(path):
    """Return the Sweep in a file; raises UserError with line and path of the first fault."""
    return make_sweep(read_located_json(path), Path(os.path.realpath(path)).parent)


def make_sweep(root, folder):
    """Return the Sweep of a JsonNode; its paths are relative to `folder`."""
    root.expect_keys(KEYS)
    text, file, base = read_scenario(root.get("scenario"), folder)
    axes = root.find("axes")
    ranks = root.find("ranks")
    nics = root.find("nics")
    seeds = root.find("seeds")
    plugins = root.find("plugins")
    return Sweep(
        name=read_name(root.get("name"), NAME),
        scenario_text=text,
        scenario_file=file,
        base=base,
        groups=read_groups(axes) if axes else [],
        nics=[node.get_plain() for node in nics.get_elements("NICs")] if nics else None,
        seeds=read_seeds(seeds) if seeds else None,
        ranks=ranks.get_whole(1, MAX_RANKS) if ranks else 1,
        plugins=read_plugins(plugins, folder) if plugins else [],
        root=root,
    )


def read_name(node, pattern):
    """Return a text that can be part of a path."""
    if not pattern.fullmatch(node.get_text()):
        allowed = "letters, digits and _" if pattern is AXIS_NAME else "letters, digits and ._-+@"
        allowed += "=," if pattern is NAME else ""
        node.fail(f"a name of {allowed}")
    return node.content


def read_scenario(node, folder):
    """Return the text of the base scenario, its name in messages, and where its paths start."""
    if node.is_object():
        return json.dumps(node.get_plain()), f"{node.place}: $.scenario", folder
    path = folder / node.get_text()
    try:
        return read_text(path), str(path), path.parent
    except UserError as error:
        raise UserError(f"{node.place}: {node.path}: {error}") from None


def read_groups(node):
    """Return the axes, as lists of those that advance together."""
    groups = []
    for entry in node.get_elements("axes"):
        if entry.is_object() and entry.find("zip"):
            entry.expect_keys(("zip",))
            group = [read_axis(axis) for axis in entry.get("zip").get_elements("axes")]
            check_lengths(group)
        else:
            group = [read_axis(entry)]
        check_labels(group)
        check_values(group)
        groups.append(group)
    check_names([axis for group in groups for axis in group])
    return groups


def is_taken(name):
    """Return whether a table may have a column of that name, in small letters, anyway."""
    return (
        name in TAKEN_COLUMNS or name.startswith(TAKEN_PREFIXES) or name.endswith(TAKEN_SUFFIXES)
    )


def read_axis(node):
    """Return one Axis."""
    node.expect_keys(AXIS_KEYS)
    path_node = node.get("path")
    path = path_node.get_text()
    if normalize_path(path) in TAKEN_PATHS:
        path_node.fail(f"a path other than {TAKEN_PATHS[normalize_path(path)]}")
    name_node = node.find("name")
    name = read_name(name_node, AXIS_NAME) if name_node else make_axis_name(path_node)
    if is_taken(name.lower()):
        (name_node or path_node).fail(
            'a name that is no column of the table (key "name")', json.dumps(name)
        )
    values = node.get("values").get_elements("values")
    labels = read_list_beside(node, "labels", values)
    counts = read_list_beside(node, "ranks", values)
    return Axis(
        path=path,
        name=name,
        values=[
            AxisValue(
                value.get_plain(),
                read_name(label, LABEL) if label else make_label(value),
                count.get_whole(1, MAX_RANKS) if count else None,
                value,
            )
            for value, label, count in zip(values, labels, counts)
        ],
        node=node,
    )


def read_list_beside(node, key, values):
    """Return the nodes of a list that is as long as `values`; None for each without a list."""
    beside = node.find(key)
    if not beside:
        return [None] * len(values)
    elements = beside.get_elements(key)
    if len(elements) != len(values):
        beside.fail(f"as many {key} as values, {len(values)}", len(elements))
    return elements


def make_axis_name(path_node):
    """Return the last key of a path, as a column of a table can be named."""
    parts = [part for part in re.split(r'[.\[\]":$]+', path_node.content) if part]
    names = [re.sub(r"[^A-Za-z0-9_]", "_", part) for part in parts if not part.isdigit()]
    if not names or not AXIS_NAME.fullmatch(names[-1]):
        path_node.fail("a path that ends in a key (workload.load), or a name beside it")
    return names[-1]


def make_label(node):
    """Return what run names say of a value."""
    value = node.content
    if isinstance(value, (dict, list)):
        node.fail('"labels" beside values that are objects or lists')
    text = value.rpartition("::")[2] if isinstance(value, str) else json.dumps(value)
    label = re.sub(r"[^A-Za-z0-9._+@-]", "-", text)
    if not label:
        node.fail('"labels" beside a text without characters')
    return label


def check_lengths(group):
    """Axes that advance together have the same number of values."""
    for axis in group[1:]:
        if len(axis.values) != len(group[0].values):
            axis.node.get("values").fail(
                f"as many values as the first axis of the zip has, {len(group[0].values)}",
                len(axis.values),
            )


def check_labels(group):
    """Two steps of a group of axes must not have the same labels: runs would have one name."""
    seen = {}
    for step in zip(*(axis.values for axis in group)):
        labels = tuple(value.label for value in step)
        if labels in seen:
            step[0].node.fail(
                f"run names of their own, and {seen[labels].path} makes the same (labels help)",
                ",".join(f"{axis.name}={label}" for axis, label in zip(group, labels)),
            )
        seen[labels] = step[0].node


def check_values(group):
    """Two steps of a group of axes must not have the same values: they would be one point."""
    seen = {}
    for step in zip(*(axis.values for axis in group)):
        values = json.dumps([make_plain(value.value) for value in step], sort_keys=True)
        first = seen.setdefault(values, step[0].node)
        if first is not step[0].node:
            step[0].node.fail(f"values of their own: those of {first.path} are the same")


def make_plain(value):
    """Return a value of JSON in which 1.0 is 1."""
    if isinstance(value, dict):
        return {key: make_plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [make_plain(element) for element in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def normalize_path(path):
    """Return a path with dots only: messages, and some users, write it in other ways."""
    return re.sub(r'\[["\']?([^\]"\']*)["\']?\]', r".\1", path).removeprefix("$").strip(".")


def check_names(axes):
    """Each axis has a column and a path of its own."""
    for what, key in (
        ("name", lambda axis: axis.name.lower()),
        ("path", lambda axis: normalize_path(axis.path)),
    ):
        seen = {}
        for axis in axes:
            first = seen.setdefault(key(axis), axis)
            if first is not axis:
                got = f"the {what} of {first.node.path}"
                axis.node.get("path").fail(f"an axis with a {what} of its own", got)


def read_seeds(node):
    """Return the seeds, from a list or from first and count."""
    if node.is_object():
        node.expect_keys(("first", "count"))
        count = node.get("count").get_whole(1, MAX_SEEDS)
        first = node.get("first").get_whole(0, MAX_SEED - count + 1)
        return list(range(first, first + count))
    seeds = []
    for element in node.get_elements('seeds, or {"first": ..., "count": ...}'):
        if element.get_whole(0, MAX_SEED) in seeds:
            element.fail("each seed once: two runs would have one name")
        seeds.append(element.content)
    if len(seeds) > MAX_SEEDS:
        node.fail(f"at most {MAX_SEEDS} seeds", len(seeds))
    return seeds


def read_plugins(node, folder):
    """Return the paths of shared libraries."""
    paths = []
    for element in node.get_elements("paths of plug-ins"):
        path = folder / element.get_text()
        if not os.path.isfile(path):  # False, too, of what no name can be.
            element.fail("a shared library", f"no file at {path}")
        paths.append(path)
    return paths

