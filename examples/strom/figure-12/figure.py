# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 12: latency, throughput and message rate of WRITE and READ at 100 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 7.1.
"""

from rocelab.validate.checks import check, compare, format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import microbenchmark

BENCH = microbenchmark.Bench("strom100g", 100, 1408, 4 << 20, 1000)
SLOW = microbenchmark.Bench("strom10g", 10, 1408, 4 << 20, 50)
WORD_BYTES = {SLOW.nic: 8, BENCH.nic: 64}  # Of the data paths, section 7.1.
QUICK_SIZES = "64,1024,2048,65536"
SHARE_SIZES = (64, 1024)

OPTIONS = {
    "sizes": Option(
        ",".join(map(str, microbenchmark.THROUGHPUT_SIZES)), QUICK_SIZES, "payloads in bytes"
    ),
    "jitter": microbenchmark.JITTER,
}


def get_clock_share(context, nic, size):
    """Return the ns that the two pipelines of a NIC take for a WRITE."""
    report = context.run_command(
        ["list", "pipeline", "--nic", nic, "--bytes", str(size), "--json"]
    )
    return sum(part["ns"] for way in ("transmit", "receive") for part in report[way])


def make_rows(bound, shares):
    """Return the rows of validation."""
    rows = []
    if bound:  # Else none of the sizes is large enough.
        rows.append(compare("message rate is the limit below, KB", bound / 1024, ["StRoM-168"]))
    for size in map(str, SHARE_SIZES):
        ours = shares["strom10g"][size] / shares["strom100g"][size]
        rows.append(compare(f"both pipelines, {size} B, 10G over 100G", ours, ["StRoM-165"]))
    return rows


def get_growth(context, bench):
    """Return us that a WRITE of 1 KiB takes longer than one of 64 B."""
    panel = microbenchmark.measure_latency(context, bench, SHARE_SIZES)
    (_, first), (_, last) = panel["series"][microbenchmark.WRITE]
    return last - first


def make_shape_rows(context, throughput):
    """Return the rows of words of a packet, and of what the paper states without a number."""
    rows = [
        compare(f"words of a full packet, {bench.nic}", bench.mtu / WORD_BYTES[bench.nic], [fact])
        for bench, fact in ((SLOW, "StRoM-166"), (BENCH, "StRoM-167"))
    ]
    slow, fast = (get_growth(context, bench) for bench in (SLOW, BENCH))
    text = f"{slow:.2f} us at 10G, {fast:.2f} at 100G"
    rows.append(check("WRITE, 1 KiB over 64 B", "smaller at 100G", text, fast < slow, ["StRoM-704"]))
    size, rate = throughput["series"][microbenchmark.WRITE][-1]
    share = rate / dict(throughput["series"][microbenchmark.IDEAL])[size]
    is_met = share >= microbenchmark.WIRE_BOUND
    rows.append(check(f"WRITE, {size:,} B", "saturates", f"{share:.1%} of what the wire allows", is_met, ["StRoM-705"]))
    return rows


def run(context):
    """Measure all sizes, print the table and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**40)
    bench = BENCH.with_jitter(context)
    latency_sizes = [64, 1024] if context.is_quick else microbenchmark.LATENCY_SIZES
    panels = [
        microbenchmark.measure_latency(context, bench, latency_sizes),
        *microbenchmark.measure_throughput(context, bench, sizes),
    ]
    shares = {
        nic: {str(size): get_clock_share(context, nic, size) for size in SHARE_SIZES}
        for nic in ("strom10g", "strom100g")
    }
    bound = microbenchmark.get_bound_size(panels[1])
    print(microbenchmark.format_panels(panels))
    print("\n" + microbenchmark.format_spread(panels[0]))
    print(f"\nWRITE is within 3 % of what the wire allows from {bound} B on.")
    for size in SHARE_SIZES:
        slow, fast = shares["strom10g"][str(size)], shares["strom100g"][str(size)]
        print(f"Both pipelines, {size} B: {slow:.0f} ns at 10G, {fast:.0f} at 100G: {fast / slow:.2f}")
    rows = make_rows(bound, shares)
    checks = make_shape_rows(context, panels[1])
    print("\n" + format_rows(rows + checks))
    print(format_statements(context.paper))
    context.write_panels(panels, plot=microbenchmark.draw, wire_bound_from=bound, comparison=rows, checks=checks, pipeline_ns=shares)
