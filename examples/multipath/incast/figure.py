# SPDX-License-Identifier: GPL-2.0-only
"""An incast on the k = 8 fat-tree, and a flow to the receiver's neighbor: windows, credits, and what others pay.

N servers send to server 0 at once. One more flow, the victim, goes to another server of the same rack; it shares links of the
fabric with the incast and not the receiver's.
"""

from rocelab.draw.panels import draw_panels
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

DESIGNS = ("UET mixed", "UET RCCC", "UET one path", "ConnectX-7 AR", "ConnectX-6", "IRN", "SRNIC")
HEADER, MTU = 64, 4096  # Bytes of a packet of UET (uet-htsim).

OPTIONS = {
    "k": common.ARITY,
    "rate": common.RATE,
    "senders": Option("8,32,127", "4,15", "servers that send at once"),
    "kibibytes": Option("1024", "128", "bytes of each, KiB"),
    "victim": Option("4096", "512", "bytes of the victim, KiB"),
    "seed": common.SEED,
}


def measure(context, senders):
    """Return ({design: point of the incast}, {design: point of the victim})."""
    options = context.options
    arity, seed = common.read_arity(options), common.read_seed(options)
    gigabits = read_number(options, "rate", 1, 800)
    kibibytes = read_number(options, "kibibytes", 1, 10**5)
    servers = common.count_servers(arity)
    victim = {"src": servers - 1, "dst": 1, "bytes": read_number(options, "victim", 1, 10**6) << 10, "start": "0us"}
    workloads = [
        {"name": "incast", "type": "incast", "senders": senders, "bytes": kibibytes << 10, "receiver": 0},
        {"name": "victim", "type": "flows", "flows": [victim]},
    ]
    scenario = common.make_scenario(f"incast-{senders}", arity, gigabits, DESIGNS, seed, workloads=workloads)
    nics = common.get_nics(context.run_scenario(scenario), DESIGNS)
    bound = senders * -(-(kibibytes << 10) // MTU) * (MTU + HEADER) * 8 / gigabits / 1e3  # us.
    incasts, victims = {}, {}
    for design, nic in nics.items():
        whole = common.get_point(nic)
        for found, workload in ((incasts, "incast"), (victims, "victim")):
            flows = nic.select(workload).completed["fct_ns"]
            part = nic.select(workload).summary
            found[design] = {
                **{key: whole[key] for key in ("retransmitted", "timeouts", "trims", "defect")},
                "first_us": float(flows.min()) / 1e3 if len(flows) else None,
                "last_us": float(flows.max()) / 1e3 if len(flows) else None,
                "slowdown": part["slowdown"]["mean"],
            }
        incasts[design]["over_bound"] = incasts[design]["last_us"] / bound if incasts[design]["last_us"] else None
    return incasts, victims


INCAST_COLUMNS = (
    ("first us", "first_us"),
    ("last us", "last_us"),
    ("last / bytes at line rate", "over_bound"),
    ("resent", "retransmitted"),
    ("timeouts", "timeouts"),
    ("trimmed", "trims"),
)
VICTIM_COLUMNS = (("FCT us", "last_us"), ("slowdown", "slowdown"))


def run(context):
    """Run all points, print the tables and draw the panels."""
    servers = common.count_servers(common.read_arity(context.options))
    counts = read_numbers(context.options, "senders", 1, servers - 1)
    found = {count: measure(context, count) for count in counts}
    incasts = {count: one for count, (one, _) in found.items()}
    victims = {count: other for count, (_, other) in found.items()}
    common.print_points("senders", incasts, INCAST_COLUMNS)
    common.print_points("senders, victim", victims, VICTIM_COLUMNS)
    x = {"label": "Senders", "unit": "", "scale": "log"}
    context.write_panels(
        [
            common.make_panel(incasts, DESIGNS, x, "over_bound", "Last FCT / bytes at line rate"),
            common.make_panel(victims, DESIGNS, x, "slowdown", "Slowdown of the victim"),
        ],
        plot=lambda data: draw_panels(data, common.LOOKS),
        incomplete=common.make_incomplete(incasts),
        incasts=common.with_text_keys(incasts),
        victims=common.with_text_keys(victims),
    )
