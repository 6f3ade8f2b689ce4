# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 11: goodput of one connection over the loss rate.

Source: SRNIC (NSDI 2023), section 6.3, "Loss tolerance".
"""

from rocelab.terminal.table import divide
from rocelab.validate.checks import check, compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_reals
from rocelab.validate.points import find, find_last

from .. import common

MESSAGE_BYTES = 4096  # SRNIC-091.
FULL = 0.9  # Of the goodput without loss: beyond, it drops rapidly.
# Criteria, stated before the numbers were compared. "Drops much slower": beyond the loss rate from which the paper's
# ConnectX-6 falls, SRNIC loses at most this part of what ConnectX-6 loses, each of its goodput without loss.
FALLS_FROM = get_fact("SRNIC-092").value  # %.
MUCH_SLOWER = 0.5  # The paper's own goodputs at 1 %, 75 and 25 of 97 Gb/s, give 0.31.
MUCH_FEWER = 0.1  # Retransmitted packets, over those of ConnectX-6, for the same payload: "much fewer".
NO_CONTROL = "ns3::rdma::RdmaNic::CongestionControl=ns3::rdma::NoCongestionControl"  # SRNIC-091.

OPTIONS = {
    "losses": Option("0,0.01,0.1,0.5,1,2,3", "0,1", "loss rates, percent of packets"),
    "nics": Option("connectx6,irn,srnic", "connectx6,srnic", "presets"),
    "messages": Option("200000", "4000", "messages of each test"),
}

X_AXIS = {"label": "Loss rate", "unit": "%", "scale": "log0"}


def get_software_share(measured):
    """Return the sender's and receiver's PCIe bytes for SRNIC's software over all their other bytes, percent.

    "The extra PCIe overhead is only 2.46% even with 1% loss rate" (section 4.2): what is extra is in addition to the
    rest, as in the paper's footnote 2, "extra PCIe throughput = PCIe throughput - network throughput".
    """
    tables = [
        measured[end]["pcie"][way] for end in ("client", "server") for way in ("upBytes", "downBytes")
    ]
    software = sum(table["software"] for table in tables)
    return 100 * software / (sum(sum(table.values()) for table in tables) - software)


def get_software_time(measured):
    """Return how long the busier end's core works on retransmission, percent."""
    tasks = [measured[end]["cpu"]["tasks"] for end in ("client", "server")]
    return 100 * max(task["retransmission"]["cores"] for task in tasks)


PANELS = (
    ("Goodput", "Gbit/s", lambda measured: measured["goodputGbps"]),
    ("Throughput", "Gbit/s", lambda measured: measured["wireGbps"]),
    ("Extra PCIe", "%", get_software_share),
    ("Software", "% of a core", get_software_time),
)


def measure(context, nic, loss, messages):
    """Return what one test measured; packets of both directions are lost."""
    options = {"size": MESSAGE_BYTES, "iters": messages, "loss": loss / 100}
    options["set"] = [NO_CONTROL]
    return common.run_perftest(context, "send_bw", nic, **options)["measured"]


def get_retransmitted(measured):
    """Return the packets that the sender sent again while the payload of the measurement passed."""
    return measured["client"]["retransmitted"]


def make_slope_row(goodput):
    """Return the row of how fast both goodputs fall; ours is None without the points for it."""
    lost = {}
    for nic in ("srnic", "connectx6"):
        points = dict(map(tuple, goodput.get(nic, [])))
        whole = points.get(0)
        lost[nic] = {loss: 1 - y / whole for loss, y in points.items() if loss > FALLS_FROM} if whole else {}
    few, many = lost.values()
    losses = [loss for loss in few if many.get(loss)]
    text = ", ".join(f"at {loss:g} % {few[loss]:.0%} and {many[loss]:.0%}" for loss in losses) or None
    is_met = all(few[loss] <= MUCH_SLOWER * many[loss] for loss in losses)
    what = f"lost part of the goodput, srnic and connectx6, above {FALLS_FROM:g} %"
    return check(what, "srnic much less", text, is_met, ["SRNIC-703"])


def make_retransmission_row(retransmitted):
    """Return the row of the packets sent again; ours is None without the points for it."""
    few, many = (dict(map(tuple, retransmitted.get(nic, []))) for nic in ("srnic", "connectx6"))
    losses = [loss for loss in few if loss > 0 and many.get(loss)]
    text = ", ".join(f"at {loss:g} % {few[loss]:,} and {many[loss]:,}" for loss in losses) or None
    is_met = all(few[loss] <= MUCH_FEWER * many[loss] for loss in losses)
    what = "packets sent again, srnic and connectx6"
    return check(what, "srnic much fewer", text, is_met, ["SRNIC-704"])


def make_rows(panels, retransmitted):
    """Return the rows of validation."""
    goodput, throughput, software = (panel["series"] for panel in panels[:3])
    rows = [
        compare(what, find(series, nic, 1), [fact])
        for what, series, nic, fact in (
            ("connectx6, goodput at 1 %, Gbit/s", goodput, "connectx6", "SRNIC-093"),
            ("connectx6, throughput at 1 %, Gbit/s", throughput, "connectx6", "SRNIC-094"),
            ("srnic, goodput at 1 %, Gbit/s", goodput, "srnic", "SRNIC-095"),
            ("srnic, extra PCIe at 1 %, %", software, "srnic", "SRNIC-040"),
        )
    ]
    both = [find(goodput, nic, 1) for nic in ("srnic", "connectx6")]
    what = "goodput at 1 %, srnic over connectx6"
    rows.append(compare(what, divide(*both), ["SRNIC-009"]))
    what = "connectx6, largest loss rate with 90 % of its goodput, %"
    fall = find_last(goodput.get("connectx6", []), lambda y, first: y >= FULL * first)
    rows.append(compare(what, fall, ["SRNIC-092"]))
    return [*rows, make_slope_row(goodput), make_retransmission_row(retransmitted)]


def run(context):
    """Measure every NIC at every loss rate and write the figure."""
    losses = read_reals(context.options, "losses", 0, 99)
    # Whole percentages stay whole: they are the x of the figure.
    losses = [int(loss) if loss.is_integer() else loss for loss in losses]
    nics = read_names(context.options)
    messages = read_number(context.options, "messages", 5, 10**8)
    results = {nic: {loss: measure(context, nic, loss, messages) for loss in losses} for nic in nics}
    panels = [
        {
            "x": X_AXIS,
            "y": {"label": label, "unit": unit, "scale": "linear"},
            "series": {nic: [[loss, get(results[nic][loss])] for loss in losses] for nic in nics},
        }
        for label, unit, get in PANELS
    ]
    retransmitted = {nic: [[loss, get_retransmitted(results[nic][loss])] for loss in losses] for nic in nics}
    settings = {"threads": 1, "qp": 1, "size": MESSAGE_BYTES, "messages": messages, "set": NO_CONTROL}
    common.finish(context, panels, make_rows(panels, retransmitted), settings, retransmitted=retransmitted)
