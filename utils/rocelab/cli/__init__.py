# SPDX-License-Identifier: GPL-2.0-only
"""The program's help in other forms: completion and manual page; and rocelab init."""
