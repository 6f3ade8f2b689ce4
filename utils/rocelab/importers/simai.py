# SPDX-License-Identifier: GPL-2.0-only
"""SimAI's workload text (AICB): layers with computations and collectives; one forward and backward pass."""

import re

from rocelab.importers import collectives
from rocelab.importers.operations import MAX_OPERATIONS, PS_PER_NS, Operations
from rocelab.importers.source import MAX_RANKS, fail, quote, read_number, read_words

POLICY = "HYBRID_TRANSFORMER_FWD_IN_BCKWD"
MICRO = "MICRO"  # All ranks are one group.
POLICIES = (POLICY, "HYBRID_TRANSFORMER", MICRO)
KEYS = ("model_parallel_NPU_group:", "ep:", "pp:", "vpp:", "ga:", "all_gpus:")
KINDS = {
    "ALLREDUCE": collectives.ALL_REDUCE,
    "ALLGATHER": collectives.ALL_GATHER,
    "REDUCESCATTER": collectives.REDUCE_SCATTER,
    "ALLTOALL": collectives.ALL_TO_ALL,
}
COMM = re.compile(r"(ALLREDUCEALLTOALL|ALLREDUCE|ALLGATHER|REDUCESCATTER|ALLTOALL)(_EP|_DP_EP)?")
FORWARD, INPUT, WEIGHT = range(3)
MAX_NS = 10**15
MAX_BYTES = 2**40


class Layer:
    """A line of 12 words: three phases of (ns, kind, group, bytes), and an update."""

    def __init__(self, path, line, words, notes):
        if len(words) not in (12, 13):
            fail(path, line, "12 words of a layer, or 13", len(words))
        self.line = line
        self.name = words[0]
        self.phases = []
        for first in (2, 5, 8):
            time = read_number(path, line, words[first], "a time in ns", 0, MAX_NS)
            size = read_number(path, line, words[first + 2], "bytes", 0, MAX_BYTES)
            self.phases.append((time * PS_PER_NS, *self.read_kind(path, line, words[first + 1], notes), size))
        self.update = read_number(path, line, words[11], "a time in ns", 0, MAX_NS) * PS_PER_NS

    def read_kind(self, path, line, word, notes):
        """Return (collective or None, suffix of its group)."""
        if word == "NONE":
            return None, ""
        if word == "BROADCAST":
            notes["BROADCAST: ignored, as by SimAI"] += 1
            return None, ""
        found = COMM.fullmatch(word)
        if not found:
            fail(path, line, "NONE, or ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL with or without _EP or _DP_EP", quote(word))
        if found[1] not in KINDS:
            notes["ALLREDUCEALLTOALL: the all-reduce alone"] += 1
        return KINDS.get(found[1], collectives.ALL_REDUCE), found[2] or ""


