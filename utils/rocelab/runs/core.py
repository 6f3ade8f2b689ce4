# SPDX-License-Identifier: GPL-2.0-only
"""The extension module rocelab._core, or one line that says why it cannot be loaded."""

import os

from rocelab.errors import InputError, describe_object

try:
    from rocelab import _core
except ImportError as error:
    raise ImportError(
        "rocelab: expected the module _core that ./waf build makes for /usr/bin/python3,"
        f" got: {error}"
    ) from None

__all__ = ["_core", "check_text"]


def check_text(what, value):
    """Return a text, or the text of a path, that the module can take; raises InputError."""
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str):
        raise InputError(f"{what}: expected text, got {describe_object(value)}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{what}: expected Unicode text, got {describe_object(text)}") from None
    if "\0" in text:
        raise InputError(f"{what}: expected text without NUL, got {describe_object(text)}")
    return text
