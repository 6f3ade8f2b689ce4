# SPDX-License-Identifier: GPL-2.0-only
"""Flows in the format of HPCC's simulator family, drawn as the SRNIC authors' generator draws them.

Source: HKUST-SING/srnic-simulation-public, commit 9c1f6514, traffic_gen/ as its gene.sh calls it
(seed 3, no incast load). With Cache_Follower, load 0.7, 64 servers and 10 ms the lines are the same
as there; 2 ms with the generator's default incast load, 0.02, are the trace of 1,782 flows in
validation/README.md. The trace of 256 servers in that repository is not of this generator: other
draws.
"""

import heapq
import math
import random

from rocelab.errors import UserError
from rocelab.files import read_text, write_text

SEED = 3
ORIGIN_NS = 2 * 10**9  # When traffic begins there.
PRIORITY_AND_PORT = "3 100"
INCAST_SENDERS, INCAST_BYTES = 60, 500_000  # Defaults of the generator.


def read_sizes(path):
    """Return [(bytes, percent of the flows that are no larger)] of a distribution in traces/."""
    lines = [line.split() for line in read_text(path).splitlines() if line and line[0] != "#"]
    # Percent, as in the authors' file: with shares, other bytes would follow from the same draws.
    return [(float(size), round(100 * float(share), 9)) for size, share in lines]


def get_mean(sizes):
    """Return the mean of a distribution that is linear between its corners."""
    corners = zip(sizes, sizes[1:])
    return sum((b + a) / 2.0 * (high - low) for (a, low), (b, high) in corners) / 100


def get_size(sizes, percent):
    """Return the size that so many percent of the flows do not exceed, as a real number."""
    for (x0, y0), (x1, y1) in zip(sizes, sizes[1:]):
        if percent <= y1:
            return x0 + (x1 - x0) / (y1 - y0) * (percent - y0)
    raise UserError(f"sizes: expected a distribution up to 100 %, got one up to {sizes[-1][1]} %")


def get_incast_share(servers, incast_load, bits_per_second, duration_ns, gap_ns):
    """Return the probability that a flow begins an incast; gap_ns is the mean gap of a server's flows."""
    if incast_load == 0:
        return 0.0
    load = incast_load * (servers * 1.0 / INCAST_SENDERS)
    incasts = int(duration_ns / (1 / (bits_per_second * load / 8.0 / INCAST_BYTES) * 1e9))
    return incasts * 1.0 / int(duration_ns / gap_ns * servers)


def draw_incast(draws, servers):
    """Return (senders, receiver) as the generator's Python 2 draws them."""
    pool, senders = list(range(servers)), []
    for remaining in range(servers, servers - INCAST_SENDERS, -1):
        index = int(draws.random() * remaining)
        senders.append(pool[index])
        pool[index] = pool[remaining - 1]
    receiver = senders[0]
    while receiver in senders:
        receiver = int(draws.random() * servers)
    return senders, receiver


def make_flows(servers, sizes, load, bits_per_second, duration_ns, incast_load=0):
    """Yield (source, destination, bytes, start in ns after the origin), in the order of starts.

    sizes is what read_sizes() returns. A server's flows are a Poisson process; a flow whose
    successor would start after the end is left out, as there. With incast_load, flows begin
    incasts of INCAST_SENDERS flows at random; servers must be more than INCAST_SENDERS.
    """
    draws = random.Random(SEED)
    gap_ns = 1 / (bits_per_second * load / 8.0 / get_mean(sizes)) * 1e9
    incast_share = get_incast_share(servers, incast_load, bits_per_second, duration_ns, gap_ns)

    def draw_gap():
        return int(-math.log(1 - draws.random()) * gap_ns)

    arrivals = [(draw_gap(), server) for server in range(servers)]
    heapq.heapify(arrivals)
    while arrivals:
        now, source = arrivals[0]
        after = now + draw_gap()
        destination = source
        while destination == source:
            destination = int(draws.random() * servers)
        if after > duration_ns:
            heapq.heappop(arrivals)
            continue
        yield source, destination, max(1, int(get_size(sizes, draws.random() * 100))), now
        heapq.heapreplace(arrivals, (after, source))
        if draws.random() < incast_share:
            senders, receiver = draw_incast(draws, servers)
            yield from ((sender, receiver, INCAST_BYTES, now) for sender in senders)


def format_flow(source, destination, size, start_ns):
    """Return the line of one flow."""
    seconds = (ORIGIN_NS + start_ns) * 1e-9
    return f"{source} {destination} {PRIORITY_AND_PORT} {size} {seconds:.9f}"


def write_trace(path, flows):
    """Write flows as a file that a workload of type hpcc-trace reads; returns the path."""
    lines = [format_flow(*flow) for flow in flows]
    return write_text(path, "\n".join([str(len(lines)), *lines]) + "\n")
