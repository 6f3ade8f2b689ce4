# SPDX-License-Identifier: GPL-2.0-only
"""The table of the shipped designs in examples/benchmark/README.md, made of the committed results."""

import csv
import json
import re

from rocelab.errors import UserError
from rocelab.files import read_text

BLOCK = re.compile(r"(<!-- benchmark: results -->\n).*?(<!-- end of benchmark -->)", re.DOTALL)


def format_results(folder):
    """Return the Markdown of a folder with scores.csv, scores.svg and made.json."""
    made = json.loads(read_text(folder / "made.json"))
    rows = list(csv.DictReader(read_text(folder / "scores.csv").splitlines()))
    designs = list(dict.fromkeys(row["design"] for row in rows))
    scenarios = list(dict.fromkeys(row["scenario"] for row in rows))
    cells = {(row["design"], row["scenario"]): row["score"] for row in rows}
    lines = [["design", "mean", *(f"`{name}`" for name in scenarios)], ["---"] * (2 + len(scenarios))]
    for design in designs:
        scores = [cells[design, scenario] for scenario in scenarios]
        mean = sum(float(score or 0) for score in scores) / len(scores)
        lines.append([f"`{design}`", f"{mean:.2f}", *(f"{float(score):.2f}" if score else "-" for score in scores)])
    table = "".join("| " + " | ".join(line) + " |\n" for line in lines)
    return (
        f"Suite {made['suite']}, commit {made['commit']}; {made['cpu_seconds'] / 60:.0f} minutes of one core. "
        f"[scores.csv](results/scores.csv) has the range over three seeds, and what limited each design.\n\n{table}\n"
        "![Scores of all presets in all scenarios](results/scores.svg)\n"
    )


def renew(page, folder):
    """Return the text of a page with the table of a folder; raises UserError if it has no place for it."""
    text = read_text(page)
    renewed, count = BLOCK.subn(lambda match: match[1] + format_results(folder) + match[2], text)
    if count != 1:
        raise UserError(f"{page}: expected one place for the benchmark's results, got {count}")
    return renewed
