# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios of a figure as sweeps: an axis whose values are the parts in which the scenarios differ."""

import json
import os

from rocelab.errors import UserError
from rocelab.results.folders import load_scenario
from rocelab.sweeps.located_json import locate_value
from rocelab.sweeps.session import Session
from rocelab.sweeps.store import FAILED
from rocelab.sweeps.sweep_file import make_sweep

#: Parts of a scenario that no axis of a sweep sets.
FIXED = ("nics", "run")


def run_sweeps(scenarios, folder, out, build, plugins):
    """Run {key: scenario} on all cores; returns {key: ScenarioResult}.

    Results are in OUT/<name of the first scenario>/; what is done there is kept. Scenarios that differ in keys, `nics`
    or `run` are in sweeps of their own. Raises UserError if a run fails.
    """
    groups = {}
    for key, scenario in scenarios.items():
        shape = json.dumps([sorted(scenario), *(scenario.get(part) for part in FIXED)], sort_keys=True)
        groups.setdefault(shape, {})[key] = scenario
    found = {}
    for group in groups.values():
        root, points = describe(list(group.values()))
        sweep = make_sweep(locate_value(root, str(folder)), folder.resolve())
        runs = run_sweep(Session(sweep, out, build, plugins, lambda *_: None))
        found |= {key: load_scenario(*runs[point]) for key, point in zip(group, points)}
    return {key: found[key] for key in scenarios}


def describe(scenarios):
    """Return (what a sweep file has, the number of the point of each scenario); the same scenario is one point."""
    first = scenarios[0]
    parts = [
        part
        for part in first
        if part not in ("name", *FIXED) and any(scenario[part] != first[part] for scenario in scenarios)
    ]
    texts = [json.dumps([scenario[part] for part in parts]) for scenario in scenarios]
    distinct = list(dict.fromkeys(texts))
    chosen = [scenarios[texts.index(text)] for text in distinct]
    root = {"name": first["name"], "scenario": first}
    if parts:
        # Names of runs have the name of the scenario once.
        labels = [[scenario["name"] for scenario in chosen], *[["-"] * len(chosen)] * (len(parts) - 1)]
        root["axes"] = [
            {
                "zip": [
                    {"path": part, "values": [scenario[part] for scenario in chosen], "labels": texts}
                    for part, texts in zip(parts, labels)
                ]
            }
        ]
    return root, [distinct.index(text) for text in texts]


def run_sweep(session):
    """Run what is not done; returns (folder, names of the NICs) of each point.

    A folder may also have results of NICs that an earlier sweep had.
    """
    if session.run(len(os.sched_getaffinity(0)), is_retry=True) is not None:
        raise KeyboardInterrupt
    for result in session.load_results():
        if result.status == FAILED:
            raise UserError(f"{result.run.name}: expected the run to succeed, got: {result.record.error}")
    nics = {}
    for run in session.runs:
        nics.setdefault(session.store.get_folder(run).parent, []).append(run.nic)
    return list(nics.items())
