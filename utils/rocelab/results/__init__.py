# SPDX-License-Identifier: GPL-2.0-only
"""Files of results: reading them, checking their form, and statistics of their rows."""
