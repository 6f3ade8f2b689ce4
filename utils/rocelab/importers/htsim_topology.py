# SPDX-License-Identifier: GPL-2.0-only
"""htsim's fat-trees (.topo) as topology files of the HPCC format.

Counts and links follow FatTreeTopologyCfg of the Ultra Ethernet fork of htsim: ToR t has servers t * radix
and up; each ToR is linked to the aggregates of its pod (of two tiers: to all); aggregate a of a pod is linked
to the cores a, a + aggregates of a pod, ...
"""

from dataclasses import dataclass

from rocelab.importers.source import MAX_RANKS, fail, quote, read_number, read_words

HEADERS = {"nodes": (2, MAX_RANKS), "tiers": (2, 3), "podsize": (1, MAX_RANKS)}
ATTRIBUTES = {
    "downlink_speed_gbps": (1, 10**6),
    "radix_down": (1, MAX_RANKS),
    "radix_up": (1, MAX_RANKS),
    "queue_up": (0, 10**12),
    "queue_down": (0, 10**12),
    "oversubscribed": (1, MAX_RANKS),
    "bundle": (1, MAX_RANKS),
    "switch_latency_ns": (0, 10**9),
    "downlink_latency_ns": (0, 10**9),
}
NEEDED = ("downlink_speed_gbps", "downlink_latency_ns", "radix_down")
MAX_LINKS = 1_000_000


@dataclass
class Tier:
    """A tier of switches; its speed, latency and bundle are those of the links below it."""

    line: int
    values: dict

    def get(self, name):
        """Return an attribute, or its default."""
        return self.values.get(name, 1 if name in ("oversubscribed", "bundle") else 0)


