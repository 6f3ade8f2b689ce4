# SPDX-License-Identifier: GPL-2.0-only
"""The arithmetic with which KV-Direct (SOSP 2017) computed its Tables 5 and 6, found from the numbers.

r is the throughput of the NIC's DRAM over that of PCIe, k its size over that of the host's memory, l the
load dispatch ratio, h(l) the hit probability of section 3.3.4. All cells follow within 1 % from three rules
that the paper does not state, or states otherwise. They were chosen with the tables in view:

- The keys are 10^10, not the caption's billion. With 10^9 shares are up to 0.024 too large.
- h(l) is log(k n) / log(l n) also where k > l, where it exceeds 1; section 3.3.4 gives it for k <= l only.
- A gain counts the DRAM alone: it is r / l over the partition's throughput. That is right where l balances
  DRAM and PCIe. Where l is 1 and PCIe is slower, the gain is too large.

The measurement kv-dispatch (KvLoadDispatch) limits h to 1 and a gain to what PCIe carries.
"""

import math

KEYS = 10**10


def get_hit_probability(share, memory, keys=KEYS):
    """Return h(l) of a long tail as the tables have it, above 1 if all of the share fits."""
    return math.log(memory * keys) / math.log(share * keys)


def solve_share(throughput, memory, keys=KEYS):
    """Return l: DRAM's load over r is that of PCIe, l / r = (1 - l) + l (1 - h(l)); at most 1."""

    def get_excess(share):
        return share / throughput - (1 - share * get_hit_probability(share, memory, keys))

    if get_excess(1) <= 0:
        return 1.0
    low, high = 100 / keys, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if get_excess(middle) <= 0 else (low, middle)
    return low


def get_gain(throughput, memory, keys=KEYS):
    """Return r / l over the throughput of a partition of the keys, of which PCIe alone serves 1.

    A partition puts k / (1 + k) of the keys on the DRAM, all that fit, or r / (1 + r), which balances the
    two. Either PCIe or both are the limit: 1 + k, or 1 + r.
    """
    return throughput / solve_share(throughput, memory, keys) / min(1 + memory, 1 + throughput)
