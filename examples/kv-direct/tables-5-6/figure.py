# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Tables 5 and 6: the optimal load dispatch ratio and what it gains, by the formula.

Source: KV-Direct (SOSP 2017), sections 3.3.4 and 6.3.1. The tables are the paper's arithmetic
(printed_tables.py). Beside it are the gain that PCIe allows (measurement kv-dispatch) and the best ratio of the
board as the simulated processor has it.
"""

import itertools

from rocelab.errors import UserError
from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from .. import common, printed_tables

# Rows and columns of both tables; the facts stand in this order.
THROUGHPUT_RATIOS = (0.5, 1, 2, 4, 8)
MEMORY_RATIOS = tuple(1 / 4**power for power in (5, 4, 3, 2, 1, 0))
KEYS = 10**9  # Of the caption, for what PCIe allows; the tables themselves have printed_tables.KEYS.
# Facts of the cells, row by row.
SHARE_FACTS = (
    "KV-Direct-550 KV-Direct-551 KV-Direct-552 "
    "KV-Direct-553 KV-Direct-554 KV-Direct-555 "
    "KV-Direct-556 KV-Direct-557 KV-Direct-558 "
    "KV-Direct-559 KV-Direct-560 KV-Direct-561 "
    "KV-Direct-562 KV-Direct-563 KV-Direct-564 "
    "KV-Direct-565 KV-Direct-566 KV-Direct-567 "
    "KV-Direct-568 KV-Direct-569 KV-Direct-570 "
    "KV-Direct-571 KV-Direct-572 KV-Direct-573 "
    "KV-Direct-574 KV-Direct-575 KV-Direct-576 "
    "KV-Direct-577 KV-Direct-578 KV-Direct-579 "
).split()
GAIN_FACTS = (
    "KV-Direct-580 KV-Direct-581 KV-Direct-582 "
    "KV-Direct-583 KV-Direct-584 KV-Direct-585 "
    "KV-Direct-586 KV-Direct-587 KV-Direct-588 "
    "KV-Direct-589 KV-Direct-590 KV-Direct-591 "
    "KV-Direct-592 KV-Direct-593 KV-Direct-594 "
    "KV-Direct-595 KV-Direct-596 KV-Direct-597 "
    "KV-Direct-598 KV-Direct-599 KV-Direct-600 "
    "KV-Direct-601 KV-Direct-602 KV-Direct-603 "
    "KV-Direct-604 KV-Direct-605 KV-Direct-606 "
    "KV-Direct-607 KV-Direct-608 KV-Direct-609 "
).split()
FORMULA, MEASURED = "formula", "measured"

OPTIONS = {
    "ratios": Option("0.2,0.4,0.5,0.6,0.8,1", "0.3,0.5", "dispatch ratios measured"),
    "operations": Option("50000", "20000", "measured operations of each ratio"),
    "memory": Option("8", "4", "MiB of the store"),
}


def compute_tables():
    """Return the cells of both tables as the paper computed them, {(throughput, memory): {"share", "gain"}}."""
    return {
        (throughput, memory): {
            "share": printed_tables.solve_share(throughput, memory),
            "gain": printed_tables.get_gain(throughput, memory),
        }
        for throughput, memory in itertools.product(THROUGHPUT_RATIOS, MEMORY_RATIOS)
    }


def solve(context):
    """Return {(throughput ratio, memory ratio): row of the measurement kv-dispatch}, PCIe's limit included."""
    rows = context.measure(
        "kv-dispatch", throughput=THROUGHPUT_RATIOS, memory=MEMORY_RATIOS, keys=KEYS
    )
    return {(row["throughput_ratio"], row["memory_ratio"]): row for row in rows}


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
    for popularity, theta in common.THETAS.items():
        more = {
            "zipf": theta,
            "memory": f"{context.options['memory']}MiB",
            "operations": context.options["operations"],
        }
        series[f"{popularity}, {MEASURED}"] = [
            [ratio, common.run_processor(context, dispatch=ratio, **more)["mops"]] for ratio in ratios
        ]
        found = common.run_processor(context, **more)
        series[f"{popularity}, {FORMULA}'s ratio"] = [[found["dispatch_ratio"], found["mops"]]]
    return {
        "x": {"label": "Load dispatch ratio, 1/16", "unit": ""},
        "y": {"label": "GETs", "unit": "Mops", "scale": "linear"},
        "series": series,
    }


def make_checks(tables, limited):
    """Return the rows of validation, 61 of them."""
    rows = []
    places = list(itertools.product(THROUGHPUT_RATIOS, MEMORY_RATIOS))
    for facts, what in ((SHARE_FACTS, "share"), (GAIN_FACTS, "gain")):
        for fact, (throughput, memory) in zip(facts, places):
            name = f"{what}, DRAM {throughput:g}x PCIe, 1/{1 / memory:g} of memory"
            rows.append(compare(name, tables[throughput, memory][what], [fact]))
    # All may be cached there: the formula's hit probability of a cache of a 1,024th.
    hits = limited[8, MEMORY_RATIOS[0]]
    rows.append(
        compare("hits, cache of 1/1024", hits["hit_share"] if hits["cached_share"] == 1 else None, ["KV-Direct-394"])
    )
    return rows


def describe_slips(tables, limited):
    """Return the cells whose printed gain exceeds what PCIe carries by over 10 %, as a text."""
    lines = [
        f"DRAM {throughput:g}x PCIe, 1/{1 / memory:g} of memory: {cell['gain']:.2f} without PCIe's limit,"
        f" {limited[throughput, memory]['relative_throughput']:.2f} with it"
        for (throughput, memory), cell in tables.items()
        if cell["gain"] > 1.1 * limited[throughput, memory]["relative_throughput"]
    ]
    return "\n".join(lines)


def run(context):
    """Compute the tables, measure the board's ratio, and write the figure."""
    ratios = read_ratios(context.options["ratios"])
    read_number(context.options, "memory", 1, 16384)
    tables = compute_tables()
    limited = solve(context)
    print(describe_slips(tables, limited) + "\n")
    panels = [
        make_panel("Optimal share (Table 5)", "", "share", tables),
        make_panel("Gain (Table 6)", "x partition", "gain", tables),
        make_panel("Gain that PCIe allows", "x partition", "relative_throughput", limited),
        measure(context, ratios),
    ]
    settings = {
        "keys of the tables": printed_tables.KEYS,
        "keys of the gain that PCIe allows": KEYS,
        "measured": "8 MiB, DRAM 1/16, pairs of 10 B",
    }
    common.finish(context, panels, make_checks(tables, limited), settings)
