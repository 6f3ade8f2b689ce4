#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes topologies and flows in the formats of the HPCC simulator family, to standard output.

usage: hpcc_files.py topology SERVERS
       hpcc_files.py flows SERVERS SIZES LOAD DURATION_US SEED

The topologies are the fat-trees of SRNIC (NSDI 2023) section 6.3: hosts at 100 Gb/s, the fabric at
400 Gb/s, 1 us per link.  SIZES is a distribution as in traces/.  The files in traces/hpcc/ are made
with this; it shares nothing with src/, so that tests can compare the two.
"""

import bisect
import math
import random
import sys

HOST_LINK = "100Gbps 1000ns 0.000000"
FABRIC_LINK = "400Gbps 1000ns 0.000000"
HOST_BITS_PER_SECOND = 100e9

#: Servers: pods, top-of-rack switches per pod, servers at each, aggregates per pod, cores.
TREES = {
    16: (1, 1, 16, 0, 0),
    64: (1, 4, 16, 4, 0),
    256: (1, 8, 32, 8, 0),
    1024: (16, 4, 16, 4, 16),
}

#: The family starts its traffic at 2 s, with this priority and destination port.
ORIGIN_NS = 2 * 10**9
PRIORITY_AND_PORT = "3 100"


def make_links(servers):
    """Return the switches' ids, and a line for each link, from the servers up to the cores."""
    pods, racks, servers_per_rack, aggregates, cores = TREES[servers]
    racks_from = servers
    aggregates_from = racks_from + pods * racks
    cores_from = aggregates_from + pods * aggregates
    links = [
        f"{server} {racks_from + server // servers_per_rack} {HOST_LINK}"
        for server in range(servers)
    ]
    for pod in range(pods):
        for rack in range(racks_from + pod * racks, racks_from + (pod + 1) * racks):
            for place in range(aggregates):
                links.append(f"{rack} {aggregates_from + pod * aggregates + place} {FABRIC_LINK}")
    for core in range(cores):
        # Each core has one link into each pod, to the aggregate of the same place.
        place = core * aggregates // cores
        for pod in range(pods):
            aggregate = aggregates_from + pod * aggregates + place
            links.append(f"{aggregate} {cores_from + core} {FABRIC_LINK}")
    return range(servers, cores_from + cores), links


def write_topology(servers):
    """Write nodes, switches and links."""
    switches, links = make_links(servers)
    print(servers + len(switches), len(switches), len(links))
    print(*switches)
    print("\n".join(links))


class SizeDistribution:
    """Flow sizes by the corners of their cumulative distribution, straight in between."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
        self.sizes = [float(size) for size, _ in lines]
        last = float(lines[-1][1])
        self.shares = [float(share) / last for _, share in lines]

    def get_quantile(self, share):
        """Return the size that so large a share of the flows does not exceed."""
        right = min(max(bisect.bisect_right(self.shares, share), 1), len(self.shares) - 1)
        width = self.shares[right] - self.shares[right - 1]
        part = (share - self.shares[right - 1]) / width if width else 1
        return self.sizes[right - 1] + part * (self.sizes[right] - self.sizes[right - 1])

    def get_mean(self):
        """Return the mean, exactly: each segment has the mean of its ends."""
        corners = list(zip(self.sizes, self.shares))
        return sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in zip(corners, corners[1:]))


def write_flows(servers, sizes, load, duration_us, seed):
    """Write Poisson arrivals: each server alike, to all others alike; load counts payload."""
    distribution = SizeDistribution(sizes)
    mean_gap_ns = distribution.get_mean() * 8e9 / (load * HOST_BITS_PER_SECOND) / servers
    numbers = random.Random(seed)
    flows = []
    now = 0
    while True:
        now -= math.log(1 - numbers.random()) * mean_gap_ns
        if now >= duration_us * 1000:
            break
        source = int(numbers.random() * servers)
        other = int(numbers.random() * (servers - 1))
        size = max(1, round(distribution.get_quantile(numbers.random())))
        destination = other + (other >= source)
        seconds, rest = divmod(ORIGIN_NS + int(now), 10**9)
        flows.append(f"{source} {destination} {PRIORITY_AND_PORT} {size} {seconds}.{rest:09d}")
    print(len(flows))
    print("\n".join(flows))


def main(arguments):
    """Write what the arguments name; return the exit status."""
    if {"-h", "--help"} & set(arguments):
        print(__doc__.strip())
        return 0
    try:
        kind, servers, *values = arguments
        if kind == "topology" and not values:
            write_topology(int(servers))
        elif kind == "flows":
            sizes, load, duration_us, seed = values
            write_flows(int(servers), sizes, float(load), int(duration_us), int(seed))
        else:
            raise ValueError(f"unknown kind {kind}")
    except (KeyError, OSError, ValueError) as error:
        print(f"hpcc_files.py: {error}\n{__doc__.split(chr(10) * 2)[1]}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
