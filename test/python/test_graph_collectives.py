# SPDX-License-Identifier: GPL-2.0-only
"""rocelab.collectives: graphs of phases, and the same times as workload "collective"."""

import pytest
from binding import needs_module

import rocelab
from rocelab import collectives
from rocelab.sizes import parse_size

FABRIC = {"topology": "star", "servers": 8, "hostRate": "100Gbps", "linkDelay": "1us"}
RANKS = range(8)
EQUAL = [
    (collectives.ring(RANKS, "8MB"), {"operation": "all-reduce", "algorithm": "ring"}),
    (collectives.ring(RANKS, "8MB", "all-gather"), {"operation": "all-gather", "algorithm": "ring"}),
    (collectives.halving_doubling(RANKS, "8MB"), {"operation": "all-reduce", "algorithm": "halving-doubling"}),
    (collectives.all_to_all(RANKS, "8MB"), {"operation": "all-to-all", "algorithm": "shifted"}),
    (collectives.binomial(RANKS, "8MB"), {"operation": "broadcast", "algorithm": "binomial"}),
]


def run(workload):
    """Return the results of one NIC in a star of 8 servers."""
    return rocelab.run({"name": "g", "fabric": FABRIC, "nics": ["srnic"], "workload": workload}).only


def measure_end(phase):
    """Return when the last operation has ended, us."""
    flows = run(phase.workload()).completed
    assert len(flows) == len(phase.operations)
    return (flows["start_ns"] + flows["fct_ns"]).max() / 1e3


@needs_module
@pytest.mark.parametrize("phase, keys", EQUAL, ids=lambda value: value["algorithm"] if isinstance(value, dict) else "")
def test_a_phase_takes_as_long_as_the_collective_of_the_program(phase, keys):
    iteration = run({"type": "collective", "size": "8MB", "iterations": 1, **keys}).table("collectives")["time_ns"].max() / 1e3
    # A flow ends with its acknowledgment, a collective with the arrival: 2 us of links, and switches.
    assert iteration < measure_end(phase) < iteration + 3


def test_a_ring_has_each_part_once_at_each_rank():
    operations = collectives.ring([5, 7, 9], 100).operations
    assert len(operations) == 3 * 2 * 2
    assert [(one["src"], one["dst"], one["bytes"]) for one in operations[:3]] == [(5, 7, 33), (7, 9, 33), (9, 5, 34)]
    assert [one.get("after") for one in operations[:6]] == [None, None, None, [2], [0], [1]]
    sent = {}
    for one in operations:
        sent[one["src"]] = sent.get(one["src"], 0) + one["bytes"]
    # Each rank sends each part twice, but two parts once: 200 - the two that others complete.
    assert sum(sent.values()) == 2 * (3 - 1) * 100


def test_channels_share_the_bytes_and_have_queue_pairs_of_their_own():
    operations = collectives.ring(range(4), 1001, "reduce-scatter", channels=2).operations
    assert sum(one["bytes"] for one in operations) == 3 * 1001
    assert {one["queuePair"].split("/")[1] for one in operations} == {"0", "1"}


def test_a_window_bounds_the_rounds_in_flight():
    operations = collectives.all_to_all(range(4), "4kB", window=1).operations
    assert [one["bytes"] for one in operations] == [1000] * 12
    # The message of rank 0 in round 2 waits for the message of rank 3 to it in round 1, number 3.
    assert [one.get("after") for one in operations[:5]] == [None, None, None, None, [3]]


def test_a_broadcast_of_any_number_of_ranks_reaches_each_once():
    for count in range(2, 12):
        operations = collectives.binomial(range(count), 10).operations
        assert sorted(one["dst"] for one in operations) == list(range(1, count))
        got = {0}
        for one in operations:
            assert one["src"] in got
            got.add(one["dst"])


def test_a_phase_begins_when_that_of_its_rank_has_ended_and_after_its_delay():
    first = collectives.messages([(0, 1, "1kB"), (2, 3, "1kB")])
    second = collectives.messages([(1, 0, "1kB"), (3, 2, "1kB")], after=first, delay={3: "50us"})
    assert [(one.get("after"), one.get("delay")) for one in second.operations] == [
        (None, None), (None, None), ([0], None), ([1], "50us")
    ]  # fmt: skip
    assert len(first.operations) == 2  # A phase is not changed by the next one.


@needs_module
def test_a_straggler_delays_the_next_phase():
    first = collectives.ring(RANKS, "1MB")
    usual = measure_end(collectives.all_to_all(RANKS, "1MB", after=first))
    late = measure_end(collectives.all_to_all(RANKS, "1MB", after=first, delay={3: "500us"}))
    assert usual + 400 < late < usual + 501


@pytest.mark.parametrize(
    "make, line",
    [
        (lambda: collectives.ring([1], 10), "ranks: expected at least 2 different node ids"),
        (lambda: collectives.ring([1, 1], 10), "ranks: expected at least 2 different node ids"),
        (lambda: collectives.ring([1, 2], "10 kB"), "size: expected a size such as"),
        (lambda: collectives.ring([1, 2], 10, "all"), "operation: expected all-reduce"),
        (lambda: collectives.ring([1, 2], 10, channels=0), "channels: expected a whole number from 1, got 0"),
        (lambda: collectives.halving_doubling([1, 2, 3], 10), "ranks: expected a power of two, got 3"),
        (lambda: collectives.ring([1, 2], 10, after=[]), "after: expected a phase"),
    ],
)
def test_bad_arguments_are_one_line(make, line):
    with pytest.raises(rocelab.InputError, match=line):
        make()


@pytest.mark.parametrize(
    "text, size",
    [("1.5kB", 1500), ("16MiB", 16 << 20), ("7", 7), (7, 7), ("0.5", None), ("1 kB", None), (True, None), (-1, None), ("", None)],
)
def test_sizes(text, size):
    assert parse_size(text) == size
