# SPDX-License-Identifier: GPL-2.0-only
"""MSCCL algorithms (XML): steps of thread blocks, which send to one peer and receive from one."""

import re
import xml.parsers.expat

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.importers.operations import MAX_OPERATIONS
from rocelab.importers.source import MAX_RANKS, fail, quote
from rocelab.importers.two_sided import COMPUTE, RECEIVE, SEND, Step, make_operations

#: What a step does: receives, sends.
STEPS = {
    "nop": (False, False),
    "cpy": (False, False),
    "re": (False, False),
    "s": (False, True),
    "r": (True, False),
    "rrc": (True, False),
    "rcs": (True, True),
    "rrs": (True, True),
    "rrcs": (True, True),
}
PARENTS = {"algo": None, "gpu": "algo", "tb": "gpu", "step": "tb"}
WHOLE = re.compile(r"-?[0-9]{1,9}")
POSTED = 2**62


class Reader:
    """Reads a file and makes the steps of each rank."""

    def __init__(self, path, size):
        self.path = path
        self.size = size
        self.parser = xml.parsers.expat.ParserCreate()
        self.parser.StartElementHandler = self.open_element
        self.parser.EndElementHandler = lambda _: self.open.pop()
        self.parser.EntityDeclHandler = self.refuse_entity
        self.open = []
        self.programs = []
        self.seen = set()
        self.gpu = self.block = None
        self.last = {}  # {(gpu, block, number of the step): place of its last part}.
        self.needs = []  # [(gpu, place, block, number of the step, line)], of steps that may follow.
        self.parts = 0
        self.count = 0

    def read(self):
        """Return the programs."""
        try:
            self.parser.Parse(read_text(self.path), True)
        except xml.parsers.expat.ExpatError as error:
            fail(self.path, error.lineno, "XML", xml.parsers.expat.ErrorString(error.code))
        for gpu, place, block, number, line in self.needs:
            if (gpu, block, number) not in self.last:
                fail(self.path, line, f"depid and deps of a step of gpu {gpu}", f"{block} and {number}")
            self.programs[gpu][place].needs.append(self.last[gpu, block, number])
        if not self.count:
            fail(self.path, 1, "at least one step", "none")
        return self.programs

    def refuse_entity(self, *_):
        """Refuse entities, which algorithms do not have."""
        fail(self.path, self.parser.CurrentLineNumber, "no entities", "one")

    def get(self, attributes, name, least, most):
        """Return a whole attribute within bounds."""
        text = attributes.get(name, "")
        if not WHOLE.fullmatch(text) or not least <= int(text) <= most:
            expected = f"{name}, a whole number from {least} to {most}"
            fail(self.path, self.parser.CurrentLineNumber, expected, quote(text) if text else "none")
        return int(text)

    def open_element(self, name, attributes):
        """Read an element's attributes."""
        line = self.parser.CurrentLineNumber
        if name not in PARENTS or (self.open[-1] if self.open else None) != PARENTS[name]:
            inside = f"<{self.open[-1]}>" if self.open else "the file"
            fail(self.path, line, "<algo> of <gpu> of <tb> of <step>", f"<{name}> in {inside}")
        self.open.append(name)
        getattr(self, f"open_{name}")(attributes)

    def open_algo(self, attributes):
        """Read the numbers of ranks and chunks."""
        count = self.get(attributes, "ngpus", 1, MAX_RANKS)
        self.parts = self.get(attributes, "nchunksperloop", 1, 10**6)
        self.programs = [[] for _ in range(count)]

    def note(self, kind, number):
        """Refuse an id that was there."""
        if (kind, number) in self.seen:
            fail(self.path, self.parser.CurrentLineNumber, "an id of its own", f"{kind} {number} again")
        self.seen.add((kind, number))

    def open_gpu(self, attributes):
        """Begin a rank."""
        self.gpu = self.get(attributes, "id", 0, len(self.programs) - 1)
        self.note("gpu", self.gpu)

    def open_tb(self, attributes):
        """Begin a thread block."""
        last = len(self.programs) - 1
        self.block = {
            "id": self.get(attributes, "id", 0, 10**6),
            "send": self.get(attributes, "send", -1, last),
            "recv": self.get(attributes, "recv", -1, last),
            "chan": self.get(attributes, "chan", 0, 10**4),
            "place": None,
        }
        self.note("tb", (self.gpu, self.block["id"]))

    def open_step(self, attributes):
        """Add a step."""
        line = self.parser.CurrentLineNumber
        kind = attributes.get("type", "")
        if kind not in STEPS:
            fail(self.path, line, f"type, one of {', '.join(STEPS)}", quote(kind))
        number = self.get(attributes, "s", 0, 10**6)
        self.note("step", (self.gpu, self.block["id"], number))
        depid = self.get(attributes, "depid", -1, 10**6)
        # Chunk sizes are rounded up: bytes of all chunks may exceed the buffer by one each.
        size = -(-self.size * self.get(attributes, "cnt", 0, 10**6) // self.parts)
        receives, sends = STEPS[kind]
        parts = [RECEIVE] * receives + [SEND] * sends or [COMPUTE]
        for part, what in enumerate(parts):
            place = self.add(what, size, number, line)
            if part == 0 and depid >= 0:
                self.needs.append((self.gpu, place, depid, self.get(attributes, "deps", 0, 10**6), line))
        self.last[self.gpu, self.block["id"], number] = place

    def add(self, kind, size, number, line):
        """Add a part of a step behind the one before in its thread block; returns its place."""
        peer = {SEND: self.block["send"], RECEIVE: self.block["recv"]}.get(kind, 0)
        if peer < 0:
            fail(self.path, line, f"a thread block with {kind}", f"{kind}=-1")
        program = self.programs[self.gpu]
        before = self.block["place"]
        program.append(
            Step(
                kind,
                0 if kind == COMPUTE else size,
                peer,
                ("channel", self.block["chan"]),
                nic=self.block["chan"],
                needs=[] if before is None else [before],
                name=f"tb{self.block['id']} step{number} {kind}",
                place=f"{self.path}:{line}",
            )
        )
        self.count += 1
        if self.count > MAX_OPERATIONS:
            fail(self.path, line, f"at most {MAX_OPERATIONS} steps", "more")
        self.block["place"] = len(program) - 1
        return self.block["place"]


def read_msccl(path, options):
    """Return the Operations of a file; one loop over --bytes."""
    if options.bytes is None:
        raise UserError("--bytes: expected the bytes of the collective's buffer, got none")
    operations = make_operations(path, Reader(path, options.bytes).read(), POSTED)
    operations.notes["reductions and copies of steps: they take no time"] += 1
    return operations
