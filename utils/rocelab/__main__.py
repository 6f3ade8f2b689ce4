# SPDX-License-Identifier: GPL-2.0-only
"""The command line: python3 -m rocelab COMMAND ..."""

import argparse
import os
import sys
from pathlib import Path

from rocelab.errors import UserError
from rocelab.facts import VALIDATION
from rocelab.sweep.command import add_options as add_sweep

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DOCS = ROOT / "docs"
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


class OneLineParser(argparse.ArgumentParser):
    """argparse without its usage dump: one line, exit status 2."""

    def error(self, message):
        raise UserError(f"command line: {message}")


def add_compare(commands):
    """Add the command compare."""
    compare = commands.add_parser("compare", help="set the NICs of one scenario side by side")
    compare.add_argument("folder", help="RESULTS/<scenario name>, as build/rocelab run writes it")
    compare.set_defaults(run=run_compare)


# What draws is loaded by the command that needs it: that takes longer than a small command.
def run_compare(options):
    """Carry out the command compare; as all of these, returns (exit status, files written)."""
    from rocelab.compare import write_comparison

    return 0, write_comparison(options.folder)


def add_figure_options(command):
    """Add the options of commands that run figures."""
    command.add_argument("--out", default="results", help="results folder (default: %(default)s)")
    command.add_argument("--build", default="build", help="build folder (default: %(default)s)")
    command.add_argument(
        "--examples", default=EXAMPLES, help="folder of the experiments (default: examples)"
    )
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the figure (see its README.md); may be repeated",
    )


def add_figure(commands):
    """Add the command figure."""
    figure = commands.add_parser("figure", help="run an experiment and draw its figure")
    figure.add_argument("name", metavar="FOLDER", help="name of the folder under examples/")
    figure.add_argument("--quick", action="store_true", help="a small variant, for tests")
    add_figure_options(figure)
    figure.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE",
        help="shared library to load for all scenarios; may be repeated",
    )
    figure.set_defaults(run=run_one_figure)


def run_one_figure(options):
    """Carry out the command figure."""
    from rocelab.figure import run_figure

    return 0, run_figure(
        options.name,
        options.examples,
        options.out,
        options.build,
        options.quick,
        options.option,
        options.plugin,
    )


def add_validate(commands):
    """Add the command validate."""
    validate = commands.add_parser(
        "validate", help="set all numbers that papers state beside those of the figures"
    )
    validate.add_argument(
        "--figure", action="append", default=[], metavar="NAME", help="only this one; repeatable"
    )
    validate.add_argument("--rerun", action="store_true", help="run the figures first")
    add_figure_options(validate)
    validate.add_argument("--docs", default=DOCS, help="folder of the pages (default: docs)")
    validate.add_argument(
        "--validation", default=VALIDATION, help="folder of the facts (default: validation)"
    )
    validate.set_defaults(run=run_validate)


def run_validate(options):
    """Carry out the command validate."""
    from rocelab.validate import run_figures, run_validation

    if options.option and not options.rerun:
        raise UserError("--option: expected --rerun beside it")

    def rerun(figures):
        run_figures(figures, options.examples, options.out, options.build, options.option)

    return 0, run_validation(
        options.out,
        options.docs,
        options.validation,
        options.figure,
        rerun if options.rerun else None,
    )


def add_diff(commands):
    """Add the command diff."""
    diff = commands.add_parser("diff", help="compare two runs of the same flows, flow by flow")
    diff.add_argument("a", metavar="A", help="RESULTS/<scenario name>/<nic> of one run")
    diff.add_argument("b", metavar="B", help="the same of the other")
    diff.add_argument("--out", metavar="FILE", help="write the flows of both, side by side, as CSV")
    diff.add_argument("--build", help=argparse.SUPPRESS)  # build/rocelab gives it to all commands.
    diff.set_defaults(run=run_diff)


def run_diff(options):
    """Carry out the command diff."""
    from rocelab.diff import write_diff

    return 0, write_diff(options.a, options.b, options.out)


def add_report(commands):
    """Add the command report."""
    report = commands.add_parser("report", help="write one HTML page of result folders")
    report.add_argument(
        "folders", nargs="+", metavar="RESULTS", help="RESULTS/<scenario name>, or of it <nic>, or RESULTS/<figure>"
    )
    report.add_argument(
        "--out", metavar="FILE", help="page to write (default: report.html in the one folder)"
    )
    report.add_argument("--build", help=argparse.SUPPRESS)  # build/rocelab gives it to all commands.
    report.set_defaults(run=run_report)


def run_report(options):
    """Carry out the command report."""
    from rocelab.report.command import write_report

    return 0, write_report(options.folders, options.out)


def make_parser():
    """Return the parser of all commands."""
    parser = OneLineParser(prog="rocelab", description="Tables and pictures of RoceLab results.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (add_compare, add_diff, add_figure, add_report, add_sweep, add_validate):
        add(commands)
    return parser


def run_command(arguments):
    """Run one command line; returns (exit status, paths of the files written)."""
    options = make_parser().parse_args(arguments)
    return options.run(options)


def main(arguments=None):
    """Run, name the files written, and return the exit status."""
    try:
        status, written = run_command(arguments)
    except UserError as error:
        print(f"rocelab: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("rocelab: interrupted", file=sys.stderr)
        return INTERRUPTED
    if written:
        print("\nWritten:")
    for path in written:
        print(f"  {path}")
    return status


def run_main():
    """Run main() and end quietly when the reader of the output has left (`| head`)."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(
            f"rocelab: standard output: cannot be written: {error.strerror}", file=sys.stderr
        )
        return FAILED


if __name__ == "__main__":
    sys.exit(run_main())
