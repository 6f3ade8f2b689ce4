# SPDX-License-Identifier: GPL-2.0-only
"""The command line: python3 -m rocelab COMMAND ..."""

import argparse
import os
import sys
from pathlib import Path

from rocelab.compare import write_comparison
from rocelab.errors import UserError
from rocelab.facts import VALIDATION
from rocelab.figure import run_figure
from rocelab.validate import run_figures, run_validation

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
    compare.set_defaults(run=lambda options: write_comparison(options.folder))


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
    figure.set_defaults(
        run=lambda options: run_figure(
            options.name,
            options.examples,
            options.out,
            options.build,
            options.quick,
            options.option,
            options.plugin,
        )
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
    if options.option and not options.rerun:
        raise UserError("--option: expected --rerun beside it")

    def rerun(figures):
        run_figures(figures, options.examples, options.out, options.build, options.option)

    return run_validation(
        options.out,
        options.docs,
        options.validation,
        options.figure,
        rerun if options.rerun else None,
    )


def make_parser():
    """Return the parser of all commands."""
    parser = OneLineParser(prog="rocelab", description="Tables and pictures of RoceLab results.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (add_compare, add_figure, add_validate):
        add(commands)
    return parser


def run_command(arguments):
    """Run one command line; returns the paths of the files written."""
    options = make_parser().parse_args(arguments)
    return options.run(options)


def main(arguments=None):
    """Run, name the files written, and return the exit status."""
    try:
        written = run_command(arguments)
    except UserError as error:
        print(f"rocelab: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("rocelab: interrupted", file=sys.stderr)
        return INTERRUPTED
    print("\nWritten:")
    for path in written:
        print(f"  {path}")
    return 0


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
