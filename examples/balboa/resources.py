# SPDX-License-Identifier: GPL-2.0-only
"""Logic, memory and registers of RoCE BALBOA, module by module, and of services in its slots.

Source: RoCE BALBOA, sections 4.1 and 5, Table 2. The memory of tables with an entry per queue pair (connection, state,
timer and MSN table, budgets of the flow control) grows in steps of 512 entries, the depth of a block RAM of 36 Kb that
is 72 bits wide: so many blocks side by side hold the 500 queue pairs of the paper. Logic, registers and FIFOs do not
depend on the queue pairs. Each slot with a service has logic of its own. Not counted: the shell, which Table 2 leaves
out.
"""

from rocelab.validate.facts import get_fact

from ..common.fpga import Resources, Table

QUEUE_PAIRS = 500  # Section 4.1: up to 500 by default.
BLOCK_ENTRIES = 512

U55C = Resources("XCU55C", 1_303_680, 2016, 2_607_360, "Alveo U55C of Table 2 (AMD DS978)")

#: Module of the stack -> its first of three facts of Table 2, and whether it has entries per queue pair.
STACK = {
    "ICRC": (208, False),
    "retransmission logic": (211, False),
    "flow control": (214, True),
    "connection table": (220, True),
    "state table": (223, True),
    "transport timer": (226, True),
    "MSN table": (229, True),
}
WHOLE = 205
SERVICES = {"aes": 232, "dpi": 235}

#: Tables in the public sources (fpga-network-stack, hls/ib_transport_protocol: state_table.hpp, conn_table.hpp,
#: msn_table.hpp, transport_timer.hpp, retransmitter.hpp). Packed fields, as the timer's, are one field.
SOURCE_TABLES = {
    "state table": (Table(QUEUE_PAIRS, (24, 24, 24, 24, 24, 3)),),
    "connection table": (Table(QUEUE_PAIRS, (24, 128, 16)),),
    "MSN table": (Table(QUEUE_PAIRS, (24, 64, 32, 32, 1)),),
    "transport timer": (Table(QUEUE_PAIRS, (37,)),),
    "retransmission logic": (
        Table(QUEUE_PAIRS, (16, 16, 1)),  # Pointers.
        Table(2000, (24, 16, 8, 64, 64, 32, 1, 4, 1, 1, 1)),  # Requests: META_TABLE_SIZE.
    ),
}


def read_table_2(fact):
    """Return look-up tables, block RAMs and registers: three facts from BALBOA-<fact> on."""
    return [get_fact(f"BALBOA-{fact + offset}").value for offset in range(3)]


def make_module(name, fact, queue_pairs=QUEUE_PAIRS, has_entries=False):
    """Return a module of Table 2 for so many queue pairs."""
    luts, blocks, registers = read_table_2(fact)
    steps = -(-queue_pairs // BLOCK_ENTRIES) if has_entries else 1
    source = "Table 2" if steps == 1 else f"{blocks:g} x 72 bit x {steps * BLOCK_ENTRIES} entries"
    return Resources(name, luts, blocks * steps, registers, source)


def list_modules(queue_pairs=QUEUE_PAIRS, services=()):
    """Return the modules, the services, and, last, the whole NIC."""
    stack = [make_module(name, fact) for name, (fact, _) in STACK.items()]
    named = zip(*(module.numbers for module in stack))
    rest = [whole - sum(numbers) for whole, numbers in zip(read_table_2(WHOLE), named)]
    modules = [
        *(make_module(name, fact, queue_pairs, has_entries) for name, (fact, has_entries) in STACK.items()),
        Resources("packet processing, rest", *rest, "Table 2 without the modules above"),
        *(make_module(name, SERVICES[name]) for name in services),
    ]
    sums = [sum(numbers) for numbers in zip(*(module.numbers for module in modules))]
    return [*modules, Resources("NIC", *sums, "sum")]
