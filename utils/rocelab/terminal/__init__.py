# SPDX-License-Identifier: GPL-2.0-only
"""The terminal: options of commands, signals, progress lines and tables of text."""
