# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.2: one queue pair, message sizes and page types.

Source: the thesis on RoCE for radio telescopes, section 5.2.1, Table 5.2, appendix B.1.
"""

from rocelab import streams, testbed
from rocelab.checks import check, compare
from rocelab.figure import Option

PAGES = {"4K": 1 << 12, "2M": 1 << 21, "1G": 1 << 30}
SATURATED = 0.99  # Of the most that a size reaches: "16 KiB saturates" (section 5.2.2).

OPTIONS = {
    "sizes": Option("4,16,50,250,500,1024", "16,50", "of messages, KiB"),
    "pages": Option("4K,2M,1G", "4K,1G", "of the host's memory"),
    "milliseconds": Option("10", "4", "that are measured"),
}

PAPER = [
    {
        "sources": ["ASTRON-thesis-293"],
        "where": "Section 5.2.1, Figure 5.2",
        "statement": "more than 98 Gb/s for all configurations from 50 KiB to 200 MiB",
    },
    {
        "sources": ["ASTRON-thesis-294", "ASTRON-thesis-295", "ASTRON-thesis-296"],
        "where": "Section 5.2.1",
        "statement": "4 and 16 KiB: an empty receive queue comes with a drop to 65 Gb/s that takes 350 ms to "
        "recover, an empty send queue with one of 10 to 20 Gb/s for one sample",
    },
    {
        "sources": ["ASTRON-thesis-297", "ASTRON-thesis-322"],
        "where": "Sections 5.2.2 and 5.2.5",
        "statement": "16 KiB saturate 100 GbE: 98 Gb/s at 75 % of a core",
    },
]


def run(context):
    """Run all configurations and write the figure."""
    sizes = testbed.read_numbers(context.options, "sizes", 1, 1 << 20)
    pages = testbed.read_names(context.options, "pages")
    measured = testbed.read_number(context.options, "milliseconds", 1, 1000)
    results = {
        f"{size}K\n{page}": streams.run_streams(
            context,
            streams.make_scenario(
                f"{size}KiB-{page}",
                [{"sender": 0, "receiver": 1, "messageBytes": f"{size}KiB"}],
                attributes={"ns3::rdma::TranslationCache::PageSize": str(PAGES[page])},
                **streams.make_times(measured, samples=10),
            ),
        )
        for size in sizes
        for page in pages
    }
    goodput = {name: streams.get_host(nic)["goodput_gbps"]["p50"] for name, nic in results.items()}
    of_size = {
        size: [value for name, value in goodput.items() if name.startswith(f"{size}K\n")] for size in sizes
    }
    most = max(goodput.values())
    large = [value for size in sizes if size >= 50 for value in of_size[size]]
    enough = [size for size in sizes if min(of_size[size]) >= SATURATED * most]
    empty = sum(streams.get_host(nic)["empty_queues"] for nic in results.values())
    use = {name: streams.get_host(nic)["use_percent"]["mean"] for name, nic in results.items()}
    spread = max(
        max(values) - min(values)
        for values in ([use[f"{size}K\n{page}"] for page in pages] for size in sizes)
    )
    checks = [
        compare("goodput from 50 KiB on, least, Gb/s", min(large, default=None), ["ASTRON-thesis-293"]),
        compare("smallest message that saturates, KiB", min(enough, default=None), ["ASTRON-thesis-297"]),
        compare("16 KiB, Gb/s", max(of_size.get(16, []), default=None), ["ASTRON-thesis-322"]),
        check(
            "drops with empty queues",
            "65 Gb/s, 350 ms",
            f"{empty} empty receive queues",
            False,
            ["ASTRON-thesis-294", "ASTRON-thesis-295", "ASTRON-thesis-296"],
        ),
    ]
    notes = [f"Page types differ by {spread:.1f} % of a core at most."]
    settings = {"measured_ms": measured, "linked": 10, "queues": 1000, "regions": 10, "mtu": streams.MTU}
    streams.finish(context, results, checks, PAPER, settings, senders=results, notes=notes)
