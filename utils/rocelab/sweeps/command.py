# SPDX-License-Identifier: GPL-2.0-only
"""rocelab sweep: the command."""

import math
import os
from collections import Counter

from rocelab.errors import UserError
from rocelab.places import find_build
from rocelab.sweeps.gather import write_tables
from rocelab.sweeps.progress import estimate_seconds, measure_rate
from rocelab.sweeps.session import Session, SlurmOptions, is_pending
from rocelab.sweeps.slurm_jobs import POLL_SECONDS
from rocelab.sweeps.store import FAILED, STALLED
from rocelab.sweeps.sweep_file import read_sweep
from rocelab.terminal.parser import make_examples, read_above_zero, read_whole
from rocelab.terminal.process import print_error
from rocelab.terminal.progress import CountLine, format_duration
from rocelab.terminal.table import format_count, format_number, format_table

GOOD = 0
RUNS_FAILED = 1
FLOWS_STALLED = 3
INTERRUPTED = 130
MAX_JOBS = 65536
MAX_POLL_SECONDS = 86400
MAX_LISTED = 20  # Failed runs that are named at the end.
MAX_ROWS = 40  # Of the table at the end.
LATE_SECONDS = 0.3  # Of processor time, to read results for tables after a signal.

# Columns of that table; all others are in sweep-summary.csv.
SHOWN = {
    "fct_us_mean": "FCT us\nmean",
    "fct_us_p99": "FCT us\nP99",
    "slowdown_mean": "slowdown\nmean",
    "slowdown_p99": "slowdown\nP99",
    "goodput_gbps": "Gbps to\nlast end",
    "goodput_to_last_start_gbps": "Gbps to\nlast start",
    "fabric_drops": "fabric\ndrops",
    "nic_discards": "NIC\ndiscards",
}


def add_options(commands):
    """Add the command to a parser's sub-commands."""
    cores = len(os.sched_getaffinity(0))
    parser = commands.add_parser(
        "sweep",
        help="run the variants of a scenario",
        description="Run the variants of a scenario on cores or on Slurm, and gather one table.",
        epilog=make_examples(
            "sweep my-sweep.json --dry-run     the runs and what they cost",
            "sweep my-sweep.json               runs what is not done yet",
            "sweep my-sweep.json --slurm --sbatch=--partition=long",
            "sweep my-sweep.json --slurm --dry-run     the scripts that Slurm would get",
        ),
    )
    parser.set_defaults(cores=cores, run=run_sweep)
    add = parser.add_argument
    add("file", metavar="FILE", help="sweep file (docs/study/sweep.md)")
    add("--out", default="results", help="results folder (default: %(default)s)")
    add("--build", default=find_build(), help="build folder (default: %(default)s)")
    add("--dry-run", action="store_true", help="list the runs and their costs, with --slurm also the job scripts; run nothing")
    add("--retry-failed", action="store_true", help="run failed runs again")
    add("--slurm", action="store_true", help="submit the runs to Slurm")
    add(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE",
        help="shared library to load, beside those of the sweep file; may be repeated",
    )
    add(
        "--jobs",
        type=read_whole(1, MAX_JOBS),
        metavar="N",
        help=f"cores to use (default: {cores}); with --slurm, runs at a time of an array",
    )
    add(
        "--sbatch",
        action="append",
        default=[],
        metavar="OPTION",
        help="option for sbatch, as --sbatch=--partition=long; may be repeated",
    )
    add(
        "--poll",
        type=read_above_zero(MAX_POLL_SECONDS),
        metavar="SECONDS",
        help=f"interval between queries of Slurm (default: {POLL_SECONDS})",
    )


