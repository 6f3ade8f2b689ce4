# SPDX-License-Identifier: GPL-2.0-only
"""Operations on an idle network: an order in which they can run, and their times there."""

import heapq

from rocelab.errors import UserError

BITS = 8
PS_PER_S = 10**12
SHARED = "computations put behind another one of the same unit, in the order in which they become ready on an idle network"


class IdleNetwork:
    """A message takes a latency and its bytes at a rate; messages do not share links."""

    def __init__(self, bits_per_second, latency_ps):
        self.rate = bits_per_second
        self.latency = latency_ps

    def get_duration(self, operation):
        """Return the picoseconds of an operation."""
        if not operation.is_message:
            return operation.duration
        return self.latency + operation.bytes * BITS * PS_PER_S // self.rate


class Schedule:
    """Begin and end of each operation in picoseconds, and an order that respects all dependencies."""

    def __init__(self, count):
        self.begin = [0] * count
        self.end = [0] * count
        self.order = []


def list_dependents(operations):
    """Return ({operation: those that wait for its end}, those that wait for its start) as lists."""
    after_end = [[] for _ in operations.all]
    after_start = [[] for _ in operations.all]
    for number, one in enumerate(operations.all):
        for before in one.ends:
            after_end[before].append(number)
        for before in one.starts:
            after_start[before].append(number)
    return after_end, after_start


def schedule(operations, network):
    """Return the Schedule; computations of one unit get a dependency on the one that ran before.

    Raises UserError if operations wait for each other.
    """
    after_end, after_start = list_dependents(operations)
    missing = [len(one.ends) + len(one.starts) for one in operations.all]
    ready = [0] * len(missing)
    heap = [(0, number) for number, count in enumerate(missing) if count == 0]
    result = Schedule(len(missing))
    last_of_unit = {}

    def release(dependents, time):
        for number in dependents:
            ready[number] = max(ready[number], time)
            missing[number] -= 1
            if missing[number] == 0:
                heapq.heappush(heap, (ready[number], number))

    while heap:
        time, number = heapq.heappop(heap)
        one = operations.all[number]
        if one.unit and one.duration:
            before = last_of_unit.get(one.unit)
            last_of_unit[one.unit] = number
            if before is not None and before not in one.ends:
                if result.end[before] > time:
                    operations.notes[SHARED] += 1
                one.ends.append(before)
                time = max(time, result.end[before])
        result.begin[number] = time
        result.end[number] = time + network.get_duration(one)
        result.order.append(number)
        release(after_start[number], time)
        release(after_end[number], result.end[number])
    if len(result.order) < len(missing):
        fail_circle(operations, missing)
    return result


def fail_circle(operations, missing):
    """Raise UserError that names an operation of a circle."""
    number = next(number for number, count in enumerate(missing) if count)
    for _ in missing:  # As many steps back end within a circle.
        one = operations.all[number]
        number = next(before for before in one.ends + one.starts if missing[before])
    one = operations.all[number]
    name = one.name or f"operation {number}"
    expected = f"operations that do not wait for themselves{operations.circle_hint}"
    raise UserError(f"{one.place or operations.path}: expected {expected}, got {name}, which does")
