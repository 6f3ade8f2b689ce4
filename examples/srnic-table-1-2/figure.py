# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Tables 1 and 2: on-chip memory of a NIC for 10,000 queue pairs, structure by structure.

Source: SRNIC (NSDI 2023), sections 3.2, 4.3.1, 4.6, 5 and 6.1. The engine derives the bytes from
the configuration of each design (docs/nic-memory.md); nothing is simulated.
"""

from rocelab import style
from rocelab.canvas import Canvas
from rocelab.table import divide, format_number, format_table

MEGABYTE = 2**20  # SRNIC footnote 1.
GIGABYTE = 2**30

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
    ("Table 2", BUILT, None, 4.4, "SRNIC-065"),
]

# Sizes that the configuration takes from the paper, so that they match by construction.
INPUTS = ("SRNIC-031", "SRNIC-033", "SRNIC-062", "SRNIC-063")

# (offset, key of a row, legend, color)
BARS = ((-0.2, "ours_mb", "ours", style.BLUE), (0.2, "paper_mb", "paper", style.ORANGE))

PAPER = [
    {
        "sources": ["SRNIC-002"],
        "where": "Section 6.1",
        "statement": "10 K queue pairs / 4.4 MB are 18 times the 256 / 2 MB of ConnectX-5",
    },
    {
        "sources": ["SRNIC-057", "SRNIC-061"],
        "where": "Table 2 and footnote 5",
        "statement": "alignment makes 2.3 MB of 2.0 MB of contexts, by a rule that is not printed",
    },
]


def read_accounts(context):
    """Return {column: {structure: bytes}} and the JSON of srnic and connectx5."""
    reports = {
        nic: context.run_command(["list", "memory", "--nic", nic, "--json"])
        for nic in (CONCEPTUAL, "srnic", "connectx5")
    }
    columns = {}
    for column, nic, key in (
        (CONCEPTUAL, CONCEPTUAL, "conceptual_bytes"),
        (OPTIMISED, "srnic", "design_bytes"),
        (BUILT, "srnic", "built_bytes"),
    ):
        columns[column] = {line["name"]: line[key] for line in reports[nic]["structures"]}
    return columns, reports


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


def draw_bars(data):
    """Return the picture: a pair of bars, ours and the paper's, for each row of each column."""
    columns = list(dict.fromkeys(row["column"] for row in data["rows"]))
    with style.paper():
        canvas = Canvas(
            style.PAGE_WIDTH,
            1.3 * style.PANEL_HEIGHT,
            columns=len(columns),
            legend=["ours", "paper"],
        )
        for axes, column in zip(canvas.panels, columns):
            rows = [row for row in data["rows"] if row["column"] == column and row["paper_mb"]]
            places = range(len(rows))
            for offset, key, name, color in BARS:
                heights = [row[key] for row in rows]
                places_of = [place + offset for place in places]
                axes.bar(places_of, heights, 0.4, color=color, label=name)
            axes.set_yscale("log")
            heights = [height for row in rows for _, key, _, _ in BARS if (height := row[key])]
            style.label_log_axis(axes.yaxis, max(heights) / min(heights))
            names = [row["structure"].split(" + ")[0] for row in rows]
            axes.set_xticks(list(places), names, rotation=60, ha="right")
            axes.set_title(column)
        canvas.panels[0].set_ylabel(style.get_axis_label(data["y"]))
        canvas.add_legend()
        return canvas.figure


def run(context):
    """Ask the engine for the accounts, print them beside the paper's, write the figure."""
    columns, reports = read_accounts(context)
    rows = make_rows(columns)
    print(format_rows(rows))
    srnic = reports["srnic"]
    contexts = next(s for s in srnic["structures"] if s["name"] == "queue pair contexts")
    print("\nContexts by alignment, MB (the paper: 2.3):")
    for rule, number in contexts["aligned_bytes"].items():
        print(f"  {rule}: {number / MEGABYTE:.2f}")
    ratios = srnic["ratio_to_connectx5"]
    print(
        "\nPerformant queue pairs per MB, times ConnectX-5: "
        f"{ratios['published']:.1f} with 4.4 MB, {ratios['built']:.1f} with ours; the paper: 18"
    )
    series = {
        key: [[index, row[f"{key}_mb"]] for index, row in enumerate(rows)]
        for key in ("ours", "paper")
    }
    context.write_figure(
        {"label": "Structure", "unit": ""},
        {"label": "On-chip memory", "unit": "MB"},
        series,
        PAPER,
        plot=draw_bars,
        rows=rows,
        ratio_to_connectx5=ratios,
        context_bytes_by_alignment=contexts["aligned_bytes"],
        contexts_that_fit_connectx5=reports["connectx5"]["contexts_that_fit"],
    )
