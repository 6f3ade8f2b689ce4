# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 5: latency, throughput and message rate of WRITE and READ at 10 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 6.1.
"""

from rocelab.validate.checks import format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import microbenchmark

BENCH = microbenchmark.Bench("strom10g", 10, 1408, 2 << 20, 1000)
QUICK_SIZES = "64,1024,65536"

OPTIONS = {
    "sizes": Option(
        ",".join(map(str, microbenchmark.THROUGHPUT_SIZES)), QUICK_SIZES, "payloads in bytes"
    ),
    "jitter": microbenchmark.JITTER,
}


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
    rows = microbenchmark.make_rate_rows(panels, "StRoM-141", "StRoM-142")
    print("\n" + format_rows(rows))
    print(f"\nWRITE is within 3 % of what the wire allows from {bound} B on.")
    print(format_statements(context.paper))
    context.write_panels(panels, plot=microbenchmark.draw, wire_bound_from=bound, comparison=rows)
