# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Tables 1 and 2: on-chip memory of a NIC for 10,000 queue pairs, structure by structure.

Source: SRNIC (NSDI 2023), sections 3.2, 4.3.1, 4.6, 5 and 6.1. memory.py derives the bytes from the
sizes of each design (docs/models/srnic.md); nothing is simulated.
"""

from rocelab.draw import scales, style
from rocelab.draw.canvas import Canvas
from rocelab.terminal.table import divide, format_number, format_table
from rocelab.validate import checks
from rocelab.validate.facts import get_fact

from .. import memory
from ...common.fpga import ALIGNMENTS

MEGABYTE = memory.MIB
GIGABYTE = memory.GIB

CONCEPTUAL = "conceptual"
OPTIMISED = "srnic"
BUILT = "srnic as built"

# (table, column, structures of the account that the row sums, what the paper prints in MB, source)
PAPER_ROWS = [
    ("Table 1", CONCEPTUAL, ("receiving buffer",), 0.6, "SRNIC-031"),
    ("Table 1", CONCEPTUAL, ("queue pair contexts",), 2.0, "SRNIC-032"),
    ("Table 1", CONCEPTUAL, ("translation table",), 8, "SRNIC-023"),
    ("Table 1", CONCEPTUAL, ("WQE cache",), 9.8, "SRNIC-034"),
    ("Table 1", CONCEPTUAL, ("bitmaps",), 3.0, "SRNIC-035"),
    ("Table 1", CONCEPTUAL, ("reordering buffer",), 4.9 * GIGABYTE / MEGABYTE, "SRNIC-036"),
    ("Table 1", CONCEPTUAL, ("outstanding request table",), 114.4, "SRNIC-037"),
    ("Table 1", OPTIMISED, ("receiving buffer",), 0.6, "SRNIC-031"),
    ("Table 1", OPTIMISED, ("queue pair contexts",), 2.0, "SRNIC-032"),
    ("Table 1", OPTIMISED, ("translation table",), 1.2, "SRNIC-033"),
    ("Table 1", OPTIMISED, ("WQE cache",), 0, "SRNIC-034"),
    ("Table 1", OPTIMISED, ("bitmaps",), 0, "SRNIC-035"),
    ("Table 1", OPTIMISED, ("reordering buffer",), 0, "SRNIC-036"),
    ("Table 1", OPTIMISED, ("outstanding request table",), 0, "SRNIC-037"),
    ("section 4.3.1", OPTIMISED, ("schedule queue",), 19.5 / 1024, "SRNIC-047"),
    ("Table 2", BUILT, ("queue pair contexts",), 2.3, "SRNIC-061"),
    ("Table 2", BUILT, ("translation table",), 1.2, "SRNIC-062"),
    ("Table 2", BUILT, ("receiving buffer",), 0.6, "SRNIC-063"),
    ("Table 2", BUILT, ("schedule queue", "scheduler's bursts"), 0.3, "SRNIC-064"),
    ("Table 2", BUILT, None, get_fact("SRNIC-010").value, "SRNIC-065"),
]

# What the paper prints of one queue pair, or of one of two caches: (structure, share of it in MB, fact). The
# sizes of one queue pair are in KB.
PARTS = (
    ("WQE cache", 1 / 2, "SRNIC-025"),  # Send queues; receive queues have as much.
    ("reordering buffer", 1 / memory.QUEUE_PAIRS, "SRNIC-029"),
    ("outstanding request table", 1024 / memory.QUEUE_PAIRS, "SRNIC-038"),
)

# Sizes that the configuration takes from the paper, so that they match by construction.
INPUTS = ("SRNIC-031", "SRNIC-033", "SRNIC-062", "SRNIC-063")

TITLES = {CONCEPTUAL: "Conceptual design", OPTIMISED: "SRNIC", BUILT: "SRNIC as built"}
# Key of a row, legend, colour, marker, its size: ours lies within the paper's where they agree.
MARKS = (
    ("paper_mb", "paper", style.ORANGE, "s", 7.5),
    ("ours_mb", "ours", style.BLUE, "o", 4.5),
)


def count_columns():
    """Return {column: {structure: bytes}}."""
    return {
        CONCEPTUAL: memory.count_bytes(memory.list_conceptual()),
        OPTIMISED: memory.count_bytes(memory.list_srnic()),
        BUILT: memory.count_bytes(memory.list_srnic(), "block-ram"),
    }


def make_rows(columns):
    """Return the rows that set ours beside the paper's, all in MB."""
    rows = []
    for where, column, structures, paper, source in PAPER_ROWS:
        bytes_of = columns[column]
        parts = bytes_of if structures is None else structures
        ours = sum(bytes_of[name] for name in parts) / MEGABYTE
        rows.append(
            {
                "where": where,
                "column": column,
                "structure": "total" if structures is None else " + ".join(structures),
                "ours_mb": ours,
                "paper_mb": paper,
                "difference": divide(ours - paper, paper),
                "is_input": source in INPUTS,
                "source": source,
            }
        )
    return rows


