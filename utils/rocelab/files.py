# SPDX-License-Identifier: GPL-2.0-only
"""Reading and writing whole files, with errors that name the file."""

import json
import os
from pathlib import Path

from rocelab.errors import UserError


def read_text(path):
    """Return the text of `path`; raises UserError when it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path}: expected a file, got nothing of that name") from None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: expected a readable text file, got: {why}") from None


def read_json_object(path):
    """Return the JSON object in `path` as a dict; raises UserError with line and column."""
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise UserError(
            f"{path}:{error.lineno}:{error.colno}: expected JSON, got: {error.msg}"
        ) from None
    if not isinstance(value, dict):
        raise UserError(f"{path}: expected a JSON object, got {type(value).__name__}")
    return value


def write_whole(path, write):
    """Call write(temporary path), then rename to `path`, so that no reader sees half a file."""
    path = Path(path)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            write(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{path}: expected a writable file, got: {error.strerror}") from None
    return path


def write_text(path, text):
    """Write `text` to `path`, whole or not at all; returns the path."""
    return write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_json(path, value):
    """Write `value` as indented JSON with a final newline; returns the path."""
    return write_text(path, json.dumps(value, indent=2) + "\n")
