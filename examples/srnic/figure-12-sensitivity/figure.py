# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 12 at one size: what connectx6 over srnic is with other DCQCN parameters.

The paper states none of what is varied here: DCQCN's parameters, the priority of acknowledgments,
the buffers of the switches.
"""

from rocelab.draw.panels import INCOMPLETE_NOTE
from rocelab.report.compare import RATIOS
from rocelab.terminal.table import divide, format_count, format_number, format_ratio, format_table
from rocelab.validate.checks import format_statements
from rocelab.validate.facts import make_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_chosen, read_names, read_number, read_numbers

REFERENCE = "srnic"
DESIGN = "connectx6"
# How the name of a NIC says what RdmaNic::AckPriority is; data have 3.
ACK_PRIORITIES = {"data": ("", 3), "high": ("+acks", 6)}
SIZES = (16, 64, 256)

OPTIONS = {
    "parameters": Option(
        "zhu2015,nvidia,hpcc,srnic-authors", "hpcc", "parameter sets (rocelab list parameters)"
    ),
    "acks": Option("data,high", "data,high", "priority of acknowledgments: data, high or both"),
    "buffers": Option("4,8,32", "4,32", "buffers of the switches, MiB"),
    "servers": Option("64", "16", "fat-tree size, out of 16, 64, 256"),
    "duration": Option("10ms", "300us", "how long flows arrive"),
    "seed": Option("1", "1", "random seed of the arrivals and of the fabric"),
}

FACTS = ["SRNIC-110", "SRNIC-111"]

X_AXIS = {"label": "Switch buffer", "unit": "MiB", "scale": "log2"}


def read_options(options):
    """Return (parameter sets, acks, buffers in MiB, servers) from the options' texts."""
    return (
        read_names(options, "parameters"),
        read_chosen(options, "acks", tuple(ACK_PRIORITIES)),
        read_numbers(options, "buffers", 1, 99_999),
        int(read_chosen(options, "servers", list(map(str, SIZES)))[0]),
    )


def make_nics(sets, acks):
    """Return the NICs of every scenario: srnic, and connectx6 with each set and priority."""
    nics = [{"preset": REFERENCE, "name": REFERENCE}]
    for ack in acks:
        suffix, priority = ACK_PRIORITIES[ack]
        for name in sets:
            nics.append(
                {
                    "preset": DESIGN,
                    "name": name + suffix,
                    "parameters": name,
                    "attributes": {"ns3::rdma::RdmaNic::AckPriority": priority},
                }
            )
    return nics


def get_scenario(servers, buffer, duration, nics):
    """Return the scenario of one buffer size: that of srnic/figure-12, but for buffer and NICs."""
    return {
        "name": f"buffer-{buffer}MiB",
        "nics": nics,
        "fabric": {
            "topology": "fat-tree",
            "servers": servers,
            "hostRate": "100Gbps",
            "fabricRate": "400Gbps",
            "linkDelay": "1us",
            "buffer": f"{buffer}MiB",
            "ecn": {
                "100Gbps": {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2},
                "400Gbps": {"kmin": "1600kB", "kmax": "6400kB", "pmax": 0.2},
            },
        },
        "workload": {
            "type": "poisson",
            "sizes": "../../../traces/cache-follower.cdf",
            "load": 0.7,
            "duration": duration,
        },
        "run": {"seed": 1, "drain": True},
    }


def make_panel(label, number, results, names):
    """Return one panel: number(NIC) over that of srnic with the same buffer."""
    series = {
        name: [
            [buffer, divide(number(result[name]), number(result[REFERENCE]))]
            for buffer, result in results.items()
        ]
        for name in names
    }
    return {
        "x": X_AXIS,
        "y": {"label": label[0].upper() + label[1:], "unit": "x SRNIC", "scale": "linear"},
        "series": series,
    }


def format_results(results, names, incomplete):
    """Return the table that the command prints: a line per buffer and NIC."""
    headers = ["buffer\nMiB", "parameters\n(+acks: ACKs first)"]
    for label, _, _ in RATIOS:
        headers += [label + "\n", f"ratio to\n{REFERENCE}"]
    headers += ["PFC\npauses", "\nCNPs", "fabric\ndrops", "NIC\ndiscards"]
    rows = []
    for buffer, result in results.items():
        for name in [REFERENCE, *names]:
            nic = result[name]
            row = [str(buffer), name + ("*" if buffer in incomplete.get(name, ()) else "")]
            for _, _, number in RATIOS:
                ratio = divide(number(nic), number(result[REFERENCE]))
                row += [format_number(number(nic)), format_ratio(ratio)]
            counts = ("pfc_pauses", "cnps", "fabric_drops", "nic_discards")
            rows.append(row + [format_count(nic.summary[count]) for count in counts])
    text = format_table(headers, rows)
    if any(incomplete.values()):
        text += f"\n\n* {INCOMPLETE_NOTE}"
    return text


def run(context):
    """Run every buffer with every NIC, print the table and write the figure."""
    sets, acks, buffers, servers = read_options(context.options)
    duration, seed = context.options["duration"], read_number(context.options, "seed", 0, 2**64 - 1)
    nics = make_nics(sets, acks)
    names = [nic["name"] for nic in nics[1:]]
    results = {
        buffer: context.run_scenario(get_scenario(servers, buffer, duration, nics), seed=seed) for buffer in buffers
    }
    incomplete = {
        name: [buffer for buffer in buffers if not results[buffer][name].is_complete]
        for name in [REFERENCE, *names]
    }
    statements = make_statements(FACTS)
    print(format_results(results, names, incomplete) + "\n\n" + format_statements(statements))
    panels = [make_panel(label, number, results, names) for label, _, number in RATIOS]
    context.write_panels(
        panels,
        paper=statements,
        incomplete=incomplete,
        settings={"servers": servers, "duration": duration, "seed": seed},
    )