def run_sweep(options):
    """Run the command line; returns (exit status, paths written)."""
    check_use(options)
    sweep = read_sweep(options.file)
    jobs = options.jobs or options.cores
    with CountLine("checking", has_plain_lines=True) as line:
        session = Session(sweep, options.out, options.build, options.plugin, line.set)
    if options.dry_run:
        results = session.load_results()
        print_plan(results, jobs, options.retry_failed)
        if options.slurm:
            print("\n" + session.format_slurm_plan(results, options.retry_failed, options.sbatch, options.jobs), end="")
        return GOOD, []
    slurm = SlurmOptions(options.sbatch, options.jobs, options.poll) if options.slurm else None
    left = session.run(jobs, options.retry_failed, slurm)
    results = session.load_results(LATE_SECONDS if left is not None else math.inf)
    if results is None:
        print_error(f"interrupted{left and ': ' + left}; with {len(session.runs):,} runs no table is written now")
        return INTERRUPTED, []
    written, summary = write_tables(sweep, results, session.store)
    print_summary(summary)
    print_end(sweep, results)
    if left is not None:
        print_error(f"interrupted{left and ': ' + left}")
        return INTERRUPTED, written
    return get_exit_status(results), written


def check_use(options):
    """Raise UserError for an option of Slurm without it."""
    for name in ("sbatch", "poll"):
        if getattr(options, name) and not options.slurm:
            raise UserError(f"--{name}: expected --slurm beside it")


def print_plan(results, jobs, is_retry):
    """Print what each run costs and what is left to do."""
    rate = measure_rate(results)
    rows = []
    for result in results:
        run = result.run
        hops, seconds = run.packet_hops, estimate_seconds(run, rate)
        rows.append([run.name, str(run.ranks), format_count(run.cost["flows"])])
        rows[-1] += ["-" if hops is None else format_count(hops), format_number(seconds)]
        rows[-1].append(result.status)
    print(format_table(["run", "ranks", "flows", "packet-\nhops", "seconds", "state"], rows))
    pending = [r.run for r in results if is_pending(r.status, is_retry)]
    known = [run for run in pending if run.packet_hops is not None]
    hops = format_count(sum(run.packet_hops for run in known))
    seconds = sum(estimate_seconds(run, rate) for run in known) / jobs
    print(
        f"\n{len(results)} runs, {len(pending)} to be run: {hops} packet-hops, about "
        f"{format_duration(seconds)} on {jobs} cores"
    )
    if len(known) < len(pending):
        print(f"not counted: {len(pending) - len(known)} runs without an estimate")


def print_summary(summary):
    """Print the means of a table that fits on a screen."""
    if len(summary.rows) > MAX_ROWS:
        return
    end = summary.columns.index("runs")
    shown = [metric for metric in SHOWN if f"{metric}_mean" in summary.columns]
    rows = []
    for row in summary.rows:
        at = dict(zip(summary.columns, row))
        cells = [str(value) for value in row[end - 1 : end] + row[: end - 1]]
        cells.append(f"{at['results']}/{at['runs']}")
        for metric in shown:
            mean, width = at[f"{metric}_mean"], at[f"{metric}_ci95"]
            cells.append(format_number(mean) + (f" +-{format_number(width)}" if width else ""))
        rows.append(cells)
    headers = ["nic", *summary.columns[: end - 1], "results", *(SHOWN[metric] for metric in shown)]
    print(format_table(headers, rows) + "\n")


def print_end(sweep, results):
    """Print how many runs ended how, and what failed."""
    counts = Counter(result.status for result in results)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"sweep {sweep.name}: {len(results)} runs: {said}")
    failed = [result for result in results if result.status == FAILED]
    for result in failed[:MAX_LISTED]:
        print_error(f"{result.run.name}: {result.record.error}")
    if len(failed) > MAX_LISTED:
        print_error(f"and {len(failed) - MAX_LISTED} more")
    if failed:
        print_error("--retry-failed runs them again")


def get_exit_status(results):
    """Return the worst of all runs."""
    statuses = {result.status for result in results}
    return RUNS_FAILED if FAILED in statuses else FLOWS_STALLED if STALLED in statuses else GOOD
