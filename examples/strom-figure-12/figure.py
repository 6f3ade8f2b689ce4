# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 12: latency, throughput and message rate of WRITE and READ at 100 Gbit/s.

Source: Sidler et al., "StRoM: Smart Remote Memory", EuroSys 2020, section 7.1.
"""

from rocelab import microbenchmark, offload
from rocelab.figure import Option

BENCH = microbenchmark.Bench("strom100g", 100, 1408, 4 << 20, 50)
QUICK_SIZES = "64,1024,2048,65536"
SHARE_SIZES = (64, 1024)
BOUND = 2048  # Bytes below which the paper's message rate is the limit.
OPTIONS = {
    "sizes": Option(
        ",".join(map(str, microbenchmark.THROUGHPUT_SIZES)), QUICK_SIZES, "payloads in bytes"
    ),
}

PAPER = [
    {
        "sources": ["StRoM-168"],
        "where": "Section 7.1, Figures 12b and 12c",
        "statement": "large payloads saturate the link; below 2 KB the message rate is the limit",
    },
    {
        "sources": ["StRoM-165"],
        "where": "Section 7.1, Figure 12a",
        "statement": "what takes a fixed number of cycles is more than twice as fast as at 10G",
    },
    {
        "sources": ["StRoM-166", "StRoM-167"],
        "where": "Section 7.1, Figure 12a",
        "statement": "64 B and 1 KB differ less than at 10G: 22 words per packet instead of 176",
    },
]


def get_clock_share(context, nic, size):
    """Return the ns that the two pipelines of a NIC take for a WRITE."""
    report = context.run_command(
        ["list", "pipeline", "--nic", nic, "--bytes", str(size), "--json"]
    )
    return sum(part["ns"] for way in ("transmit", "receive") for part in report[way])


def make_checks(panels, shares):
    """Return the rows of validation, if there are small and large sizes; the paper prints no latency."""
    _, throughput, messages = panels
    sizes = [size for size, _ in throughput["series"]["WRITE"]]
    large = max(sizes)
    below = [size for size in sizes if size < BOUND]
    if not below or large < microbenchmark.LARGE_SIZE:
        return []
    bound = microbenchmark.get_bound_size(throughput)
    fixed = shares["strom100g"]["64"] / shares["strom10g"]["64"]
    differences = {
        nic: values["1024"] - values["64"] for nic, values in shares.items()
    }  # Of both pipelines, ns.
    line = microbenchmark.get_share(throughput, "WRITE", large)
    rates = [dict(messages["series"]["WRITE"])[size] for size in below]
    return [
        offload.check(
            f"WRITE, {large:,} B: share of what the wire allows",
            "saturates the link",
            f"{line:.1%}",
            line > 0.97,
            ["StRoM-168"],
        ),
        offload.check(
            "WRITE: size from which the wire is the limit, B",
            f"{BOUND}",
            f"{bound:,}" if bound else "none",
            bound == BOUND,
            ["StRoM-168"],
            fitted=offload.FITTED_COMMAND,
        ),
        offload.check(
            f"WRITE below {BOUND} B: M/s, least to most",
            "one rate: that of the messages",
            f"{min(rates):.2f} to {max(rates):.2f}",
            max(rates) / min(rates) < 1.05,
            ["StRoM-168"],
            fitted=offload.FITTED_COMMAND,
        ),
        offload.check(
            "both pipelines, 64 B: time against that at 10G",
            "less than half",
            f"{fixed:.2f}",
            fixed < 0.5,
            ["StRoM-165"],
        ),
        offload.check(
            "both pipelines, 1 KB over 64 B: ns at 10G, 100G",
            "less at 100G",
            f"{differences['strom10g']:.0f}, {differences['strom100g']:.0f}",
            differences["strom100g"] < differences["strom10g"],
            ["StRoM-166", "StRoM-167"],
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
    shares = {
        nic: {str(size): get_clock_share(context, nic, size) for size in SHARE_SIZES}
        for nic in ("strom10g", "strom100g")
    }
    lines = []
    for size in SHARE_SIZES:
        slow, fast = shares["strom10g"][str(size)], shares["strom100g"][str(size)]
        lines.append(
            f"Both pipelines, {size} B: {slow:.0f} ns at 10G, {fast:.0f} at 100G: {fast / slow:.2f}"
        )
    checks = make_checks(panels, shares)
    microbenchmark.finish(context, panels, checks, PAPER, lines, pipeline_ns=shares)