def make_comparison(columns, rows, fits):
    """Return the rows of validation: each line of the tables, and what the paper prints beside them."""
    comparison = []
    for row in rows:
        if row["paper_mb"]:
            what = f"{row['where']}, {row['column']}: {row['structure']}"
            unit = get_fact(row["source"]).unit
            scale = {"MB": 1, "GB": 1 / 1024, "KB": 1024}[unit]
            facts = [row["source"], "SRNIC-010"] if row["structure"] == "total" else [row["source"]]
            comparison.append(checks.compare(f"{what}, {unit}", scale * row["ours_mb"], facts))
    for name, share, fact in PARTS:
        what = f"{name}, a part, {get_fact(fact).unit}"
        comparison.append(checks.compare(what, share * columns[CONCEPTUAL][name] / MEGABYTE, [fact]))
    kept = sum(columns[OPTIMISED][name] for name in memory.REPLACED)
    comparison.append(checks.check("structures that go, bytes", "0", f"{kept:,}", kept == 0, ["SRNIC-702"]))
    comparison.append(checks.compare("contexts that fit into ConnectX-5", fits, ["SRNIC-020"]))
    return comparison


def format_rows(rows):
    """Return the table that the command prints."""
    lines = [
        [
            row["structure"] + ("*" if row["is_input"] else ""),
            row["column"],
            format_number(row["ours_mb"]),
            format_number(row["paper_mb"]),
            "-" if row["difference"] is None else f"{100 * row['difference']:+.1f} %",
            row["where"],
            row["source"],
        ]
        for row in rows
    ]
    headers = ["structure", "column", "ours\nMB", "paper\nMB", "difference", "where", "fact"]
    note = "* an input of the configuration: it matches by construction"
    return format_table(headers, lines) + "\n\n" + note


def get_structure_label(row):
    """Return a row's structure as the picture calls it, by its largest part."""
    return row["structure"].split(" + ")[0]


def draw(data):
    """Return the picture: a panel per column, a line per structure, ours on the paper's."""
    rows = data["rows"]
    columns = list(dict.fromkeys(row["column"] for row in rows))
    names = list(dict.fromkeys(get_structure_label(row) for row in rows))
    with style.paper():
        canvas = Canvas(
            style.PAGE_WIDTH,
            style.PANEL_HEIGHT,
            columns=len(columns),
            legend=[label for _, label, _, _, _ in MARKS],
            notes=["0: kept in no memory of the chip, here and in the paper. Empty: not in the table."],
            sharex=True,
            sharey=True,
        )
        for axes, column in zip(canvas.panels, columns):
            draw_column(axes, [row for row in rows if row["column"] == column], names)
            axes.set_title(TITLES[column])
            axes.set_xlabel(style.get_axis_label(data["y"]))
        scales.label_log_axis(canvas.panels[0].xaxis)
        canvas.panels[0].set_yticks(range(len(names)), names)
        canvas.panels[0].invert_yaxis()
        canvas.add_legend()
        return canvas.figure


def draw_column(axes, rows, names):
    """Draw the marks of one column of the tables, and a 0 where a log axis has no place for it."""
    for key, label, color, marker, size in MARKS:
        marks = [(row[key], names.index(get_structure_label(row))) for row in rows if row[key]]
        look = {"color": color, "marker": marker, "markersize": size, "markeredgecolor": "white"}
        axes.plot(*zip(*marks), linestyle="none", label=label, **look)
    for row in rows:
        if not row["ours_mb"] and not row["paper_mb"]:
            place = (0.02, names.index(get_structure_label(row)))
            axes.text(*place, "0", transform=axes.get_yaxis_transform(), va="center")
    axes.set_xscale("log")
    axes.grid(True, axis="both")


def run(context):
    """Count the memory of the designs, print it beside the paper's, write the figure."""
    columns = count_columns()
    rows = make_rows(columns)
    print(format_rows(rows))
    contexts = next(part for part in memory.list_srnic() if part.name == "queue pair contexts")
    aligned = {rule: contexts.count_bytes(rule) for rule in ALIGNMENTS}
    print("\nContexts by alignment, MB (the paper: 2.3):")
    for rule, number in aligned.items():
        print(f"  {rule}: {number / MEGABYTE:.2f}")
    totals = {"published": memory.STATED_BYTES, "built": sum(columns[BUILT].values())}
    ratios = {name: memory.compare_with_connectx5(total) for name, total in totals.items()}
    fits = memory.CONNECTX5_BYTES // memory.CONNECTX5_CONTEXT_BYTES  # Equation 1.
    print(
        "\nPerformant queue pairs per MB, times ConnectX-5: "
        f"{ratios['published']:.1f} with 4.4 MB, {ratios['built']:.1f} with ours; the paper: 18"
    )
    comparison = make_comparison(columns, rows, fits)
    comparison.append(checks.compare("queue pairs per MB, times ConnectX-5", ratios["built"], ["SRNIC-002"]))
    print("\n" + checks.format_rows(comparison))
    series = {
        key: [[index, row[f"{key}_mb"]] for index, row in enumerate(rows)]
        for key in ("ours", "paper")
    }
    context.write_figure(
        {"label": "Structure", "unit": ""},
        {"label": "On-chip memory", "unit": "MB"},
        series,
        plot=draw,
        rows=rows,
        comparison=comparison,
        ratio_to_connectx5=ratios,
        context_bytes_by_alignment=aligned,
        contexts_that_fit_connectx5=fits,
    )
