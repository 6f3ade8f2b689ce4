# SPDX-License-Identifier: GPL-2.0-only
"""Collectives as messages: rings, direct all-to-all, binomial trees."""

#: Names of collectives as the formats' readers give them.
ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL = "all-reduce", "all-gather", "reduce-scatter", "all-to-all"
BROADCAST, REDUCE, GATHER, SCATTER, BARRIER = "broadcast", "reduce", "gather", "scatter", "barrier"


def cut(size, parts):
    """Return the sizes of the parts of a buffer; they differ by at most a byte."""
    return [size * (part + 1) // parts - size * part // parts for part in range(parts)]


class Collective:
    """A collective that is added to Operations; ready[i] is the operation after which ranks[i] takes part."""

    def __init__(self, operations, ranks, ready, name):
        self.operations = operations
        self.ranks = ranks
        self.ready = ready
        self.name = name
        self.received = [[] for _ in ranks]
        self.sent = [[] for _ in ranks]

    def send(self, source, target, size, ends=(), starts=()):
        """Add a message between two places of the group."""
        src, dst = self.ranks[source], self.ranks[target]
        number = self.operations.send(
            src,
            dst,
            size,
            ends,
            starts,
            name=f"{self.name} {src}>{dst} {len(self.sent[source])}",
            queue_pair=f"{src}>{dst}",
        )
        self.sent[source].append(number)
        self.received[target].append(number)
        return number

    def run_ring(self, size, steps):
        """Add a ring; step k of a place forwards the part that it received in step k - 1."""
        count = len(self.ranks)
        parts = cut(size, count)
        first = before = None
        for step in range(steps):
            now = []
            for place in range(count):
                ends, starts = [self.ready[place]], []
                if step:
                    ends = [before[place - 1]]
                    # The rank itself takes part; later its first message has long been acknowledged.
                    (starts if step == 1 else ends).append(first[place])
                now.append(self.send(place, (place + 1) % count, parts[(place - step) % count], ends, starts))
            first = first or now
            before = now

    def finish_ring(self, steps):
        """Return what ends the ring at each place."""
        done = []
        for place, rank in enumerate(self.ranks):
            first = self.sent[place][0]
            last = self.received[place][-1]
            ends, starts = ([last, first], []) if steps > 1 else ([last], [first])
            done.append(self.operations.compute(rank, 0, ends, starts, name=self.name))
        return done

    def run_direct(self, size):
        """Add an all-to-all: all messages of a place begin at once, to the next place first."""
        count = len(self.ranks)
        for distance in range(1, count):
            for place in range(count):
                target = (place + distance) % count
                self.send(place, target, cut(size, count)[target], [self.ready[place]])

    def run_tree(self, size, root, is_up):
        """Add a binomial tree of whole buffers, from the root or, if is_up, towards it.

        A place sends to one at a time: the next one when the message before is acknowledged.
        """
        count = len(self.ranks)
        arrived = {0: []}
        edges = []
        reach = 1
        while reach < count:
            edges += [(low, low + reach) for low in range(min(reach, count - reach))]
            reach *= 2
        for low, high in reversed(edges) if is_up else edges:
            source, target = (high, low) if is_up else (low, high)
            place = (source + root) % count
            ends = [self.ready[place], *arrived.get(source, []), *self.sent[place][-1:]]
            number = self.send(place, (target + root) % count, size, ends)
            arrived.setdefault(target, []).append(number)

    def run_star(self, size, root, is_up):
        """Add a scatter from the root or, if is_up, a gather to it; size is one rank's part."""
        for place in range(len(self.ranks)):
            if place != root:
                source, target = (place, root) if is_up else (root, place)
                self.send(source, target, size, [self.ready[source]])

    def finish(self):
        """Return what ends the collective at each place: all that it received, and its own start."""
        return [
            self.operations.compute(rank, 0, [*self.received[place], self.ready[place]], name=self.name)
            for place, rank in enumerate(self.ranks)
        ]


def add_collective(operations, kind, ranks, size, ready, name, root=0):
    """Add a collective; returns the operation that ends it for each rank.

    `size` is the full buffer of all-reduce, reduce-scatter, all-gather (what a rank holds at its end),
    all-to-all (what a rank sends, its own part included), broadcast and reduce, and one rank's part of
    gather and scatter.
    """
    if len(ranks) == 1:
        operations.notes["collectives of one rank: they take no time"] += 1
        return list(ready)
    one = Collective(operations, ranks, ready, name)
    if kind == BARRIER:
        operations.notes["barriers: ranks wait for each other, without messages"] += 1
        return [operations.compute(rank, 0, ready, name=name) for rank in ranks]
    if kind in (ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER):
        steps = (len(ranks) - 1) * (2 if kind == ALL_REDUCE else 1)
        one.run_ring(size, steps)
        return one.finish_ring(steps)
    if kind == ALL_TO_ALL:
        one.run_direct(size)
    elif kind in (BROADCAST, REDUCE):
        one.run_tree(size, root, kind == REDUCE)
    else:
        one.run_star(size, root, kind == GATHER)
    return one.finish()


def count_messages(kind, count):
    """Return how many messages add_collective() adds for a group of that many ranks."""
    if count == 1 or kind == BARRIER:
        return 0
    if kind == ALL_REDUCE:
        return 2 * count * (count - 1)
    return count * (count - 1) if kind in (ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL) else count - 1
