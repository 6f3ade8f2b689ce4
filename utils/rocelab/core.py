# SPDX-License-Identifier: GPL-2.0-only
"""The extension module rocelab._core, or one line that says why it cannot be loaded."""

try:
    from rocelab import _core
except ImportError as error:
    raise ImportError(
        "rocelab: expected the module _core that ./waf build makes for /usr/bin/python3,"
        f" got: {error}"
    ) from None

__all__ = ["_core"]
