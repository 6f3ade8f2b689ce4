# SPDX-License-Identifier: GPL-2.0-only
"""LogGOPS (Hoefler et al. 2010) as LogGOPSim computes it: a reference for imported GOAL programs.

A send of s bytes takes the CPU for o + (s - 1) O and the NIC for g + floor((s - 1) G); its last byte arrives
L + floor((s - 1) G) after the CPU is done, waits for the receiving CPU and NIC, and takes g, then o + (s - 1) O. Above S
bytes the send ends with its receive.
"""

import heapq
from fractions import Fraction

from rocelab.importers.operations import PS_PER_NS
from rocelab.importers.two_sided import ANY, COMPUTE, RECEIVE, SEND

MESSAGE = "message"


class LogGops:
    """Runs programs; times are nanoseconds."""

    def __init__(self, programs, L, o, g, G, O=0, S=65535):  # noqa: E741, the model's own letters.
        self.programs = programs
        self.L, self.o, self.g, self.O, self.S = L, o, g, O, S
        self.G = Fraction(str(G))
        self.cpu, self.sending, self.receiving = {}, {}, {}
        self.posted = [[] for _ in programs]  # (source, tag, place) of receives.
        self.arrived = [[] for _ in programs]  # (source, tag, place of the send, bytes).
        self.missing = [[len(step.needs) + len(step.needs_start) for step in program] for program in programs]
        self.ready = [[0] * len(program) for program in programs]
        self.heap, self.count = [], 0

    def run(self):
        """Return when each rank's CPUs are done."""
        for rank, program in enumerate(self.programs):
            for place in range(len(program)):
                if not self.missing[rank][place]:
                    self.push(0, rank, place)
        while self.heap:
            time, _, rank, place, message = heapq.heappop(self.heap)
            step = self.programs[rank][place]
            if message:
                self.run_message(time, rank, place, step)
            else:
                {SEND: self.run_send, RECEIVE: self.run_receive, COMPUTE: self.run_compute}[step.kind](time, rank, place, step)
        assert not any(self.posted) and not any(self.arrived)
        return [max([time for (owner, _), time in self.cpu.items() if owner == rank] or [0]) for rank in range(len(self.programs))]

    def push(self, time, rank, place, is_message=False):
        self.count += 1
        heapq.heappush(self.heap, (time, self.count, rank, place, is_message))

    def release(self, rank, place, time, name):
        """Let what waits for a step's end ("needs") or its start ("needs_start") begin."""
        for later, step in enumerate(self.programs[rank]):
            for _ in range(getattr(step, name).count(place)):
                self.ready[rank][later] = max(self.ready[rank][later], time)
                self.missing[rank][later] -= 1
                if not self.missing[rank][later]:
                    self.push(self.ready[rank][later], rank, later)

    def run_compute(self, time, rank, place, step):
        free = self.cpu.get((rank, step.cpu), 0)
        if free > time:
            return self.push(free, rank, place)
        self.cpu[rank, step.cpu] = time + step.size // PS_PER_NS
        self.release(rank, place, time, "needs_start")
        return self.release(rank, place, self.cpu[rank, step.cpu], "needs")

    def run_send(self, time, rank, place, step):
        free = max(self.cpu.get((rank, step.cpu), 0), self.sending.get((rank, step.nic), 0))
        if free > time:
            return self.push(free, rank, place)
        wire = int((step.size - 1) * self.G)
        done = self.cpu[rank, step.cpu] = time + self.o + (step.size - 1) * self.O
        self.sending[rank, step.nic] = time + self.g + wire
        self.release(rank, place, time, "needs_start")
        self.push(done + self.L + wire, rank, place, True)
        if step.size <= self.S:
            self.release(rank, place, done, "needs")
        return None

    def run_receive(self, time, rank, place, step):
        self.release(rank, place, time, "needs_start")
        self.posted[rank].append((step.peer, step.tag, place))
        for source, tag, sent in self.arrived[rank]:
            if self.is_match((step.peer, step.tag), (source, tag)):
                self.arrived[rank].remove((source, tag, sent))
                return self.run_message(time, source, sent, self.programs[source][sent])
        return None

    def is_match(self, wanted, found):
        return all(one in (ANY, other) for one, other in zip(wanted, found))

    def run_message(self, time, src, place, step):
        dst = step.peer
        receive = next((one for one in self.posted[dst] if self.is_match(one[:2], (src, step.tag))), None)
        if receive is None:
            self.arrived[dst].append((src, step.tag, place))
            return None
        cpu = self.programs[dst][receive[2]].cpu
        free = max(self.cpu.get((dst, cpu), 0), self.receiving.get((dst, step.nic), 0))
        if free > time:
            return self.push(free, src, place, True)
        self.posted[dst].remove(receive)
        nic = self.receiving[dst, step.nic] = time + self.g
        done = self.cpu[dst, cpu] = nic + self.o + (step.size - 1) * self.O
        if step.size > self.S:
            self.cpu[src, step.cpu] = max(self.cpu[src, step.cpu], done)
            self.sending[src, step.nic] = max(self.sending[src, step.nic], nic)
            self.release(src, place, done, "needs")
        return self.release(dst, receive[2], done, "needs")


class FixedCosts:
    """A network in which a message takes what LogGOPS takes without contention; times are picoseconds."""

    def __init__(self, L, o, g, G, O=0):  # noqa: E741
        self.fixed, self.O, self.G = L + 2 * o + g, O, Fraction(str(G))

    def get_bytes_duration(self, size):
        return PS_PER_NS * (self.fixed + int((size - 1) * self.G) + 2 * (size - 1) * self.O)

    def get_duration(self, operation):
        return self.get_bytes_duration(operation.bytes) if operation.is_message else operation.duration
