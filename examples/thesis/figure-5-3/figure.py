# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.3: linked work requests and solicited events, one queue pair.

Source: the thesis on RoCE for radio telescopes, section 5.2.2, Table 5.3, appendix B.1.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

OPTIONS = {
    "linked": Option("1,5,25,50,100", "1,25,100", "work requests of a list"),
    "milliseconds": Option("20", "4", "measured time, ms"),
}


QUEUE = 1000  # Entries of a send queue (Table B.1).


def make_shape_rows(results, use, linked):
    """Return the rows about the requester, and of what longer intervals of solicited events save."""
    sent = {key: common.get_host(nic, "sender")["use_percent"]["mean"] for key, nic in results.items()}
    rows = []
    if linked[0] == 1:
        least = min(sent[4, solicited, 1] for solicited in (False, True))
        rows.append(compare("4 KiB, one at a time: requester, % of a core", least, ["ASTRON-thesis-710"]))
        fill = max(common.get_host(results[4, solicited, 1], "sender")["least_queue_fill"] for solicited in (False, True))
        rows.append(compare("the same: send queue, least, %", 100 * fill / QUEUE, ["ASTRON-thesis-711"]))
    values = [sent[4, False, count] for count in linked]
    text = ", ".join(f"{value:.0f}" for value in values)
    falls = all(after <= before for before, after in zip(values, values[1:])) and values[-1] < values[0]
    rows.append(check("4 KiB, linked work requests: requester, %", "falls", text, falls, ["ASTRON-thesis-712"]))
    if {25, 100} <= set(linked) and linked[0] == 1:
        first, then = (use[16, True, a] - use[16, True, b] for a, b in ((1, 25), (25, 100)))
        text = f"{first:.1f} % of a core to 25, {then:.1f} more to 100"
        rows.append(check("16 KiB, solicited events save", "little beyond 25", text, then < 0.1 * first, ["ASTRON-thesis-713"]))
    return rows


def run(context):
    """Run all configurations and write the figure."""
    linked = read_numbers(context.options, "linked", 1, 1000)
    measured = read_number(context.options, "milliseconds", 1, 1000)
    scenarios = {
        (size, solicited, count): common.make_scenario(
            f"{size}KiB-{count}{'-solicited' * solicited}",
            [{"sender": 0, "receiver": 1, "messageBytes": f"{size}KiB"}],
            linked=count,
            solicited=solicited,
            **common.make_times(measured, samples=10),
        )
        for size in (4, 16)
        for solicited in (False, True)
        for count in linked
    }
    results = common.sweep_streams(context, scenarios)
    use = {key: common.get_host(nic)["use_percent"]["mean"] for key, nic in results.items()}
    goodput = {key: common.get_host(nic)["goodput_gbps"]["p50"] for key, nic in results.items()}
    spread = max(
        max(values) - min(values)
        for values in ([use[size, False, count] for count in linked] for size in (4, 16))
    )
    cnps = max(results[4, solicited, linked[0]].summary["cnps"] for solicited in (False, True))

    def save(size, count):
        if count not in linked:
            return None
        return 100 * (1 - use[size, True, count] / use[size, False, count])

    checks = [
        compare("4 KiB, one at a time, Gb/s", goodput[4, False, 1] if 1 in linked else None, ["ASTRON-thesis-299"]),
        compare("CNPs of these", cnps, ["ASTRON-thesis-300"]),
        compare("linked work requests, most, % of a core", spread, ["ASTRON-thesis-301"]),
        compare("solicited events, 16 KiB, interval 25, %", save(16, 25), ["ASTRON-thesis-302"]),
        compare("solicited events, 4 KiB, interval 100, %", save(4, 100), ["ASTRON-thesis-303"]),
    ]
    checks += make_shape_rows(results, use, linked)
    labels = {
        key: f"{size}K\n{count}{'s' * solicited}" for key in results for size, solicited, count in [key]
    }
    named = {labels[key]: nic for key, nic in results.items()}
    notes = ["Configurations: message size in KiB; linked work requests, s: with solicited events."]
    settings = {"measured_ms": measured, "queues": 1000, "regions": 10, "mtu": common.MTU}
    common.finish(context, named, checks, settings, senders=named, notes=notes)
