# SPDX-License-Identifier: GPL-2.0-only
"""How long tests wait: only a program that hangs takes so long, also on a machine that is busy with other work."""

#: Seconds after which a program hangs.
TIME_LIMIT = 600
