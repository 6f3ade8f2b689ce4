# SPDX-License-Identifier: GPL-2.0-only
"""Cases of ECN: accuracy by depth, response time, order of ECN and PFC, queues that do not disturb each other."""

import math

from ..common import (
    KMAX,
    KMIN,
    PMAX,
    WRED,
    Case,
    first_time,
    last_time,
    make_dut,
    make_scenario,
    make_stream,
    make_tester,
    select_class,
    within,
)

RATE = 70  # Percent of the line rate of each stream: the plan's default.
TAIL_US = 4000  # Stream 1 alone afterwards: what both streams have queued leaves at 30 Gb/s.
STEP_US = 0.1  # The shortest interval of series.

#: Of the accuracy: the smallest packets of RoCE here, and the bytes that they have in a queue and at the wire.
SMALL, SMALL_QUEUED, SMALL_WIRE = 64, 122, 146
BUCKETS = 5  # Depths between kmin and kmax; the plan names no number.
TOLERANCE = 10  # Percent: the plan's marking_accuracy_tolerance.
DEPTH = KMAX * 1.15
#: A relative deviation of 10 % is four standard deviations of so many expected marks.
LEAST_MARKS = (4 / (TOLERANCE / 100)) ** 2


def make_accuracy(marking, pairs, seed):
    """Return the scenario of pairs of ports. The receivers pause class 3, so that the queues of the switch fill."""
    packets = round(DEPTH / SMALL_QUEUED)
    pause_us = 1.2 * packets * SMALL_WIRE * 8 / 1e5
    dut = make_dut(2 * pairs, mtu=SMALL, buffer="1GiB", bufferAlpha={"100Gbps": 1})
    dut["classes"]["3"] = {"lossless": True, "weight": 15, "ecn": WRED, "marking": marking}
    flows = [{"src": port, "dst": pairs + port, "bytes": packets * SMALL} for port in range(pairs)]
    return {
        "name": f"accuracy-{marking}-{seed}",
        "fabric": dut,
        "nics": [make_tester()],
        "pauseStorms": [
            {"server": pairs + port, "class": 3, "at": "0us", "until": f"{pause_us:.0f}us"} for port in range(pairs)
        ],
        "workload": {"type": "flows", "priority": 3, "flows": flows},
        "run": {"seed": seed},
        "series": {"interval": "1us", "what": ["class"], "ports": [[2 * pairs, pairs + port] for port in range(pairs)]},
    }


def get_expected(depth):
    """Return the probability of CE at a queue of `depth` bytes."""
    if depth < KMIN:
        return 0.0
    return PMAX * (depth - KMIN) / (KMAX - KMIN) if depth < KMAX else 1.0


def sum_buckets(results, pairs, marking):
    """Return {bucket: [packets, marks, expected marks]}; 0 is below kmin, BUCKETS + 1 above kmax.

    At enqueue the queue grows by the packets that were judged, at dequeue it shrinks by them. Intervals in which the
    queue crosses kmin, kmax or a border of buckets are left out.
    """
    sums = {bucket: [0, 0, 0.0] for bucket in range(BUCKETS + 2)}
    for nic in results:
        for port in range(pairs):
            add_port(sums, select_class(nic, 2 * pairs, pairs + port, 3), marking)
    return sums


def add_port(sums, rows, marking):
    """Add the intervals of one queue to the buckets."""
    before = 0
    for row in rows:
        depth = int(row["bytes"])
        grown, before = depth - before, depth
        is_judged = grown > 0 if marking == "enqueue" else grown < 0
        if not is_judged:
            continue
        low, high = sorted((depth - grown, depth))
        if get_bucket(low) != get_bucket(high):
            continue
        packets = abs(grown) // SMALL_QUEUED
        # A packet at enqueue finds what is there before it, at dequeue it leaves what is there after it: both end
        # one packet below the longer queue.
        middle = (low + high - SMALL_QUEUED) / 2
        one = sums[get_bucket(low)]
        one[0] += packets
        one[1] += int(row["marks"])
        one[2] += packets * get_expected(middle)


def get_bucket(depth):
    """Return the bucket of a depth."""
    if depth < KMIN:
        return 0
    return min(BUCKETS, int((depth - KMIN) * BUCKETS / (KMAX - KMIN))) + 1


def judge_accuracy(context, pairs, seeds):
    """Return the verdicts of the accuracy, at enqueue and at dequeue."""
    keys = [(marking, seed) for marking in ("enqueue", "dequeue") for seed in seeds]
    results = context.sweep({key: make_accuracy(*key[:1], pairs, key[1]) for key in keys})
    case = Case("ECN marking accuracy, test case 1", "switch-ecn-marking-accuracy-tests.md")
    for marking in ("enqueue", "dequeue"):
        nics = [results[marking, seed].nics[0] for seed in seeds]
        judge_buckets(case, sum_buckets(nics, pairs, marking), f"at {marking}")
    return case.verdicts