class Reader:
    """Reads a file."""

    def __init__(self, path, options):
        self.path = path
        self.options = options
        lines = list(read_words(path))
        if not lines:
            fail(path, 1, POLICY, "an empty file")
        self.read_header(*lines[0])
        self.operations = Operations(path, self.keys["all_gpus:"])
        if len(lines) < 2 or len(lines[1][1]) != 1:
            fail(path, lines[0][0] + 1, "the number of layers", "none")
        count = read_number(path, lines[1][0], lines[1][1][0], "the number of layers", 1, MAX_OPERATIONS)
        if len(lines) - 2 < count:
            fail(path, lines[-1][0], f"{count} layers", len(lines) - 2)
        notes = self.operations.notes
        notes["lines behind the last layer: dropped"] += len(lines) - 2 - count
        self.layers = [Layer(path, line, words, notes) for line, words in lines[2 : 2 + count]]
        if options.layers is not None and options.layers < count:
            notes["layers behind --layers: dropped"] += count - options.layers
            del self.layers[options.layers :]

    def read_header(self, line, words):
        """Read the first line."""
        if words[0] not in POLICIES:
            fail(self.path, line, f"one of {', '.join(POLICIES)}", quote(words[0]))
        self.keys = dict.fromkeys(KEYS, 1)
        for place, word in enumerate(words):
            if word in KEYS:
                value = words[place + 1] if place + 1 < len(words) else ""
                self.keys[word] = read_number(self.path, line, value, word, 1, MAX_RANKS)
        self.set_ranks(line, words)
        gpus, tensor, experts = (self.keys[key] for key in ("all_gpus:", "model_parallel_NPU_group:", "ep:"))
        if gpus % (tensor * experts):
            fail(self.path, line, f"all_gpus a multiple of {tensor} times {experts}", gpus)
        self.tensor, self.experts = tensor, experts

    def set_ranks(self, line, words):
        """Set the number of GPUs, which older files leave to the simulator's command line."""
        ranks = self.options.ranks
        if "all_gpus:" not in words:
            if ranks is None:
                fail(self.path, line, "all_gpus: and their number, or --ranks", "none")
            self.keys["all_gpus:"] = ranks
        elif ranks not in (None, self.keys["all_gpus:"]):
            fail(self.path, line, f"all_gpus: {ranks}, as --ranks", self.keys["all_gpus:"])

    def list_groups(self, phase, suffix):
        """Return the groups of ranks of a collective."""
        gpus, tensor = self.keys["all_gpus:"], self.tensor
        if not suffix and phase != WEIGHT:
            return [list(range(first, first + tensor)) for first in range(0, gpus, tensor)]
        if not suffix:
            return [list(range(first, gpus, tensor)) for first in range(tensor)]
        span = tensor * self.experts
        if suffix == "_EP":
            return [list(range(low + first, low + span, tensor)) for low in range(0, gpus, span) for first in range(tensor)]
        return [list(range(first, gpus, span)) for first in range(span)]

    def check_size(self):
        """Raise UserError before a graph that is too large is built."""
        total = 0
        for layer in self.layers:
            for phase, (_, kind, suffix, size) in enumerate(layer.phases):
                if kind and size:
                    groups = self.list_groups(phase, suffix)
                    total += len(groups) * collectives.count_messages(kind, len(groups[0]))
                if total > MAX_OPERATIONS:
                    expected = f"at most {MAX_OPERATIONS} messages (--layers imports the first layers)"
                    fail(self.path, layer.line, expected, "more up to this layer")

    def build(self):
        """Return the Operations."""
        self.check_size()
        notes = self.operations.notes
        for key, text in (("pp:", "pipeline stages: all ranks run all layers"), ("ga:", "micro batches: one of them")):
            notes[text] += self.keys[key] if self.keys[key] > 1 else 0
        # The last operation of each rank.
        self.last = [self.operations.compute(rank) for rank in range(self.keys["all_gpus:"])]
        for layer in self.layers:
            self.add_phase(layer, FORWARD, True)
        for layer in reversed(self.layers):
            self.add_phase(layer, INPUT, True)
            self.add_phase(layer, WEIGHT, False)
            notes["updates of weights: no message waits for them"] += layer.update > 0
        return self.operations

    def add_phase(self, layer, phase, is_blocking):
        """Add a computation of all ranks and the collective behind it, which the next one may wait for."""
        time, kind, suffix, size = layer.phases[phase]
        name = f"{layer.name} line {layer.line} {('forward', 'input', 'weight')[phase]}"
        for rank, before in enumerate(self.last):
            if time:
                self.last[rank] = self.operations.compute(rank, time, [before], name=f"{rank}.{name}")
        if not kind or not size:
            return
        for ranks in self.list_groups(phase, suffix):
            done = collectives.add_collective(self.operations, kind, ranks, size, [self.last[rank] for rank in ranks], name)
            if is_blocking:
                for rank, one in zip(ranks, done):
                    self.last[rank] = one


def read_simai(path, options):
    """Return the Operations of a file."""
    return Reader(path, options).build()
