# SPDX-License-Identifier: GPL-2.0-only
"""What every format is read into: messages and computations that depend on each other."""

from collections import Counter
from dataclasses import dataclass, field

from rocelab.errors import UserError

MAX_OPERATIONS = 1_000_000
PS_PER_NS = 1000
PS_PER_US = 1_000_000
MAX_PS = 10**18  # A million seconds, the longest time of a scenario.


@dataclass(slots=True)
class Operation:
    """A message (of a peer, perhaps without bytes) or a computation, which begins when its predecessors allow it."""

    rank: int  # Sender, or the computing rank.
    peer: int = -1  # Receiver; -1: a computation.
    bytes: int = 0
    duration: int = 0  # Picoseconds of a computation.
    ends: list = field(default_factory=list)  # Operations that end before this one begins.
    starts: list = field(default_factory=list)  # Operations that begin before this one begins.
    name: str = ""
    queue_pair: str = ""
    unit: tuple = ()  # Computations of one unit run one at a time; (): no unit.
    place: str = ""  # FILE:LINE, for messages.

    @property
    def is_message(self):
        """Tell whether bytes cross the network."""
        return self.peer >= 0


class Operations:
    """The operations of all ranks; `notes` counts what was dropped or assumed."""

    def __init__(self, path, ranks):
        self.path = path
        self.ranks = ranks
        self.all = []
        self.notes = Counter()
        self.verb = "write"  # How data move, unless an option says otherwise: write, send or read.
        self.circle_hint = ""  # An option that leaves out dependencies.

    def add(self, operation):
        """Append an operation; returns its number."""
        if len(self.all) >= MAX_OPERATIONS:
            raise UserError(f"{self.path}: expected at most {MAX_OPERATIONS} operations, got more")
        self.all.append(operation)
        return len(self.all) - 1

    def compute(self, rank, duration=0, ends=(), starts=(), **more):
        """Add a computation, or with no duration a point where dependencies meet."""
        if duration > MAX_PS:
            raise UserError(f"{more.get('place', self.path)}: expected computations of at most 1000000 s, got a longer one")
        return self.add(Operation(rank, duration=duration, ends=list(ends), starts=list(starts), **more))

    def send(self, rank, peer, size, ends=(), starts=(), **more):
        """Add a message; one of a rank to itself takes no time."""
        if rank == peer:
            self.notes["messages of a rank to itself: they take no time"] += 1
            return self.compute(rank, 0, ends, starts, name=more.get("name", ""))
        return self.add(Operation(rank, peer, size, ends=list(ends), starts=list(starts), **more))

    def count_messages(self):
        """Return the number of messages."""
        return sum(one.is_message for one in self.all)
