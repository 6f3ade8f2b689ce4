# SPDX-License-Identifier: GPL-2.0-only
"""The one exception that ends a command with a single line for the user."""


class UserError(Exception):
    """Bad input; str() is the line after "rocelab: ", in the form "FILE: what was expected"."""
