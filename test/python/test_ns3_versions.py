# SPDX-License-Identifier: GPL-2.0-only
"""The build takes the C++ standard from the version of ns-3 that pkg-config states."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "utils" / "build"))

import ns3_versions  # noqa: E402


# CMAKE_CXX_STANDARD_MINIMUM in build-support/macros-and-definitions.cmake of each release.
@pytest.mark.parametrize(
    "version, standard",
    [
        ("3.36.1", None),
        ("3.37", "c++17"),
        ("3.40", "c++17"),
        ("3.41", "c++20"),
        ("3.45", "c++20"),
        ("3.46", "c++23"),
        ("3.46.1", "c++23"),
        ("3.48", "c++23"),
        ("3.48-RC1", "c++23"),
        ("3.100", "c++23"),
        ("3-dev", "c++23"),
    ],
)
def test_the_standard_is_that_of_ns3_itself(version, standard):
    assert ns3_versions.choose_standard(ns3_versions.parse_version(version)) == standard


@pytest.mark.parametrize("text", ["", "3", "3.", "4.0", "3.x", "3.41x", "dev"])
def test_other_texts_are_no_version(text):
    assert ns3_versions.parse_version(text) is None
