# SPDX-License-Identifier: GPL-2.0-only
"""Planning: the engine checks and resolves each point; runs get their identity and their cost."""

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from rocelab.errors import RefusedError, UserError, describe_value
from rocelab.sweeps.checker import STDIN, CheckerPool
from rocelab.sweeps.expansion import MAX_NAME, Point, expand
from rocelab.sweeps.sweep_file import normalize_path

MAX_RUNS = 500_000  # All are in memory.


@dataclass(frozen=True)
class Run:
    """One NIC at one point with one seed."""

    point: Point
    nic: str
    seed: int
    ranks: int
    settings: tuple  # PATH=VALUE for --set.
    hash: str  # Of all that its results depend on.
    files: dict  # Path, as the scenario has it, to the engine's hash of what is in it.
    cost: dict  # As "check --cost" prints it.

    @property
    def scenario(self):
        """Name of its scenario: the folder above its own."""
        return ",".join(part for part in (self.point.name, f"seed={self.seed}") if part)

    @property
    def name(self):
        return f"{self.scenario}/{self.nic}"

    @property
    def packet_hops(self):
        """The estimate; None if there is traffic that it does not count."""
        return None if self.cost["other_traffic"] else self.cost["packet_hops"]


def plan_runs(sweep, program, jobs, report):
    """Return the Runs of a Sweep, in its order: points, then NICs, then seeds.

    `report` is called with the number of points that are checked and that of all. Raises RefusedError for the first
    point that the engine refuses.
    """
    points = expand(sweep)
    check_count(sweep, len(points) * len(sweep.seeds or [0]))
    report(0, len(points))
    count = min(jobs, len(points))
    checkers = CheckerPool(count, program, make_check_options(sweep, program), sweep.scenario_text)

    def check(point):
        return checkers.check(get_settings(sweep, point), point.get_ranks(sweep.ranks))

    runs = []
    distinct = DistinctPoints()
    with ThreadPoolExecutor(count) as pool:
        try:
            for number, (point, answer) in enumerate(zip(points, pool.map(check, points)), start=1):
                if "error" in answer:
                    kind = UserError if "ended" in answer else RefusedError
                    raise kind(describe_refusal(sweep, point, answer["error"]))
                found = make_runs(sweep, point, answer, program)
                distinct.add(point, found)
                runs += found
                check_count(sweep, len(runs))
                report(number, len(points))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            checkers.close()
    for run in runs:
        if len(run.scenario) > MAX_NAME:
            sweep.root.fail(f"run names of at most {MAX_NAME} characters", run.scenario)
    return runs


class DistinctPoints:
    """The points so far: no two have the same runs, as 1kB and 1000B of an axis would make them."""

    def __init__(self):
        self._points = {}

    def add(self, point, runs):
        """Add a point; raises UserError, at a value, if all its runs are those of an earlier point."""
        first = self._points.setdefault(tuple((run.hash, run.ranks) for run in runs), point)
        if first is point:
            return
        for value, other in zip(point.values, first.values):
            if value.node is not other.node:
                value.node.fail(f"a value that makes other runs than {other.node.path}, {describe_value(other.value)}")


def check_count(sweep, count):
    """Raise UserError if a sweep has more runs than fit into memory."""
    if count > MAX_RUNS:
        sweep.root.fail(f"at most {MAX_RUNS:,} runs (points times NICs times seeds)", "more")


def get_settings(sweep, point):
    """Return what the engine is told to change about the scenario."""
    nics = [f"nics={json.dumps(sweep.nics)}"] if sweep.nics is not None else []
    return tuple(nics + point.settings)


def make_options(sweep, settings, program):
    """Return the options of the engine that `run` and `check` share."""
    options = ["--base", str(sweep.base)]
    for setting in settings:
        options += ["--set", setting]
    for plugin in program.plugins:
        options += ["--plugin", str(plugin)]
    return options


def make_check_options(sweep, program):
    """Return the options of the engine's `check` that all points share."""
    seeds = [] if sweep.seeds is None else ["--seeds", ",".join(map(str, sweep.seeds))]
    # The engine has the list of names that folders of results may not have.
    name = (f"name={json.dumps(sweep.name)}",)
    return seeds + make_options(sweep, name, program)


def describe_refusal(sweep, point, said):
    """Return the line of a point that the engine refused, at the axis that is to blame."""
    axis = find_axis(point.axes, said)
    if not axis and get_path(said) == "name":
        node = sweep.root.get("name")
        return f"{node.place}: {node.path}: {said.removeprefix(STDIN + ': $.name: ')}"
    if not axis:
        said = said.replace(STDIN, sweep.scenario_file, 1)
        return f"{said} (point {point.name})" if point.name else said
    node = point.values[point.axes.index(axis)].node
    return f"{node.place}: {node.path}: {said.removeprefix(STDIN + ': ')}"


def get_path(said):
    """Return the path of the scenario that an error message names; None without one."""
    named = re.match(rf"--set (.*?)=|{re.escape(STDIN)}: ([^ ]+): ", said)
    return named and normalize_path(named.group(1) or named.group(2))


def find_axis(axes, said):
    """Return the axis whose path an error message names; None if there is none."""
    path = get_path(said)
    if path is None:
        return None
    matches = [
        axis
        for axis in axes
        if f"{path}.".startswith(f"{normalize_path(axis.path)}.")
        or f"{normalize_path(axis.path)}.".startswith(f"{path}.")
    ]
    return max(matches, key=lambda axis: len(axis.path), default=None)


def make_runs(sweep, point, answer, program):
    """Return the Runs of one point."""
    resolved = dict(answer["scenario"])
    resolved.pop("name")
    nics = {nic["name"]: nic for nic in resolved["nics"]}
    runs = []
    for cost in answer["costs"]:
        seed = cost["seed"]
        nic = nics[cost["nic"]]
        identity = {
            "scenario": {**resolved, "nics": [nic], "run": {**resolved["run"], "seed": seed}},
            "files": answer["files"],
            "program": program.get_identity(),
        }
        text = json.dumps(identity, sort_keys=True)
        runs.append(
            Run(
                point=point,
                nic=cost["nic"],
                seed=seed,
                ranks=point.get_ranks(sweep.ranks),
                settings=get_settings(sweep, point),
                hash=hashlib.sha256(text.encode()).hexdigest(),
                files=answer["files"],
                cost=cost,
            )
        )
    return runs
