# SPDX-License-Identifier: GPL-2.0-only
"""Writes Operations as a scenario: a list of flows if nothing waits for anything, else a graph."""

import json

from rocelab.errors import UserError
from rocelab.importers.fold import fold
from rocelab.importers.operations import MAX_PS
from rocelab.importers.timing import IdleNetwork, schedule

MAX_MESSAGE = 2**31  # Bytes of an operation of a graph.
CUT = "messages above 2 GiB: cut into parts, which begin together"
PS = {"s": 10**12, "ms": 10**9, "us": 10**6, "ns": 10**3}


def format_time(picoseconds):
    """Return a time with the largest unit in which it is a whole number."""
    for unit, size in PS.items():
        if picoseconds and picoseconds % size == 0:
            return f"{picoseconds // size}{unit}"
    return f"{picoseconds}ps"


class Names:
    """Ids of operations: their names, each once."""

    def __init__(self):
        self.used = set()

    def make(self, wanted, number):
        """Return a name that no other operation has."""
        name = wanted.encode("ascii", "replace").decode() or f"op {number}"
        if name in self.used:
            name = f"{name} #{number}"
        while name in self.used:
            name += "'"
        self.used.add(name)
        return name


def make_ends(message, operation):
    """Return the ends of a message as an operation has them: the server that posts it is src, the receiver for a READ."""
    ends = (message.peer, message.rank) if operation == "read" else (message.rank, message.peer)
    return {"src": ends[0], "dst": ends[1]}


def make_graph(operations, messages, has_queue_pairs, operation="write"):
    """Return the operations of a graph as JSON objects."""
    names = Names()
    parts = {}  # Ids of each message's operations.
    entries = []
    for one in messages:
        message = operations.all[one.number]
        count = max(-(-message.bytes // MAX_MESSAGE), 1)
        operations.notes[CUT] += count > 1
        ids = [names.make(message.name + (f" part {part}" if count > 1 else ""), one.number) for part in range(count)]
        parts[one.number] = ids
    for one in messages:
        message = operations.all[one.number]
        ids = parts[one.number]
        for part, name in enumerate(ids):
            size = message.bytes * (part + 1) // len(ids) - message.bytes * part // len(ids)
            entry = {"id": name, **make_ends(message, operation), "bytes": size}
            if one.after:
                entry["after"] = [before for number in one.after for before in parts[number]]
            if one.delay:
                entry["delay"] = format_time(one.delay)
            if message.queue_pair and has_queue_pairs:
                entry["queuePair"] = message.queue_pair
            entries.append(entry)
    return entries


def make_flows(operations, messages, operation="write"):
    """Return the flows of a list, by start."""
    flows = []
    for one in sorted(messages, key=lambda one: one.delay):
        message = operations.all[one.number]
        flows.append({**make_ends(message, operation), "bytes": message.bytes, "start": format_time(one.delay)})
    return flows


def make_workload(operations, rate, latency, has_queue_pairs, operation="write"):
    """Return the workload of Operations; raises UserError if there is no message.

    operation: write, send or read, by which the data of all messages move.
    """
    messages = fold(operations, schedule(operations, IdleNetwork(rate, latency)))
    if not messages:
        count = sum(one.duration > 0 for one in operations.all)
        got = f"{count} computations only" if count else "none"
        raise UserError(f"{operations.path}: expected at least one message between ranks, got {got}")
    if max(one.delay for one in messages) > MAX_PS:
        raise UserError(f"{operations.path}: expected delays of at most 1000000 s, got a longer one")
    is_shared = has_queue_pairs and any(operations.all[one.number].queue_pair for one in messages)
    if is_shared or any(one.after for one in messages):
        workload = {"type": "graph", "operations": make_graph(operations, messages, has_queue_pairs, operation)}
    else:
        workload = {"type": "flows", "flows": make_flows(operations, messages, operation)}
    return workload if operation == "write" else {**workload, "operation": operation}


def format_scenario(scenario):
    """Return a scenario's text: a line per key, and per flow or operation."""
    lines = []
    for key, value in scenario.items():
        if key == "workload":
            text = format_workload(value)
        elif key == "workloads":
            text = f"[{', '.join(map(format_workload, value))}]"
        else:
            text = json.dumps(value)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def format_workload(workload):
    """Return a workload's text."""
    parts = [f"    {json.dumps(name)}: {format_member(member)}" for name, member in workload.items()]
    return "{\n" + ",\n".join(parts) + "\n  }"


def format_member(member):
    """Return a member of a workload; lists have a line per element."""
    if not isinstance(member, list):
        return json.dumps(member)
    return "[\n" + ",\n".join(f"      {json.dumps(one)}" for one in member) + "\n    ]"
