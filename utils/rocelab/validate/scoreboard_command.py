# SPDX-License-Identifier: GPL-2.0-only
"""rocelab scoreboard: the command."""

from rocelab.errors import UserError
from rocelab.places import find_build
from rocelab.terminal.parser import make_examples
from rocelab.terminal.table import format_difference, format_table
from rocelab.validate import scoreboard
from rocelab.validate.facts import VALIDATION
from rocelab.validate.ledger import Ledger

DIFFERENT = 1  # Exit status: a number is not that of the file.


def add_scoreboard(commands):
    """Add the command scoreboard."""
    parser = commands.add_parser(
        "scoreboard",
        help="machines, simulators, a test plan and papers beside ours",
        description="Print what others have measured beside our numbers, misses first, or run rows again.",
        epilog=make_examples(
            "scoreboard                all rows, and the papers by figure",
            "scoreboard --quick        runs one row of each kind again",
            "scoreboard CX5-1 H100-2   runs these rows again",
            "scoreboard --rerun        runs all rows again, in a minute",
        ),
    )
    add = parser.add_argument
    add("rows", nargs="*", metavar="ROW", help="rows to be run again")
    add("--quick", action="store_true", help="run the shortest row of each kind again")
    add("--rerun", action="store_true", help="run all rows again")
    add("--keep", action="store_true", help="store the numbers of these runs in peers.csv")
    add("--validation", metavar="DIR", default=VALIDATION, help="folder of the tables (default: the project's)")
    add("--build", default=find_build(), help="build folder (default: %(default)s)")
    parser.set_defaults(run=run_scoreboard)


def run_scoreboard(options):
    """Carry out the command; returns (exit status, paths written)."""
    is_rerun = bool(options.rows) or options.quick or options.rerun
    if (options.quick or options.rerun) and options.rows or options.quick and options.rerun:
        raise UserError("scoreboard: expected rows, --quick or --rerun, got several of them")
    if options.keep and not is_rerun:
        raise UserError("--keep: expected rows, --quick or --rerun beside it")
    if not is_rerun:
        print_tables(options.validation)
        return 0, []
    pairs = scoreboard.rerun(options.validation, options.build, options.rows, options.quick, print_row)
    differing = [now.id for before, now in pairs if not scoreboard.is_same(before, now)]
    if options.keep:
        return 0, [scoreboard.store(options.validation, pairs)]
    print(f"{len(pairs) - len(differing)} of {len(pairs)} rows have the numbers of {scoreboard.PEERS}")
    if differing:
        print(f"not the numbers of {scoreboard.PEERS}: {', '.join(differing)}")
    return (DIFFERENT if differing else 0), []


def print_row(before, now):
    """Print a row that was run again."""
    known = "new" if before.ours is None else f"{scoreboard.PEERS} {before.ours:.6g}"
    theirs = "nothing to compare with" if now.value is None else f"theirs {scoreboard.format_theirs(now)}"
    if now.difference is not None:
        theirs += f" ({format_difference(now.difference)})"
    print(f"{now.id}: {now.what}: {theirs}, ours {now.ours:.6g}{now.unit and ' ' + now.unit}, {known}", flush=True)


def print_tables(folder):
    """Print what others have measured, then papers by figure."""
    rows = scoreboard.read_peers(folder)
    ledger = Ledger(folder)
    print(format_table(scoreboard.KIND_HEADERS, scoreboard.count_kinds(rows, ledger.get_entries())) + "\n")
    print(format_table(scoreboard.HEADERS, scoreboard.list_peers(rows)) + "\n")
    figures = scoreboard.count_figures(ledger, scoreboard.read_seconds(folder))
    print(format_table(scoreboard.FIGURE_HEADERS, figures))
