# SPDX-License-Identifier: GPL-2.0-only
"""rocelab report: one HTML page of one or several result folders."""

from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import write_text
from rocelab.report.page import make_page
from rocelab.results.figure_file import FILE, load_figure
from rocelab.results.folders import load_scenario, select_workload
from rocelab.results.sweep_table import FILE as TABLE
from rocelab.results.sweep_table import MANIFEST, keep_workload, load_sweep
from rocelab.terminal.progress import CountLine

NAME = "report.html"


def load(folder, workload=None):
    """Return the ScenarioResult of RESULTS/<scenario> or of RESULTS/<scenario>/<nic> alone, the
    FigureResult of RESULTS/<figure>, or the SweepTable of RESULTS/<sweep>. With `workload`, of that
    one of a list of workloads.
    """
    folder = Path(folder)
    if (folder / MANIFEST).is_file():
        return load_sweep_part(folder, workload)
    if (folder / FILE).is_file():
        if workload is not None:
            raise UserError(f"--workload: expected results of runs, got those of a figure, {folder}")
        return load_figure(folder)
    if (folder / "summary.json").is_file():
        scenario = load_scenario(folder.parent, only=[folder.name])
    else:
        scenario = load_scenario(folder)
    return scenario if workload is None else select_workload(scenario, workload)


def load_sweep_part(folder, workload):
    """Return the SweepTable of a folder; raises UserError if the sweep has not written it yet."""
    if not (folder / TABLE).exists():
        points = sorted(path for path in (folder / "runs").glob("*") if path.is_dir())
        shown = f", as {points[0]}" if points else ", which has none yet"
        raise UserError(
            f"{folder}: expected a sweep with {TABLE}, got one without it: name folders of"
            f" {folder / 'runs'}{shown}"
        )
    table = load_sweep(folder)
    return table if workload is None else keep_workload(table, workload)


def write_report(folders, out=None, workload=None):
    """Write the page; returns its path. Without `out` it lies in the one folder that it is of."""
    if out is None and len(folders) > 1:
        raise UserError("--out: expected the page's file beside several result folders, got none")
    out = Path(out) if out is not None else Path(folders[0]) / NAME
    if out.is_dir():
        raise UserError(f"{out}: expected a file to write the page to, got a folder")
    results = []
    with CountLine("reading", len(folders)) as line:
        for folder in folders:
            results.append(load(folder, workload))
            line.add()
    return [write_text(out, make_page(results))]
