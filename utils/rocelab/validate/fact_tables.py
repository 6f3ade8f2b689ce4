# SPDX-License-Identifier: GPL-2.0-only
"""The tables of facts in docs/, README.md and examples/: what papers state beside what we measured.

A table stands between "<!-- facts: WORDS -->" and "<!-- end of facts -->". The first word chooses
it: `counts` is a sentence about all results, `predictions` counts by paper what the model predicts,
`summary` all statuses, `chosen` lists the constants that were chosen with a result in view, `runs` what made the numbers. `answered`, `missed`,
`missing` and `all` may name papers and give a row per fact: those that a figure answers, predictions
first; those of them that are missed; the others; all in the order of the facts. `figure NAME` gives a
row per fact that a figure answers, `group NAME` a row per figure of a folder of examples/ with counts. `peers` has a row
per number of others of the named kinds, misses first, `kinds` counts them, and `figures` has a row per figure with a miss.
"""

import re

from rocelab.errors import UserError
from rocelab.files import read_text, write_text
from rocelab.validate.examples import EXAMPLES, get_title, list_figures
from rocelab.validate.facts import RESULT
from rocelab.validate.ledger import (
    FITTED,
    MISSED,
    NO_COMPARISON,
    PREDICTED,
    SAME,
    SELECTED,
    STATUSES,
    count_predictions,
    count_statuses,
)
from rocelab.validate.scoreboard import (
    FIGURE_HEADERS,
    HEADERS,
    KIND_HEADERS,
    count_figures,
    count_kinds,
    list_peers,
    read_peers,
    read_seconds,
)

KINDS = "counts predictions summary chosen runs answered missed missing all figure group peers kinds figures".split()
OTHER = "other"  # Classes of facts that are neither fitted, selected nor predicted.
BLOCK = re.compile(r"(<!-- facts: ([^\n]*?) -->\n).*?(<!-- end of facts -->)", re.DOTALL)


def format_table(headers, rows):
    """Return a Markdown table."""
    lines = [headers, ["---"] * len(headers), *rows]
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "".join("| " + " | ".join(line) + " |\n" for line in cells).replace("  |", " |")


def format_status(entry):
    """Return the cell of a status; of a miss and of a repeated number with the class."""
    known_class = entry.source.evidence_class
    if entry.status == MISSED:
        return f"**{MISSED}** ({known_class})"
    if entry.status == SAME:
        return f"{known_class}, counted with {entry.source.same_as}"
    return entry.status


def format_entry(entry):
    """Return the cells of a fact: id, what the paper states, ours, and how it came out."""
    fact, source = entry.fact, entry.source
    place = ", ".join(part for part in (fact.where, fact.condition) if part)
    figure = f"`{source.figure}`" if source.figure else ""
    evidence = source.evidence
    if source.constants:
        evidence += f" [{'; '.join(source.constants)}]"
    what = f"{fact.quantity} ({place})"
    numbers = [entry.paper, entry.ours, entry.difference]
    return [fact.id, what, *numbers, format_status(entry), evidence, source.why, figure]


def make_facts_table(entries, papers, is_chosen):
    """Return the table of chosen entries of some papers; no names stand for all of them."""
    known = {entry.fact.paper for entry in entries}
    for paper in papers:
        if paper not in known:
            raise UserError(f"expected papers of facts.csv, got {paper!r}")
    numbers = ["paper", "ours", "difference"]
    headers = ["fact", "what", *numbers, "class", "evidence [chosen]", "why, remark", "figure"]
    rows = [
        format_entry(entry)
        for entry in entries
        if is_chosen(entry) and (not papers or entry.fact.paper in papers)
    ]
    return format_table(headers, rows)


def format_counts(counts):
    """Return the table of counts of ledger.py, with empty cells for zeros."""
    headers, rows = counts
    return format_table(headers, [[cell or "" for cell in row] for row in rows])


def make_sentence(entries):
    """Return the line that counts all results, those that figures answer, and the predictions."""
    results, predictions, close, bounds = count_predictions(entries)[1][-1][1:5]
    papers = len({entry.fact.paper for entry in entries})
    answered = sum(entry.fact.kind == RESULT and entry.source.figure != "" for entry in entries)
    return (
        f"{papers} papers state {results:,} results, and figures of RoceLab answer {answered:,} of them."
        f" {close + bounds} of {predictions} independent predictions are within 10 %, or meet the paper's bound or statement.\n"
    )


def make_runs(ledger):
    """Return the table of what made the numbers of each figure."""
    made = {}
    for answer in ledger.answers:
        made[answer.figure] = [f"`{answer.options}`" if answer.options else "", answer.version, answer.commit]
    rows = [[f"`{name}`", *made[name]] for name in ledger.figures if name in made]
    return format_table(["figure", "options", "version", "commit"], rows)


