# SPDX-License-Identifier: GPL-2.0-only
"""The command line: python3 -m rocelab {compare,figure,sweep} ..."""

import argparse
import os
import sys
from pathlib import Path

from rocelab.errors import UserError
from rocelab.sweep.command import add_options as add_sweep_options
from rocelab.sweep.command import run_sweep

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


class OneLineParser(argparse.ArgumentParser):
    """argparse without its usage dump: one line, exit status 2."""

    def error(self, message):
        raise UserError(f"command line: {message}")


def make_parser():
    """Return the parser of all commands."""
    parser = OneLineParser(prog="rocelab", description="Tables and pictures of RoceLab results.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    compare = commands.add_parser("compare", help="set the NICs of one scenario side by side")
    compare.add_argument("folder", help="RESULTS/<scenario name>, as build/rocelab run writes it")

    figure = commands.add_parser("figure", help="run an experiment and draw its figure")
    figure.add_argument("name", metavar="FOLDER", help="name of the folder under examples/")
    figure.add_argument("--quick", action="store_true", help="a small variant, for tests")
    figure.add_argument("--out", default="results", help="results folder (default: %(default)s)")
    figure.add_argument("--build", default="build", help="build folder (default: %(default)s)")
    figure.add_argument(
        "--examples", default=EXAMPLES, help="folder of the experiments (default: examples)"
    )
    figure.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the figure (see its README.md); may be repeated",
    )
    figure.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE",
        help="shared library to load for all scenarios; may be repeated",
    )
    add_sweep_options(commands)
    return parser


def run_command(arguments):
    """Run one command line; returns (exit status, paths of the files written)."""
    options = make_parser().parse_args(arguments)
    if options.command == "sweep":
        return run_sweep(options)
    # Only now: loading what draws takes longer than a small sweep.
    if options.command == "compare":
        from rocelab.compare import write_comparison

        return 0, write_comparison(options.folder)
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
