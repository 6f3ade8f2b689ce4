# SPDX-License-Identifier: GPL-2.0-only
"""The tables of facts in docs/: what papers state beside what we measured.

A table stands between "<!-- facts: WORDS -->" and "<!-- end of facts -->". The first word chooses
it: `summary` counts by paper and status, `runs` lists what made the numbers; `answered`, `missing`
and `all` may name papers and give a row per fact: those that a figure answers, the others, all.
"""

import re

from rocelab.errors import UserError
from rocelab.facts import RESULT
from rocelab.files import read_text, write_text
from rocelab.validation import MISSED, STATUSES

BLOCK = re.compile(r"(<!-- facts: ([^\n]*?) -->\n).*?(<!-- end of facts -->)", re.DOTALL)


def format_table(headers, rows):
    """Return a Markdown table."""
    lines = [headers, ["---"] * len(headers), *rows]
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "".join("| " + " | ".join(line) + " |\n" for line in cells).replace("  |", " |")


def format_entry(entry):
    """Return the cells of a fact: id, what the paper states, ours, and how it came out."""
    fact = entry.fact
    place = ", ".join(part for part in (fact.where, fact.condition) if part)
    status = f"**{entry.status}**" if entry.status == MISSED else entry.status
    figure = f"`{entry.figure}`" if entry.figure else ""
    what = f"{fact.quantity} ({place})"
    return [fact.id, what, entry.paper, entry.ours, entry.difference, status, entry.why, figure]


def make_facts_table(entries, papers, is_chosen):
    """Return the table of chosen entries of some papers; no names stand for all of them."""
    known = {entry.fact.paper for entry in entries}
    for paper in papers:
        if paper not in known:
            raise UserError(f"expected papers of facts.csv, got {paper!r}")
    headers = ["fact", "what", "paper", "ours", "difference", "", "why, remark", "figure"]
    rows = [
        format_entry(entry)
        for entry in entries
        if is_chosen(entry) and (not papers or entry.fact.paper in papers)
    ]
    return format_table(headers, rows)


def make_summary(entries):
    """Return the table of how many results of each paper have which status."""
    results = [entry for entry in entries if entry.fact.kind == RESULT]
    papers = list(dict.fromkeys(entry.fact.paper for entry in results))
    rows = []
    for name in [*papers, "all"]:
        own = [entry for entry in results if name in ("all", entry.fact.paper)]
        counts = [sum(entry.status == status for entry in own) for status in STATUSES]
        rows.append([name, len(own), *[count or "" for count in counts]])
    return format_table(["paper", "results", *STATUSES], rows)


def make_runs(ledger):
    """Return the table of what made the numbers of each figure."""
    made = {}
    for answer in ledger.answers:
        made[answer.figure] = [f"`{answer.options}`" if answer.options else "", answer.version, answer.commit]
    rows = [[f"`{name}`", *made[name]] for name in ledger.figures if name in made]
    return format_table(["figure", "options", "version", "commit"], rows)


def make_table(words, ledger, entries):
    """Return the table that the words of a block stand for."""
    kind, *papers = words
    if kind == "summary":
        return make_summary(entries)
    if kind == "runs":
        return make_runs(ledger)
    if kind == "answered":
        return make_facts_table(entries, papers, lambda entry: entry.figure)
    if kind == "missing":
        return make_facts_table(entries, papers, lambda entry: not entry.figure)
    if kind == "all":
        return make_facts_table(entries, papers, lambda entry: True)
    raise UserError(f"expected summary, runs, answered, missing or all, got {kind!r}")


def renew(text, ledger, entries):
    """Return the text of a page with all its tables of facts as they should be."""
    return BLOCK.sub(
        lambda found: found.group(1)
        + make_table(found.group(2).split() or [""], ledger, entries)
        + found.group(3),
        text,
    )


def renew_pages(docs, ledger):
    """Return {page: text} of the pages whose tables are not current; raises UserError naming one."""
    entries = ledger.get_entries()
    changed = {}
    for page in sorted(docs.glob("*.md")):
        text = read_text(page)
        try:
            renewed = renew(text, ledger, entries)
        except UserError as error:
            raise UserError(f"{page}: {error}") from None
        if renewed != text:
            changed[page] = renewed
    return changed


def write_pages(changed):
    """Write pages that renew_pages() returned; returns their paths."""
    return [write_text(page, text) for page, text in changed.items()]
