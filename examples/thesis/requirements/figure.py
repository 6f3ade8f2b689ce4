# SPDX-License-Identifier: GPL-2.0-only
"""Thesis section 2.2: the requirements R1 to R6 of radio telescopes on their data transport, met or not.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 2.2. Each is answered by runs:
small ones, since the questions are whether data arrive, between how many servers, at which rate, and whether what does
not arrive is known.
"""

from dataclasses import dataclass

import numpy

from rocelab.results.csv_table import read_table
from rocelab.terminal.table import format_table
from rocelab.validate.checks import check, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

RATE = "100Gbps"
MTU = 4096
MESSAGE = "16KiB"
LEAST_GBPS = 90  # R4.
LEAST_DEVICES = 200  # R3.

OPTIONS = {
    "sender": Option("fpga-sender", "fpga-sender", "NIC preset of the senders"),
    "receiver": Option("connectx6", "connectx6", "NIC preset of the receivers"),
    "devices": Option(str(LEAST_DEVICES), "5", "number of devices of R3, on either side"),
    "queuePairs": Option("2000", "2000", "queue pairs of R4, of all four senders together; balboa has room for 500"),
}

#: A way through routers of others: no PFC, 10 ms, one packet in a thousand lost.
WIDE_AREA = {
    "linkDelay": "5ms",
    "pfc": False,
    "lossRate": 1e-3,
    "attributes": {"ns3::rdma::FabricSwitch::LosslessPriorities": "0"},
}

STREAMS = {"service": "UC", "linked": 1, "regions": 10, "sharedReceiveQueue": True}


@dataclass(frozen=True)
class Answer:
    """Whether a requirement is met, and the number that says so."""

    requirement: str
    asks: str
    is_met: bool
    measured: str


def make_scenario(name, sender, receiver, senders, receivers, workload, **fabric):
    """Return the scenario of senders, the first servers of a star, and receivers."""
    count = senders + receivers
    nics = {
        "name": "nics",
        "groups": {
            "senders": {"preset": sender, "hardware": "on"},
            "receivers": {"preset": receiver, "hardware": "on"},
        },
    }
    return {
        "name": name,
        "fabric": {
            "topology": "star",
            "servers": count,
            "hostRate": RATE,
            "linkDelay": "1us",
            "mtu": MTU,
            "buffer": "16MB",
            **fabric,
        },
        "groups": {"senders": [[0, senders - 1]], "receivers": [[senders, count - 1]]},
        "nics": [nics],
        "workload": {"senders": "senders", "receivers": "receivers", **STREAMS, **workload},
    }


def run_streams(context, scenario):
    """Return (summary, rows of streams.csv) of a scenario."""
    (nic,) = context.run_scenario(scenario).nics
    return nic.summary, read_table(nic.folder, "streams.csv")


def get_total(rows, column):
    """Return the sum of a column of streams.csv."""
    return int(rows[column].sum())


def count_devices(rows):
    """Return (senders that a message of arrived, receivers of one, pairs, pairs without one)."""
    arrived = rows[rows["received"] > 0]
    pairs = len(numpy.unique(rows[["src", "dst"]]))
    return len(set(arrived["src"])), len(set(arrived["dst"])), pairs, len(rows) - len(arrived)


def check_fpga(context, sender, receiver):
    """R1: an FPGA sends, a NIC receives."""
    workload = {"type": "one-to-one", "queuePairs": 10, "messageBytes": MESSAGE, "duration": "1ms"}
    summary, rows = run_streams(context, make_scenario("r1", sender, receiver, 1, 1, workload))
    got = get_total(rows, "received")
    return Answer(
        "R1",
        "an FPGA sends packets and a NIC receives them",
        got > 0 and summary["streams"]["lost"] == 0,
        f"{got} messages from {sender} received by {receiver}, {summary['streams']['lost']} lost",
    )


def check_devices(context, sender, receiver, devices):
    """R3: topologies 1-to-1, 1-to-N and N-to-N with at least 200 devices on either side."""
    shapes = {"1-to-1": (1, 1), "1-to-N": (1, devices), "N-to-1": (devices, 1), "N-to-N": (devices, devices)}
    reached = {}
    for name, (senders, receivers) in shapes.items():
        # Each sender has a channel for each receiver, so that all pairs talk; at a rate that one
        # receiver takes of all senders.
        workload = {
            "type": "lofar",
            "subbands": receivers,
            "messageBytes": "4KiB",
            "rate": f"{80_000 // devices}Mbps",
            "duration": "3ms",
            "startInterval": "1us",
        }
        # A buffer that holds the headroom of so many ports.
        scenario = make_scenario(f"r3-{name}", sender, receiver, senders, receivers, workload, buffer="128MB")
        reached[name] = count_devices(run_streams(context, scenario)[1])
    least = min(reached["N-to-N"][:2])
    idle = sum(count[3] for count in reached.values())
    return Answer(
        "R3",
        f"1-to-1, 1-to-N, N-to-N with at least {LEAST_DEVICES} devices on either side",
        least >= LEAST_DEVICES and idle == 0,
        f"{least} on either side, {reached['N-to-N'][2]} pairs, {idle} without a message"
        + (f"; {LEAST_DEVICES} are asked for" if devices < LEAST_DEVICES else ""),
    )


