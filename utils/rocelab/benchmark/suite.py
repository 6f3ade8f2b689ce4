# SPDX-License-Identifier: GPL-2.0-only
"""The fixed scenarios of the benchmark, examples/benchmark/suite.json, and the designs that are measured."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rocelab.benchmark.scores import make_score
from rocelab.errors import UserError, describe_nearest, describe_value
from rocelab.files import read_json, read_json_object
from rocelab.places import find_data

QUICK_SEEDS = [1]


@dataclass(frozen=True)
class Scenario:
    """One scenario: a sweep file beside suite.json, and how its runs are scored."""

    name: str
    asks: str  # What it measures.
    score: list  # Entries of suite.json, for make_score().
    quick: dict  # {path: value} of the short form.
    folder: Path

    @cached_property
    def file(self):
        """The sweep file."""
        return read_json_object(self.folder / f"{self.name}.json")

    @cached_property
    def parts(self):
        """The scores."""
        return [make_score(part) for part in self.score]

    @property
    def has_flows(self):
        """Whether its score is one of flows, whose time can be divided by causes."""
        return any(part["kind"] in ("tail", "mean", "busiest-port") for part in self.score)

    def make_plan(self, design, is_quick):
        """Return (scenario, axes, seeds, nics) for rocelab.sweep()."""
        file = self.file
        axes = list(file.get("axes", []))
        seeds = file["seeds"]
        seeds = list(range(seeds["first"], seeds["first"] + seeds["count"]))
        if is_quick:
            # An axis of one value sets it.
            axes += [{"path": path, "values": [value]} for path, value in self.quick.items()]
            seeds = QUICK_SEEDS
        template = file["scenario"]["nics"][0]
        base = {key: value for key, value in template.items() if key == "hardware"} if isinstance(template, dict) else {}
        return file["scenario"], axes, seeds, [{**base, **design}]


@dataclass(frozen=True)
class Suite:
    """All scenarios, and the version of their settings."""

    version: int
    scenarios: list


def read_suite(folder=None):
    """Return the Suite of a folder, the project's by default."""
    folder = Path(folder or find_data("examples", "benchmark"))
    root = read_json_object(folder / "suite.json")
    return Suite(root["version"], [Scenario(folder=folder, **entry) for entry in root["scenarios"]])


def select_scenarios(suite, names):
    """Return the scenarios of these names, all if there are none; raises UserError."""
    known = {scenario.name: scenario for scenario in suite.scenarios}
    for name in names:
        if name not in known:
            raise UserError(f"--scenario: expected a name ({describe_nearest(name, list(known))}), got {name!r}")
    return [known[name] for name in dict.fromkeys(names)] if names else suite.scenarios


def read_designs(words, presets):
    """Return the designs, entries of "nics" with names, of presets and files; all presets without words.

    Raises UserError.
    """
    designs = {}
    for word in words or presets:
        entries = read_file(word) if word.endswith(".json") else [word]
        for entry in entries:
            design = {"preset": entry} if isinstance(entry, str) else dict(entry)
            preset = design.get("preset")
            if preset not in presets:
                place = word if word.endswith(".json") else "DESIGN"
                hint = f" ({describe_nearest(preset, presets)})" if isinstance(preset, str) else ""
                raise UserError(f"{place}: expected a preset{hint}, got {describe_value(preset)}")
            name = design.setdefault("name", preset)
            if not isinstance(name, str):
                raise UserError(f"{word}: expected a text as name, got {describe_value(name)}")
            if name in designs:
                raise UserError(f"{word}: expected a name of its own, got {json.dumps(name)} twice")
            designs[name] = design
    return designs


def read_file(path):
    """Return the entries of a file: one entry of "nics", a list of them, or a scenario that has some."""
    value = read_json(Path(path))
    if isinstance(value, dict):
        value = value.get("nics", [value])
    if not isinstance(value, list) or not value or not all(isinstance(one, (str, dict)) for one in value):
        raise UserError(f"{path}: expected an entry of nics, a list of them or a scenario, got {describe_value(value)}")
    return value