class FatTree:
    """A file, read and checked."""

    def __init__(self, path):
        self.path = path
        self.headers = {}
        self.tiers = {}
        self.read()
        self.check()

    def read(self):
        """Read all lines."""
        current = None
        for line, words in read_words(self.path):
            key = words[0].lower()
            if len(words) != 2:
                fail(self.path, line, "a name and one value", quote(" ".join(words)))
            if key == "tier":
                number = read_number(self.path, line, words[1], "Tier", 0, 2)
                if number in self.tiers:
                    fail(self.path, line, "each tier once", f"Tier {number} again")
                current = self.tiers[number] = Tier(line, {})
                continue
            known = HEADERS if current is None else ATTRIBUTES
            holder = self.headers if current is None else current.values
            if key not in known:
                fail(self.path, line, f"Tier or one of {', '.join(known)}", quote(words[0]))
            if key in holder:
                fail(self.path, line, f"{words[0]} once", "it again")
            holder[key] = read_number(self.path, line, words[1], words[0], *known[key])

    def require(self, holds, line, expected, got):
        """Raise UserError unless a condition holds."""
        if not holds:
            fail(self.path, line, expected, got)

    def check(self):
        """Check that the tiers fit together, and count the switches."""
        for name in HEADERS:
            self.require(name in self.headers, 1, f"a line {name}", "none")
        count = self.headers["tiers"]
        self.require(sorted(self.tiers) == list(range(count)), 1, f"tiers 0 to {count - 1}", sorted(self.tiers))
        self.levels = [self.tiers[number] for number in range(count)]
        for number, tier in enumerate(self.levels):
            for name in NEEDED + (("radix_up",) if number < count - 1 else ()):
                self.require(name in tier.values, tier.line, f"{name} of the tier", "none")
            self.require(tier.get("radix_down") % tier.get("bundle") == 0, tier.line, "radix_down a multiple of bundle", "another")
        self.count_switches()

    def count_switches(self):
        """Set the numbers of pods and switches."""
        nodes, pod = self.headers["nodes"], self.headers["podsize"]
        tor, agg = self.levels[0], self.levels[1]
        self.require(nodes % pod == 0, 1, f"Nodes a multiple of Podsize {pod}", nodes)
        self.require(len(self.levels) == 3 or nodes == pod, 1, f"Podsize equal to Nodes {nodes} with two tiers", pod)
        self.require(tor.get("bundle") == 1, tor.line, "bundle 1 of servers", tor.get("bundle"))
        self.require(pod % tor.get("radix_down") == 0, tor.line, "Podsize a multiple of radix_down", pod)
        self.pods = nodes // pod
        self.tors_per_pod = pod // tor.get("radix_down")
        up = tor.get("radix_up")
        self.require(up % agg.get("bundle") == 0, tor.line, "radix_up a multiple of the bundle above", up)
        self.aggs_per_pod = up // agg.get("bundle")
        below = self.tors_per_pod * agg.get("bundle")
        self.require(agg.get("radix_down") == below, agg.line, f"radix_down {below}, for the ToRs of a pod", agg.get("radix_down"))
        self.cores = 0
        if len(self.levels) == 3:
            core = self.levels[2]
            up = agg.get("radix_up")
            self.require(up % core.get("bundle") == 0, agg.line, "radix_up a multiple of the bundle above", up)
            self.cores = up // core.get("bundle") * self.aggs_per_pod
            below = self.pods * core.get("bundle")
            self.require(
                core.get("radix_down") == below, core.line, f"radix_down {below}, for the pods", core.get("radix_down")
            )

    def get_rate(self):
        """Return the rate of the servers' links in Gb/s."""
        return self.levels[0].get("downlink_speed_gbps")

    def get_nodes(self):
        """Return the number of servers."""
        return self.headers["nodes"]

    def list_links(self):
        """Return [(node, node, tier of the upper one)]: servers, then ToRs, aggregates, cores."""
        nodes, radix = self.get_nodes(), self.levels[0].get("radix_down")
        tors, aggs = self.pods * self.tors_per_pod, self.pods * self.aggs_per_pod
        bundle = self.levels[1].get("bundle")
        links = [(server, nodes + server // radix, 0) for server in range(nodes)]
        for tor in range(tors):
            first = tor // self.tors_per_pod * self.aggs_per_pod
            for agg in range(first, first + self.aggs_per_pod):
                links += [(nodes + tor, nodes + tors + agg, 1)] * bundle
        if self.cores:
            for agg in range(aggs):
                for core in range(agg % self.aggs_per_pod, self.cores, self.aggs_per_pod):
                    links += [(nodes + tors + agg, nodes + tors + aggs + core, 2)] * self.levels[2].get("bundle")
        return links

    def get_delay(self, tier):
        """Return the one-way delay of links below a tier, with half the latency of the switches at their ends."""
        switches = self.levels[tier].get("switch_latency_ns")
        if tier:
            switches += self.levels[tier - 1].get("switch_latency_ns")
        return self.levels[tier].get("downlink_latency_ns") * 1000 + switches * 500

    def make_text(self):
        """Return the file of the HPCC format."""
        links = self.list_links()
        if len(links) > MAX_LINKS:
            fail(self.path, 1, f"at most {MAX_LINKS} links", len(links))
        nodes = self.get_nodes()
        switches = self.pods * (self.tors_per_pod + self.aggs_per_pod) + self.cores
        ends = [(self.levels[tier].get("downlink_speed_gbps"), self.get_delay(tier)) for tier in range(len(self.levels))]
        lines = [f"{nodes + switches} {switches} {len(links)}", " ".join(map(str, range(nodes, nodes + switches)))]
        lines += [f"{low} {high} {ends[tier][0]}Gbps {ends[tier][1]}ps 0" for low, high, tier in links]
        return "\n".join(lines) + "\n"

    def list_notes(self):
        """Return what has no counterpart, as {text: count}."""
        queues = sum(name in tier.values for tier in self.levels for name in ("queue_up", "queue_down"))
        latencies = sum(tier.get("switch_latency_ns") > 0 for tier in self.levels)
        return {
            "sizes of queues: dropped (fabric.buffer is shared by a switch's ports)": queues,
            "latencies of switches: half of each is part of the delay of its links": latencies,
        }
