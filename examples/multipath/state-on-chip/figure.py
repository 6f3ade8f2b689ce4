# SPDX-License-Identifier: GPL-2.0-only
"""State per queue pair of transports with several routes and with one, computed: queue pairs against chip memory.

Nothing is simulated. Bytes follow from fields and sizes that papers and specifications name; the README lists all of them.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

MIB = 2**20  # A MB of SRNIC's arithmetic.
CONTEXT_BYTES = 210  # SRNIC-021: context of a queue pair.
BITMAPS, BITMAP_SLOTS = 5, 500  # SRNIC-026, SRNIC-027: IRN's, for 100 Gb/s and 40 us.
CHIPS = {"ConnectX-5": 2, "SRNIC": 4.4}  # SRNIC-018, SRNIC-065: memory on the chip, MB.

OPTIONS = {
    "window": Option("1024", "1024", "window of Ultra Ethernet and MRC in packets (MPR), a multiple of 128 up to 4096"),
    "entropies": Option("256", "256", "entropy values in the profile of an MRC queue pair, 128 to 256"),
    "active": Option("10", "10", "share of the queue pairs that have data in flight, %"),
    "counts": Option("1000,4000,16000,64000", "1000,64000", "queue pairs of a NIC"),
}

#: NSCC keeps 13 numbers and 2 flags per connection; 4 bytes for each number are our estimate.
NSCC_BYTES = 13 * 4 + 1

#: REPS, section 3 of the paper: state per connection.
REPS_BITS = 193

#: An entropy value of MRC is 32 bits on the wire; four states need 2 bits.
MRC_ENTROPY_BITS = 32 + 2


def count_bytes(bits):
    """Return bits as bytes, rounded up."""
    return -(-bits // 8)


def list_designs(options):
    """Return {design: ({part: bytes of a queue pair}, share of the queue pairs that have such state)}."""
    window = read_number(options, "window", 128, 4096)
    entropies = read_number(options, "entropies", 128, 256)
    active = read_number(options, "active", 1, 100) / 100
    context = {"context": CONTEXT_BYTES}
    flights = {"received": count_bytes(window), "acknowledged": count_bytes(window), "NSCC": NSCC_BYTES}
    uet = {**context, **flights, "entropy": count_bytes(REPS_BITS)}
    mrc = {**context, **flights, "entropy": count_bytes(entropies * MRC_ENTROPY_BITS)}
    bitmaps = count_bytes(BITMAPS * BITMAP_SLOTS)
    return {
        "SRNIC": (context, 1),
        "IRN": ({**context, "bitmaps": bitmaps}, 1),
        "UET": (uet, 1),
        f"UET, {active:.0%} connected": (uet, active),
        "MRC": (mrc, 1),
    }


STYLES = (
    (style.GREEN, "o", "-"),
    (style.GREY, "^", ":"),
    (style.BLUE, "s", style.DASHES[1]),
    (style.BLUE, "d", style.DASHES[4]),
    (style.VERMILLION, "v", style.DASHES[3]),
)


def count_queue_pairs(parts, share, megabytes):
    """Return how many queue pairs have room."""
    return int(megabytes * MIB / (sum(parts.values()) * share))


def make_rows(designs):
    """Return a row per design: bytes of each part, their sum, queue pairs in the memories of two chips."""
    return [
        {
            "design": design,
            "parts": parts,
            "bytes": sum(parts.values()),
            "share": share,
            "queue_pairs": {chip: count_queue_pairs(parts, share, size) for chip, size in CHIPS.items()},
        }
        for design, (parts, share) in designs.items()
    ]


def print_rows(rows):
    """Print them."""
    cells = [
        [
            row["design"],
            " + ".join(f"{part} {format_number(size)}" for part, size in row["parts"].items()),
            format_number(row["bytes"]),
            *(f"{count:,}" for count in row["queue_pairs"].values()),
        ]
        for row in rows
    ]
    print(format_table(["design", "B", "sum B", "queue pairs\nin 2 MB", "in 4.4 MB"], cells))


def run(context):
    """Compute the table and draw the memory over queue pairs."""
    designs = list_designs(context.options)
    rows = make_rows(designs)
    print_rows(rows)
    counts = read_numbers(context.options, "counts", 1, 10**7)
    series = {
        design: [[count, count * share * sum(parts.values()) / MIB] for count in counts]
        for design, (parts, share) in designs.items()
    }
    looks = {
        design: style.NicStyle(design, color, marker, dashes, "")
        for design, (color, marker, dashes) in zip(designs, STYLES)
    }
    context.write_figure(
        {"label": "Queue pairs of a NIC", "unit": "", "scale": "log"},
        {"label": "State, computed", "unit": "MB"},
        series,
        plot=lambda data: draw_panels(data, looks),
        rows=rows,
    )
