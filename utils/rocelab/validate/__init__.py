# SPDX-License-Identifier: GPL-2.0-only
"""Figures of examples/, and their numbers beside the facts of papers (docs/validation/validation.md)."""
