# SPDX-License-Identifier: GPL-2.0-only
"""The benchmark of NIC designs: fixed scenarios, a score between 0 and 1 for each, one page."""
