# SPDX-License-Identifier: GPL-2.0-only
"""On-chip memory of SRNIC's conceptual NIC and of SRNIC, structure by structure, from their sizes.

Source: SRNIC (NSDI 2023), sections 2.2, 3.2 and 4.3.1, Tables 1 and 2. Not counted: FIFOs between pipeline stages,
DMA engines, tags of caches, error correction.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..common.fpga import ALIGNMENTS, Table

KIB, MIB, GIB = 2**10, 2**20, 2**30  # KB, MB and GB of SRNIC (footnote 1).

QUEUE_PAIRS = 10_000
CONTEXT_BITS = 210 * 8
WQE_BYTES = 64
WQES = 8 + 8  # Of a queue pair, to send and to receive.
BITMAPS = 5
WINDOW_PACKETS = 500  # 100 Gb/s x 40 us in packets of 1024 B (section 3.2.2): 0.5 MB.
OUTSTANDING_BITS = 24 * 8

# The paper prints both in MB with one digit (Tables 1 and 2).
RECEIVE_BUFFER = 6 * MIB // 10
TRANSLATION_CACHE = 12 * MIB // 10
STATED_BYTES = 44 * MIB // 10

TURNS = 2  # Our estimate: one burst is fetched while the one before it is sent.

#: Structure -> what SRNIC has for it (Table 1).
REPLACED = {
    "WQE cache": "cache-free scheduler (section 4.3)",
    "bitmaps": "host memory (section 4.4.2)",
    "reordering buffer": "header extensions (section 4.4.1)",
    "outstanding request table": "header extensions (section 4.4.1)",
}

# ConnectX-5 (section 2.2, after eRPC): nothing else of this NIC is public.
CONNECTX5_BYTES = 2 * MIB
CONNECTX5_CONTEXT_BYTES = 375
CONNECTX5_QUEUE_PAIRS = 256  # That work at full speed, measured by SRNIC's authors.


@dataclass(frozen=True)
class Structure:
    """A structure on the chip: a table, or a buffer of so many bytes."""

    name: str
    memory: Table | int

    def count_bytes(self, alignment="exact"):
        """Return its bytes; a buffer needs no alignment."""
        return ALIGNMENTS[alignment](self.memory) if isinstance(self.memory, Table) else self.memory


def list_conceptual(queue_pairs=QUEUE_PAIRS):
    """Return the structures of a NIC that has all of them on the chip (section 3.2; Table 1, third column)."""
    return [
        Structure("receiving buffer", RECEIVE_BUFFER),  # Shared by all queue pairs.
        Structure("queue pair contexts", Table(queue_pairs, (CONTEXT_BITS,))),
        Structure("translation table", 4 * GIB // (4 * KIB) * 8),  # 4 GB of regions in pages of 4 KB, 8 B each.
        Structure("WQE cache", Table(queue_pairs, (WQES * WQE_BYTES * 8,))),
        Structure("bitmaps", Table(queue_pairs, (WINDOW_PACKETS,) * BITMAPS)),
        Structure("reordering buffer", queue_pairs * MIB // 2),
        Structure("outstanding request table", Table(queue_pairs * WINDOW_PACKETS, (OUTSTANDING_BITS,))),
    ]


def list_srnic(queue_pairs=QUEUE_PAIRS):
    """Return the structures that SRNIC has on the chip (Table 1, last two columns), and its scheduler's."""
    sizes = {"translation table": TRANSLATION_CACHE}
    kept = [part for part in list_conceptual(queue_pairs) if part.name not in REPLACED]
    return [
        *(Structure(part.name, sizes.get(part.name, part.memory)) for part in kept),
        # Section 4.3.1: 2 B per queue pair; bursts of 16 KB with 8 work requests.
        Structure("schedule queue", Table(queue_pairs, (16,))),
        Structure("scheduler's bursts", TURNS * (16 * KIB + 8 * WQE_BYTES)),
    ]


def count_bytes(structures, alignment="exact"):
    """Return {structure: bytes}; 0 for those that SRNIC replaces."""
    return dict.fromkeys(REPLACED, 0) | {part.name: part.count_bytes(alignment) for part in structures}


def compare_with_connectx5(total):
    """Return performant queue pairs per MB of a NIC with 10,000 in so many bytes, times ConnectX-5 (section 6.1)."""
    baseline = CONNECTX5_QUEUE_PAIRS / (CONNECTX5_BYTES / MIB)
    return QUEUE_PAIRS / (total / MIB) / baseline
