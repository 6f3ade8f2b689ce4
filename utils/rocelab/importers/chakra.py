# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces, one file per rank, as Operations."""

import math
import re
from collections import Counter
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import read_json_object
from rocelab.importers import chakra_file as file
from rocelab.importers import collectives
from rocelab.importers.operations import MAX_PS, PS_PER_US
from rocelab.importers.source import MAX_RANKS, fail_byte, quote
from rocelab.importers.two_sided import COMPUTE, GATE, RECEIVE, SEND, Builder, Step

NAME = re.compile(r"(.*)\.([0-9]{1,6})\.et")
TYPES = {
    0: collectives.ALL_REDUCE,
    1: collectives.REDUCE,
    2: collectives.ALL_GATHER,
    3: collectives.GATHER,
    4: collectives.SCATTER,
    5: collectives.BROADCAST,
    6: collectives.ALL_TO_ALL,
    7: collectives.REDUCE_SCATTER,
    8: collectives.REDUCE_SCATTER,
    9: collectives.BARRIER,
}
POSTED = 2**62  # Sends end for their own rank when they are posted.
MAX_BYTES = 2**40


def list_files(path):
    """Return the files of all ranks, of which `path` is one: PREFIX.0.et, PREFIX.1.et, ..."""
    found = NAME.fullmatch(path)
    if not found:
        raise UserError(f"{path}: expected one of the files PREFIX.RANK.et, got another name")
    files = []
    while Path(f"{found[1]}.{len(files)}.et").exists():
        files.append(f"{found[1]}.{len(files)}.et")
        if len(files) > MAX_RANKS:
            raise UserError(f"{path}: expected at most {MAX_RANKS} ranks, got more")
    if int(found[2]) >= len(files):
        raise UserError(f"{found[1]}.{len(files)}.et: expected a trace of each rank up to {found[2]}, got no file of that name")
    return files


def read_groups(path, ranks):
    """Return {name: ranks} of the JSON file of groups."""
    groups = {}
    for name, members in read_json_object(path).items():
        is_list = isinstance(members, list) and members and all(type(one) is int for one in members)
        if not is_list or not all(0 <= one < ranks for one in members) or len(set(members)) < len(members):
            raise UserError(f"{path}: {name!r}: expected a list of ranks below {ranks}, each once, got another value")
        groups[name] = members
    return groups


