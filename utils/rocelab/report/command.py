# SPDX-License-Identifier: GPL-2.0-only
"""rocelab report: one HTML page of one or several result folders."""

from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import write_text
from rocelab.report.figure_part import FILE, load_figure
from rocelab.report.page import make_page
from rocelab.results import load_scenario

NAME = "report.html"


def load(folder):
    """Return the ScenarioResult of RESULTS/<scenario> or of RESULTS/<scenario>/<nic> alone, or the
    FigureResult of RESULTS/<figure>.
    """
    folder = Path(folder)
    if (folder / FILE).is_file():
        return load_figure(folder)
    if (folder / "summary.json").is_file():
        return load_scenario(folder.parent, only=[folder.name])
    return load_scenario(folder)


def write_report(folders, out=None):
    """Write the page; returns its path. Without `out` it lies in the one folder that it is of."""
    if out is None and len(folders) > 1:
        raise UserError("--out: expected the page's file beside several result folders, got none")
    out = Path(out) if out is not None else Path(folders[0]) / NAME
    if out.is_dir():
        raise UserError(f"{out}: expected a file to write the page to, got a folder")
    return [write_text(out, make_page([load(folder) for folder in folders]))]
