# SPDX-License-Identifier: GPL-2.0-only
"""rocelab facts: results of papers beside ours, as a Markdown table."""

import argparse

from rocelab.terminal.parser import make_examples
from rocelab.validate.fact_tables import KINDS, make_table
from rocelab.validate.facts import VALIDATION
from rocelab.validate.ledger import Ledger

DESCRIPTION = """Print results that papers state and the numbers of our figures beside them, with the class of the
evidence, as a Markdown table.

  counts              a sentence about all results
  predictions         independent predictions of each paper, counted
  summary             results of each paper by class
  answered [PAPER...] a row for each result that a figure answers, predictions first
  missed [PAPER...]   a row for each result that is missed
  missing [PAPER...]  a row for each result without a figure
  all [PAPER...]      a row for each result, in the order of validation/facts.csv
  figure NAME         a row for each result that a figure answers
  group NAME          a row for each figure of a folder of examples/
  machines            a row for each number of a measured adapter or cluster, misses first
  kinds               these counted
  chosen              constants and conditions that were chosen with a result in view
  runs                options, version and commit of the figures' runs
"""


def add_facts(commands):
    """Add the command facts."""
    facts = commands.add_parser(
        "facts",
        help="print results of papers beside ours",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=make_examples("facts", "facts answered SRNIC", "facts figure srnic/figure-9"),
    )
    facts.add_argument("kind", metavar="TABLE", nargs="?", default="predictions", choices=KINDS, help="table (default: predictions)")
    facts.add_argument("names", metavar="NAME", nargs="*", help="papers, or the figure or the group")
    facts.add_argument("--validation", metavar="DIR", default=VALIDATION, help="folder of the facts (default: the project's)")
    facts.add_argument("--build", help=argparse.SUPPRESS)  # build/rocelab gives it to all commands.
    facts.set_defaults(run=run_facts)


def run_facts(options):
    """Carry out the command facts."""
    ledger = Ledger(options.validation)
    print(make_table([options.kind, *options.names], ledger, ledger.get_entries()), end="")
    return 0, []