class Trace:
    """The nodes of a rank as steps."""

    def __init__(self, path, rank, importer):
        self.path = path
        self.rank = rank
        self.importer = importer
        # Ids are handed out in the order in which operations are issued.
        self.nodes = sorted(file.read_nodes(path), key=lambda node: node.id)
        self.place = {node.id: place for place, node in enumerate(self.nodes)}
        self.collectives = []  # Places.
        self.steps = [self.make_step(place, node) for place, node in enumerate(self.nodes)]
        for node, step in zip(self.nodes, self.steps):
            self.add_needs(node, step)

    def get(self, node, name, least=0, most=MAX_BYTES):
        """Return an integer attribute; raises UserError without one."""
        value = node.attributes.get(name)
        if type(value) is not int or not least <= value <= most:
            got = "none" if value is None else value
            fail_byte(self.path, node.offset, f"{name} from {least} to {most} of node {node.id}", got)
        return value

    def make_step(self, place, node):
        """Return the Step of a node."""
        notes = self.importer.notes
        is_cpu = bool(node.attributes.get("is_cpu_op"))
        common = {"name": f"{node.id} {node.name}"[:80], "place": f"{self.path}: byte {node.offset}", "cpu": int(is_cpu)}
        last = self.importer.ranks - 1
        if node.kind in (file.SEND, file.RECV):
            peer = self.get(node, "comm_dst" if node.kind == file.SEND else "comm_src", 0, last)
            size = self.get(node, "comm_size")
            tag = self.get(node, "comm_tag", -(2**31), 2**32 - 1) if "comm_tag" in node.attributes else 0
            # Not ANY, which is -1.
            return Step(SEND if node.kind == file.SEND else RECEIVE, size, peer, ("tag", tag), **common)
        if node.kind == file.COLL:
            if is_cpu and "comm_type" not in node.attributes:
                notes["collectives' wrappers on the CPU: they take no time"] += 1
                return Step(COMPUTE, 0, **common)
            self.collectives.append(place)
            return Step(GATE, 0, **common)
        if node.kind == file.COMP:
            return Step(COMPUTE, self.importer.get_duration(self.path, node), **common)
        if node.kind in (file.LOAD, file.STORE):
            notes["loads and stores of memory: their recorded duration"] += 1
            return Step(COMPUTE, min(node.duration_us * PS_PER_US, MAX_PS), **{**common, "cpu": 2})
        return Step(COMPUTE, 0, **common)

    def add_needs(self, node, step):
        """Add a node's dependencies."""
        notes = self.importer.notes
        names = set(node.data)
        if self.importer.options.ignore_control:
            notes["control dependencies: ignored"] += len(node.control)
        else:
            names |= set(node.control)
        for name in sorted(names):
            if name in self.place:
                step.needs.append(self.place[name])
            else:
                notes["dependencies on nodes that are not in the trace: dropped"] += 1

    def chain_streams(self):
        """Let each node on a stream of a GPU wait for the one that started before it there."""
        last = {}
        for place in sorted(range(len(self.nodes)), key=lambda place: (self.nodes[place].start_us, place)):
            node = self.nodes[place]
            stream = node.attributes.get("stream")
            if node.kind == file.METADATA or node.attributes.get("is_cpu_op"):
                continue
            if stream is None:
                self.importer.notes["nodes without a stream, which --chain-streams cannot chain"] += 1
                continue
            before = last.get(stream)
            if before is not None and before not in self.steps[place].needs:
                self.steps[place].needs.append(before)
                self.importer.notes["dependencies added by --chain-streams"] += 1
            last[stream] = place


