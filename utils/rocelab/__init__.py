# SPDX-License-Identifier: GPL-2.0-only
"""Tables, plots and paper figures from the result folders that build/rocelab writes."""
