# SPDX-License-Identifier: GPL-2.0-only
"""The command line: python3 -m rocelab COMMAND ..."""

import argparse
import itertools
import os
import sys
import traceback
from pathlib import Path

from rocelab.terminal import process

if __name__ == "__main__":
    process.end_on_signals()  # While this package is loaded.

from rocelab.benchmark.command import add_options as add_benchmark
from rocelab.draw.command import add_options as add_plot
from rocelab.errors import FullError, UserError, describe_nearest, make_line
from rocelab.importers.command import add_options as add_import
from rocelab.places import PROGRAMS, find_build, find_checkout, find_data
from rocelab.sweeps.command import add_options as add_sweep
from rocelab.terminal.parser import OneLineParser, make_examples, read_whole
from rocelab.terminal.process import GuardedOutput, OutputError, load_matplotlib, obey_signals, print_error
from rocelab.validate.examples import EXAMPLES, get_title, list_figures
from rocelab.validate.facts import VALIDATION
from rocelab.validate.facts_command import add_facts
from rocelab.validate.reproduce import add_reproduce
from rocelab.validate.scoreboard_command import add_scoreboard

DOCS = find_data("docs")
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
READERS = ("compare", "diff", "plot", "report")  # Commands that only read results.
TRACEBACK = "ROCELAB_TRACEBACK"  # Environment: a defect ends with the traceback.


def add_compare(commands):
    """Add the command compare."""
    compare = commands.add_parser(
        "compare",
        help="run a scenario and compare its NICs",
        description="Run a scenario, or read results of one, and compare its NICs, as table, CSV and plots.",
        epilog=make_examples(
            "compare",
            "compare my-scenario.json",
            "compare my-scenario.json --nic irn --nic srnic --set workload.load=0.5 --seed 2",
            "compare results/my-scenario",
            "compare as-designed.json lossy.json --out results/both",
        ),
    )
    compare.add_argument(
        "scenarios",
        nargs="*",
        metavar="SCENARIO",
        help="scenario file, which is run first, or its results, RESULTS/<scenario name>; several are also"
        " compared with each other (default: a fabric as designed and a lossy one, in results/compare)",
    )
    for name, metavar, text in (
        ("--nic", "NAME", "NIC of the scenario, or preset, to run; may be repeated"),
        ("--set", "PATH=VALUE", "change a value of the scenario; may be repeated"),
        ("--plugin", "FILE", "shared library to load; may be repeated"),
    ):
        compare.add_argument(name, action="append", default=[], metavar=metavar, help=text)
    compare.add_argument("--seed", metavar="N", help="random seed, in place of run.seed")
    compare.add_argument(
        "--series", action="store_true", help="write and draw time series of queues, ports and rates"
    )
    compare.add_argument("--ranks", metavar="N", help="processes that simulate each NIC's fabric together: auto, or a number")
    compare.add_argument("--out", metavar="DIR", help="folder of the run's results (default: results)")
    compare.add_argument("--workload", metavar="NAME", help="only this one of a list of workloads")
    compare.add_argument("--style", metavar="FILE", help="JSON or TOML with your own colours and labels (docs/study/plots.md)")
    compare.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    compare.set_defaults(run=run_compare)


# What draws is loaded by the command that needs it: that takes longer than a small command.
def run_compare(options):
    """Carry out the command compare; as all of these, returns (exit status, files written)."""
    load_matplotlib()
    from rocelab.draw import own_style
    from rocelab.report.compare_command import compare

    with own_style.use(own_style.make(options.style)):
        return compare(options)


def add_figure_options(command):
    """Add the options of commands that run figures."""
    command.add_argument("--out", default="results", help="results folder (default: %(default)s)")
    command.add_argument("--build", default=find_build(), help="build folder (default: %(default)s)")
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
    figure = commands.add_parser(
        "figure",
        help="run an experiment and draw its figure",
        description="Run an experiment of examples/ and draw its figure.",
        epilog=make_examples(
            "figure --list",
            "figure srnic/figure-12 --quick",
            "figure srnic/figure-12 --option servers=16,64 --option seed=2",
        ),
    )
    figure.add_argument("name", metavar="FOLDER", nargs="?", help="name of the folder under examples/")
    figure.add_argument("--list", action="store_true", help="print all figures, a line each, and end")
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


