# SPDX-License-Identifier: GPL-2.0-only
"""DOCA Perftest's JSON files (doca_perftest -f): bandwidth tests between several nodes.

The keys are those of the JSON mode of NVIDIA's DOCA Perftest 3.x, as a public guide to it shows them (2026-04-22).
"""

import itertools
import json
import re

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.importers.operations import Operations
from rocelab.importers.source import MAX_RANKS, quote

RANGES = re.compile(r"\[([^\[\]]*)\]")
RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
VERBS = ("write", "read", "send")
#: Of each pattern its (requester, responder) pairs of n nodes; of a READ, the responder sends the data.
PATTERNS = {
    "ONE_TO_ONE": lambda n: [(0, 1)],
    "ONE_TO_MANY": lambda n: [(0, other) for other in range(1, n)],
    "MANY_TO_ONE": lambda n: [(other, 0) for other in range(1, n)],
    "ALL_TO_ALL": lambda n: list(itertools.permutations(range(n), 2)),
    "BISECTION": lambda n: [(node, node + n // 2) for node in range(n // 2)],
}
NAMES = {"ALL_2_ALL": "ALL_TO_ALL"}
MESSAGES = 16  # Per connection, of a file that states a duration.
MAX_MESSAGES = 10**6
MAX_BYTES = 2**31
USED = {"testNodes", "trafficPattern", "trafficDirection", "verb", "msgSize", "metric", "iterations", "iterationSync"}
TIMES = ("Duration", "duration")


def expand(path, text):
    """Return the names that a text with ranges stands for: a[01-03] is a01, a02, a03; b[0,2] is b0, b2."""
    parts = RANGES.split(text)
    choices = [[parts[0]]]
    for inner, rest in zip(parts[1::2], parts[2::2], strict=True):
        names = []
        for word in inner.split(","):
            found = RANGE.fullmatch(word.strip())
            first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
            if not 0 <= last - first < MAX_RANKS:
                raise UserError(f"{path}: testNodes: expected ranges such as [01-16] or [0,2], got {quote(text)}")
            names += [f"{number:0{len(found[1])}d}" for number in range(first, last + 1)]
        choices += [names, [rest]]
        if len(names) > MAX_RANKS:
            break
    count = 1
    for one in choices:
        count *= len(one)
    check(path, "testNodes", count <= MAX_RANKS, f"at most {MAX_RANKS} nodes", quote(text))
    return ["".join(one) for one in itertools.product(*choices)]


def check(path, key, is_right, expected, got):
    """Raise the UserError of a key that is not right."""
    if not is_right:
        raise UserError(f"{path}: {key}: expected {expected}, got {got}")


class Reader:
    """Reads a file."""

    def __init__(self, path, options):
        self.path = path
        try:
            self.keys = json.loads(read_text(path))
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}: expected JSON, got: {error}") from None
        check(path, "file", isinstance(self.keys, dict), "an object", type(self.keys).__name__)
        self.operations = Operations(path, len(self.read_nodes()))
        self.operations.verb = self.read_choice("verb", VERBS, "write")
        self.read_choice("metric", ("bw",), "bw", "; `rocelab perftest` measures latencies")
        self.size = self.read_whole("msgSize", 65536, MAX_BYTES)
        self.add_notes(options)

    def read_choice(self, key, choices, default, more=""):
        value = self.keys.get(key, default)
        check(self.path, key, value in choices, " or ".join(choices) + more, quote(str(value)))
        return value

    def read_whole(self, key, default, most):
        value = self.keys.get(key, default)
        is_whole = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
        check(self.path, key, is_whole, f"a whole number from 1 to {most}", quote(str(value)))
        return value

    def read_nodes(self):
        """Return a (host, device) for each node."""
        entries = self.keys.get("testNodes")
        check(self.path, "testNodes", isinstance(entries, list) and entries, "a list of nodes", quote(str(entries)))
        nodes = []
        for entry in entries:
            check(self.path, "testNodes", isinstance(entry, dict), 'objects {"hostname", "deviceName"}', quote(str(entry)))
            host = entry.get("hostname", entry.get("hostName"))
            device = entry.get("deviceName", "")
            is_text = isinstance(host, str) and isinstance(device, str)
            check(self.path, "testNodes", is_text, "texts hostname and deviceName", quote(str(entry)))
            nodes += itertools.product(expand(self.path, host), expand(self.path, device))
            check(self.path, "testNodes", len(nodes) <= MAX_RANKS, f"at most {MAX_RANKS} nodes", "more")
        check(self.path, "testNodes", len(nodes) >= 2, "two nodes or more", len(nodes))
        self.devices = len(nodes) - len({host for host, _ in nodes})
        return nodes

    def read_pairs(self):
        """Return the (sender, receiver) of the data of each connection."""
        count = self.operations.ranks
        pattern = self.keys.get("trafficPattern", "ONE_TO_ONE")
        is_name = isinstance(pattern, str) and NAMES.get(pattern, pattern) in PATTERNS
        check(self.path, "trafficPattern", is_name, ", ".join(PATTERNS), quote(str(pattern)))
        pattern = NAMES.get(pattern, pattern)
        is_even = pattern != "BISECTION" or count % 2 == 0
        check(self.path, "trafficPattern", is_even, "an even number of nodes for BISECTION", count)
        pairs = PATTERNS[pattern](count)
        if self.read_choice("trafficDirection", ("UNIDIR", "BIDIR"), "UNIDIR") == "BIDIR" and pattern != "ALL_TO_ALL":
            pairs += [(responder, requester) for requester, responder in pairs]
        return [(responder, requester) for requester, responder in pairs] if self.operations.verb == "read" else pairs

    def read_iterations(self, pairs, options):
        iterations = self.read_whole("iterations", options.iterations or MESSAGES, MAX_MESSAGES)
        total = iterations * len(pairs)
        check(self.path, "iterations", total <= MAX_MESSAGES, f"at most {MAX_MESSAGES} messages in all", f"{total:,}")
        return iterations

    def add_notes(self, options):
        notes = self.operations.notes
        if "iterations" not in self.keys:
            count = options.iterations or MESSAGES
            notes[f"a duration in real time: {count} messages per connection in its place (--iterations)"] += 1
        notes["devices of a host: a server each"] += self.devices
        for key in self.keys:
            if key not in USED and key not in TIMES:
                notes[f"{json.dumps(key)}: no effect here"] += 1

    def add_messages(self, pairs, iterations):
        """Add the messages of each connection, which all are posted at the beginning."""
        for sender, receiver in pairs:
            for number in range(iterations):
                self.operations.send(
                    sender, receiver, self.size, name=f"{sender} to {receiver} #{number}", queue_pair=f"{sender}-{receiver}"
                )

    def add_synchronized(self, pairs, iterations):
        """Add iterations: data to all peers, a message without bytes behind them, and a barrier of its receiver."""
        arrived = {rank: [] for rank in range(self.operations.ranks)}
        for number in range(iterations):
            signals = {rank: [] for rank in arrived}
            for sender, receiver in pairs:
                place = {"queue_pair": f"{sender}-{receiver}"}
                name = f"{sender} to {receiver} #{number}"
                data = self.operations.send(sender, receiver, self.size, arrived[sender], name=name, **place)
                signal = self.operations.send(sender, receiver, 0, (), [data], name=name + " signal", **place)
                signals[receiver].append(signal)
            arrived = {rank: [self.operations.compute(rank, 0, ends)] for rank, ends in signals.items()}

    def read(self, options):
        """Return the Operations."""
        pairs = self.read_pairs()
        iterations = self.read_iterations(pairs, options)
        is_synchronized = self.keys.get("iterationSync", False)
        check(
            self.path, "iterationSync", is_synchronized in (False, True, "false", "true"), "true or false", quote(str(is_synchronized))
        )
        if is_synchronized in (True, "true"):
            is_all = self.keys.get("trafficPattern") in ("ALL_TO_ALL", "ALL_2_ALL") and self.keys.get("trafficDirection") == "BIDIR"
            check(self.path, "iterationSync", is_all and "iterations" in self.keys, "ALL_TO_ALL, BIDIR and iterations with it", "others")
            self.add_synchronized(pairs, iterations)
        else:
            self.add_messages(pairs, iterations)
        return self.operations


def read_doca_perftest(path, options):
    """Read a file into Operations; raises UserError."""
    return Reader(path, options).read(options)
