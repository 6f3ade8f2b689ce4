# SPDX-License-Identifier: GPL-2.0-only
"""What traces/README.md states about each flow-size distribution, computed from its file."""

import re

import pytest

from hpcc_files import SizeDistribution

NAMES = ["ali-storage", "cache-follower", "hadoop", "web-search", "web-server"]


def parse_number(text):
    """Return "1,234.5" or "2.5 %" as a number, "none" as zero."""
    return float(text.split()[0].replace(",", "").replace("none", "0"))


@pytest.fixture
def rows(checkout):
    """{name: cells behind the source} of the README's table."""
    text = (checkout / "traces" / "README.md").read_text()
    found = re.findall(r"^\| `([\w-]+)\.cdf` \|(.*)\|$", text, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")][1:] for name, cells in found}


def integrate(distribution, low, high):
    """Return the shares of flows and of bytes that flows from low to high bytes have."""
    flows = 0
    total = 0
    corners = list(zip(distribution.sizes, distribution.shares))
    for (left, before), (right, after) in zip(corners, corners[1:]):
        start, end = max(left, low), min(right, high)
        if end > start:
            part = (after - before) * (end - start) / (right - left)
        else:
            part = after - before if left == right and low <= left < high else 0
        flows += part
        total += part * (start + end) / 2
    return flows, total / distribution.get_mean()


def test_each_file_has_a_row(checkout, rows):
    files = sorted(path.stem for path in (checkout / "traces").glob("*.cdf"))
    assert files == sorted(rows) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_as_its_row_says(checkout, rows, name):
    mean, median, largest, small, large = rows[name]
    distribution = SizeDistribution(checkout / "traces" / f"{name}.cdf")
    assert distribution.get_mean() == pytest.approx(parse_number(mean), abs=0.005)
    assert distribution.get_quantile(0.5) == pytest.approx(parse_number(median), abs=0.5)
    assert distribution.sizes[-1] == parse_number(largest)
    below, _ = integrate(distribution, 0, 10_000)
    assert 100 * below == pytest.approx(parse_number(small), abs=0.5)
    flows, share = integrate(distribution, 1_000_000, float("inf"))
    assert 100 * flows == pytest.approx(parse_number(large), abs=0.5)
    bytes_stated = re.search(r"\((\d+) %\)", large)
    assert 100 * share == pytest.approx(float(bytes_stated.group(1)) if bytes_stated else 0, abs=0.5)