def print_figures(examples):
    """Print the names of all figures and what they are."""
    names = list_figures(examples)
    for name in names:
        print(f"{name:{max(map(len, names))}}  {get_title(name, examples)}")


def run_one_figure(options):
    """Carry out the command figure."""
    if options.list:
        print_figures(options.examples)
        return 0, []
    if options.name is None:
        raise UserError("command line: expected FOLDER or --list, got neither")
    load_matplotlib()
    from rocelab.validate.figure import run_figure

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
        "validate",
        help="compare the numbers of papers with those of the figures",
        description="Compare the numbers of papers with those of the figures.",
        epilog=make_examples(
            "validate",
            "validate --rerun --figure srnic/figure-2",
            "validate --docs docs --validation validation    renews them, as ./waf validate does",
        ),
    )
    validate.add_argument(
        "--figure", action="append", default=[], metavar="NAME", help="figure to validate (default: all); repeatable"
    )
    validate.add_argument("--rerun", action="store_true", help="run the figures first")
    add_figure_options(validate)
    validate.add_argument(
        "--docs", help="folder of the pages to renew, with --validation (default: none is renewed)"
    )
    validate.add_argument(
        "--validation",
        metavar="DIR",
        help="folder of the facts, whose measured.csv is renewed (default: the project's, only read)",
    )
    validate.set_defaults(run=run_validate)


def run_validate(options):
    """Carry out the command validate."""
    load_matplotlib()
    from rocelab.validate.command import run_figures, run_validation

    if options.option and not options.rerun:
        raise UserError("--option: expected --rerun beside it")
    if (options.docs is None) != (options.validation is None):
        raise UserError("--docs: expected --validation beside it, and the other way round")

    def rerun(figures):
        run_figures(figures, options.examples, options.out, options.build, options.option)

    return 0, run_validation(
        options.out,
        options.docs or DOCS,
        options.validation or VALIDATION,
        options.figure,
        rerun if options.rerun else None,
        is_kept=options.docs is not None,
    )


def add_diff(commands):
    """Add the command diff."""
    diff = commands.add_parser(
        "diff",
        help="compare two runs of the same flows, flow by flow",
        description="Compare two runs of the same flows, flow by flow and in distribution.",
        epilog=make_examples("diff results/compare/lossy/irn results/compare/lossy/srnic --out flows.csv"),
    )
    diff.add_argument("a", metavar="A", help="results of one run, RESULTS/<scenario name>/<nic>")
    diff.add_argument("b", metavar="B", help="results of the other run")
    diff.add_argument("--out", metavar="FILE", help="write the flows of both, side by side, as CSV")
    diff.add_argument("--workload", metavar="NAME", help="only this one of a list of workloads")
    diff.add_argument("--build", help=argparse.SUPPRESS)  # build/rocelab gives it to all commands.
    diff.set_defaults(run=run_diff)


def run_diff(options):
    """Carry out the command diff."""
    from rocelab.report.diff import write_diff

    return 0, write_diff(options.a, options.b, options.out, options.workload)


def add_report(commands):
    """Add the command report."""
    report = commands.add_parser(
        "report",
        help="write one HTML page of result folders",
        description="Write one HTML page of results, which needs no network.",
        epilog=make_examples(
            "report results/compare/lossy", "report results/a results/b/srnic --out both.html"
        ),
    )
    report.add_argument(
        "folders", nargs="+", metavar="RESULTS", help="results of a scenario, a NIC, a figure or a sweep: RESULTS/<scenario name>[/<nic>], RESULTS/<figure>, RESULTS/<sweep>"
    )
    report.add_argument(
        "--out", metavar="FILE", help="page to write (default: report.html in the one folder)"
    )
    report.add_argument("--workload", metavar="NAME", help="only this one of a list of workloads")
    report.add_argument("--style", metavar="FILE", help="JSON or TOML with your own colours and labels (docs/study/plots.md)")
    report.add_argument("--build", help=argparse.SUPPRESS)  # build/rocelab gives it to all commands.
    report.set_defaults(run=run_report)


