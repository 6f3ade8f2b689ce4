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


REPETITION = 2  # % of a core by which equal repetitions differ (section 5.2.2).


def make_shape_rows(results, sizes, pages, spread):
    """Return the rows of what the thesis states without a number, or as a difference of sizes."""
    use = {
        role: {name: common.get_host(nic, role)["use_percent"]["mean"] for name, nic in results.items()}
        for role in ("sender", "receiver")
    }
    goodput = {name: nic.summary["streams"]["goodput_gbps"] for name, nic in results.items()}
    names = [[f"{size}K\n{page}" for page in pages] for size in sizes]
    gap = max(max(goodput[name] for name in own) - min(goodput[name] for name in own) for own in names)
    text = f"{spread:.1f} % of a core, {gap:.2f} Gb/s at most"
    more = sum(use["sender"][name] > use["receiver"][name] for name in results)
    falls = {
        role: all(values[large] < values[small] for a, b in zip(names, names[1:]) for small, large in zip(a, b))
        for role, values in use.items()
    }
    large = [nic for name, nic in results.items() if int(name.partition("K")[0]) >= 50]
    lost = sum(nic.summary["streams"]["missing_blocks"] for nic in large)
    empty = sum(common.get_host(nic, role)["empty_queues"] for nic in large for role in use)
    is_same = spread <= REPETITION and gap < 0.01 * MOST
    rows = [
        check("page types differ by", "nothing significant", text, is_same, ["ASTRON-thesis-703"]),
        check("requester above responder", "in each", f"in {more} of {len(results)}", more == len(results), ["ASTRON-thesis-704"]),
        check("use falls with the size", "requester, responder", ", ".join(role for role in falls if falls[role]) or "neither",
              all(falls.values()), ["ASTRON-thesis-705"]),
        check("from 50 KiB on: blocks lost, empty queues", "none", f"{lost}, {empty}", lost == empty == 0, ["ASTRON-thesis-706"]),
    ]
    if {16, 1024} <= set(sizes):
        best = {size: max(goodput[f"{size}K\n{page}"] for page in pages) for size in (16, 1024)}
        least = min(use["receiver"][f"1024K\n{page}"] for page in pages)
        rows.append(compare("1 MiB over 16 KiB, Mb/s", 1e3 * (best[1024] - best[16]), ["ASTRON-thesis-708"]))
        rows.append(compare("1 MiB, % of a core", least, ["ASTRON-thesis-709"]))
    return rows


def run(context):
    """Run all configurations and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 1 << 20)
    pages = read_names(context.options, "pages")
    measured = read_number(context.options, "milliseconds", 1, 1000)
    scenarios = {
        f"{size}K\n{page}": common.make_scenario(
            f"{size}KiB-{page}",
            [{"sender": 0, "receiver": 1, "messageBytes": f"{size}KiB"}],
            attributes={"ns3::rdma::TranslationCache::PageSize": str(PAGES[page])},
            **common.make_times(measured, samples=10),
        )
        for size in sizes
        for page in pages
    }
    results = common.sweep_streams(context, scenarios)
    goodput = {name: nic.summary["streams"]["goodput_gbps"] for name, nic in results.items()}
    of_size = {
        size: [value for name, value in goodput.items() if name.startswith(f"{size}K\n")] for size in sizes
    }
    large = [value for size in sizes if size >= 50 for value in of_size[size]]
    enough = [size for size in sizes if min(of_size[size]) >= SATURATED * MOST]
    use = {name: common.get_host(nic)["use_percent"]["mean"] for name, nic in results.items()}
    spread = max(
        max(values) - min(values)
        for values in ([use[f"{size}K\n{page}"] for page in pages] for size in sizes)
    )
    checks = [
        compare("goodput from 50 KiB on, least, Gb/s", min(large, default=None), ["ASTRON-thesis-293"]),
        compare("smallest message that saturates, KiB", min(enough, default=None), ["ASTRON-thesis-297"]),
        compare("16 KiB, Gb/s", max(of_size.get(16, []), default=None), ["ASTRON-thesis-322"]),
    ]
    checks += make_shape_rows(results, sizes, pages, spread)
    notes = [f"Page types differ by {spread:.1f} % of a core at most."]
    settings = {"measured_ms": measured, "linked": 10, "queues": 1000, "regions": 10, "mtu": common.MTU}
    common.finish(context, results, checks, settings, senders=results, notes=notes)
