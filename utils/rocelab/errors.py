# SPDX-License-Identifier: GPL-2.0-only
"""The one exception that ends a command with a single line for the user, and what lines quote."""

import json

MAX_QUOTED = 60  # Of a value in a message.


class UserError(Exception):
    """Bad input; str() is the line after "rocelab: ", in the form "FILE: what was expected"."""


def describe_value(value):
    """Return a JSON value on a few characters of one line."""
    if value is None:
        return "nothing"
    text = json.dumps(value)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
