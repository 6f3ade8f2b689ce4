# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 5: latency, throughput and message rate of WRITE and READ at 10 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 6.1.
"""

from rocelab import microbenchmark
from rocelab.figure import Option

BENCH = microbenchmark.Bench("strom10g", 10, 1408, 2 << 20, 50)
QUICK_SIZES = "64,1024,65536"

OPTIONS = {
    "sizes": Option(
        ",".join(map(str, microbenchmark.THROUGHPUT_SIZES)), QUICK_SIZES, "payloads in bytes"
    ),
}

PAPER = [
    {
        "sources": ["StRoM-141"],
        "where": "Section 6.1, Figure 5b",
        "statement": "large payloads reach the theoretical peak of 9.4 Gbit/s (MTU 1500)",
    },
    {
        "sources": ["StRoM-142"],
        "where": "Section 6.1, Figures 5b and 5c",
        "statement": "small messages are bound by the message rate, not by the pipelines",
    },
    {
        "sources": ["StRoM-138", "StRoM-139"],
        "where": "Section 6.1, Figure 5a",
        "statement": "latency of 64 B to 1 KB: WRITE is half a ping-pong with polling, the median",
    },
]


def run(context):
    """Measure all sizes, print the table and write the figure."""
    sizes = microbenchmark.read_sizes(context.options["sizes"])
    latency_sizes = [64, 1024] if context.is_quick else microbenchmark.LATENCY_SIZES
    panels = [
        microbenchmark.measure_latency(context, BENCH, latency_sizes),
        *microbenchmark.measure_throughput(context, BENCH, sizes),
    ]
    bound = microbenchmark.get_bound_size(panels[1])
    print(microbenchmark.format_panels(panels))
    print(f"\nWRITE is within 3 % of what the wire allows from {bound} B on.")
    for entry in PAPER:
        print(f"  {entry['statement']} ({', '.join(entry['sources'])})")
    first = panels[0]
    context.write_figure(
        first["x"],
        first["y"],
        first["series"],
        PAPER,
        plot=microbenchmark.draw,
        panels=panels,
        wire_bound_from=bound,
    )
