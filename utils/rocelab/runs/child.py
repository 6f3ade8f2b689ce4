# SPDX-License-Identifier: GPL-2.0-only
"""Runs of `import rocelab` in processes of the program: several NICs at a time, several ranks, captures."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from rocelab.errors import InputError, RunError, UserError, describe_nearest, describe_object
from rocelab.places import find_program_folder
from rocelab.results.folders import get_listed_nics
from rocelab.runs.engine import make_arguments, run_scenario
from rocelab.runs.run_result import STATUS_NAMES, RunResult, TemporaryFolder

#: Whether to write captures, or which: {"hosts": [0, 3], "qps": [2], "opcodes": ["rc-acknowledge"], "headers": True}.
CaptureLike = Union[bool, Mapping[str, Union[bool, Sequence[Any]]]]
CAPTURE_KEYS = ("hosts", "qps", "opcodes", "headers")
BAD_INPUT = 2


def run_in_child(
    request: tuple[Any, ...], out: str, jobs: int, ranks: int, captures: CaptureLike, holder: TemporaryFolder | None
) -> list[RunResult]:
    """Run a request of lab.run() by the program; raises InputError or RunError with its line."""
    file, text, sets, nics, seed, has_series, plugins = request
    if text is not None and '"python::' in text or any("python::" in change for change in sets):
        raise InputError("jobs, ranks and captures: expected a scenario without classes of Python, got one with some")
    options = {"set": sets, "nic": nics, "seed": [] if seed is None else seed, "plugin": plugins}
    words = make_arguments({**options, "jobs": jobs, "ranks": ranks if ranks > 1 else []})
    words += ["--series"] * has_series + make_capture_words(captures)
    with tempfile.TemporaryDirectory(prefix="rocelab-") as folder:
        if text is not None:
            path = Path(folder) / os.path.basename(file)
            path.write_text(text, encoding="utf-8")
            words += ["--base", os.path.dirname(file) or "."]
            file = str(path)
        with open(Path(folder) / "output", "w+", encoding="utf-8") as output, open(
            Path(folder) / "errors", "w+", encoding="utf-8"
        ) as errors:
            try:
                status = run_scenario(find_program_folder(), file, out, words, stdout=output, stderr=errors)
            except UserError as error:  # There is no program.
                raise RunError(str(error)) from None
            said, faults = (read_lines(stream, f"{folder}/") for stream in (output, errors))
    if status not in STATUS_NAMES:
        line = next(iter(faults), f"exit status {status} of the program")
        raise InputError(line) if status == BAD_INPUT else RunError(line)
    return list_results(said, faults, holder)


def read_lines(stream: Any, folder: str) -> list[str]:
    """Return what the program has printed, without the folder of the scenario's file."""
    stream.seek(0)
    return [line.removeprefix("rocelab: ").replace(folder, "") for line in stream.read().splitlines()]


def list_results(output: list[str], errors: list[str], holder: TemporaryFolder | None) -> list[RunResult]:
    """Return the result of each NIC, of "NIC: LINE, SECONDS, FOLDER" and, of errors, "NIC: LINE"."""
    results = []
    for line in output:
        text, _, folder = line.rpartition(", ")
        name, _, said = text.rpartition(", ")[0].partition(": ")  # Without the seconds that it took.
        messages = [error.removeprefix(f"{name}: ") for error in errors if error.startswith(f"{name}: ")]
        results.append(RunResult(folder, line=said, messages=messages, holder=holder))
    listed = get_listed_nics(results[0].scenario)
    return sorted(results, key=lambda result: listed.index(result.name))


def make_capture_words(captures: CaptureLike) -> list[str]:
    """Return the options of captures; raises InputError."""
    if not isinstance(captures, Mapping):
        return ["--pcap"] if captures else []
    words = ["--pcap"]
    for key, value in captures.items():
        if key not in CAPTURE_KEYS:
            hint = describe_nearest(key, CAPTURE_KEYS)
            raise InputError(f"captures: expected known keys ({hint}), got {describe_object(key)}")
        if key == "headers":
            words += ["--pcap-headers"] if value else []
        elif isinstance(value, Sequence) and not isinstance(value, str):
            words += [f"--pcap-{key}", ",".join(map(str, value))]
        else:
            raise InputError(f"captures: expected a list of {key}, got {describe_object(value)}")
    return words
