# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.2: one queue pair, message sizes and page types.

Source: the thesis on RoCE for radio telescopes, section 5.2.1, Table 5.2, appendix B.1.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers

from .. import common

PAGES = {"4K": 1 << 12, "2M": 1 << 21, "1G": 1 << 30}
MOST = common.get_payload_rate(1 << 20)
SATURATED = 0.99  # Of what the link carries of large messages: "16 KiB saturates" (section 5.2.2).

OPTIONS = {
    "sizes": Option("4,16,50,250,500,1024", "16,50", "size of messages, KiB"),
    "pages": Option("4K,2M,1G", "4K,1G", "page size of the host's memory"),
    "milliseconds": Option("10", "4", "measured time, ms"),
}


def run(context):
    """Run all configurations and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 1 << 20)
    pages = read_names(context.options, "pages")
    measured = read_number(context.options, "milliseconds", 1, 1000)
    results = {
        f"{size}K\n{page}": common.run_streams(
            context,
            common.make_scenario(
                f"{size}KiB-{page}",
                [{"sender": 0, "receiver": 1, "messageBytes": f"{size}KiB"}],
                attributes={"ns3::rdma::TranslationCache::PageSize": str(PAGES[page])},
                **common.make_times(measured, samples=10),
            ),
        )
        for size in sizes
        for page in pages
    }
    goodput = {name: nic.summary["streams"]["goodput_gbps"] for name, nic in results.items()}
    of_size = {
        size: [value for name, value in goodput.items() if name.startswith(f"{size}K\n")] for size in sizes
    }
    large = [value for size in sizes if size >= 50 for value in of_size[size]]
    enough = [size for size in sizes if min(of_size[size]) >= SATURATED * MOST]
    empty = sum(common.get_host(nic)["empty_queues"] for nic in results.values())
    use = {name: common.get_host(nic)["use_percent"]["mean"] for name, nic in results.items()}
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
    settings = {"measured_ms": measured, "linked": 10, "queues": 1000, "regions": 10, "mtu": common.MTU}
    common.finish(context, results, checks, settings, senders=results, notes=notes)
