# SPDX-License-Identifier: GPL-2.0-only
"""The extension module over the C++ libraries; use it by way of rocelab.runs.lab and rocelab.runs.policies."""

from collections.abc import Callable, Sequence
from typing import Any

VERSION: str

Progress = Callable[[str, int, int, int, int], object]

#: File, a text that stands for what is in it, sets, nics, seed, whether to write series, plug-ins.
Request = tuple[
    str, str | None, Sequence[str], Sequence[str], int | None, bool, Sequence[str]
]

def check(request: Request) -> str:
    """Return the resolved scenario as JSON."""

def run(request: Request, out: str, progress: Progress | None) -> list[dict[str, Any]]:
    """Run all NICs and write OUT/<name>/<nic>/; returns what became of each."""

def end_run() -> None:
    """Stop a run of another thread and wait for its end; for atexit."""

def defer_interrupt() -> bool:
    """During a call of a policy, let the run end after it; False: none is being called, or the run ends already."""

def check_preset(preset: str) -> None:
    """Raise InputError that names the nearest preset if there is none of that name."""

def check_attribute(name: str, value: str) -> None:
    """Raise InputError if no object can be made with the attribute of that full name and value."""

def list_presets() -> list[tuple[str, str]]:
    """Return name and description of each preset."""

class Attribute:
    """An attribute of a Python class: name, help, kind, default and bounds, as text."""

    def __init__(
        self, name: str, help: str, kind: str, initial: str, minimum: str, maximum: str
    ) -> None: ...
    @property
    def default(self) -> Any:
        """As Python has it: times in picoseconds, rates in bit/s; raises InputError."""

def register_class(
    name: str, source: str, type: type, base: type, attributes: Sequence[Attribute]
) -> None:
    """Make a class known to ns-3's types, for scenarios to name."""
