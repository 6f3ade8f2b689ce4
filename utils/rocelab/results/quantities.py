# SPDX-License-Identifier: GPL-2.0-only
"""Rates and times as the program writes them into its results: "100Gbps", "1us"."""

from rocelab.errors import UserError


def read_unit(text, units, what):
    """Return the number of a text with one of {unit: factor}; raises UserError."""
    for unit, factor in sorted(units.items(), key=lambda item: -len(item[0])):
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * factor
    raise UserError(f"expected {what} with a unit ({', '.join(units)}), got {text!r}")


def read_gbps(text):
    """Return the Gbit/s of "100Gbps"."""
    return read_unit(text, {"Gbps": 1, "Mbps": 1e-3, "kbps": 1e-6, "bps": 1e-9}, "a rate")


def read_ns(text):
    """Return the ns of "1us"."""
    return read_unit(text, {"ns": 1, "us": 1e3, "ms": 1e6, "ps": 1e-3, "s": 1e9}, "a time")
