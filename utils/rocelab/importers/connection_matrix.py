# SPDX-License-Identifier: GPL-2.0-only
"""htsim's connection matrices (.cm): flows with start times, and triggers that start others.

The grammar is that of ConnectionMatrix::load() of csg-htsim and of its Ultra Ethernet fork, which adds msg.
"""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from rocelab.errors import UserError
from rocelab.importers.operations import MAX_PS, PS_PER_US, Operations
from rocelab.importers.source import MAX_RANKS, WHOLE, fail, quote, read_number, read_words

#: A start in picoseconds: csg-htsim takes it as such, the fork as whole microseconds.
UNITS = {"ps": 1, "us": PS_PER_US}
HEADERS = {"Nodes": MAX_RANKS, "Connections": 10**7, "Triggers": 10**7, "Failures": 10**7}
MAX_ID = 2**32 - 1
MAX_SIZE = 2**31 - 1  # htsim reads an int.
ENDLESS = 10**15  # Bytes of a flow without an end: 80,000 s at 100 Gb/s.
TRIGGER_KINDS = ("oneshot", "multishot", "barrier")
AT_END = "flows that a trigger starts at their predecessor's receiver begin when the data are there, not when they are acknowledged"


@dataclass
class Connection:
    """A line SRC->DST."""

    line: int
    src: int
    dst: int
    size: int = None
    start: int = None  # Picoseconds.
    id: int = 0
    message: int = None
    trigger: int = 0
    fires: list = field(default_factory=list)


@dataclass
class Trigger:
    """A line trigger, with the connections that fire it and those that it starts."""

    line: int
    kind: str
    count: int
    sources: list = field(default_factory=list)
    targets: list = field(default_factory=list)


class Reader:
    """Reads one file."""

    def __init__(self, path, options):
        self.path = path
        self.options = options
        self.unit = UNITS[options.start_unit]
        self.headers = dict.fromkeys(HEADERS, 0)
        self.lines = {"Nodes": 1}
        self.connections = []
        self.triggers = {}
        self.failures = 0
        self.endless = 0  # Line of the first flow without an end.
        self.dropped = {}

    def read(self):
        """Read all lines and check the counts of the header."""
        for line, words in read_words(self.path):
            if "->" in words[0]:
                self.read_connection(line, words)
            elif words[0] == "trigger":
                self.read_trigger(line, words)
            elif words[0] == "failure":
                self.failures += 1
            elif words[0] in HEADERS:
                self.read_header(line, words)
            else:
                known = "Nodes, Connections, Triggers, Failures, SRC->DST, trigger or failure"
                fail(self.path, line, known, quote(words[0]))
        found = {"Connections": len(self.connections), "Triggers": len(self.triggers), "Failures": self.failures}
        for name, count in found.items():
            if self.headers[name] != count and not self.options.ignore_counts:
                line = self.lines.get(name, 1)
                expected = f"{name} {count}, as many as there are lines of them, or --ignore-counts"
                fail(self.path, line, expected, self.headers[name])
        if self.endless and (self.triggers or any(one.message is not None for one in self.connections)):
            expected = "--bytes for flows without an end in a file with triggers or msg"
            fail(self.path, self.endless, expected, "--until")
        if not self.connections:
            fail(self.path, 1, "at least one connection", "none")

    def read_header(self, line, words):
        """Read a line such as "Nodes 128"."""
        name = words[0]
        if self.connections or self.triggers or self.failures:
            fail(self.path, line, f"{name} before the first connection, trigger or failure", "it behind one")
        if len(words) != 2:
            fail(self.path, line, f"{name} and one number", quote(" ".join(words)))
        self.headers[name] = read_number(self.path, line, words[1], name, 0, HEADERS[name])
        self.lines[name] = line

    def read_connection(self, line, words):
        """Read a line such as "0->1 id 1 start 0 size 1000"."""
        ends = words[0].split("->")
        if len(ends) != 2:
            fail(self.path, line, "SRC->DST", quote(words[0]))
        if not self.headers["Nodes"]:
            fail(self.path, line, "a line Nodes with their number before the first connection", quote(words[0]))
        src, dst = (read_number(self.path, line, end, "a node", 0, self.headers["Nodes"] - 1) for end in ends)
        if src == dst:
            fail(self.path, line, "two different nodes", quote(words[0]))
        one = Connection(line, src, dst)
        rest = iter(words[1:])
        for word in rest:
            if word == "msg" and one.message is None:
                word = self.read_message(one, rest)
            if word:
                self.read_attribute(one, word, rest)
        if one.size == 0 and self.options.bytes is not None:
            one.size = self.options.bytes
            self.drop("size 0, flows without an end: --bytes instead")
        elif one.size == 0 and self.options.until is not None:
            one.size = ENDLESS
            self.endless = self.endless or line
            self.drop("size 0, flows without an end: they send until --until")
        if not one.size:
            expected = "size, or --until or --bytes for flows without an end"
            fail(self.path, line, expected, "none" if one.size is None else 0)
        if (one.start is None) == (one.trigger == 0):
            fail(self.path, line, "either start or trigger", "both" if one.trigger else "none of them")
        if one.trigger and not one.id:
            fail(self.path, line, "id beside trigger", "none")
        self.connections.append(one)

    def read_attribute(self, one, word, rest):
        """Read an attribute of a connection; its value is the next of the rest."""
        line = one.line
        if word == "addon":
            self.drop(word)
            return
        value = next(rest, "")
        if word == "start":
            one.start = self.read_start(line, value)
        elif word == "size":
            one.size = read_number(self.path, line, value, "size", 0, MAX_SIZE)
        elif word == "id":
            one.id = read_number(self.path, line, value, "id", 1, MAX_ID)
        elif word == "trigger":
            one.trigger = read_number(self.path, line, value, "trigger", 1, MAX_ID)
        elif word in ("send_done_trigger", "recv_done_trigger"):
            number = read_number(self.path, line, value, word, 0, MAX_ID)
            one.fires += [number] if number else []
        elif word == "prio":
            read_number(self.path, line, value, word, 0, MAX_ID)
            self.drop(word)
        else:
            known = "id, start, size, trigger, send_done_trigger, recv_done_trigger, prio, addon or msg"
            fail(self.path, line, known, quote(word))

    def read_message(self, one, rest):
        """Read the number behind msg, which may be left out; returns the word behind it, or none."""
        word = next(rest, "")
        is_number = WHOLE.fullmatch(word)
        one.message = read_number(self.path, one.line, word, "msg", 1, MAX_ID) if is_number else 0
        return "" if is_number else word

    def drop(self, word):
        """Count an attribute that has no counterpart."""
        self.dropped[word] = self.dropped.get(word, 0) + 1

    def read_start(self, line, word):
        """Return a start in picoseconds; it may have a point, as in 1500000.000000."""
        try:
            value = Decimal(word)
        except InvalidOperation:
            value = Decimal(-1)
        if not value.is_finite() or value < 0 or len(word) > 40 or value * self.unit > MAX_PS:
            fail(self.path, line, "start, a number from 0 to 1000000 s", quote(word))
        return int(value) * self.unit

    def read_trigger(self, line, words):
        """Read a line such as "trigger id 1 barrier count 3"."""
        number = count = 0
        kind = None
        rest = iter(words[1:])
        for word in rest:
            if word == "id":
                number = read_number(self.path, line, next(rest, ""), "id", 1, MAX_ID)
            elif word == "count":
                count = read_number(self.path, line, next(rest, ""), "count", 1, MAX_ID)
            elif word in TRIGGER_KINDS and kind is None:
                kind = word
            else:
                fail(self.path, line, "id, count, and one of oneshot, multishot or barrier", quote(word))
        if not number or kind is None:
            fail(self.path, line, "id and one of oneshot, multishot or barrier", quote(" ".join(words)))
        if number in self.triggers:
            fail(self.path, line, "an id of its own for each trigger", f"{number} again")
        self.triggers[number] = Trigger(line, kind, count)

    def link_triggers(self):
        """Set who fires each trigger and whom it starts; raises UserError for one that cannot fire."""
        for place, one in enumerate(self.connections):
            for number in [*one.fires, one.trigger]:
                if number and number not in self.triggers:
                    if not self.options.ignore_counts:
                        fail(self.path, one.line, "a trigger of the file, or --ignore-counts", number)
                    self.triggers[number] = Trigger(one.line, "oneshot", 0)
                    self.drop("triggers without a line of their own: taken as oneshot")
            for number in one.fires:
                self.triggers[number].sources.append(place)
            if one.trigger:
                self.triggers[one.trigger].targets.append(place)
        for one in self.triggers.values():
            self.check_trigger(one)

    def check_trigger(self, one):
        """Raise UserError unless a trigger fires as often as its kind allows."""
        if one.targets and not one.sources:
            fail(self.path, one.line, "a connection that fires the trigger", "none")
        if one.kind == "oneshot" and len(one.sources) > 1:
            fail(self.path, one.line, "a oneshot trigger that is fired once", f"{len(one.sources)} connections")
        if one.kind == "barrier" and one.targets and one.count != len(one.sources):
            fail(self.path, one.line, f"count {len(one.sources)}, as many as fire the barrier", one.count)


