# SPDX-License-Identifier: GPL-2.0-only
"""What folders on the command line hold: results of a scenario, of a sweep, of perftest or of a figure."""

from dataclasses import dataclass, replace
from pathlib import Path

from rocelab.draw import own_style
from rocelab.draw.perftest import load_perftest
from rocelab.draw.perftest import FILE as PERFTEST_FILE
from rocelab.errors import UserError
from rocelab.results.figure_file import load_figure
from rocelab.results.figure_file import FILE as FIGURE_FILE
from rocelab.results.folders import ScenarioResult, load_scenario, select_workload
from rocelab.results.sweep_table import MANIFEST, find_wanted, join_tables, keep_workload, load_sweep

SCENARIO, SWEEP, PERFTEST, FIGURE = "scenario", "sweep", "perftest", "figure"
WORDS = {
    SCENARIO: "results of runs (RESULTS/<scenario name>, or of it <nic>)",
    SWEEP: "results of a sweep (sweep-summary.csv)",
    PERFTEST: "results of rocelab perftest --out (perftest.json)",
    FIGURE: "results of a figure (figure.json)",
}
MARKS = {MANIFEST: SWEEP, PERFTEST_FILE: PERFTEST, FIGURE_FILE: FIGURE}


@dataclass(frozen=True)
class Source:
    """What the folders of a command line hold together."""

    kind: str
    content: object  # ScenarioResult, SweepTable, list of PerftestResult, or FigureResult.
    folder: Path  # The only one, else None.


def find_kind(folder):
    """Return what a folder holds."""
    folder = Path(folder)
    return next((kind for mark, kind in MARKS.items() if (folder / mark).is_file()), SCENARIO)


def load_source(folders, workload=None):
    """Return the Source of the folders; raises UserError if they do not go together.

    With `workload`, of runs that one of a list of workloads, of a sweep its numbers.
    """
    kinds = {find_kind(folder) for folder in folders}
    if len(kinds) > 1:
        found = " and ".join(sorted(kinds))
        raise UserError(f"{folders[0]}: expected results of one kind in all folders, got {found}")
    kind = kinds.pop()
    if workload is not None and kind not in (SCENARIO, SWEEP):
        raise UserError(f"--workload: expected results of runs or of a sweep, got those of a {kind}")
    if len(folders) > 1 and kind == FIGURE:
        raise UserError(f"{folders[1]}: expected one folder of a {kind}, got {len(folders)}")
    only = Path(folders[0]) if len(folders) == 1 else None
    if kind == PERFTEST:
        return Source(kind, [load_perftest(folder) for folder in folders], only)
    if kind == SCENARIO:
        runs = load_runs(folders)
        return Source(kind, runs if workload is None else select_workload(runs, workload), only)
    if kind == SWEEP:
        sweeps = [load_sweep(folder) for folder in folders]
        sweep = sweeps[0] if only else join_tables(sweeps)
        return Source(kind, sweep if workload is None else keep_workload(sweep, workload), only)
    return Source(kind, load_figure(folders[0]), only)


def arrange(source, where):
    """Return a Source of runs with the NICs of {"nic": [name, ...]} only, in the user's order."""
    if source.kind != SCENARIO:
        return source
    runs = source.content
    names = [nic.name for nic in runs.nics]
    if "nic" in where:
        kept = find_wanted(names, where["nic"], "--where nic", runs.folder)
        names = [name for name in names if name in kept]
    nics = [runs[name] for name in own_style.get_current().sort(names)]
    return replace(source, content=replace(runs, nics=nics))


def load_one(folder):
    """Return the ScenarioResult of a scenario's folder, or of that of one of its NICs."""
    folder = Path(folder)
    if (folder / "summary.json").is_file():
        return load_scenario(folder.parent, only=[folder.name])
    return load_scenario(folder)


def load_runs(folders):
    """Return one ScenarioResult of all folders; NICs of the same name get their scenario's in front."""
    found = [load_one(folder) for folder in folders]
    if len(found) == 1:
        return found[0]
    names = [nic.name for scenario in found for nic in scenario.nics]
    nics = []
    for scenario in found:
        for nic in scenario.nics:
            is_unique = names.count(nic.name) == 1
            nics.append(nic if is_unique else replace(nic, name=f"{scenario.name}/{nic.name}"))
    names = [nic.name for nic in nics]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{folders[0]}: expected runs of different names, got {name} twice")
    return ScenarioResult(", ".join(scenario.name for scenario in found), found[0].folder, nics)
