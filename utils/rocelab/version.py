# SPDX-License-Identifier: GPL-2.0-only
"""The version of this package: that of its module, of the checkout, or of the installed package."""

import importlib.metadata
import re

from rocelab.places import find_checkout


def read_version() -> str:
    """Return the version as "1.0.0"; "unknown" if nothing states it."""
    checkout = find_checkout()
    if checkout is not None:
        found = re.search(r"^VERSION = '(.*)'$", (checkout / "wscript").read_text(encoding="utf-8"), re.MULTILINE)
        return found[1] if found else "unknown"
    try:
        return importlib.metadata.version("rocelab")
    except importlib.metadata.PackageNotFoundError:
        pass  # A Debian package.
    try:
        from rocelab import _core
    except ImportError:
        return "unknown"
    return str(_core.VERSION)


__version__: str = read_version()
