# SPDX-License-Identifier: GPL-2.0-only
"""The exceptions that end a command with a single line for the user."""


class UserError(Exception):
    """Bad input; str() is the line after "rocelab: ", in the form "FILE: what was expected"."""


class InputError(UserError, ValueError):
    """What a run in process was given is wrong: nothing was run and nothing written."""


class RunError(UserError, RuntimeError):
    """A run in process has failed; __cause__ is the exception of a Python class, if one raised it."""