def check_goodput(context, sender, receiver, queue_pairs):
    """R4: 90 Gb/s of goodput from several senders at lower rates to a receiver of 100 Gb/s."""
    workload = {
        "type": "many-to-one",
        "queuePairs": queue_pairs,
        "messageBytes": MESSAGE,
        "linked": 10,
        "solicited": True,
        "receiveQueue": 20000,
        "duration": "12ms",
        "warmup": "5ms",
        "cooldown": "1ms",
    }
    scenario = make_scenario("r4", sender, receiver, 4, 1, workload)
    # Of the wire: 4 x 24 Gb/s carry 94 Gb/s of payload.
    scenario["nics"][0]["groups"]["senders"]["attributes"] = {"ns3::rdma::RdmaNic::PortRateLimit": "24Gbps"}
    scenario["run"] = {"drain": False}
    summary, _ = run_streams(context, scenario)
    goodput = summary["streams"]["goodput_gbps"]
    return Answer(
        "R4",
        f"at least {LEAST_GBPS} Gb/s from senders at lower rates to a receiver of 100 Gb/s",
        goodput >= LEAST_GBPS,
        f"{goodput:.1f} Gb/s from 4 senders of 24 Gb/s with {queue_pairs:,} queue pairs",
    )


def check_losses(context, sender, receiver):
    """R2 and R5: over a lossy way messages arrive, and nothing is sent again."""
    workload = {
        "type": "many-to-one",
        "queuePairs": 40,
        "messageBytes": MESSAGE,
        "rate": "20Gbps",
        "duration": "30ms",
    }
    _, rows = run_streams(context, make_scenario("r2", sender, receiver, 4, 1, workload, **WIDE_AREA))
    sent, got = get_total(rows, "sent"), get_total(rows, "received")
    again = get_total(rows, "retransmitted")
    return (
        Answer(
            "R2",
            "transmission over a public Ethernet network",
            0 < got < sent,
            f"{got} of {sent} messages over 10 ms without PFC that lose 0.1 % of the packets per link",
        ),
        Answer(
            "R5",
            "no retransmissions",
            again == 0 and got < sent,
            f"{again} packets sent again while {sent - got} messages were lost",
        ),
    )


def check_flags(context, sender, receiver):
    """R6: missing data are flagged. The receiver's link is down for a time, then messages come again:
    what is lost behind the last message of all cannot show in immediate data."""
    workload = {
        "type": "many-to-one",
        "queuePairs": 40,
        "messageBytes": MESSAGE,
        "rate": "20Gbps",
        "duration": "6ms",
    }
    scenario = make_scenario("r6", sender, receiver, 4, 1, workload)
    scenario["linkEvents"] = [
        {"at": "2ms", "link": [4, 5], "state": "down"},
        {"at": "3ms", "link": [4, 5], "state": "up"},
    ]
    _, rows = run_streams(context, scenario)
    lost, missing = get_total(rows, "lost"), get_total(rows, "missing_blocks")
    return Answer(
        "R6",
        "missing data are flagged",
        lost > 0 and missing == lost,
        f"{missing} blocks flagged as missing, of {lost} messages lost in an outage of 1 ms",
    )


def check_all(context):
    """Return the answers, R1 to R6."""
    sender, receiver = context.options["sender"], context.options["receiver"]
    lossy = check_losses(context, sender, receiver)
    return (
        check_fpga(context, sender, receiver),
        lossy[0],
        check_devices(context, sender, receiver, read_number(context.options, "devices", 1, 1000)),
        check_goodput(context, sender, receiver, read_number(context.options, "queuePairs", 4, 100_000)),
        lossy[1],
        check_flags(context, sender, receiver),
    )


def make_rows(answers):
    """Return the rows of validation: R5 and R6, which the thesis finds met (section 5.2.5)."""
    facts = {"R5": "ASTRON-thesis-741", "R6": "ASTRON-thesis-742"}
    return [
        check(f"{answer.requirement}: {answer.asks}", "met", answer.measured, answer.is_met, [facts[answer.requirement]])
        for answer in answers
        if answer.requirement in facts
    ]


def run(context):
    """Answer all requirements, print them and write the figure."""
    answers = check_all(context)
    rows = [[a.requirement, a.asks, "met" if a.is_met else "NOT met", a.measured] for a in answers]
    checks = make_rows(answers)
    print(format_table(["", "asks", "", "measured"], rows))
    print("\n" + format_rows(checks))
    context.write_figure(
        {"label": "Requirement", "unit": "", "scale": "linear"},
        {"label": "Met (1) or not (0)", "unit": "", "scale": "linear"},
        {"met": [[int(a.requirement[1:]), int(a.is_met)] for a in answers]},
        answers=[vars(answer) for answer in answers],
        checks=checks,
    )
