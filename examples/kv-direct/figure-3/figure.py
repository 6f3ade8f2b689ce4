# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 3: throughput and latency of random DMA over one PCIe Gen3 x8 link.

Source: KV-Direct (SOSP 2017), section 2.4.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers
from rocelab.validate.points import find

from .. import common

READ, WRITE, MIXED, LINK = "read", "write", "read and write in turn", "link (bound)"
UNLIMITED = "write, no limit of requests"
UNCACHED, CACHED = "random", "in the host's cache"
# Section 2.4, inputs: bytes per second of the link, of header and padding, tags, latency.
LINK_GBPS, TLP_BYTES, MAX_PAYLOAD = 7.87, 26, 256

OPTIONS = {
    "sizes": Option("16,32,64,128,256,512", "64,256", "size of an access, bytes"),
    "accesses": Option("200000", "20000", "measured accesses of each size"),
}


def get_bound(size):
    """Return accesses per us of this size that the link carries, header and padding counted."""
    packets = -(-size // MAX_PAYLOAD)
    return LINK_GBPS * 1e3 / (size + packets * TLP_BYTES)


def measure_throughput(context, sizes, accesses):
    """Return the panel of Figure 3a."""
    series = {READ: [], WRITE: [], MIXED: [], UNLIMITED: [], LINK: []}
    for size in sizes:
        more = {"bytes": size, "accesses": accesses}
        series[READ].append([size, common.run_dma(context, **more)["mops"]])
        series[WRITE].append([size, common.run_dma(context, access="write", **more)["mops"]])
        series[MIXED].append([size, common.run_dma(context, access="mixed", **more)["mops"]])
        free = common.run_dma(context, access="write", request_rate=0, **more)
        series[UNLIMITED].append([size, free["mops"]])
        series[LINK].append([size, get_bound(size)])
    return {
        "x": {"label": "Size of an access", "unit": "B", "scale": "log2"},
        "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
        "series": series,
    }


def measure_latency(context, accesses):
    """Return the panel of Figure 3b, one read at a time, and the means in us."""
    series, means = {}, {}
    for name, is_cached in ((UNCACHED, False), (CACHED, True)):
        row = common.run_dma(
            context, cached=is_cached, bytes=64, outstanding=1, accesses=accesses, percentiles=True
        )
        means[name] = row["latency_mean_us"]
        series[name] = [[row[f"latency_p{percent}_us"], percent / 100] for percent in range(9, 100, 9)]
    return {
        "x": {"label": "Latency of a 64 B read", "unit": "us"},
        "y": {"label": "Share of reads", "unit": "", "scale": "linear"},
        "series": series,
    }, means


def make_link_rows(latency):
    """Return the rows of what the link carries by header, padding and the latency of a read in us."""
    rows = [
        compare("64 B, the link's bound, Mops", get_bound(64), ["KV-Direct-374"]),
        compare("64 B, the link's bound, GB/s", get_bound(64) * 64 / 1e3, ["KV-Direct-373"]),
    ]
    for size, share_fact, reads_fact in ((64, "KV-Direct-540", "KV-Direct-375"), (256, "KV-Direct-541", "KV-Direct-542")):
        share = 100 * TLP_BYTES / (size + TLP_BYTES)
        rows.append(compare(f"{size} B, header and padding, %", share, [share_fact]))
        rows.append(compare(f"{size} B, accesses that fill the link", get_bound(size) * latency, [reads_fact]))
    return rows


def run(context):
    """Measure both panels and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 4096)
    accesses = read_number(context.options, "accesses", 1000, 10**8)
    throughput, (latency, means) = (
        measure_throughput(context, sizes, accesses),
        measure_latency(context, min(accesses, 20000)),
    )
    reads = find(throughput["series"], READ, 64)
    checks = [compare("64 B reads, Mops", reads, ["KV-Direct-379"]), *make_link_rows(means[UNCACHED])]
    small = [rate for size, rate in throughput["series"][READ] if size <= 64]
    text = ", ".join(f"{rate:.1f}" for rate in small)
    is_flat = max(small) <= 1.02 * min(small)
    checks.append(check("reads of up to 64 B, Mops", "one rate", text, is_flat, ["KV-Direct-700"]))
    settings = {
        "outstanding": 256,
        "mean latency, us": means,
        "requests that fill the link with 64 B": get_bound(64) * means[UNCACHED],
    }
    print(
        f"Mean latency of a read: {means[UNCACHED]:.3f} us, cached {means[CACHED]:.3f};"
        f" the link carries {get_bound(64):.1f} Mops of 64 B, {get_bound(64) * 64 / 1e3:.2f} GB/s,"
        f" with {get_bound(64) * means[UNCACHED]:.1f} requests under way\n"
    )
    common.finish(context, [throughput, latency], checks, settings, bounds=[LINK])
