# SPDX-License-Identifier: GPL-2.0-only
"""Reading and writing whole files, with errors that name the file."""

import errno
import json
import math
import os
import shutil
import stat
import tempfile
from pathlib import Path

from rocelab.errors import FullError, UserError

#: The longest text that is read whole; the program has the same bound for scenarios.
MAX_TEXT = 1 << 28
CHUNK = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
MAX_DEPTH = 100  # Of JSON.
MAX_DIGITS = 300  # Of a whole number in JSON; Python itself writes no more than 4,300.


def read_text(path, most=MAX_TEXT):
    """Return the text of `path`; raises UserError when it cannot be read.

    `most` bounds the bytes of a regular file. The bound of devices and pipes is MAX_TEXT. A pipe
    without a writer is empty, as for the program.
    """
    try:
        data = read_bytes(path, most)
    except FileNotFoundError:
        raise UserError(f"{path}: expected a file, got nothing of that name") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte.
        why = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: expected a readable text file, got: {why}") from None
    try:
        # A line may end in \r\n, as for Path.read_text().
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: expected a readable text file, got: {error}") from None


def read_bytes(path, most):
    """Return the content of a file; raises UserError where it is no text of that length."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with open(number, "rb", buffering=0) as file:
        os.set_blocking(number, True)
        if not stat.S_ISREG(os.fstat(number).st_mode):
            most = min(most, MAX_TEXT)
        found = bytearray()
        while chunk := file.read(CHUNK):
            if (null := chunk.find(b"\0")) >= 0:
                line = 1 + found.count(b"\n") + chunk.count(b"\n", 0, null)
                raise UserError(f"{path}:{line}: expected a text file, got a NUL byte")
            found += chunk
            if len(found) > most:
                raise UserError(f"{path}: expected a text file of at most {most:,} bytes, got more")
    return found


class BadNumber(ValueError):
    """A number that JSON allows and no file of ours has."""


def read_whole(text):
    """Return a whole number of a JSON text; for a decoder's parse_int."""
    if len(text) > MAX_DIGITS:
        raise BadNumber(f"a number of more than {MAX_DIGITS} digits, {text[:20]}...")
    return int(text)


def read_finite(text):
    """Return a number of a JSON text; for a decoder's parse_float and parse_constant."""
    number = float(text)
    if not math.isfinite(number):
        raise BadNumber(f"a number that is not finite, {text[:60]}")
    return number


def is_deeper(value, depth):
    """Tell whether lists and objects are nested deeper than that."""
    level = [value]
    for _ in range(depth + 1):
        level = [
            child
            for holder in level
            if isinstance(holder, (dict, list))
            for child in (holder.values() if isinstance(holder, dict) else holder)
        ]
        if not level:
            return False
    return True


def read_json(path):
    """Return the value in the JSON file `path`; raises UserError, with line and column where known."""
    text = read_text(path)
    try:
        value = json.loads(
            text, parse_int=read_whole, parse_float=read_finite, parse_constant=read_finite
        )
    except json.JSONDecodeError as error:
        raise UserError(
            f"{path}:{error.lineno}:{error.colno}: expected JSON, got: {error.msg}"
        ) from None
    except BadNumber as error:
        raise UserError(f"{path}: expected JSON, got: {error}") from None
    except RecursionError:
        value = None
    if value is None and text.strip() != "null" or is_deeper(value, MAX_DEPTH):
        raise UserError(f"{path}: expected JSON of at most {MAX_DEPTH} levels, got more")
    return value


def read_json_object(path):
    """Return the JSON object in `path` as a dict; raises UserError with line and column."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise UserError(f"{path}: expected a JSON object, got {type(value).__name__}")
    return value


def make_folder(path):
    """Make a folder for results, and its parents, and check that files can be made in it.

    Raises UserError: before a run, not after it.
    """
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(0, "Permission denied")
    except (OSError, ValueError) as error:
        why = "a file" if isinstance(error, FileExistsError) else getattr(error, "strerror", error)
        raise UserError(f"{path}: expected a folder that can be written, got: {why}") from None
    return path


def make_write_error(path, expected, error):
    """Return the UserError of what cannot be written; FullError if the file system is the cause."""
    kind = FullError if getattr(error, "errno", None) in FULL else UserError
    return kind(f"{path}: expected {expected}, got: {getattr(error, 'strerror', None) or error}")


def find_target(path):
    """Return (where the content of `path` is, its os.stat()); None for what does not exist yet.

    Follows links: what they point to is written, and they stay.
    """
    target = Path(os.path.realpath(path))
    try:
        return target, os.stat(target)
    except FileNotFoundError:
        return target, None


def write_whole(path, write):
    """Call write(temporary path), then rename to `path`, so that no reader sees half a file.

    A link stays: the file at its end is replaced. A device or a pipe is written to and stays, too.
    """
    path = Path(path)
    try:
        target, state = find_target(path)
        if state is not None and stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(0, "a folder")
        if state is not None and not stat.S_ISREG(state.st_mode):
            write_into(target, path.suffix, write)
        else:
            replace_file(target, path.suffix, state, write)
    except (OSError, ValueError) as error:
        raise make_write_error(path, "a writable file", error) from None
    return path


def replace_file(target, suffix, state, write):
    """Write a file beside its place and rename it; it gets the permissions of the one before."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # Its name is short: that of the target may be as long as the file system allows.
    temporary = target.with_name(f".{target.stem[:60]}.{os.getpid()}{suffix[:20]}")
    try:
        write(temporary)
        if state is not None:
            temporary.chmod(stat.S_IMODE(state.st_mode))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_into(target, suffix, write):
    """Write to what exists and is no regular file."""
    with tempfile.TemporaryDirectory(prefix="rocelab-") as folder:
        temporary = Path(folder) / f"content{suffix[:20]}"
        write(temporary)
        # Not created, should it be gone by now. A pipe has to have a reader, as for a shell.
        number = os.open(target, os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY)
        with open(temporary, "rb") as content, open(number, "wb") as file:
            shutil.copyfileobj(content, file)


def write_text(path, text):
    """Write `text` to `path`, whole or not at all; returns the path."""
    return write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_json(path, value):
    """Write `value` as indented JSON with a final newline; returns the path."""
    return write_text(path, json.dumps(value, indent=2) + "\n")
