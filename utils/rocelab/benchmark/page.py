# SPDX-License-Identifier: GPL-2.0-only
"""The results of the benchmark: scores.csv, a picture, and one HTML page that needs no network."""

import base64
import platform
from pathlib import Path
from statistics import mean

from rocelab.draw import style
from rocelab.draw.canvas import Picture
from rocelab.files import write_json, write_text
from rocelab.report.page import Page
from rocelab.results import csv_text
from rocelab.runs.engine import get_commit, get_version

SCORES, PICTURE, PAGE, MADE = "scores.csv", "scores", "benchmark.html", "made.json"
COLUMNS = ("version", "form", "design", "scenario", "score", "least", "most", "limit")
CELL = 0.42  # Inches of a column of the picture.
ROW = 0.22
LEGEND = 1.35  # Inches for the names of designs.
HEAD = 1.3  # Inches for the names of scenarios.
SLANT = 0.8  # Inches beside the cells, into which the last name leans.


def order_designs(cells):
    """Return the designs, that with the highest mean of all scores first."""
    return sorted(cells, key=lambda name: (-get_mean(cells[name]), name))


def get_mean(cells):
    """Return the mean of all scores of a design."""
    return mean(cell.score for cell in cells)


def format_score(cell):
    """Return a score with two digits; "-" for a design that a scenario refuses."""
    return "-" if cell.is_refused else f"{cell.score:.2f}"


def format_scores(version, form, cells):
    """Return scores.csv: a row per design and scenario; least and most are over the seeds."""
    rows = [COLUMNS]
    for name in order_designs(cells):
        for cell in cells[name]:
            scores = cell.seeds.values()
            numbers = (round(cell.score, 4), round(min(scores), 4), round(max(scores), 4)) if scores else (None,) * 3
            rows.append((version, form, name, cell.scenario, *numbers, cell.limit))
    return csv_text.format_table(rows)


def make_rows(cells):
    """Return (headers, rows) of the table: a row per design, a column per scenario."""
    names = order_designs(cells)
    headers = ["design", "mean", *(cell.scenario for cell in cells[names[0]])]
    return headers, [[name, f"{get_mean(cells[name]):.2f}", *map(format_score, cells[name])] for name in names]


def draw_scores(cells):
    """Return the picture: a row per design, a column per scenario, the score as shade and number."""
    headers, rows = make_rows(cells)
    names, scenarios = [row[0] for row in rows], headers[1:]
    width, height = LEGEND + CELL * len(scenarios) + SLANT, HEAD + ROW * len(names)
    figure = Picture(figsize=(width, height))
    axes = figure.add_axes((LEGEND / width, 0, CELL * len(scenarios) / width, ROW * len(names) / height))
    numbers = [[0.0 if text == "-" else float(text) for text in row[1:]] for row in rows]
    axes.imshow(numbers, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(rows):
        for x, text in enumerate(row[1:]):
            axes.text(x, y, text, ha="center", va="center", fontsize=style.SMALL_FONT, color="black" if numbers[y][x] > 0.55 else "white")
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(range(len(scenarios)), scenarios, rotation=60, ha="left", rotation_mode="anchor")
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    axes.axvline(0.5, color="white", linewidth=2)
    return figure


def write_results(suite, scenarios, cells, out, build, is_quick, made):
    """Write the table, the picture, the page, and `made`, what the results come from; returns their paths."""
    form = "quick" if is_quick else "full"
    table = out / SCORES
    write_text(table, format_scores(suite.version, form, cells))
    pictures = style.save(draw_scores(cells), out / PICTURE)
    page = out / PAGE
    write_text(page, make_page(suite, scenarios, cells, build, form, pictures))
    origin = out / MADE
    write_json(origin, {"suite": suite.version, "form": form, "commit": get_commit(), **made})
    return [table, *pictures, page, origin]


def make_page(suite, scenarios, cells, build, form, pictures):
    """Return the HTML."""
    page = Page("RoceLab benchmark of NIC designs")
    page.add('<header><p class="kicker">RoceLab</p><h1>Benchmark of NIC designs</h1></header>\n<main>')
    page.add_note(
        f"Suite {suite.version}, {form} form. rocelab {get_version(build)}, commit {get_commit()}; {platform.machine()}, "
        f"{platform.system()}. A score is the ideal over what was measured: 1 is the bound."
    )
    picture = next(path for path in pictures if str(path).endswith(".png"))
    data = base64.b64encode(Path(picture).read_bytes()).decode()
    page.add(f'<p><img alt="scores of designs" src="data:image/png;base64,{data}" style="max-width:100%"></p>')
    page.add_table(*make_rows(cells))
    page.add_heading("What each scenario asks", "asks")
    page.add_table(["scenario", "what it measures"], [[one.name, one.asks] for one in scenarios])
    for number, name in enumerate(order_designs(cells)):
        page.add_heading(f"What limited {name}", number)
        page.add_table(["scenario", "score", "limit"], [[cell.scenario, format_score(cell), cell.limit] for cell in cells[name]])
    page.add("</main>")
    return page.format()
