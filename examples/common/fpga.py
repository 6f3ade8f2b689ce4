# SPDX-License-Identifier: GPL-2.0-only
"""Arithmetic on the memory of an FPGA: bytes and blocks of tables, and what a design takes of a part."""

from __future__ import annotations

from dataclasses import dataclass

from rocelab.terminal.table import format_table

BITS_PER_BYTE = 8

# AMD UG573 (UltraScale memory resources). Shapes are entries and bits.
BLOCK_SHAPES = ((512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1))  # Simple and true dual port.
BLOCK_BYTES = 18 * 1024 // BITS_PER_BYTE
ULTRA_SHAPE = (4096, 72)
ULTRA_BYTES = 288 * 1024 // BITS_PER_BYTE


@dataclass(frozen=True)
class Table:
    """A table in memory: its entries, and the bits of each field of an entry."""

    entries: int
    fields: tuple[int, ...]

    @property
    def bits(self):
        """Bits of an entry."""
        return sum(self.fields)


def divide_up(value, divisor):
    """Return the quotient, rounded up."""
    return -(-value // divisor)


def fill(entries, bits, shape):
    """Return the blocks of a shape that hold entries of so many bits."""
    depth, width = shape
    return divide_up(entries, depth) * divide_up(bits, width)


def count_blocks(table):
    """Return the blocks of 18 Kb: each field has blocks of its own, of the shape that needs the fewest."""
    return sum(min(fill(table.entries, bits, shape) for shape in BLOCK_SHAPES) for bits in table.fields)


#: {rule: function that returns the bytes of a Table}.
ALIGNMENTS = {
    "exact": lambda table: divide_up(table.entries * table.bits, BITS_PER_BYTE),
    "power-of-two": lambda table: divide_up((1 << (table.entries - 1).bit_length()) * table.bits, BITS_PER_BYTE),
    "block-ram": lambda table: count_blocks(table) * BLOCK_BYTES,
    "ultra-ram": lambda table: fill(table.entries, table.bits, ULTRA_SHAPE) * ULTRA_BYTES,
}


@dataclass(frozen=True)
class Resources:
    """Look-up tables, block RAMs of 36 Kb and registers of a module, a NIC or an FPGA; None is not known."""

    name: str
    luts: float | None
    blocks: float
    registers: float | None
    source: str = ""

    @property
    def numbers(self):
        """All three."""
        return (self.luts, self.blocks, self.registers)


def format_resources(modules, part):
    """Return the table of modules, and the shares of a part that the last of them, the whole, takes."""
    rows = [
        [
            module.name,
            *("" if number is None else f"{number:,.{digits}f}" for number, digits in zip(module.numbers, (0, 1, 0))),
            module.source,
        ]
        for module in modules
    ]
    shares = [f"{used / there:.1%}" for used, there in zip(modules[-1].numbers, part.numbers)]
    rows.append([f"of an {part.name}", *shares, part.source])
    return format_table(["", "LUT", "BRAM\n36 Kb", "registers", "source"], rows)
