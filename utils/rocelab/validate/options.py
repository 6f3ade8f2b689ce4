# SPDX-License-Identifier: GPL-2.0-only
"""Numbers and names of a figure's options."""

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


def read_names(options, name="nics"):
    """Return the names of an option's text, each once, in its order."""
    return list(dict.fromkeys(options[name].split(",")))