def run_report(options):
    """Carry out the command report."""
    load_matplotlib()
    from rocelab.draw import own_style
    from rocelab.report.command import write_report

    with own_style.use(own_style.make(options.style)):
        return 0, write_report(options.folders, options.out, options.workload)


def add_init(commands):
    """Add the command init."""
    init = commands.add_parser(
        "init",
        help="write a scenario to start from",
        description="Write a scenario to start from, which runs in seconds.",
        epilog=make_examples(
            "init my-scenario",
            "init star-incast --topology star --nics irn,srnic --workload incast",
        ),
    )
    init.add_argument("name", metavar="NAME", help="name of the scenario; NAME.json is written")
    init.add_argument(
        "--topology",
        default="fat-tree",
        metavar="KIND",
        help="topology: fat-tree, star, dumbbell or back-to-back (default: %(default)s)",
    )
    init.add_argument(
        "--nics",
        default="connectx6,irn,srnic",
        metavar="LIST",
        help="NIC presets (default: %(default)s)",
    )
    init.add_argument(
        "--workload",
        default="poisson",
        metavar="KIND",
        help="workload: poisson, incast or flows (default: %(default)s)",
    )
    init.add_argument("--servers", type=read_whole(1, 2**32 - 1), metavar="N", help="number of servers of the fabric")
    init.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    init.set_defaults(run=run_init)


def run_init(options):
    """Carry out the command init."""
    from rocelab.cli.init import write_scenario

    return 0, write_scenario(options)


def add_new(commands):
    """Add the command new."""
    from rocelab.cli.new import KINDS

    kinds = "\n".join(f"  {name:10} {text}" for name, text in KINDS.items())
    new = commands.add_parser(
        "new",
        help="write a plug-in, its test and its scenario to start from",
        description=f"Write a plug-in of your own, its test, and a scenario that runs it. Kinds:\n{kinds}",
        epilog=make_examples("new cc my-window", "new kernel scan"),
    )
    new.add_argument("kind", metavar="KIND", help=f"kind of plug-in: {', '.join(KINDS)}")
    new.add_argument("name", metavar="NAME", help="name of the files; my-window has the class MyWindow")
    new.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    new.set_defaults(run=run_new)


def run_new(options):
    """Carry out the command new."""
    from rocelab.cli.new import write_plugin

    return 0, write_plugin(options)


def add_plugin(commands):
    """Add the command plugin."""
    plugin = commands.add_parser(
        "plugin",
        help="compile C++ files into plug-ins",
        description="Compile a C++ file into the plug-in NAME.so beside it, and NAME-test.cc into a GoogleTest program.",
        epilog=make_examples("plugin my-window.cc", "plugin my-window.cc my-window-test.cc", "plugin my.cc --out lib/my.so"),
    )
    plugin.add_argument("files", nargs="+", metavar="FILE", help="C++ file")
    plugin.add_argument("--out", metavar="FILE", help="plug-in to write (default: beside its source)")
    plugin.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    plugin.set_defaults(run=run_plugin)


def run_plugin(options):
    """Carry out the command plugin."""
    from rocelab.cli.plugin import make_plugins

    return 0, make_plugins(options)


def add_completion(commands):
    """Add the command completion."""
    completion = commands.add_parser(
        "completion",
        help="print the completion script of a shell",
        description="Print the script that completes commands, options, presets and scenario keys in bash or zsh.",
        epilog=make_examples(
            "completion bash > ~/.local/share/bash-completion/completions/rocelab",
            "completion zsh > ~/.zfunc/_rocelab",
        ),
    )
    completion.add_argument("shell", metavar="SHELL", help="shell: bash or zsh")
    completion.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    completion.set_defaults(run=run_completion)


