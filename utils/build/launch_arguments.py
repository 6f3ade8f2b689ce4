# SPDX-License-Identifier: GPL-2.0-only
"""The words of a command line: those for waf, and those that it hands to the program."""

import json
import os

#: Commands of the program that waf builds and then starts with all words behind them.
HANDED = ('compare', 'figure', 'validate', 'reproduce')

#: The environment variable that has these words, as a JSON list.
VARIABLE = 'ROCELAB_WORDS'

#: Options that stand for a word.
FORMER = ('--scenario', '--name')


class FormerOption(Exception):
    """An option that was a word's: one line."""


def split(arguments):
    """Returns the words for waf, up to the first command that is handed over, and those behind it."""
    for place, word in enumerate(arguments):
        if word in HANDED:
            return arguments[:place + 1], arguments[place + 1:]
    return arguments, []


def check(command, words):
    """Raises FormerOption with the new spelling of a word that was an option."""
    for place, word in enumerate(words):
        name, _, value = word.partition('=')
        if name in FORMER:
            value = value or (words[place + 1:] or ['NAME'])[0]
            raise FormerOption('%s: expected the word alone: ./waf %s %s' % (name, command, value))


def hand_over(arguments):
    """Returns the words for waf; the environment gets those for the program."""
    own, words = split(arguments)
    check(own[-1] if own else '', words)
    os.environ[VARIABLE] = json.dumps(words)
    return own


def get_words():
    """Returns the words for the program."""
    return json.loads(os.environ.get(VARIABLE, '[]'))


def find_plugins(words):
    """Returns the values of --plugin among the words for the program."""
    pairs = zip([''] + words, words)
    return [word.partition('=')[2] if word.startswith('--plugin=') else word
            for before, word in pairs if before == '--plugin' or word.startswith('--plugin=')]