class Importer:
    """All ranks of a trace."""

    def __init__(self, path, options, notes):
        self.options = options
        self.notes = notes
        files = list_files(path)
        self.ranks = len(files)
        self.groups = read_groups(options.groups, self.ranks) if options.groups else {}
        self.traces = [Trace(one, rank, self) for rank, one in enumerate(files)]
        if options.chain_streams:
            for trace in self.traces:
                trace.chain_streams()

    def get_duration(self, path, node):
        """Return the picoseconds of a computation: recorded, or by the roofline."""
        if node.duration_us:
            self.notes["computations of their recorded duration"] += 1
            return node.duration_us * PS_PER_US
        peak, memory = self.options.peak_tflops, self.options.memory_bandwidth
        operations, size = (self.get_amount(path, node, name) for name in ("num_ops", "tensor_size"))
        if not operations and not size:
            self.notes["computations without duration or num_ops: they take no time"] += 1
            return 0
        if peak is None or memory is None:
            expected = f"a duration of node {node.id}, or --peak-tflops and --memory-bandwidth for its num_ops and tensor_size"
            fail_byte(path, node.offset, expected, "none of them")
        self.notes[f"computations by roofline, {peak:g} TFLOP/s and {memory:g} GB/s"] += 1
        # In picoseconds: 1e12 per second over 1e12 operations, or over 1e9 bytes, per second.
        duration = max(operations / peak, size * 1000 / memory)
        if duration > MAX_PS:
            expected = f"a computation of at most 1000000 s by --peak-tflops and --memory-bandwidth of node {node.id}"
            fail_byte(path, node.offset, expected, f"num_ops {operations:g} and tensor_size {size:g}")
        return round(duration)

    def get_amount(self, path, node, name):
        """Return an attribute as a number; 0 without it or for a negative one, which stands for an unknown one."""
        value = node.attributes.get(name) or 0
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            fail_byte(path, node.offset, f"a number as {name} of node {node.id}", quote(value))
        return max(0, value)

    def get_group(self, trace, node):
        """Return (key, ranks) of the group of a collective."""
        name = node.attributes.get("pg_name")
        if name in (None, ""):
            return "", list(range(self.ranks))
        if str(name) not in self.groups:
            if self.options.groups:
                fail_byte(trace.path, node.offset, f"a group of {self.options.groups}", repr(name))
            self.notes["collectives of a group without --groups: of all ranks"] += 1
            return str(name), list(range(self.ranks))
        ranks = self.groups[str(name)]
        if trace.rank not in ranks:
            fail_byte(trace.path, node.offset, f"a group of which rank {trace.rank} is a member", repr(name))
        return str(name), ranks

    def list_collectives(self):
        """Return [(ranks, {rank: place})]: the n-th use of a group by each of its ranks belongs together."""
        uses = {}
        for trace in self.traces:
            for place in trace.collectives:
                name, ranks = self.get_group(trace, trace.nodes[place])
                uses.setdefault(name, (ranks, {}))[1].setdefault(trace.rank, []).append(place)
        found = []
        for name, (ranks, places) in sorted(uses.items()):
            counts = {rank: len(places.get(rank, [])) for rank in ranks}
            if len(set(counts.values())) > 1:
                rank = min(counts, key=counts.get)
                raise UserError(
                    f"{self.traces[rank].path}: expected {max(counts.values())} collectives of group {name!r}, as other"
                    f" ranks have, got {counts[rank]} (--groups names the ranks of each group)"
                )
            rows = [self.order_by_name(rank, places[rank]) for rank in ranks]
            if any(self.get_names(rank, row) != self.get_names(ranks[0], rows[0]) for rank, row in zip(ranks, rows)):
                rows = [places[rank] for rank in ranks]
            found += [(ranks, dict(zip(ranks, column))) for column in zip(*rows)]
        return found

    def get_names(self, rank, places):
        """Return the names of nodes; one that is there twice makes them unlike any others."""
        names = [self.traces[rank].nodes[place].name for place in places]
        return names if len(set(names)) == len(names) else [rank, *names]

    def order_by_name(self, rank, places):
        """Return places by the names of their nodes: ranks may issue independent collectives in other orders."""
        return sorted(places, key=lambda place: self.traces[rank].nodes[place].name)

    def read_collective(self, ranks, places):
        """Return (kind, bytes) of a collective; raises UserError where ranks disagree."""
        kinds, sizes = set(), set()
        for rank in ranks:
            trace = self.traces[rank]
            node = trace.nodes[places[rank]]
            kinds.add(TYPES[trace.get(node, "comm_type", 0, max(TYPES))])
            if len(kinds) > 1:
                fail_byte(trace.path, node.offset, "the collective that the other ranks of the group have", node.name)
            sizes.add(0 if kinds == {collectives.BARRIER} else trace.get(node, "comm_size"))
        if len(sizes) > 1:
            self.notes["collectives whose ranks have different sizes: the largest"] += 1
        return kinds.pop(), max(sizes)

    def add_collectives(self, builder):
        """Expand all collectives."""
        for ranks, places in self.list_collectives():
            kind, size = self.read_collective(ranks, places)
            if kind == collectives.ALL_GATHER:
                size *= len(ranks)  # comm_size is the shard.
            if kind == collectives.SCATTER:
                size //= len(ranks)
            ready = [builder.begins[rank][places[rank]] for rank in ranks]
            name = self.traces[ranks[0]].steps[places[ranks[0]]].name
            done = collectives.add_collective(builder.operations, kind, ranks, size, ready, f"{kind} {name}")
            for rank, one in zip(ranks, done):
                builder.operations.all[builder.finishes[rank][places[rank]]].ends.append(one)
            self.notes[f"{kind} expanded"] += 1


def read_chakra(path, options):
    """Return the Operations of a trace."""
    importer = Importer(path, options, Counter())
    builder = Builder(path, [trace.steps for trace in importer.traces], POSTED, 1)
    builder.build()
    importer.add_collectives(builder)
    builder.operations.notes.update(importer.notes)
    if not options.ignore_control:
        builder.operations.circle_hint = " (--ignore-control leaves out some dependencies)"
    return builder.operations
