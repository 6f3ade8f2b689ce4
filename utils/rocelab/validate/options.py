# SPDX-License-Identifier: GPL-2.0-only
"""Numbers and names of a figure's options."""

import math

from rocelab.errors import UserError


def read_numbers(options, name, least, most):
    """Return the whole numbers of an option's text, "128,256", rising."""
    numbers = options[name].split(",")
    if not all(number.isdigit() and least <= int(number) <= most for number in numbers):
        raise UserError(
            f"option {name}: expected whole numbers from {least} to {most} with commas between,"
            f" got {options[name]!r}"
        )
    return sorted({int(number) for number in numbers})


def read_number(options, name, least, most):
    """Return the one whole number of an option's text."""
    numbers = read_numbers(options, name, least, most)
    if len(numbers) != 1:
        raise UserError(f"option {name}: expected one number, got {options[name]!r}")
    return numbers[0]


def read_reals(options, name, least=0.0, most=math.inf):
    """Return the numbers of an option's text, "0.3,0.7", rising."""
    try:
        numbers = sorted({float(number) for number in options[name].split(",")})
    except ValueError:
        numbers = []
    if not numbers or not all(least <= number <= most for number in numbers):
        raise UserError(
            f"option {name}: expected numbers from {least:g} to {most:g} with commas between, got {options[name]!r}"
        )
    return numbers


def read_chosen(options, name, known):
    """Return the words of an option's text, each once, all of them known."""
    words = read_names(options, name)
    if not set(words) <= set(known):
        raise UserError(f"option {name}: expected some of {','.join(known)}, got {options[name]!r}")
    return words


def read_names(options, name="nics"):
    """Return the names of an option's text, each once, in its order."""
    return list(dict.fromkeys(options[name].split(",")))
