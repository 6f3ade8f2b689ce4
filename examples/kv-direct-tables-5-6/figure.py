# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Tables 5 and 6: the optimal load dispatch ratio and what it gains, by the formula.

Source: KV-Direct (SOSP 2017), sections 3.3.4 and 6.3.1. Beside it the best ratio of the board as the
simulated processor has it.
"""

from rocelab import kv, testbed
from rocelab.checks import compare
from rocelab.errors import UserError
from rocelab.figure import Option

# Rows and columns of both tables; the facts stand in this order.
THROUGHPUT_RATIOS = (0.5, 1, 2, 4, 8)
MEMORY_RATIOS = tuple(1 / 4**power for power in (5, 4, 3, 2, 1, 0))
KEYS = 10**9  # Table 5: a corpus of a billion keys.
FIRST_SHARE, FIRST_GAIN = 550, 580  # Facts of the first cells.
FORMULA, MEASURED = "formula", "measured"

OPTIONS = {
    "ratios": Option("0.2,0.4,0.5,0.6,0.8,1", "0.3,0.5", "dispatch ratios measured"),
    "operations": Option("50000", "20000", "that are measured, of each ratio"),
    "memory": Option("8", "4", "MiB of the store"),
}

PAPER = [
    {
        "sources": [f"KV-Direct-{FIRST_SHARE}", "KV-Direct-579"],
        "where": "Section 6.3.1, Table 5",
        "statement": "the optimal share, from 0.327 to 1, a billion long-tail keys",
    },
    {
        "sources": [f"KV-Direct-{FIRST_GAIN}", "KV-Direct-609"],
        "where": "Section 6.3.1, Table 6",
        "statement": "throughput over that of a simple partition, 1.01 to 7.99",
    },
    {
        "sources": ["KV-Direct-394"],
        "where": "Section 3.3.4",
        "statement": "the hit probability is as high as 0.7 with 1M cache in 1G corpus",
    },
]


def solve(context):
    """Return the cells {(throughput ratio, memory ratio): row of `rocelab kv-dispatch`}."""
    rows = context.run_command(
        [
            "kv-dispatch",
            "--throughput",
            ",".join(map(repr, THROUGHPUT_RATIOS)),
            "--memory",
            ",".join(map(repr, MEMORY_RATIOS)),
            "--keys",
            KEYS,
        ]
    )
    return {(row["throughputRatio"], row["memoryRatio"]): row for row in rows}


def make_panel(label, unit, key, cells):
    """Return the panel of one table: a line per throughput ratio."""
    series = {
        f"DRAM {throughput:g}x PCIe": [
            [memory, cells[throughput, memory][key]] for memory in reversed(MEMORY_RATIOS)
        ]
        for throughput in THROUGHPUT_RATIOS
    }
    return {
        "x": {"label": "DRAM / host memory", "unit": "", "scale": "log"},
        "y": {"label": label, "unit": unit, "scale": "linear"},
        "series": series,
    }


def read_ratios(text):
    """Return the option ratios as numbers."""
    try:
        ratios = sorted({float(word) for word in text.split(",")})
    except ValueError:
        ratios = []
    if not ratios or not all(0 < ratio <= 1 for ratio in ratios):
        raise UserError(f"option ratios: expected numbers above 0 up to 1, got {text!r}")
    return ratios


def measure(context, ratios):
    """Return the panel of the board: GETs by dispatch ratio, and where the formula has its best."""
    series = {}
    for popularity, theta in kv.THETAS.items():
        more = {
            "zipf": theta,
            "memory": f"{context.options['memory']}MiB",
            "operations": context.options["operations"],
        }
        series[f"{popularity}, {MEASURED}"] = [
            [ratio, kv.run_processor(context, dispatch=ratio, **more)["mops"]] for ratio in ratios
        ]
        found = kv.run_processor(context, **more)
        series[f"{popularity}, {FORMULA}'s ratio"] = [[found["dispatchRatio"], found["mops"]]]
    return {
        "x": {"label": "Load dispatch ratio, 1/16", "unit": ""},
        "y": {"label": "GETs", "unit": "Mops", "scale": "linear"},
        "series": series,
    }


def make_checks(cells):
    """Return the rows of validation, 61 of them."""
    rows = []
    for first, key, what in (
        (FIRST_SHARE, "share", "share"),
        (FIRST_GAIN, "relativeThroughput", "gain"),
    ):
        for place, (throughput, memory) in enumerate(
            (throughput, memory) for throughput in THROUGHPUT_RATIOS for memory in MEMORY_RATIOS
        ):
            name = f"{what}, DRAM {throughput:g}x PCIe, 1/{1 / memory:g} of memory"
            value = cells[throughput, memory][key]
            rows.append(compare(name, value, [f"KV-Direct-{first + place}"]))
    # All may be cached there: the formula's hit probability of a cache of a 1,024th.
    hits = cells[8, MEMORY_RATIOS[0]]
    rows.append(
        compare("hits, cache of 1/1024", hits["hitShare"] if hits["share"] == 1 else None, ["KV-Direct-394"])
    )
    return rows


def run(context):
    """Solve the formula, measure the board's ratio, and write the figure."""
    ratios = read_ratios(context.options["ratios"])
    testbed.read_number(context.options, "memory", 1, 16384)
    cells = solve(context)
    panels = [
        make_panel("Optimal share (Table 5)", "", "share", cells),
        make_panel("Gain (Table 6)", "x partition", "relativeThroughput", cells),
        measure(context, ratios),
    ]
    settings = {"keys": KEYS, "measured": "8 MiB, DRAM 1/16, pairs of 10 B"}
    kv.finish(context, panels, make_checks(cells), PAPER, settings)
