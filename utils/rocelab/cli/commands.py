# SPDX-License-Identifier: GPL-2.0-only
"""All commands of rocelab with their options, of the program and of this package."""

import argparse
from dataclasses import dataclass

from rocelab.runs.engine import run_json_command

FLAG, FILE, VALUE = "flag", "file", "value"
FILES = ("FILE", "DIR", "STEM", "RESULTS", "SCENARIO", "FOLDER", "A", "B")
HIDDEN = ("completion", "man")


@dataclass(frozen=True)
class Option:
    """An option, or a positional argument, which has no names."""

    names: tuple
    value: str  # What stands for its value, empty for a flag.
    help: str
    choices: tuple = ()

    @property
    def kind(self):
        """FLAG, FILE for what is a path, or VALUE."""
        if not self.value:
            return FLAG
        return FILE if self.value in FILES else VALUE


@dataclass(frozen=True)
class Command:
    """A command."""

    name: str
    help: str
    options: tuple
    examples: str


def read_type(text):
    """Return (value, choices) of CLI11's "TEXT:{off,on}=off" or "UINT:INT in [1 - 4]"."""
    kind, _, rest = text.partition(":")
    if rest.startswith("{"):
        return kind, tuple(rest[1:].partition("}")[0].split(","))
    return kind, ()


#: Options of the program that take a path, which their type does not say.
PATHS = ("--out", "--plugin", "--base")


def read_option(entry):
    """Return the Option of the program's own description."""
    value, choices = read_type(entry["type"])
    names = tuple(entry["names"])
    if set(names) & set(PATHS) or entry["name"] == "scenario":
        value = "FILE"
    return Option(names, value if names else value or entry["name"], entry["help"], choices)


def list_actions(parser):
    """Return the Options of an argparse parser."""
    options = []
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        takes = action.nargs != 0
        value = (action.metavar or action.dest.upper()) if takes else ""
        help_text = (action.help or "") % {"default": action.default} if action.help else ""
        choices = tuple(map(str, action.choices or ()))
        options.append(Option(tuple(action.option_strings), value, help_text, choices))
    return tuple(options)


def list_commands(build, parser):
    """Return all Commands, those of the program and those of this package's parser, by name."""
    own = parser.get_commands()
    commands = []
    for entry in run_json_command(build, ["list", "commands"])["commands"]:
        if entry["name"] in own:
            continue
        options = tuple(read_option(option) for option in entry["options"])
        examples = entry["examples"].removeprefix("Examples:\n")
        commands.append(Command(entry["name"], entry["help"], options, examples))
    for name, sub_parser in own.items():
        examples = (sub_parser.epilog or "").partition("Examples:\n")[2]
        help_text = sub_parser.description or ""
        commands.append(Command(name, help_text, list_actions(sub_parser), examples))
    return sorted(commands, key=lambda command: command.name)