def find_predecessors(trigger, target, notes):
    """Return the connections after which a trigger starts one."""
    if trigger.kind != "multishot":
        return trigger.sources
    notes["multishot triggers: their n-th target begins after their n-th source"] += 1
    place = trigger.targets.index(target)
    return trigger.sources[place : place + 1]


def read_connection_matrix(path, options):
    """Return the Operations of a file."""
    reader = Reader(path, options)
    reader.read()
    reader.link_triggers()
    operations = Operations(path, reader.headers["Nodes"])
    for word, count in reader.dropped.items():
        operations.notes[f"connections with {word}{'' if ' ' in word else ': dropped'}"] += count
    operations.notes["failures of links: dropped"] += reader.failures
    for place, one in enumerate(reader.connections):
        pair = f"{one.src}>{one.dst} {one.id}" if one.message is not None else ""
        operations.send(one.src, one.dst, one.size, queue_pair=pair, name=get_name(place, one), place=f"{path}:{one.line}")
    for place, one in enumerate(reader.connections):
        message = operations.all[place]
        if one.trigger:
            found = find_predecessors(reader.triggers[one.trigger], place, operations.notes)
            if not found:
                raise UserError(f"{message.place}: expected a trigger that is fired for each of its targets, got fewer")
            message.ends = list(found)
            operations.notes[AT_END] += any(reader.connections[other].dst == one.src for other in found)
        elif one.start:
            message.ends = [operations.compute(one.src, one.start)]
    if reader.unit == 1 and any(one.message is not None for one in reader.connections):
        operations.notes["starts read as picoseconds; the Ultra Ethernet fork takes them as --start-unit us"] += 1
    return operations


def get_name(place, one):
    """Return the name of a connection."""
    message = f".{one.message}" if one.message else ""
    return f"{one.id}{message}" if one.id else f"line {one.line}"