def judge_buckets(case, sums, scenario):
    """Add the checks of the buckets of one place of marking."""
    packets, marks, _ = sums[0]
    case.require("below kmin", "no CE", f"{marks} of {packets:,}", packets and marks == 0, scenario)
    packets, marks, _ = sums[BUCKETS + 1]
    case.require("above kmax", "all CE", f"{marks:,} of {packets:,}", packets and marks == packets, scenario)
    between = [sums[bucket] for bucket in range(1, BUCKETS + 1)]
    points = max(abs(marks - expected) / packets * 100 for packets, marks, expected in between)
    criterion = f"within {TOLERANCE} points"
    case.require("kmin to kmax, worst of 5 depths", criterion, f"{points:.2f} points", points <= TOLERANCE, scenario)
    share = max(abs(marks - expected) / expected * 100 for _, marks, expected in between)
    least = min(expected for *_, expected in between)
    check = "kmin to kmax, relative to the expected probability"
    relative = f"within {TOLERANCE} % of it"
    value = f"{share:.1f} % ({least:,.0f} marks expected at least)"
    if least < LEAST_MARKS:
        case.leave_open(check, relative, value, scenario)
    else:
        case.require(check, relative, value, share <= TOLERANCE, scenario)
    deviation = max(abs(marks - expected) / math.sqrt(expected) for _, marks, expected in between)
    case.require(
        "kmin to kmax, standard deviations", "4 (ours)", f"{deviation:.1f}", deviation <= 4, scenario
    )


def make_congestion(name, workloads, seed, end_us):
    """Return the scenario of two senders and a receiver, with the classes of their ports every 100 ns."""
    return make_scenario(
        name,
        make_dut(3),
        workloads,
        seed,
        series={"interval": f"{STEP_US:g}us", "what": ["class"], "ports": [[3, 2], [0, 3], [1, 3]]},
    )


def judge_congestion(context, on_us, seed):
    """Return the verdicts of one run: stream 1 alone, both streams, stream 1 alone."""
    start, end = 500, 500 + on_us
    workloads = [
        make_stream("stream-1", 0, 2, 3, RATE, 0, end + TAIL_US),
        make_stream("stream-2", 1, 2, 3, RATE, start, on_us),
    ]
    (nic,) = context.run_scenario(make_congestion("congestion", workloads, seed, end)).nics
    egress = select_class(nic, 3, 2, 3)
    senders = [select_class(nic, node, 3, 3) for node in (0, 1)]
    return [
        *judge_basic(nic, egress, senders, start),
        *judge_order(egress, senders, start),
        *judge_response(egress, senders, start),
    ]


def judge_basic(nic, egress, senders, start):
    """Return the verdicts of the basic case: marks with congestion, none without."""
    case = Case("Basic ECN marking, test case 1", "switch-ecn-marking-tests.md")
    before = within(egress, 0, start)["marks"].sum()
    case.require("no CE without congestion", "0", f"{before}", before == 0, "ECT(0), queue 3")
    marks = egress["marks"].sum()
    case.require("CE under congestion", "above 0", f"{marks:,}", marks > 0, "ECT(0), queue 3")
    soak = Case("ECN marking, test case 2 (long soak)", "switch-ecn-marking-tests.md")
    idle = last_time(senders[1], "gbps")
    tail = egress["time_ns"].max() / 1e3
    late = within(egress, tail - 200, tail)["marks"].sum()
    soak.require(
        "marking stops after the congestion", "0", f"{late} in the last 200 us, {tail - idle:.0f} us after it", late == 0
    )
    return [*case.verdicts, *soak.verdicts]


def judge_order(egress, senders, start):
    """Return the verdicts of ECN before PFC."""
    case = Case("ECN before PFC, test case 1", "switch-ecn-pfc-ordering-tests.md")
    early = sum(within(rows, 0, start)["paused_ns"].sum() for rows in senders)
    case.require("no pause without congestion", "0 ns", f"{early} ns", early == 0)
    marked = first_time(egress, "marks")
    paused = min((time for time in (first_time(rows, "paused_ns") for rows in senders) if time), default=None)
    value = "no mark" if marked is None else f"{marked - start:.1f} us" + (" and no pause" if paused is None else f" and {paused - start:.1f} us")
    holds = marked is not None and (paused is None or marked < paused)
    case.require("first CE before the first pause", "earlier", f"{value} after the start of stream 2", holds)
    return case.verdicts


def judge_response(egress, senders, start):
    """Return the times to the first and the last mark; the plan has no thresholds for them."""
    case = Case("ECN response time, test case 1", "switch-ecn-response-time-tests.md")
    marked, last = first_time(egress, "marks"), last_time(egress, "marks")
    stopped = last_time(senders[1], "gbps")
    is_valid = marked is not None and last < egress["time_ns"].max() / 1e3
    case.require("CE observed, and none after the exit", "valid", "valid" if is_valid else "invalid", is_valid)
    if is_valid:
        first_sent = within(senders[1], start, 1e9)
        case.report("enter time", f"{marked - first_time(first_sent, 'gbps'):.1f} us")
        case.report("exit time", f"{last - stopped:.1f} us")
    return case.verdicts


def judge_interference(context, on_us, seed):
    """Return the verdicts of two queues of a port, one of them without ECN."""
    start = 500
    workloads = [
        make_stream(f"{name}-{number}", port, 2, number, RATE / 2, begin, duration)
        for name, port, begin, duration in (("stream-1", 0, 0, start + on_us), ("stream-2", 1, start, on_us))
        for number in (3, 1)
    ]
    (nic,) = context.run_scenario(make_congestion("interference", workloads, seed, start + on_us)).nics
    rows = {number: select_class(nic, 3, 2, number) for number in (3, 1)}
    case = Case("ECN interference, test case 1 (queues)", "switch-ecn-interference-tests.md")
    early = sum(within(one, 0, start)["marks"].sum() for one in rows.values())
    case.require("no CE without congestion", "0", f"{early}", early == 0)
    marks, others = (int(rows[number]["marks"].sum()) for number in (3, 1))
    case.require("queue A (3, ECN): CE", "above 0", f"{marks:,}", marks > 0)
    depth = int(rows[1]["bytes"].max())
    case.require("queue B (1, no ECN): no CE", "0", f"{others} at {depth / 1e6:.1f} MB", others == 0 and depth > KMIN)
    return case.verdicts
