# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the engine: its program, and scenarios and policies in process (docs/study/python.md)."""
