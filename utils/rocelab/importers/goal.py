# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules of LogGOPSim, as text (the grammar of txt2bin.re) and binary (Parser.hpp).

Computations are nanoseconds. A rank's programs come out as two_sided.Steps.
"""

import re
import struct

from rocelab.files import read_text
from rocelab.importers.operations import MAX_OPERATIONS, PS_PER_NS
from rocelab.importers.source import MAX_RANKS, fail, fail_byte, quote, read_binary
from rocelab.importers.two_sided import ANY, COMPUTE, RECEIVE, SEND, Step, make_operations

MAGIC = 4223
WILD = 2**32 - 1
MARKERS = (9999999, 999999999)  # Ranks of sends that schedgen adds behind an operation; htsim prints their time.
NOTE = "sends to rank 9999999 or 999999999, which mark a time: no message"
MAX_NS = 10**15
MAX_BYTES = 2**40

LABEL = r"[a-zA-Z][a-zA-Z0-9_]*"
NUMBER = r"[0-9]{1,19}"
RANK = re.compile(rf"rank\s+({NUMBER})\s*\{{")
COUNT = re.compile(rf"num_ranks\s+({NUMBER})")
NEED = re.compile(rf"({LABEL})\s+(requires|irequires)\s+({LABEL})")
STEP = re.compile(
    rf"(?:(?P<label>{LABEL})\s*:\s*)?(?:"
    rf"calc\s+(?P<time>{NUMBER})(?:\s+cpu\s+(?P<calc_cpu>{NUMBER}))?"
    rf"|(?P<kind>send|recv)\s+(?P<size>{NUMBER})\s*b\s+(?P<way>to|from)\s+(?P<peer>-1|{NUMBER})"
    rf"(?:\s+tag\s+(?P<tag>-1|{NUMBER}))?(?:\s+cpu\s+(?P<cpu>{NUMBER}))?(?:\s+nic\s+(?P<nic>{NUMBER}))?)"
)
FORMS = (
    "rank, }, LABEL requires LABEL, calc NS [cpu N], or send Nb to RANK or recv Nb from RANK [tag N] [cpu N] [nic N]"
)


class TextReader:
    """Reads a text."""

    def __init__(self, path):
        self.path = path
        self.programs = None  # Of each rank a list of Steps; None before num_ranks.
        self.next_rank = 0
        self.steps = None  # Of the rank that is open.
        self.labels = {}
        self.count = 0
        self.markers = 0
        self.is_comment = False

    def read(self):
        """Return the programs."""
        line = 0
        for line, text in enumerate(read_text(self.path).split("\n"), 1):
            text = self.strip_comment(text.strip())
            if text:
                self.read_statement(line, text)
        if self.steps is not None:
            fail(self.path, line, "} at the end of the rank", "the end of the file")
        if self.programs is None:
            fail(self.path, 1, "num_ranks and their number", "none")
        if self.next_rank != len(self.programs):
            fail(self.path, line, f"{len(self.programs)} ranks", self.next_rank)
        return self.programs

    def strip_comment(self, text):
        """Return a line without comments, which are allowed where a statement may start."""
        while True:
            if self.is_comment:
                _, end, text = text.partition("*/")
                self.is_comment = not end
                text = text.strip()
            if not text.startswith("/*"):
                return "" if self.is_comment or text.startswith("//") else text
            self.is_comment = True
            text = text[2:]

    def read_statement(self, line, text):
        """Read a line that is neither blank nor a comment."""
        if self.programs is None:
            found = COUNT.fullmatch(text)
            if not found or not 1 <= int(found[1]) <= MAX_RANKS:
                fail(self.path, line, f"num_ranks and a number from 1 to {MAX_RANKS}", quote(text))
            self.programs = [[] for _ in range(int(found[1]))]
        elif self.steps is None:
            self.open_rank(line, text)
        elif text == "}":
            self.steps = None
        else:
            self.read_step(line, text)

    def open_rank(self, line, text):
        """Read "rank N {"."""
        found = RANK.match(text)
        if not found or int(found[1]) != self.next_rank or self.next_rank >= len(self.programs):
            wanted = f"rank {self.next_rank} {{" if self.next_rank < len(self.programs) else "no further rank"
            fail(self.path, line, wanted, quote(text))
        self.steps = self.programs[self.next_rank]
        self.labels = {}
        self.next_rank += 1
        rest = text[found.end() :].strip()
        if rest:
            self.read_statement(line, rest)

    def read_step(self, line, text):
        """Read an operation or a dependency."""
        need = NEED.fullmatch(text)
        if need:
            later, earlier = (self.find(line, label) for label in (need[1], need[3]))
            step = self.steps[later]
            (step.needs if need[2] == "requires" else step.needs_start).append(earlier)
            return
        found = STEP.fullmatch(text)
        if not found or (found["kind"] == "send") != (found["way"] == "to") or found["kind"] and self.is_wild_send(found):
            fail(self.path, line, FORMS, quote(text))
        if found["label"]:
            if found["label"] in self.labels:
                fail(self.path, line, "a label of its own for each operation of a rank", f"{found['label']} again")
            self.labels[found["label"]] = len(self.steps)
        self.steps.append(self.make_step(line, found))
        self.count += 1
        if self.count > MAX_OPERATIONS:
            fail(self.path, line, f"at most {MAX_OPERATIONS} operations", "more")

    def is_wild_send(self, found):
        """Tell whether a send names no destination."""
        return found["kind"] == "send" and found["peer"] == "-1"

    def find(self, line, label):
        """Return the place of a label."""
        if label not in self.labels:
            fail(self.path, line, "a label of an operation before", quote(label))
        return self.labels[label]

    def make_step(self, line, found):
        """Return the Step of a line."""
        name, place = found["label"] or f"line{line}", f"{self.path}:{line}"
        if not found["kind"]:
            size = self.bound(line, "calc", found["time"], MAX_NS) * PS_PER_NS
            return Step(COMPUTE, size, cpu=self.bound(line, "cpu", found["calc_cpu"] or "0", 255), name=name, place=place)
        kind = SEND if found["kind"] == "send" else RECEIVE
        if kind == SEND and int(found["peer"]) in MARKERS:
            self.markers += 1
            return Step(COMPUTE, 0, name=name, place=place)
        return Step(
            kind,
            self.bound(line, "bytes", found["size"], MAX_BYTES),
            self.bound(line, "a rank", found["peer"], len(self.programs) - 1),
            self.bound(line, "tag", found["tag"] or "0", WILD),
            self.bound(line, "cpu", found["cpu"] or "0", 255),
            self.bound(line, "nic", found["nic"] or "0", 255),
            name=name,
            place=place,
        )

    def bound(self, line, what, text, most):
        """Return a number of at most `most`, or ANY for -1."""
        if int(text) > most:
            fail(self.path, line, f"{what}, at most {most}", text)
        return int(text)


class BinaryReader:
    """Reads a binary file; offsets in it count from behind the magic number."""

    HEAD = 8
    NODE = struct.Struct("<IBIQIBBIIII")
    KINDS = {1: SEND, 2: RECEIVE, 3: COMPUTE}

    def __init__(self, path, layout):
        self.path = path
        self.layout = layout
        self.nics = 1  # Servers of a rank.
        self.markers = 0
        self.data = read_binary(path)

    def unpack(self, form, offset, what):
        """Return the values at an offset; raises UserError at the end of the file."""
        form = struct.Struct(form)
        if offset + form.size > len(self.data):
            fail_byte(self.path, len(self.data), what, "the end of the file")
        return form.unpack_from(self.data, offset)

    def read(self):
        """Return the programs."""
        magic, ranks, _, max_nic = self.unpack("<QIBB", 0, "the header of binary GOAL")
        if magic != MAGIC:
            fail_byte(self.path, 0, f"{MAGIC}, the number that binary GOAL begins with", magic)
        if not 1 <= ranks <= MAX_RANKS:
            fail_byte(self.path, self.HEAD, f"1 to {MAX_RANKS} ranks", ranks)
        spans = [self.unpack("<QQ", self.HEAD + 6 + 16 * rank, "the places of all ranks") for rank in range(ranks)]
        # htsim takes more than two nics for a file with a rank per server and a nic per GPU.
        if self.layout == "nics" or self.layout == "auto" and max_nic > 1:
            self.nics = max_nic + 1
        if ranks * self.nics > MAX_RANKS:
            fail_byte(self.path, self.HEAD, f"at most {MAX_RANKS} ranks times nics", ranks * self.nics)
        return [self.read_rank(rank, ranks, *span) for rank, span in enumerate(spans)]

    def read_rank(self, rank, ranks, begin, end):
        """Return the Steps of a rank."""
        begin, end = begin + self.HEAD, end + self.HEAD
        count, roots = self.unpack("<II", begin, f"rank {rank}")
        nodes = begin + 8 + 4 * roots
        appendix = nodes + self.NODE.size * count
        if not begin <= appendix <= end <= len(self.data):
            fail_byte(self.path, begin, f"rank {rank} within its place and the file", f"{count} operations and {roots} roots")
        steps, edges = [], []
        for place in range(count):
            offset = nodes + self.NODE.size * place
            _, kind, peer, size, tag, cpu, nic, *links = self.NODE.unpack_from(self.data, offset)
            nic = min(nic, self.nics - 1) if self.nics > 1 else nic
            if kind not in self.KINDS:
                fail_byte(self.path, offset + 4, "1, 2 or 3, the kind of an operation", kind)
            steps.append(self.make_step(offset, self.KINDS[kind], ranks, peer, size, tag, cpu, nic, place))
            edges.append(links)
        for place, (ends, first_end, starts, first_start) in enumerate(edges):
            for count_, first, is_start in ((ends, first_end, False), (starts, first_start, True)):
                for later in self.read_places(appendix, end, first, count_, len(steps)):
                    (steps[later].needs_start if is_start else steps[later].needs).append(place)
        return steps

    def make_step(self, offset, kind, ranks, peer, size, tag, cpu, nic, place):
        """Return the Step of a node."""
        name, where = f"op{place}", f"{self.path}: byte {offset}"
        if kind == COMPUTE:
            if size > MAX_NS:
                fail_byte(self.path, offset, f"calc of at most {MAX_NS} ns", size)
            return Step(COMPUTE, size * PS_PER_NS, cpu=cpu, nic=nic, name=name, place=where)
        if kind == SEND and peer in MARKERS:
            self.markers += 1
            return Step(COMPUTE, 0, nic=nic, name=name, place=where)
        if peer >= ranks and not (kind == RECEIVE and peer == WILD):
            fail_byte(self.path, offset, f"a rank below {ranks}", peer)
        if size > MAX_BYTES:
            fail_byte(self.path, offset, f"at most {MAX_BYTES} bytes", size)
        peer, tag = (ANY if value == WILD else value for value in (peer, tag))
        return Step(kind, size, peer, tag, cpu, nic, name=name, place=where)

    def read_places(self, appendix, end, first, count, most):
        """Return the places of dependents."""
        if count == 0:
            return ()
        offset = appendix + 4 * first
        if offset + 4 * count > end:
            fail_byte(self.path, offset, f"{count} dependents within the rank", "its end")
        places = struct.unpack_from(f"<{count}I", self.data, offset)
        if max(places) >= most:
            fail_byte(self.path, offset, f"operations below {most}", max(places))
        return places


def read_goal(path, options):
    """Return the Operations of a text."""
    reader = TextReader(path)
    operations = make_operations(path, reader.read(), options.eager)
    operations.notes[NOTE] += reader.markers
    return operations


def read_goal_binary(path, options):
    """Return the Operations of a binary file."""
    reader = BinaryReader(path, options.goal_layout)
    operations = make_operations(path, reader.read(), options.eager, nics=reader.nics)
    operations.notes[NOTE] += reader.markers
    return operations
