# SPDX-License-Identifier: GPL-2.0-only
"""The exceptions that end a command with a single line for the user, and what lines quote."""

import difflib
import json

MAX_QUOTED = 60  # Of a value in a message.
MAX_WORD = 300  # Letters of a word of a message; names of files have 255.


class UserError(Exception):
    """Bad input; str() is the line after "rocelab: ", in the form "FILE: what was expected"."""


class FullError(UserError):
    """The file system has no room, or fails; the exit status is that of a failure."""


class RefusedError(UserError):
    """The program refuses a scenario, or a point of a sweep."""


class InputError(UserError, ValueError):
    """What a run in process was given is wrong: nothing was run and nothing written."""


class RunError(UserError, RuntimeError):
    """A run in process has failed; __cause__ is the exception of a Python class, if one raised it."""


def make_line(text):
    """Return a text as one line: names may hold line breaks, and bytes that are no text."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text))


def shorten_words(line):
    """Return a line whose words of more than MAX_WORD letters are cut in their middle.

    As MakeOneLine() of the program (one-line.h).
    """
    return " ".join(word if len(word) <= MAX_WORD else f"{word[:MAX_QUOTED]}...{word[-MAX_QUOTED:]}" for word in line.split(" "))


def is_abbreviation(word, name):
    """Tell whether a word is a part of a name, or its first letter and later ones ("cx6" of "connectx6").

    As IsAbbreviation() of the program (name-suggestion.cc).
    """
    letters = word.lower().replace("-", "").replace("_", "")
    name = name.lower()
    if len(letters) >= 3 and letters in name:
        return True
    rest = iter(name)
    return len(letters) >= 2 and name.startswith(letters[0]) and all(letter in rest for letter in letters)


def describe_nearest(word, known):
    """Return "nearest: KNOWN", or all known words if none resembles the given one."""
    nearest = difflib.get_close_matches(str(word), known, n=1, cutoff=0.6)
    nearest += sorted((name for name in known if is_abbreviation(str(word), name)), key=len)
    nearest += difflib.get_close_matches(str(word), known, n=1, cutoff=0.4)
    return f"nearest: {nearest[0]}" if nearest else ", ".join(known) or "none"


def describe_object(value):
    """Return an object of Python on a few characters of one line, whatever its repr() does."""
    try:
        text = repr(value)
    except Exception:  # Of a class of the user, or of an integer of 4,301 digits.
        return f"an object of {type(value).__name__}"
    return make_line(text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "...")


def describe_value(value):
    """Return a JSON value on a few characters of one line."""
    if value is None:
        return "nothing"
    text = json.dumps(value)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
