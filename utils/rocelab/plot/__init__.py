# SPDX-License-Identifier: GPL-2.0-only
"""rocelab plot: the figures that papers have, from result folders and sweep tables."""
