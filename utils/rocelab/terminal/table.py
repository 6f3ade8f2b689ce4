# SPDX-License-Identifier: GPL-2.0-only
"""Plain-text tables and the numbers in them."""

MISSING = "-"


def format_number(value):
    """Return `value` with three significant digits, all digits before the point; None is "-"."""
    if value is None:
        return MISSING
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3g}"


def format_count(value):
    """Return an integer in full up to a million, then as "12.3M"; None is "-"."""
    if value is None:
        return MISSING
    for limit, letter in ((1e9, "G"), (1e6, "M")):
        if value >= limit:
            return f"{value / limit:.3g}{letter}"
    return f"{value:,}"


def format_ratio(value):
    """Return a ratio as "2.04x"; None is "-"."""
    return MISSING if value is None else f"{value:.2f}x"


def format_difference(value, unit=" %"):
    """Return a relative difference as "+2.9 %"; one that rounds to zero has a plus."""
    return f"{round(100 * value, 1) + 0.0:+.1f}{unit}"


def divide(value, base):
    """Return value / base, or None where there is no such ratio."""
    return value / base if value is not None and base else None


def format_table(headers, rows):
    """Return an aligned table, a string without a final newline.

    A header may hold several lines ("FCT mean\\nus"). The first column is aligned left, all others
    right.
    """
    height = max(header.count("\n") for header in headers) + 1
    heads = [header.split("\n") for header in headers]
    heads = [[head[line] if line < len(head) else "" for head in heads] for line in range(height)]
    lines = heads + [list(row) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headers))]
    texts = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ]
    texts.insert(height, "  ".join("-" * width for width in widths))
    return "\n".join(texts)
