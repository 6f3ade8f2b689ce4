# SPDX-License-Identifier: GPL-2.0-only
"""Reports of results: one HTML page, the comparison of NICs, the difference of two runs."""
