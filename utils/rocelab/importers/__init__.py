# SPDX-License-Identifier: GPL-2.0-only
"""Workloads and topologies of other simulators as scenarios."""
