# SPDX-License-Identifier: GPL-2.0-only
"""rocelab sweep: runs the variants of a scenario and gathers one table (docs/study/sweep.md)."""
