# SPDX-License-Identifier: GPL-2.0-only
"""argparse as this project uses it: one line about a mistake, which names the nearest right word."""

import argparse
import re
import sys

from rocelab.errors import UserError, describe_nearest


class OneLineParser(argparse.ArgumentParser):
    """argparse without its usage dump: one line, exit status 2. Options are written out."""

    def __init__(self, **settings):
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message):
        raise UserError(f"command line: {message}")

    def parse_args(self, args=None, namespace=None):
        """Return the options; raises UserError that names the nearest of what there is."""
        words = list(sys.argv[1:] if args is None else args)
        command = self.find_command(words)
        options, unknown = self.parse_known_args(words, namespace)
        parser = command or self
        parser.refuse_empty(options)
        if unknown:
            word = next((word for word in unknown if word.startswith("-")), None)
            if word is None:
                self.error(f"expected no further words, got {unknown[0]!r}")
            name = word.partition("=")[0]
            hint = describe_nearest(name, parser.get_option_names())
            self.error(f"expected an option of {parser.prog.split()[-1]} ({hint}), got {name!r}")
        return options

    def refuse_empty(self, options):
        """Raise UserError for an empty text: it would act as if the option were not there."""
        for action in self._actions:
            value = getattr(options, action.dest, None)
            if "" in (value if isinstance(value, list) else [value]):
                name = (action.option_strings or [action.metavar])[0]
                self.error(f"{name}: expected a value, got an empty text")

    def get_commands(self):
        """Return {name: parser} of the sub-commands."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return action.choices
        return {}

    def get_option_names(self):
        """Return the long options that help shows."""
        return [
            name
            for action in self._actions
            if action.help != argparse.SUPPRESS
            for name in action.option_strings
            if name.startswith("--")
        ]

    def find_command(self, words):
        """Return the parser of the command that words begin with; raises UserError if it is none."""
        commands = self.get_commands()
        if not commands or not words or words[0].startswith("-"):
            return None
        if words[0] not in commands:
            hint = describe_nearest(words[0], list(commands))
            self.error(f"expected a command ({hint}), got {words[0]!r}")
        return commands[words[0]]


PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def read_whole(least, most):
    """Return a function that reads a whole number within bounds, for argparse."""

    def read(text):
        # int() reads blanks, underscores and digits of other scripts, too.
        is_whole = text.isascii() and text.isdigit() and len(text) < 20
        if not is_whole or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text!r}")
        return int(text)

    return read


def read_above_zero(most):
    """Return a function that reads a number above zero, for argparse."""

    def read(text):
        value = float(text) if PLAIN_NUMBER.fullmatch(text) else 0
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"expected a number above 0, at most {most:g}, got {text!r}")
        return value

    return read


def make_examples(*lines):
    """Return the end of a command's help."""
    return "Examples:\n" + "\n".join(f"  rocelab {line}" for line in lines)
