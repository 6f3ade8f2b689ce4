# SPDX-License-Identifier: GPL-2.0-only
"""Versions of ns-3, as pkg-config states them, and the C++ standard of each."""

import re

OLDEST = (3, 37)

#: ns-3's main branch calls itself 3-dev: it is later than every release.
MAIN_BRANCH = (3, 1_000_000)

#: First version that ns-3's own build compiles with a standard (CMAKE_CXX_STANDARD_MINIMUM), latest
#: first. Its headers use what the standard brings, so programs need the same.
STANDARDS = [((3, 46), 'c++23'), ((3, 41), 'c++20'), (OLDEST, 'c++17')]


def parse_version(text):
    """Returns (3, 46) of '3.46.1', MAIN_BRANCH of '3-dev', and None of what is no version of ns-3."""
    if text == '3-dev':
        return MAIN_BRANCH
    match = re.match(r'3\.(\d+)(?![^.-])', text)
    return (3, int(match.group(1))) if match else None


def choose_standard(version):
    """Returns the C++ standard for a parsed version, None if that is older than OLDEST."""
    for first, standard in STANDARDS:
        if version >= first:
            return standard
    return None
