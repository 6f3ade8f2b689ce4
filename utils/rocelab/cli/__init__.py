# SPDX-License-Identifier: GPL-2.0-only
"""What the command line is made of: its parser, shell completion, the manual page, rocelab init."""
