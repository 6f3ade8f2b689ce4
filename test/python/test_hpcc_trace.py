# SPDX-License-Identifier: GPL-2.0-only
import hashlib

import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example

hpcc_trace = load_example("srnic/hpcc_trace")

# SHA-256 of the lines behind the count of the authors' 64-server trace: their generator, run by us.
AUTHORS_64 = "a1a12f41d7b55e046cc2c31449a49e30e55d80ce662d82f8405e3e6400305a23"

# The same of 2 ms with incasts: flowCacheFollowerLoad07Time0002_fat64.txt of validation/README.md.
WITH_INCASTS = "0ace9eaf5b92884a88dbbfccd21b16c7697922532c575a0b8a80aa5b336ad62b"


@pytest.fixture
def sizes(checkout):
    return hpcc_trace.read_sizes(checkout / "traces" / "cache-follower.cdf")


def test_the_mean_size_is_that_of_the_distribution(sizes):
    assert hpcc_trace.get_mean(sizes) == pytest.approx(712_570, abs=1)  # As traces/README.md says.


def test_the_trace_of_64_servers_is_the_authors_line_by_line(sizes):
    flows = hpcc_trace.make_flows(64, sizes, 0.7, 100e9, 10**7)
    lines = [hpcc_trace.format_flow(*flow) for flow in flows]
    assert len(lines) == 7591
    assert lines[0] == "6 4 3 100 2215769 2.000001079"
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == AUTHORS_64


def test_the_trace_with_incasts_is_the_authors_line_by_line(sizes):
    flows = list(hpcc_trace.make_flows(64, sizes, 0.7, 100e9, 2 * 10**6, incast_load=0.02))
    lines = [hpcc_trace.format_flow(*flow) for flow in flows]
    assert len(lines) == 1782
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == WITH_INCASTS
    # Five incasts, each of 60 senders that differ, and to a receiver that is none of them.
    incasts = {}
    for source, destination, size, start in flows:
        if size == 500_000:
            incasts.setdefault((start, destination), []).append(source)
    assert [receiver for _, receiver in incasts] == [2, 39, 59, 44, 50]
    assert all(len(set(senders)) == 60 and to not in senders for (_, to), senders in incasts.items())


def test_flows_are_in_order_and_have_two_ends_each(sizes):
    flows = list(hpcc_trace.make_flows(16, sizes, 0.7, 100e9, 10**6))
    starts = [start for *_, start in flows]
    assert starts == sorted(starts)
    assert all(
        source != destination and 0 <= source < 16 and 0 <= destination < 16 and size >= 1
        for source, destination, size, _ in flows
    )


def test_a_trace_begins_with_the_count_of_its_flows(sizes, tmp_path):
    flows = hpcc_trace.make_flows(16, sizes, 0.7, 100e9, 10**6)
    count, *lines = hpcc_trace.write_trace(tmp_path / "flows.txt", flows).read_text().splitlines()
    assert int(count) == len(lines) > 0


def test_a_distribution_that_ends_early_is_one_line():
    with pytest.raises(UserError, match="expected a distribution up to 100 %"):
        hpcc_trace.get_size([(0.0, 0.0), (10.0, 50.0)], 70)
