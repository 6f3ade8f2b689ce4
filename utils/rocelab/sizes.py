# SPDX-License-Identifier: GPL-2.0-only
"""Sizes as scenarios write them: "64kB", "1MiB"."""

from __future__ import annotations

import re

SIZE = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,9}))?(B|kB|KiB|MB|MiB|GB|GiB)?")
UNITS = {"B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30}


def parse_size(value: object) -> int | None:
    """Return the bytes of "1.5kB", "1500" or 1500; None for what is no whole number of bytes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    match = SIZE.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return None
    whole, fraction, unit = match.groups()
    scaled = int(whole + (fraction or "")) * UNITS[unit or "B"]
    size, rest = divmod(scaled, 10 ** len(fraction or ""))
    return None if rest else size
