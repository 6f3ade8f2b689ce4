# SPDX-License-Identifier: GPL-2.0-only
"""Measurements of single parts, `rocelab measure` (docs/study/measure.md)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocelab.errors import InputError, RunError
from rocelab.places import find_build, find_checkout, find_data
from rocelab.runs.engine import make_measure_words, make_missing_error

if TYPE_CHECKING:
    import pandas

BAD_INPUT = 2  # Exit status of the program.


def measure(
    name: str,
    /,
    *,
    sets: Mapping[str, Any] | Iterable[str] = (),
    plugins: Iterable[str | os.PathLike[str]] = (),
    **keys: Any,
) -> pandas.DataFrame:
    """Run a measurement in the program and return its rows; needs pandas.

    measure("kv-dma", bytes=64, request_rate=0) has the rows of `rocelab measure kv-dma bytes=64
    request-rate=0`. `sets` are attributes, "NAME=VALUE" or {NAME: VALUE}. The frame's attrs have
    "settings" (all keys), "columns" (name, unit, meaning) and "notes".

    Raises InputError for bad input, RunError if the measurement fails.
    """
    try:
        import pandas
    except ImportError:
        raise ImportError(
            "rocelab: expected pandas for frames (Debian package python3-pandas), got none"
        ) from None
    if isinstance(sets, Mapping):
        sets = [f"{attribute}={value}" for attribute, value in sets.items()]
    document = _run(make_measure_words(name, keys, sets, plugins))
    columns = [column["name"] for column in document["columns"]]
    frame = pandas.DataFrame(document["rows"], columns=columns)
    frame.attrs = {key: document[key] for key in ("settings", "columns", "notes")}
    return frame


def _run(words: list[str]) -> Any:
    """Return the JSON that the program prints; raises its line on stderr."""
    build = find_build() if find_checkout() is None else find_data("build")
    program = Path(os.environ.get("ROCELAB_BUILD") or build) / "rocelab"
    try:
        result = subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise make_missing_error(program, error) from None
    if result.returncode != 0:
        line = result.stderr.strip().removeprefix("rocelab: ")
        is_input = result.returncode == BAD_INPUT
        raise (InputError if is_input else RunError)(line or f"exit status {result.returncode} of {program}")
    return json.loads(result.stdout)
