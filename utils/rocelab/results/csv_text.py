# SPDX-License-Identifier: GPL-2.0-only
"""Writes tables as CSV. It loads no numpy, because commands that read no tables start sooner without it."""

#: How a cell begins that a spreadsheet takes for a formula.
FORMULA = ("=", "+", "-", "@", "\t")


def format_table(rows):
    """Return rows of texts, numbers and None as CSV; numbers with 9 significant digits.

    A text that a spreadsheet would take for a formula is quoted.
    """
    return "".join(",".join(map(format_cell, row)) + "\n" for row in rows)


def format_cell(value):
    """Return one field."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.9g}"
    text = str(value)
    needs_quotes = isinstance(value, str) and (
        text.startswith(FORMULA) or any(letter in text for letter in ',"\r\n')
    )
    return '"' + text.replace('"', '""') + '"' if needs_quotes else text
