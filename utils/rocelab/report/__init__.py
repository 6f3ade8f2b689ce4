# SPDX-License-Identifier: GPL-2.0-only
"""One HTML page of results: tables, plots, topology, scenario, and what was not modelled."""
