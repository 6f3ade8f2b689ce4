# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Table 3: logic, memory and registers of both versions, and block RAMs over the number of queue pairs.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, sections 6.1 and 7. resources.py counts; nothing is
simulated.
"""

from rocelab.errors import UserError
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import resources
from ...common.fpga import format_resources

MOST_QUEUE_PAIRS = 16_000  # Section 6.1.
BITS_PER_BLOCK = 36 * 1024

OPTIONS = {
    "qps": Option("500,1000,2000,4000,8000,16000", "500,16000", "queue pairs, up to 16,000"),
    "tlb": Option("16384", "16384", "entries of the TLB"),
    "widths": Option("8,64", "8,64", "widths of the data path in bytes: 8, 16, 32, 64"),
}


def read_widths(options):
    """Return the widths; raises UserError."""
    widths = read_numbers(options, "widths", resources.WIDTHS[0], resources.WIDTHS[-1])
    if not set(widths) <= set(resources.WIDTHS):
        raise UserError(f"option widths: expected some of 8, 16, 32 and 64, got {options['widths']!r}")
    return widths


def format_growth():
    """Return the line about the memory of section 6.1, where the paper prints two rounded shares."""
    first, last = (get_fact(fact).value for fact in ("StRoM-135", "StRoM-137"))
    queue_pairs = MOST_QUEUE_PAIRS - resources.QUEUE_PAIRS
    bits = (last - first) / 100 * resources.VIRTEX7_BLOCKS * BITS_PER_BLOCK / queue_pairs
    ours = sum(resources.QUEUE_PAIR_TABLES.values())
    return (
        f"Bits per queue pair: {ours}; the paper: {bits:.0f}, from {first:g} % of the memory with 500 queue pairs and"
        f" {last:g} % with 16,000 (StRoM-135, StRoM-137)"
    )


def run(context):
    """Count for all widths and queue pairs, print the tables, draw the block RAMs."""
    counts = read_numbers(context.options, "qps", 1, MOST_QUEUE_PAIRS)
    entries = read_number(context.options, "tlb", 1, 2**20)
    series = {}
    for width in read_widths(context.options):
        modules = {count: resources.list_modules(count, entries, width) for count in counts}
        print(f"{width} B wide, {counts[0]:,} queue pairs, {entries:,} TLB entries")
        print(format_resources(modules[counts[0]], resources.VCU118) + "\n")
        series[f"{width} B"] = [[count, found[-1].blocks] for count, found in modules.items()]
    print(format_growth())
    context.write_figure({"label": "Queue pairs", "unit": ""}, {"label": "Block RAMs of 36 Kb", "unit": ""}, series)