def run_completion(options):
    """Carry out the command completion."""
    from rocelab.cli.completion import SHELLS, make_completion

    if options.shell not in SHELLS:
        hint = describe_nearest(options.shell, SHELLS)
        raise UserError(f"completion: expected bash or zsh ({hint}), got {options.shell!r}")
    print(make_completion(options.shell, options.build, make_parser()), end="")
    return 0, []


def add_man(commands):
    """Add the command man."""
    man = commands.add_parser(
        "man",
        help="print the manual page",
        description="Print the manual page, made of the help texts of all commands.",
        epilog=make_examples("man | man -l -", "man > rocelab.1"),
    )
    man.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    man.set_defaults(run=run_man)


def run_man(options):
    """Carry out the command man."""
    from rocelab.cli.man import make_page
    from rocelab.runs.engine import get_version

    print(make_page(get_version(options.build), options.build, make_parser()), end="")
    return 0, []


class PrintVersion(argparse.Action):
    """--version: that of the program, which is built with this package."""

    def __call__(self, parser, *_):
        from rocelab.runs.engine import read_line

        build = find_build() if find_checkout() is None else find_data("build")
        print(read_line([str(Path(build) / "rocelab"), "--version"]) or "rocelab")
        parser.exit()


def make_parser():
    """Return the parser of all commands."""
    parser = OneLineParser(
        prog="rocelab",
        description="Sweeps, tables, pictures and reports of RoceLab results.",
        epilog="rocelab COMMAND --help has the options of a command, with examples.",
    )
    parser.add_argument(
        "--version", action=PrintVersion, nargs=0, help="print the version and end"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (
        add_benchmark,
        add_compare,
        add_completion,
        add_diff,
        add_facts,
        add_figure,
        add_import,
        add_init,
        add_man,
        add_new,
        add_plot,
        add_plugin,
        add_report,
        add_reproduce,
        add_scoreboard,
        add_sweep,
        add_validate,
    ):
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
    except FullError as error:
        print_error(error)
        return FAILED
    except UserError as error:
        print_error(error)
        return BAD_INPUT
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except OSError as error:
        if error.filename is None:
            print_error(error.strerror or error)
            return FAILED
        print_error(f"{os.fsdecode(error.filename)}: cannot be used: {error.strerror}")
        return BAD_INPUT
    except MemoryError:
        print_error("out of memory")
        return FAILED
    except OutputError:
        raise
    except Exception as error:
        # Of commands that run no script of the user, whose errors need their traceback.
        words = sys.argv[1:] if arguments is None else arguments
        if words[0] not in READERS or TRACEBACK in os.environ:
            raise
        place = traceback.extract_tb(error.__traceback__)[-1]
        print_error(
            f"{words[0]}: defect of this command: {type(error).__name__}: {error}"
            f" ({Path(place.filename).name}:{place.lineno}; {TRACEBACK}=1 shows all of it)"
        )
        return FAILED
    print_written(written)
    return status


def print_written(paths):
    """Print the files that a command has written; files that differ only in their suffix share a line."""
    if paths:
        print("\nWritten:")
    for _, group in itertools.groupby(map(Path, paths), lambda path: path.with_suffix("")):
        first, *others = group
        print(f"  {', '.join([make_line(first), *(make_line(path.suffix) for path in others)])}")


def become_engine(arguments):
    """Replace this process by the program of an installed package, if the command is one of the program's."""
    program = PROGRAMS / "rocelab"
    if find_checkout() is None and program.exists() and arguments[:1] and arguments[0] not in make_parser().get_commands():
        os.execv(program, [str(program), *arguments])


def run_main():
    """Run main() and end quietly when the reader of the output has left (`| head`)."""
    become_engine(sys.argv[1:])
    obey_signals()
    output = sys.stdout = GuardedOutput(sys.stdout)
    try:
        status = main()
        output.flush()
        return status
    except OutputError as error:
        output.discard()
        if isinstance(error.cause, BrokenPipeError):
            return 0
        print_error(error)
        return FAILED


if __name__ == "__main__":
    sys.exit(run_main())
