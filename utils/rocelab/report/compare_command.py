# SPDX-License-Identifier: GPL-2.0-only
"""rocelab compare: the command, for one scenario or several."""

import json
from pathlib import Path

from rocelab.errors import UserError
from rocelab.places import find_data
from rocelab.report.across import write_across
from rocelab.report.compare import find_name, run_comparison, write_comparison
from rocelab.results.folders import load_scenario, select_workload

RESULTS = "results"
#: Without a scenario, in this order, and the folder of their results below RESULTS.
DEFAULT_SCENARIOS = ("as-designed.json", "lossy.json")
DEFAULT_FOLDER = "compare"
RUN_OPTIONS = ("nic", "set", "plugin", "seed", "series", "ranks")  # Of no use beside results.


def compare(options):
    """Carry out the command; returns (exit status, files written).

    A run that fails ends the command with its status, and nothing is compared across scenarios.
    """
    paths = [Path(scenario) for scenario in options.scenarios]
    out = Path(options.out or RESULTS)
    if not paths:
        paths = [find_data("examples", "start", "compare", name) for name in DEFAULT_SCENARIOS]
        out /= DEFAULT_FOLDER
    check_options(options, paths)
    check_names(options, paths)
    worst, written, folders = 0, [], []
    for path in paths:
        if is_folder(path):
            folders.append(path)
            written += write_comparison(path, options.workload)
        else:
            status, files = run_one(options, path, out)
            if not files:
                return status, written
            worst = max(worst, status)
            folders.append(out / find_name(path, options.set))
            written += files
        if len(paths) > 1:
            print()
    if len(paths) > 1:
        written += write_across([load(folder, options.workload) for folder in folders], out)
    return worst, written


def is_folder(path):
    """Tell whether a path is of results, not of a scenario file."""
    return path.is_dir() or path.suffix != ".json"


def load(folder, workload):
    """Return the ScenarioResult of a folder, or of one workload of it."""
    scenario = load_scenario(folder)
    return scenario if workload is None else select_workload(scenario, workload)


def check_options(options, paths):
    """Raise UserError for options of a run if there is nothing to run."""
    given = [name for name in RUN_OPTIONS if getattr(options, name)]
    if options.out and len(paths) == 1:
        given.append("out")
    for path in filter(is_folder, paths):
        if given:
            raise UserError(f"--{given[0]}: expected a scenario file beside it, got {str(path)!r}")


def check_names(options, paths):
    """Raise UserError unless the results of the scenarios have names, and so folders, of their own."""
    seen = {}
    for path in paths:
        try:
            name = path.resolve().name if is_folder(path) else find_name(path, options.set)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # The program refuses the file in one line.
        if name in seen:
            raise UserError(f"{path}: expected another name than {seen[name]} has, got {json.dumps(name)} in both")
        seen[name] = path


def run_one(options, path, out):
    """Run a scenario file and compare its NICs; returns (exit status, files written)."""
    return run_comparison(
        options.build,
        path,
        out,
        options.set,
        ["--series"] if options.series else [],
        options.workload,
        nic=options.nic,
        plugin=options.plugin,
        seed=[] if options.seed is None else options.seed,
        ranks=[] if options.ranks is None else options.ranks,
    )
