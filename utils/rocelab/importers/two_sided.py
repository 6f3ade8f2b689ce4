# SPDX-License-Identifier: GPL-2.0-only
"""Programs of sends, receives and computations per rank, as GOAL, MSCCL and Chakra have them."""

from collections import deque
from dataclasses import dataclass, field

from rocelab.errors import UserError
from rocelab.importers.operations import Operations

ANY = -1  # As source or tag.
SEND, RECEIVE, COMPUTE, GATE = "send", "recv", "calc", "gate"
LATE = "sends above --eager: they begin when the receive is posted, and end when acknowledged"


@dataclass(slots=True)
class Step:
    """A step of a rank's program; `needs` and `needs_start` are places in the program.

    A gate ends with what the format's reader adds to its end.
    """

    kind: str
    size: int = 0  # Bytes, or picoseconds of a computation.
    peer: int = 0
    tag: object = 0
    cpu: int = 0
    nic: int = 0
    needs: list = field(default_factory=list)
    needs_start: list = field(default_factory=list)
    name: str = ""
    place: str = ""


def is_wild(step):
    """Tell whether a step is a receive from any source or with any tag."""
    return step.kind == RECEIVE and ANY in (step.peer, step.tag)


class Matcher:
    """Pairs sends and receives by source, destination and tag, in the order of the programs."""

    def __init__(self, programs, notes):
        self.programs = programs
        self.notes = notes
        self.waiting = {}  # {(src, dst, tag): sends} in order.
        self.of_receiver = {}
        self.wild = {rank for rank, program in enumerate(programs) if any(map(is_wild, program))}

    def match(self):
        """Return {(rank, place of a receive): (rank, place of its send)}."""
        for src, program in enumerate(self.programs):
            for place, step in enumerate(program):
                if step.kind == SEND:
                    self.waiting.setdefault((step.peer, src, step.tag), deque()).append((src, place))
        for key in sorted(self.waiting, key=str):
            self.of_receiver.setdefault(key[0], []).append(key)
        pairs = {}
        for is_last in (False, True):
            for dst, program in enumerate(self.programs):
                for place, step in enumerate(program):
                    if step.kind == RECEIVE and is_wild(step) == is_last:
                        pairs[dst, place] = self.take(dst, step, is_last)
        left = sum(map(len, self.waiting.values()))
        self.notes["sends without a receive: kept"] += left
        return pairs

    def take(self, dst, step, is_last):
        """Return the send of a receive."""
        keys = [(dst, step.peer, step.tag)]
        if is_last:
            self.notes["receives from any source or with any tag: matched after the others, by rank and order of the file"] += 1
            keys = [key for key in self.of_receiver.get(dst, []) if step.peer in (ANY, key[1]) and step.tag in (ANY, key[2])]
        queue = next((self.waiting[key] for key in keys if self.waiting.get(key)), None)
        if queue is None:
            raise UserError(f"{step.place}: expected a send that matches this receive, got none")
        src, place = queue.popleft()
        self.check_sizes(dst, step, self.programs[src][place])
        return src, place

    def check_sizes(self, dst, receive, send):
        """Raise UserError if a message does not fit into its receive; a larger receive is room that stays empty.

        Beside a receive from any source, the order of matching is not that of the run.
        """
        if send.size > receive.size and dst in self.wild:
            self.notes["messages that do not fit into their receive, beside receives from any source: the size of the send counts"] += 1
        elif send.size > receive.size:
            raise UserError(
                f"{receive.place}: expected a receive of at least {send.size} bytes, the size of its send"
                f" ({send.place.rpartition('/')[2]}), got {receive.size}"
            )
        self.notes["receives larger than their message: the size of the send counts"] += send.size < receive.size


class Builder:
    """Adds the steps of all ranks to Operations; a receive is two: its posting and its end."""

    def __init__(self, path, programs, eager, nics):
        self.programs = programs
        self.eager = eager
        self.nics = nics  # More than 1: each nic of a rank is a server of its own.
        self.operations = Operations(path, len(programs) * nics)
        self.begins = [[] for _ in programs]  # Operations that begin with a step.
        self.finishes = [[] for _ in programs]  # Operations that end with it.

    def build(self):
        """Add everything; returns the Operations."""
        pairs = Matcher(self.programs, self.operations.notes).match()
        for rank, program in enumerate(self.programs):
            for step in program:
                begin, finish = self.add_step(rank, step)
                self.begins[rank].append(begin)
                self.finishes[rank].append(finish)
        for rank, program in enumerate(self.programs):
            for place, step in enumerate(program):
                self.add_needs(rank, self.operations.all[self.begins[rank][place]], step)
        for (dst, place), (src, sent) in pairs.items():
            self.add_pair(dst, place, src, sent)
        return self.operations

    def add_step(self, rank, step):
        """Add a step; returns (what begins with it, what ends with it)."""
        common = {"name": f"{rank}.{step.name}" if step.name else "", "place": step.place}
        if step.kind == SEND:
            src, dst = rank, step.peer
            if self.nics > 1:
                src, dst = (one * self.nics + step.nic for one in (src, dst))
            pair = f"{src}>{dst}" + (f" nic {step.nic}" if step.nic and self.nics == 1 else "")
            number = self.operations.send(src, dst, step.size, queue_pair=pair, **common)
            return number, number
        if step.kind in (RECEIVE, GATE):
            begin = self.operations.compute(rank, **common)
            return begin, self.operations.compute(rank, 0, [begin], **common)
        number = self.operations.compute(rank, step.size, unit=(rank, step.cpu), **common)
        return number, number

    def add_needs(self, rank, one, step):
        """Let a step wait for those that it needs."""
        for before in step.needs:
            earlier = self.programs[rank][before]
            if earlier.kind == SEND and earlier.size <= self.eager:
                one.starts.append(self.begins[rank][before])
            else:
                one.ends.append(self.finishes[rank][before])
        one.starts += [self.begins[rank][before] for before in step.needs_start]

    def add_pair(self, dst, place, src, sent):
        """Let a receive end with its message, and a late send wait for the posting of its receive."""
        message = self.finishes[src][sent]
        self.operations.all[self.finishes[dst][place]].ends.append(message)
        if self.programs[src][sent].size > self.eager:
            self.operations.all[message].ends.append(self.begins[dst][place])
            self.operations.notes[LATE] += 1


def make_operations(path, programs, eager, nics=1):
    """Return the Operations of programs. A send of at most `eager` bytes ends for its rank when it begins."""
    return Builder(path, programs, eager, nics).build()
