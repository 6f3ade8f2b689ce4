# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 5: latency, throughput and message rate of WRITE and READ at 10 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 6.1.
"""

from rocelab import microbenchmark, offload
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


LINE_SIZE = 128  # Bytes from which on the wire is the limit, not the message rate.


def make_checks(panels):
    """Return the rows of validation, if there are small and large sizes; the paper prints no latency."""
    _, throughput, messages = panels
    large, small = (pick(size for size, _ in throughput["series"]["WRITE"]) for pick in (max, min))
    if small >= LINE_SIZE or large < microbenchmark.LARGE_SIZE:
        return []
    peaks = [dict(throughput["series"][name])[large] for name in ("WRITE", "READ")]
    sizes = [size for size, _ in throughput["series"]["WRITE"] if size >= LINE_SIZE]
    lines = [microbenchmark.get_share(throughput, "WRITE", size) for size in sizes]
    rate = dict(messages["series"]["WRITE"])[small]
    share = microbenchmark.get_share(messages, "WRITE", small)
    return [
        offload.check(
            f"WRITE, READ, {large:,} B: Gbit/s",
            "9.4, the theoretical peak",
            f"{peaks[0]:.2f}, {peaks[1]:.2f}",
            all(abs(peak / 9.4 - 1) < 0.01 for peak in peaks),
            ["StRoM-141"],
        ),
        offload.check(
            f"WRITE from {min(sizes)} B on: share of the ideal line of MTU 1500, worst",
            "on it",
            f"{min(lines):.1%}",
            min(lines) > 0.97,
            ["StRoM-141"],
        ),
        offload.check(
            f"WRITE, {small} B: M/s; share of what the wire allows",
            "below: bound by the message rate",
            f"{rate:.2f}; {share:.0%}",
            share < 0.97,
            ["StRoM-142"],
            fitted=offload.FITTED_COMMAND,
        ),
    ]


def run(context):
    """Measure all sizes, print the table and write the figure."""
    sizes = microbenchmark.read_sizes(context.options["sizes"])
    latency_sizes = [64, 1024] if context.is_quick else microbenchmark.LATENCY_SIZES
    panels = [
        microbenchmark.measure_latency(context, BENCH, latency_sizes),
        *microbenchmark.measure_throughput(context, BENCH, sizes),
    ]
    microbenchmark.finish(context, panels, make_checks(panels), PAPER)
