# SPDX-License-Identifier: GPL-2.0-only
"""Computations as delays of the messages behind them: the form that a scenario's graph has.

A message of a graph begins one delay after the last of its predecessors. Where computations of different
length lie between a message and its predecessors, one delay is right only for a given network. It is
then chosen so that it is right on an idle one.
"""

from dataclasses import dataclass

from rocelab.importers.operations import MAX_PS

START = -1  # The start of the run, as a predecessor.
MAX_LOOKS = 200  # At predecessors of predecessors, for one question.
MAX_PAIRS = 64  # Queue pairs of a rank whose order is followed.
UNEQUAL = "messages whose predecessors need different delays: one that is right on an idle network"
TRAILING = "computations with no message behind them: dropped"


@dataclass(slots=True)
class Folded:
    """A message with its predecessors, which are messages, and the delay behind the last of them."""

    number: int
    after: list
    delay: int


def merge(terms, others, delay=0):
    """Add the terms of a predecessor, which are {message: picoseconds from its end}."""
    for key, value in others.items():
        terms[key] = max(terms.get(key, 0), value + delay)


class Chains:
    """Messages of a queue pair of which each begins after the one before it, whatever the network does."""

    def __init__(self, operations):
        self.operations = operations
        self.posted = [None] * len(operations.all)  # {queue pair: (last message begun before, picoseconds since)}.
        self.place = {}  # {message: (its chain, picoseconds from the chain's first)}.
        self.order = {}  # Of messages the order of visits.
        self.has_next = set()

    def visit(self, number):
        """Set what has begun before an operation; its predecessors have been visited."""
        one = self.operations.all[number]
        posted = {}
        for before in one.starts:
            self.merge(posted, before, 0)
        for before in one.ends:
            earlier = self.operations.all[before]
            if earlier.rank == one.rank:
                self.merge(posted, before, earlier.duration)
        pair = one.queue_pair
        if one.is_message and pair:
            self.order[number] = len(self.order)
            before, gap = posted.get(pair, (None, 0))
            if before is None or before in self.has_next:
                self.place[number] = (number, 0)
            else:
                self.has_next.add(before)
                self.place[number] = (self.place[before][0], self.place[before][1] + gap)
            posted[pair] = (number, 0)
        self.posted[number] = posted

    def merge(self, posted, before, duration):
        """Add what has begun before a predecessor."""
        for pair, (message, gap) in self.posted[before].items():
            known = posted.get(pair)
            if known is None and len(posted) >= MAX_PAIRS:
                continue
            if known is None or self.is_later(message, gap + duration, known):
                posted[pair] = (message, gap + duration)

    def is_later(self, message, gap, known):
        """Tell whether a message is behind the known one in its chain, or the same with a longer time since."""
        if message == known[0]:
            return gap > known[1]
        return self.order[message] > self.order[known[0]]


class Folder:
    """Computes for each operation the terms of its beginning: it begins when all of them are over."""

    def __init__(self, operations, timing):
        self.operations = operations
        self.timing = timing
        self.starts = [None] * len(operations.all)
        self.chains = Chains(operations)

    def fold(self):
        """Return the Folded messages in the order of the operations."""
        self.count_trailing()
        folded = {}
        for number in self.timing.order:
            self.chains.visit(number)
            terms = self.reduce(self.collect(self.operations.all[number]))
            self.starts[number] = terms
            if self.operations.all[number].is_message:
                folded[number] = self.fold_message(number, terms)
        return [folded[number] for number in sorted(folded)]

    def count_trailing(self):
        """Count the computations that no message waits for."""
        is_needed = [one.is_message for one in self.operations.all]
        for number in reversed(self.timing.order):
            one = self.operations.all[number]
            for before in (*one.ends, *one.starts) if is_needed[number] else ():
                is_needed[before] = True
        trailing = sum(one.duration > 0 and not needed for one, needed in zip(self.operations.all, is_needed))
        self.operations.notes[TRAILING] += trailing

    def collect(self, one):
        """Return the terms of an operation from those of its predecessors."""
        terms = {}
        for before in one.ends:
            earlier = self.operations.all[before]
            if earlier.is_message:
                merge(terms, {before: 0})
            else:
                merge(terms, self.starts[before], earlier.duration)
        for before in one.starts:
            merge(terms, self.starts[before])
        return terms or {START: 0}

    def reduce(self, terms):
        """Return terms without those that follow from others."""
        if len(terms) == 1:
            return terms
        if terms.get(START, MAX_PS) <= max(value for key, value in terms.items() if key != START):
            del terms[START]
        self.drop_overtaken(terms)
        if len(set(terms.values())) > 1:
            for key, value in list(terms.items()):
                if len(terms) > 1 and self.is_implied(key, value, terms):
                    del terms[key]
        return terms

    def drop_overtaken(self, terms):
        """Remove messages behind which a later one of the same queue pair arrives.

        Messages of a queue pair arrive in order, and at least as far apart as they begin.
        """
        last = {}
        for key in sorted((key for key in terms if key in self.chains.place), key=self.chains.order.get):
            chain, gap = self.chains.place[key]
            before = last.get(chain)
            if before is not None and terms[before] <= terms[key] + gap - self.chains.place[before][1]:
                del terms[before]
            last[chain] = key

    def is_implied(self, key, delay, terms):
        """Tell whether a term follows from the others: one of these messages began that long after it."""
        stack = [(other, value) for other, value in terms.items() if other not in (key, START)]
        for _ in range(MAX_LOOKS):
            if not stack:
                return False
            message, value = stack.pop()
            for before, between in self.starts[message].items():
                if before == key and between + value >= delay:
                    return True
                if before != START:
                    stack.append((before, between + value))
        return False

    def fold_message(self, number, terms):
        """Return a message with one delay."""
        after = sorted(key for key in terms if key != START)
        if len(set(terms.values())) == 1:
            return Folded(number, after, max(terms.values()))
        self.operations.notes[UNEQUAL] += 1
        last = max(self.timing.end[key] for key in after)
        return Folded(number, after, self.timing.begin[number] - last)


def fold(operations, timing):
    """Return the Folded messages of Operations, in their order."""
    return Folder(operations, timing).fold()
