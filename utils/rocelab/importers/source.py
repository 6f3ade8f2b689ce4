# SPDX-License-Identifier: GPL-2.0-only
"""Files of other simulators: reading, and errors that name the place."""

import os
import re
import stat

from rocelab.errors import UserError, make_line
from rocelab.files import read_text

MAX_BINARY = 1 << 28
MAX_RANKS = 65536
MAX_QUOTED = 60
MAX_LINE = 4096  # Of the line that tells what a file is.
WHOLE = re.compile(r"[0-9]{1,19}")


def fail(path, line, expected, got):
    """Raise the UserError of a line."""
    text = make_line(got)
    raise UserError(f"{path}:{line}: expected {expected}, got {text[:MAX_QUOTED]}")


def fail_byte(path, offset, expected, got):
    """Raise the UserError of a place in a binary file."""
    raise UserError(f"{path}: byte {offset}: expected {expected}, got {make_line(got)[:MAX_QUOTED]}")


def quote(word):
    """Return a word of a file as a message shows it."""
    return f"{make_line(word)[:MAX_QUOTED]!r}"


def read_words(path):
    """Yield (line number, words) of each line that is neither blank nor a comment that begins with #."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield number, words


def read_number(path, line, word, what, least, most):
    """Return a whole number of a text file within bounds."""
    if not WHOLE.fullmatch(word) or not least <= int(word) <= most:
        fail(path, line, f"{what}, a whole number from {least} to {most}", quote(word))
    return int(word)


def read_first_words(path):
    """Return the words of the first line of a file that can be read as text, else none."""
    if not os.path.isfile(path):
        return []  # A pipe can be read once.
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline(MAX_LINE).split()
    except (OSError, ValueError):
        return []


def read_binary(path):
    """Return the content of a binary file; raises UserError where it cannot be read."""
    try:
        # A pipe without a writer does not block.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with open(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise UserError(f"{path}: expected a regular file, got something else")
            data = file.read(MAX_BINARY + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: expected a file, got nothing of that name") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte.
        why = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: expected a readable file, got: {why}") from None
    if len(data) > MAX_BINARY:
        raise UserError(f"{path}: expected a file of at most {MAX_BINARY:,} bytes, got more")
    return data
