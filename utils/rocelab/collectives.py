# SPDX-License-Identifier: GPL-2.0-only
"""Graphs of operations for workload "graph": phases of collectives and messages, which begin when others have ended.

    phase = rocelab.collectives.ring(range(8), "16MB")
    phase = rocelab.collectives.all_to_all(range(8), "4MB", after=phase, delay={3: "50us"})
    scenario["workload"] = phase.workload()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from rocelab.errors import InputError, describe_object
from rocelab.sizes import parse_size

__all__ = ["Phase", "all_to_all", "binomial", "halving_doubling", "messages", "ring"]

#: A size as scenarios have it, "16MB" or 16000000.
Size = Union[int, str]
#: Time before a rank's first messages: "50us" of all, or {rank: "50us"}.
Delay = Union[str, Mapping[int, str], None]
MOST_OPERATIONS = 1_000_000


class Phase:
    """Operations of a graph up to the end of one phase.

    ends: {rank: ids of the operations that end before the rank begins the next phase}.
    """

    def __init__(self, after: "Phase | None" = None, delay: Delay = None, ranks: Iterable[int] = ()) -> None:
        if after is not None and not isinstance(after, Phase):
            raise InputError(f"after: expected a phase, got {describe_object(after)}")
        self.operations: list[dict[str, Any]] = list(after.operations) if after else []
        self.ends: dict[int, list[int]] = dict(after.ends) if after else {}
        self._delay = delay
        self._before = dict(self.ends)
        for rank in ranks:
            self.ends[rank] = []

    def send(self, src: int, dst: int, size: int, after: Sequence[int] = (), path: Any = "") -> int:
        """Add a message of `size` bytes; returns its id. One without predecessors begins with its sender's phase."""
        if len(self.operations) >= MOST_OPERATIONS:
            raise InputError(f"graph: expected at most {MOST_OPERATIONS} operations, got more")
        number = len(self.operations)
        operation: dict[str, Any] = {"id": number, "src": src, "dst": dst, "bytes": size}
        waits = list(after) or list(self._before.get(src, ()))
        if waits:
            operation["after"] = waits
        if not after:
            delay = self._delay.get(src) if isinstance(self._delay, Mapping) else self._delay
            if delay is not None:
                operation["delay"] = delay
        operation["queuePair"] = f"{src}-{dst}{path}"
        self.operations.append(operation)
        return number

    def end(self, rank: int, *ids: int) -> None:
        """Add operations that end before a rank's next phase."""
        self.ends.setdefault(rank, []).extend(ids)

    def workload(self) -> dict[str, Any]:
        """Return the "workload" of a scenario."""
        return {"type": "graph", "operations": [dict(one) for one in self.operations]}


def _read_ranks(ranks: Iterable[int], least: int = 2) -> list[int]:
    """Return servers' node ids, all different."""
    found = [int(rank) for rank in ranks]
    if len(found) < least or len(set(found)) != len(found) or min(found) < 0:
        raise InputError(f"ranks: expected at least {least} different node ids, got {describe_object(found)}")
    return found


def _read_size(size: Size) -> int:
    parsed = parse_size(size)
    if parsed is None:
        raise InputError(f'size: expected a size such as "16MB", got {describe_object(size)}')
    return parsed