def make_chosen(ledger):
    """Return the table of constants, conditions and criteria: the facts that each enters, by class."""
    rows = []
    own = [source for source in ledger.sources.values() if not source.same_as]
    for name in dict.fromkeys(name for source in own for name in source.constants):
        facts = {known: [] for known in (FITTED, SELECTED, OTHER, PREDICTED)}
        for source in own:
            if name in source.constants:
                known = source.evidence_class
                facts[known if known in facts else OTHER].append(source.fact)
        rows.append([f"`{name}`" if "::" in name else name, *map(", ".join, facts.values())])
    return format_table(["chosen", "fitted facts", "selected facts", "other facts", "predictions"], rows)


def make_figure_table(entries, figure):
    """Return the table of what papers state about a figure, as its README has it."""
    own = [entry for entry in entries if entry.source.figure == figure]
    if not own:
        raise UserError(f"expected a figure that answers facts, got {figure!r}")
    rows = []
    for entry in own:
        fact = entry.fact
        place = ", ".join(part for part in (fact.where, fact.condition) if part)
        numbers = [entry.paper, entry.ours, entry.difference]
        chosen = "; ".join(f"`{name}`" if "::" in name else name for name in entry.source.constants)
        status = f"{format_status(entry)} [{chosen}]" if chosen else format_status(entry)
        rows.append([f"{fact.quantity} ({place})", *numbers, status, entry.source.why])
    headers = ["stated", "paper", "ours", "difference", "class [chosen]", "why, remark"]
    return format_table(headers, rows)


def make_group_table(entries, group, examples):
    """Return the table of a group's figures: what they show, and how many results are met and missed."""
    rows = []
    for name in list_figures(examples):
        if name.partition("/")[0] != group:
            continue
        own = [entry for entry in entries if entry.source.figure == name and entry.fact.kind == RESULT]
        counted = [sum(entry.status == status for entry in own) for status in (PREDICTED, NO_COMPARISON, MISSED)]
        predicted, no_comparison, missed = counted
        folder = name.partition("/")[2]
        counts = [len(own), predicted, len(own) - sum(counted), no_comparison, missed]
        rows.append([f"[{folder}]({folder}/README.md)", get_title(name, examples), *(n or "" for n in counts)])
    if not rows:
        raise UserError(f"expected a group of figures, got {group!r}")
    headers = ["figure", "shows", "results", "predicted", "met otherwise", NO_COMPARISON, MISSED]
    return format_table(headers, rows)


def make_table(words, ledger, entries, examples=EXAMPLES):
    """Return the Markdown table that some words stand for; the first is one of KINDS."""
    kind, *papers = words
    if kind == "counts":
        return make_sentence(entries)
    if kind == "predictions":
        return format_counts(count_predictions(entries))
    if kind == "summary":
        return format_counts(count_statuses(entries))
    if kind == "chosen":
        return make_chosen(ledger)
    if kind == "runs":
        return make_runs(ledger)
    if kind == "answered":
        ordered = sorted(entries, key=lambda entry: STATUSES.index(entry.status))
        return make_facts_table(ordered, papers, lambda entry: entry.source.figure)
    if kind == "missed":
        return make_facts_table(entries, papers, lambda entry: entry.status == MISSED)
    if kind == "missing":
        return make_facts_table(entries, papers, lambda entry: not entry.source.figure)
    if kind == "all":
        return make_facts_table(entries, papers, lambda entry: True)
    if kind == "peers":
        return format_table(HEADERS, list_peers([row for row in read_peers(ledger.folder) if row.kind in papers]))
    if kind == "figures":
        rows = count_figures(ledger, read_seconds(ledger.folder))
        return format_table(FIGURE_HEADERS, [row for row in rows if row[1] != "0"])
    if kind == "kinds":
        return format_table(KIND_HEADERS, count_kinds(read_peers(ledger.folder), entries))
    if kind == "figure":
        return make_figure_table(entries, " ".join(papers))
    if kind == "group":
        return make_group_table(entries, " ".join(papers), examples)
    raise UserError(f"expected one of {', '.join(KINDS)}, got {kind!r}")


def renew(text, ledger, entries, examples):
    """Return the text of a page with all its tables of facts as they should be."""
    return BLOCK.sub(
        lambda found: found.group(1)
        + make_table(found.group(2).split() or [""], ledger, entries, examples)
        + found.group(3),
        text,
    )


def renew_pages(docs, ledger):
    """Return {page: text} of the pages whose tables are not current; raises UserError naming one.

    The pages are those of docs, and README.md and those of examples/ beside this folder, if they exist.
    """
    entries = ledger.get_entries()
    changed = {}
    top = docs.resolve().parent
    examples = top / "examples"
    pages = [*top.glob("README.md"), *sorted(docs.rglob("*.md")), *sorted(examples.glob("**/README.md"))]
    for page in pages:
        text = read_text(page)
        try:
            renewed = renew(text, ledger, entries, examples)
        except UserError as error:
            raise UserError(f"{page}: {error}") from None
        if renewed != text:
            changed[page] = renewed
    return changed


def write_pages(changed):
    """Write pages that renew_pages() returned; returns their paths."""
    return [write_text(page, text) for page, text in changed.items()]
