# SPDX-License-Identifier: GPL-2.0-only
"""Runs designs in the scenarios of the benchmark, and scores them."""

import warnings
from dataclasses import dataclass
from statistics import mean

from rocelab.benchmark.limits import describe_run, shorten
from rocelab.benchmark.scores import score_run
from rocelab.errors import InputError, RunError
from rocelab.runs.run_result import RunWarning, load
from rocelab.sweeps.sweep import sweep


@dataclass(frozen=True)
class Cell:
    """A design in a scenario."""

    design: str
    scenario: str
    seeds: dict  # {seed: score, the mean over the scenario's axes}; empty: the scenario refuses the design.
    limit: str  # What limited it, or why it is refused.

    @property
    def score(self):
        """The mean over the seeds; 0 for a design that is refused."""
        return mean(self.seeds.values()) if self.seeds else 0.0

    @property
    def is_refused(self):
        return not self.seeds


def measure_cell(scenario, design, out, build, is_quick, plugins, jobs):
    """Return the Cell of a design, an entry of "nics", in a Scenario."""
    base, axes, seeds, nics = scenario.make_plan(design, is_quick)
    located = Located(base, scenario.folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunWarning)  # Flows that failed have the score 0.
            sweep(located, axes, seeds, nics=nics, jobs=jobs, plugins=plugins, name=scenario.name, out=out)
    except InputError as error:
        if ".json: $" not in str(error):
            raise  # No fault of the design: the program, a plug-in, a folder.
        return Cell(design["name"], scenario.name, {}, shorten(str(error)))
    except RunError:
        pass  # Runs that failed have the score 0, and their line is the limit.
    runs = list(load(out / scenario.name).values())
    found = {seed: [score_run(scenario.parts, run) for run in runs if run.seed == seed] for seed in seeds}
    first = [run for run in runs if run.seed == seeds[0]]
    worst = min(first, key=lambda run: score_run(scenario.parts, run))
    limit = describe_run(build, worst, plugins, scenario.has_flows)
    return Cell(design["name"], scenario.name, {seed: mean(scores) for seed, scores in found.items()}, limit)


class Located(dict):
    """A scenario whose paths are relative to a folder."""

    def __init__(self, scenario, base):
        super().__init__(scenario)
        self.base = base


def measure_all(suite_scenarios, designs, out, build, is_quick, plugins, jobs, report):
    """Return {design: [Cell]}; `report` is called with each Cell as soon as it is known.

    Raises InputError for a design that every scenario refuses.
    """
    cells = {}
    for name, design in designs.items():
        cells[name] = []
        for scenario in suite_scenarios:
            cell = measure_cell(scenario, design, out / name, build, is_quick, plugins, jobs)
            report(cell)
            cells[name].append(cell)
        if all(cell.is_refused for cell in cells[name]):
            raise InputError(cells[name][0].limit)
    return cells
