# SPDX-License-Identifier: GPL-2.0-only
"""rocelab benchmark: the command."""

import os
import resource
from pathlib import Path

from rocelab.files import make_folder
from rocelab.places import find_build
from rocelab.runs.engine import list_presets
from rocelab.terminal.parser import make_examples, read_whole
from rocelab.terminal.process import load_matplotlib
from rocelab.terminal.table import format_table

NAME = "benchmark"
MAX_JOBS = 65536


def add_options(commands):
    """Add the command to a parser's sub-commands."""
    cores = len(os.sched_getaffinity(0))
    parser = commands.add_parser(
        NAME,
        help="score NIC designs in fixed scenarios",
        description="Run NIC designs in the fixed scenarios of examples/benchmark and write one page of scores.",
        epilog=make_examples(
            "benchmark srnic uet --quick       two designs, in half a minute",
            "benchmark                         all presets",
            "benchmark my-nic.json --plugin my-window.so",
        ),
    )
    parser.set_defaults(run=run_benchmark)
    add = parser.add_argument
    add("designs", nargs="*", metavar="DESIGN", help="presets, and JSON files with an entry of nics (default: all presets)")
    add("--quick", action="store_true", help="shorter scenarios, one seed")
    add("--scenario", action="append", default=[], metavar="NAME", help="only this scenario; may be repeated")
    add("--out", default="results", help="results folder (default: %(default)s)")
    add("--plugin", action="append", default=[], metavar="FILE", help="shared library to load; may be repeated")
    add("--jobs", type=read_whole(1, MAX_JOBS), default=cores, metavar="N", help=f"cores to use (default: {cores})")
    add("--build", default=find_build(), help="build folder (default: %(default)s)")


def run_benchmark(options):
    """Carry out the command; returns (exit status, paths written)."""
    load_matplotlib()
    from rocelab.benchmark.measure import measure_all
    from rocelab.benchmark.page import format_score, make_rows, write_results
    from rocelab.benchmark.suite import read_designs, read_suite, select_scenarios

    suite = read_suite()
    scenarios = select_scenarios(suite, options.scenario)
    designs = read_designs(options.designs, list_presets(options.build))
    out = Path(options.out) / (f"{NAME}-quick" if options.quick else NAME)
    make_folder(out)
    plugins = [os.path.abspath(plugin) for plugin in options.plugin]

    def report(cell):
        print(f"{cell.design}: {cell.scenario} {format_score(cell)}", flush=True)

    cells = measure_all(scenarios, designs, out, options.build, options.quick, plugins, options.jobs, report)
    print("\n" + format_table(*make_rows(cells)))
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = {"cpu_seconds": round(spent.ru_utime + spent.ru_stime)}
    return 0, write_results(suite, scenarios, cells, out, options.build, options.quick, made)