def _split(size: int, count: int) -> list[int]:
    """Return the bytes of nearly equal parts."""
    return [size * (part + 1) // count - size * part // count for part in range(count)]


def ring(
    ranks: Iterable[int],
    size: Size,
    operation: str = "all-reduce",
    channels: int = 1,
    after: Phase | None = None,
    delay: Delay = None,
) -> Phase:
    """Return the phase of an all-reduce, reduce-scatter or all-gather of `size` bytes over a ring.

    Each rank passes on the part that it has received last: 2 (n - 1) steps of size / n, or half of them.
    """
    servers = _read_ranks(ranks)
    count = len(servers)
    steps = {"all-reduce": 2 * (count - 1), "reduce-scatter": count - 1, "all-gather": count - 1}
    if operation not in steps:
        raise InputError(f"operation: expected {', '.join(steps)}, got {describe_object(operation)}")
    if isinstance(channels, bool) or not isinstance(channels, int) or channels < 1:
        raise InputError(f"channels: expected a whole number from 1, got {describe_object(channels)}")
    phase = Phase(after, delay, servers)
    for channel, share in enumerate(_split(_read_size(size), channels)):
        parts = _split(share, count)
        arrived: list[list[int]] = [[] for _ in servers]  # Of each place, in the step before.
        for step in range(steps[operation]):
            sent = [
                phase.send(server, servers[(place + 1) % count], parts[(place - step) % count], arrived[place], f"/{channel}")
                for place, server in enumerate(servers)
            ]
            arrived = [[sent[(place - 1) % count]] for place in range(count)]
        for place, server in enumerate(servers):
            phase.end(server, *arrived[place])
    return phase


def halving_doubling(ranks: Iterable[int], size: Size, after: Phase | None = None, delay: Delay = None) -> Phase:
    """Return the phase of an all-reduce by recursive halving and doubling: S/2, S/4, ... S/n, and back."""
    servers = _read_ranks(ranks)
    count = len(servers)
    if count & (count - 1):
        raise InputError(f"ranks: expected a power of two, got {count}")
    total = _read_size(size)
    distances = [count >> shift for shift in range(1, count.bit_length())]  # n/2, ... 1.
    phase = Phase(after, delay, servers)
    arrived: list[list[int]] = [[] for _ in servers]
    exchanges = [*((one, total * one // count) for one in distances), *((one, total * one // count) for one in reversed(distances))]
    for distance, part in exchanges:
        sent = [phase.send(server, servers[place ^ distance], part, arrived[place]) for place, server in enumerate(servers)]
        arrived = [[sent[place ^ distance]] for place in range(count)]
    for place, server in enumerate(servers):
        phase.end(server, *arrived[place])
    return phase


def all_to_all(
    ranks: Iterable[int], size: Size, window: int | None = None, after: Phase | None = None, delay: Delay = None
) -> Phase:
    """Return the phase in which each rank sends size / n to each other rank, to rank + 1, + 2, ... in turn.

    With a window, the message of round r begins when that of round r - window to this rank has arrived.
    """
    servers = _read_ranks(ranks)
    count = len(servers)
    part = _read_size(size) // count
    if window is not None and (isinstance(window, bool) or not isinstance(window, int) or window < 1):
        raise InputError(f"window: expected a whole number from 1, got {describe_object(window)}")
    phase = Phase(after, delay, servers)
    rounds: list[list[int]] = []  # Of each round: the message to each place.
    for shift in range(1, count):
        arrived = [0] * count
        for place, server in enumerate(servers):
            waits = [rounds[shift - 1 - window][place]] if window and shift > window else []
            target = (place + shift) % count
            arrived[target] = phase.send(server, servers[target], part, waits)
            phase.end(servers[target], arrived[target])
        rounds.append(arrived)
    return phase


def binomial(ranks: Iterable[int], size: Size, after: Phase | None = None, delay: Delay = None) -> Phase:
    """Return the phase of a broadcast from the first rank over a binomial tree; a rank sends one message after the other."""
    servers = _read_ranks(ranks)
    count, total = len(servers), _read_size(size)
    phase = Phase(after, delay, servers)
    last: dict[int, list[int]] = {0: []}  # {place: the message that it has received or sent last}
    distance = 1 << ((count - 1).bit_length() - 1)
    while distance:
        for place in range(0, count - distance, 2 * distance):
            number = phase.send(servers[place], servers[place + distance], total, last[place])
            last[place] = last[place + distance] = [number]
        distance //= 2
    for place, server in enumerate(servers):
        phase.end(server, *last[place])
    return phase


def messages(
    pairs: Iterable[tuple[int, int, Size]], after: Phase | None = None, delay: Delay = None
) -> Phase:
    """Return the phase of single messages, [(src, dst, size), ...]; a rank ends when all its messages have."""
    listed = [(int(src), int(dst), _read_size(size)) for src, dst, size in pairs]
    phase = Phase(after, delay, {rank for src, dst, _ in listed for rank in (src, dst)})
    for src, dst, size in listed:
        number = phase.send(src, dst, size)
        phase.end(src, number)
        phase.end(dst, number)
    return phase
