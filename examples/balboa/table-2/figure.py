# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Table 2: logic, memory and registers module by module, and block RAMs over the number of queue pairs.

Source: RoCE BALBOA, sections 4.1 and 5. resources.py counts; nothing is simulated.
"""

from rocelab.errors import UserError
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import resources
from ...common.fpga import count_blocks, format_resources

OPTIONS = {
    "qps": Option("500,1000,2000,4000,8000,16000", "500,16000", "queue pairs, up to 16,000"),
    "services": Option("aes,dpi", "aes,dpi", "services, one per slot, some of aes and dpi; none"),
}


def read_services(options):
    """Return the names of the services; raises UserError."""
    names = [] if options["services"] == "none" else options["services"].split(",")
    if not set(names) <= set(resources.SERVICES):
        raise UserError(f"option services: expected none, or some of aes and dpi, got {options['services']!r}")
    return names


def format_sources():
    """Return the table of blocks of 18 Kb that the fields of the public sources need, beside the paper's."""
    rows = [
        [name, f"{sum(map(count_blocks, tables))}", f"{resources.read_table_2(resources.STACK[name][0])[1]:g}"]
        for name, tables in resources.SOURCE_TABLES.items()
    ]
    return format_table(["", "public sources\n18 Kb", "Table 2"], rows)


def run(context):
    """Count for all queue pairs, print the tables, draw the block RAMs."""
    counts = read_numbers(context.options, "qps", 1, 16_000)
    services = read_services(context.options)
    modules = {count: resources.list_modules(count, services) for count in counts}
    print(f"{counts[0]:,} queue pairs")
    print(format_resources(modules[counts[0]], resources.U55C) + "\n")
    print(format_sources())
    series = {"balboa": [[count, found[-1].blocks] for count, found in modules.items()]}
    context.write_figure({"label": "Queue pairs", "unit": ""}, {"label": "Block RAMs of 36 Kb", "unit": ""}, series)
