# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 11: goodput of one connection over the loss rate.

Source: SRNIC (NSDI 2023), section 6.3, "Loss tolerance".
"""

from rocelab import testbed
from rocelab.errors import UserError
from rocelab.figure import Option

MESSAGE_BYTES = 4096  # SRNIC-091.
NO_CONTROL = "ns3::rdma::RdmaNic::CongestionControl=ns3::rdma::NoCongestionControl"  # SRNIC-091.

OPTIONS = {
    "losses": Option("0,0.01,0.1,0.5,1,2,3", "0,1", "loss rates, percent of packets"),
    "nics": Option("connectx6,srnic", "connectx6,srnic", "presets"),
    "messages": Option("50000", "4000", "of each test"),
}

PAPER = [
    {
        "sources": ["SRNIC-092", "SRNIC-093", "SRNIC-094"],
        "where": "Section 6.3, Figure 11",
        "statement": "connectx6 drops rapidly beyond 0.1 % and is down to 25 Gbit/s beyond 1 %, while "
        "its port sends 97",
    },
    {
        "sources": ["SRNIC-095"],
        "where": "Section 6.3, Figure 11",
        "statement": "srnic still has 75 Gbit/s when the loss rate exceeds 1 %",
    },
]

X_AXIS = {"label": "Loss rate", "unit": "%"}


def get_software_share(measured):
    """Return what part of the sender's and receiver's PCIe bytes is for SRNIC's software, percent."""
    tables = [
        measured[end]["pcie"][way] for end in ("client", "server") for way in ("upBytes", "downBytes")
    ]
    return 100 * sum(table["software"] for table in tables) / sum(sum(t.values()) for t in tables)


PANELS = (
    ({"label": "Goodput", "unit": "Gbit/s"}, lambda measured: measured["goodputGbps"]),
    ({"label": "Throughput", "unit": "Gbit/s"}, lambda measured: measured["wireGbps"]),
    ({"label": "PCIe for software", "unit": "%"}, get_software_share),
)


def read_losses(text):
    """Return the loss rates of an option's text in percent, rising."""
    try:
        # Whole percentages stay whole: they are the x of the figure.
        losses = sorted({int(word) if word.isdigit() else float(word) for word in text.split(",")})
    except ValueError:
        losses = []
    if not losses or not all(0 <= loss < 100 for loss in losses):
        raise UserError(f"option losses: expected percentages below 100, got {text!r}")
    return losses


def measure(context, nic, loss, messages):
    """Return what one test measured; packets of both directions are lost."""
    options = {"size": MESSAGE_BYTES, "iters": messages, "loss": loss / 100, "set": NO_CONTROL}
    return testbed.run_perftest(context, "send_bw", nic, **options)["measured"]


def compare(panels):
    """Return the rows of what the paper prints as numbers."""
    goodput, throughput = panels[0]["series"], panels[1]["series"]
    return [
        testbed.compare(what, testbed.find(series, nic, 1), paper, [source])
        for what, series, nic, paper, source in (
            ("connectx6, goodput at 1 %, Gbit/s", goodput, "connectx6", 25, "SRNIC-093"),
            ("connectx6, throughput at 1 %, Gbit/s", throughput, "connectx6", 97, "SRNIC-094"),
            ("srnic, goodput at 1 %, Gbit/s", goodput, "srnic", 75, "SRNIC-095"),
        )
    ]


def run(context):
    """Measure every NIC at every loss rate and write the figure."""
    losses = read_losses(context.options["losses"])
    nics = testbed.read_names(context.options)
    messages = testbed.read_number(context.options, "messages", 5, 10**8)
    results = {nic: {loss: measure(context, nic, loss, messages) for loss in losses} for nic in nics}
    panels = [
        {
            "x": X_AXIS,
            "y": axis,
            "series": {nic: [[loss, get(results[nic][loss])] for loss in losses] for nic in nics},
        }
        for axis, get in PANELS
    ]
    settings = {"threads": 1, "qp": 1, "size": MESSAGE_BYTES, "messages": messages, "set": NO_CONTROL}
    testbed.finish(context, panels, compare(panels), PAPER, settings)
