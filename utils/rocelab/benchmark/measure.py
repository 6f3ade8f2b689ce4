# SPDX-License-Identifier: GPL-2.0-only
"""Runs designs in the scenarios of the benchmark, and scores them."""

from dataclasses import dataclass
from functools import partial
from statistics import mean

from rocelab.benchmark.limits import describe_run, shorten
from rocelab.benchmark.scores import score_run
from rocelab.errors import InputError, RefusedError
from rocelab.runs.run_result import load
from rocelab.sweeps.gather import write_tables
from rocelab.sweeps.located_json import locate_value
from rocelab.sweeps.progress import Reporter
from rocelab.sweeps.session import Session
from rocelab.sweeps.sweep_file import make_sweep


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
    root = {"name": scenario.name, "scenario": base, "nics": nics, "seeds": seeds}
    root |= {key: list(value) for key, value in (("axes", axes), ("plugins", plugins)) if value}
    try:
        run_sweep(make_sweep(locate_value(root, scenario.name), scenario.folder), out, build, jobs)
    except RefusedError as error:
        return Cell(design["name"], scenario.name, {}, shorten(str(error)))
    runs = list(load(out / scenario.name).values())
    found = {seed: [score_run(scenario.parts, run) for run in runs if run.seed == seed] for seed in seeds}
    first = [run for run in runs if run.seed == seeds[0]]
    worst = min(first, key=lambda run: score_run(scenario.parts, run))
    limit = describe_run(build, worst, plugins, scenario.has_flows)
    return Cell(design["name"], scenario.name, {seed: mean(scores) for seed, scores in found.items()}, limit)


def run_sweep(sweep, out, build, jobs):
    """Run what is not done of a sweep; runs that fail or stall are scored as such."""
    session = Session(sweep, out, build, (), lambda *_: None)
    left = session.run(jobs, True, None, partial(Reporter, None))
    write_tables(sweep, session.load_results(), session.store)
    if left is not None:
        raise KeyboardInterrupt(left)


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
