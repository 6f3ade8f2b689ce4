# SPDX-License-Identifier: GPL-2.0-only
"""Pictures: style, axes and panels, and the kinds that rocelab plot draws of results."""
