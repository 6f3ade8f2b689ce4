# SPDX-License-Identifier: GPL-2.0-only
"""Logic, memory and registers of a StRoM NIC, module by module as far as the paper states them.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, sections 4.1, 4.3 and 6.1, Table 3: the sums of two
versions, 8 and 64 B wide, with 500 queue pairs. Tables per queue pair, the TLB and the multi-queue are counted from
their bits: tables that the paper describes, with the fields of fpga-network-stack and IPv4 addresses. The remainder of
Table 3 is one line. Logic and registers do not depend on the queue pairs (section 6.1: logic stays within 1 %). Not
counted: kernels, and the registers that another clock would need.
"""

from rocelab.validate.facts import get_fact

from ..common.fpga import Resources, Table, count_blocks

QUEUE_PAIRS = 500
TLB_ENTRIES = 16_384  # Section 4.3.
MULTI_QUEUE_ELEMENTS = 2048  # READ requests of all queue pairs (fpga-network-stack).
VERSIONS = {8: ("StRoM-169", "StRoM-170", "StRoM-171"), 64: ("StRoM-172", "StRoM-173", "StRoM-174")}  # Table 3.
WIDTHS = (8, 16, 32, 64)  # Bytes (section 4.1).

VCU118 = Resources("XCVU9P", 1_182_240, 2160, 2_364_480, "VCU118 of Table 3 (AMD DS890)")
VIRTEX7_BLOCKS = 1470  # Of the XC7VX690T of section 6.1 (AMD DS180).

#: Bits of an entry, of which there is one per queue pair.
QUEUE_PAIR_TABLES = {
    "state table": 24 + 24 + 24 + 24 + 24 + 3,
    "queue pair table": 24 + 32 + 16,
    "MSN table": 24 + 64 + 32,
    "retransmission timers": 32 + 4 + 1,
    "multi-queue, lists": 16 + 16 + 1,
}


def list_tables(queue_pairs, tlb_entries):
    """Return {name: Table}, each entry in one piece."""
    tables = {name: Table(queue_pairs, (bits,)) for name, bits in QUEUE_PAIR_TABLES.items()}
    tables["multi-queue, elements"] = Table(MULTI_QUEUE_ELEMENTS, (64 + 16 + 1,))
    tables["TLB"] = Table(tlb_entries, (48,))
    return tables


def count_wide_blocks(table):
    """Return the blocks of 36 Kb, which are two of 18 Kb."""
    return count_blocks(table) / 2


def interpolate(width):
    """Return look-up tables, blocks and registers on the line through both versions of Table 3, over the width."""
    low, high = VERSIONS
    share = (width - low) / (high - low)
    pairs = zip(*([get_fact(fact).value for fact in VERSIONS[version]] for version in (low, high)))
    return [first + share * (second - first) for first, second in pairs]


def list_modules(queue_pairs=QUEUE_PAIRS, tlb_entries=TLB_ENTRIES, width=8):
    """Return the modules and, last, the whole NIC."""
    modules = [
        Resources(name, None, count_wide_blocks(table), None, f"{table.entries} x {table.bits} bit")
        for name, table in list_tables(queue_pairs, tlb_entries).items()
    ]
    luts, blocks, registers = interpolate(width)
    stated = list_tables(QUEUE_PAIRS, TLB_ENTRIES).values()
    rest = blocks - sum(count_wide_blocks(table) for table in stated)
    modules.append(Resources("all else", None, rest, None, "remainder of Table 3: FIFOs, DMA engine, Ethernet"))
    is_stated = (queue_pairs, tlb_entries) == (QUEUE_PAIRS, TLB_ENTRIES)
    memory = "" if is_stated else "; memory: the sum"
    source = ("Table 3" if width in VERSIONS else "between the versions of Table 3") + memory
    return [*modules, Resources("NIC", luts, sum(module.blocks for module in modules), registers, source)]
