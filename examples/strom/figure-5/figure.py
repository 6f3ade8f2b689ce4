# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 5: latency, throughput and message rate of WRITE and READ at 10 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 6.1.
"""

from rocelab.validate.checks import check, format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import microbenchmark

BENCH = microbenchmark.Bench("strom10g", 10, 1408, 2 << 20, 1000)
QUICK_SIZES = "64,1024,65536"

# "The existing one-sided verbs are only affected by a negligible latency increase of a few clock cycles due to the
# arbitration of data streams" (section 5.1). Criterion, stated before the run: the arbiters add at most so many cycles in
# each NIC whose arbiters an operation passes, and at most this part of its latency.
ARBITERS = "kernel-arbiters"  # A NIC without kernels does not need this block (docs/models/strom.md).
FEW_CYCLES = 10
NEGLIGIBLE = 0.02
ENDS = {"write_lat": 1, "read_lat": 2}  # NICs whose arbiters delay an operation: the responder; both.
RECEIVE_BLOCKS = "ns3::rdma::NicHardware::ReceiveBlocks"

OPTIONS = {
    "sizes": Option(
        ",".join(map(str, microbenchmark.THROUGHPUT_SIZES)), QUICK_SIZES, "payloads in bytes"
    ),
    "jitter": microbenchmark.JITTER,
}


def format_blocks(parts):
    """Return the blocks of `list pipeline` as an attribute has them."""
    words = []
    for part in parts:
        wait = f"+{part['cycles_per_beat']}*packet" if part["waits_for_packet"] else ""
        words.append(f"{part['name']}={part['cycles']}/{part['cycles_per_packet']}{wait}")
    return ", ".join(words)


def make_arbiter_row(context):
    """Return the row of the latency that the arbiters of kernels add to WRITE and READ of 64 B."""
    report = context.run_command(["list", "pipeline", "--nic", BENCH.nic, "--bytes", "64", "--json"])
    blocks = format_blocks(part for part in report["receive"] if part["name"] != ARBITERS)
    words, is_met = [], True
    for test, ends in ENDS.items():
        arguments = BENCH.get_arguments(test, 64)
        settings = ["--set", f"{RECEIVE_BLOCKS}={blocks}"]
        have, without = (
            context.run_command(arguments + more)["results"][0]["typicalUs"] for more in ([], settings)
        )
        cycles = 1000 * (have - without) / report["cycle_ns"]
        words.append(f"{test.split('_')[0].upper()} {cycles:.1f} cycles, {have / without - 1:.1%}")
        is_met &= 0 < cycles <= ends * FEW_CYCLES and have / without - 1 <= NEGLIGIBLE
    what = "64 B: latency that the arbiters of kernels add"
    return check(what, "a few clock cycles", "; ".join(words), is_met, ["StRoM-700"])


def run(context):
    """Measure all sizes, print the table and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**40)
    bench = BENCH.with_jitter(context)
    latency_sizes = [64, 1024] if context.is_quick else microbenchmark.LATENCY_SIZES
    panels = [
        microbenchmark.measure_latency(context, bench, latency_sizes),
        *microbenchmark.measure_throughput(context, bench, sizes),
    ]
    bound = microbenchmark.get_bound_size(panels[1])
    print(microbenchmark.format_panels(panels))
    print("\n" + microbenchmark.format_spread(panels[0]))
    rows = [*microbenchmark.make_rate_rows(panels, "StRoM-141", "StRoM-142"), make_arbiter_row(context)]
    print("\n" + format_rows(rows))
    print(f"\nWRITE is within 3 % of what the wire allows from {bound} B on.")
    print(format_statements(context.paper))
    context.write_panels(panels, plot=microbenchmark.draw, wire_bound_from=bound, comparison=rows)
