# SPDX-License-Identifier: GPL-2.0-only
"""rocelab requirements: what a radio telescope asks of its data transport, met or not.

The requirements R1 to R6 are those of "RoCE for radio telescopes" (TU Delft with ASTRON), section
2.2. Each is answered by runs: small ones, since the questions are whether data arrive, between how
many servers, at which rate, and whether what does not arrive is known.
"""

import argparse
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rocelab.cli.completion import list_presets
from rocelab.errors import UserError
from rocelab.files import make_folder, write_text
from rocelab.places import find_build
from rocelab.runs.engine import run_engine
from rocelab.terminal.parser import make_examples, read_whole
from rocelab.terminal.table import format_table

RATE = "100Gbps"
MTU = 4096
MESSAGE = "16KiB"
LEAST_GBPS = 90  # R4.
LEAST_DEVICES = 200  # R3.
NOT_MET = 1  # Exit status.

#: A way through routers of others: no PFC, 10 ms, one packet in a thousand lost.
WIDE_AREA = {
    "linkDelay": "5ms",
    "pfc": False,
    "lossRate": 1e-3,
    "attributes": {"ns3::rdma::FabricSwitch::LosslessPriorities": "0"},
}

#: How the program says that a NIC has no room.
ROOM = re.compile(r"holds at most (\d+)")

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


class Runner:
    """Runs scenarios in a folder."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = Path(folder)

    def run(self, scenario):
        """Return (summary, rows of streams.csv) of a scenario."""
        path = self.folder / f"{scenario['name']}.json"
        write_text(path, json.dumps(scenario, indent=2) + "\n")
        run_engine(self.build, path, self.folder, is_quiet=True)
        results = self.folder / scenario["name"] / "nics"
        summary = json.loads((results / "summary.json").read_text(encoding="utf-8"))
        lines = (results / "streams.csv").read_text(encoding="utf-8").splitlines()
        names = lines[0].split(",")
        return summary, [dict(zip(names, line.split(","))) for line in lines[1:]]


    def find_room(self, scenario):
        """Return how many queue pairs a NIC of a scenario holds at most; None if all of them fit."""
        path = self.folder / f"{scenario['name']}.json"
        write_text(path, json.dumps(scenario, indent=2) + "\n")
        command = [str(Path(self.build) / "rocelab"), "check", str(path)]
        found = ROOM.search(subprocess.run(command, capture_output=True, text=True, check=False).stderr)
        return int(found[1]) if found else None


def get_total(rows, column):
    """Return the sum of a column of streams.csv."""
    return sum(int(row[column]) for row in rows)


def count_devices(rows):
    """Return (senders that a message of arrived, receivers of one, pairs, pairs without one)."""
    arrived = [row for row in rows if int(row["received"]) > 0]
    return (
        len({row["src"] for row in arrived}),
        len({row["dst"] for row in arrived}),
        len({(row["src"], row["dst"]) for row in rows}),
        len(rows) - len(arrived),
    )


def check_fpga(runner, sender, receiver):
    """R1: an FPGA sends, a NIC receives."""
    workload = {"type": "one-to-one", "queuePairs": 10, "messageBytes": MESSAGE, "duration": "1ms"}
    summary, rows = runner.run(make_scenario("r1", sender, receiver, 1, 1, workload))
    got = get_total(rows, "received")
    return Answer(
        "R1",
        "an FPGA sends packets and a NIC receives them",
        got > 0 and summary["streams"]["lost"] == 0,
        f"{got} messages from {sender} received by {receiver}, {summary['streams']['lost']} lost",
    )


def check_devices(runner, sender, receiver, devices):
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
        reached[name] = count_devices(runner.run(scenario)[1])
    least = min(reached["N-to-N"][:2])
    idle = sum(count[3] for count in reached.values())
    return Answer(
        "R3",
        f"1-to-1, 1-to-N, N-to-N with at least {LEAST_DEVICES} devices on either side",
        least >= LEAST_DEVICES and idle == 0,
        f"{least} on either side, {reached['N-to-N'][2]} pairs, {idle} without a message"
        + (f"; --devices {LEAST_DEVICES} are asked for" if devices < LEAST_DEVICES else ""),
    )


def check_goodput(runner, sender, receiver):
    """R4: 90 Gb/s of goodput from several senders at lower rates to a receiver of 100 Gb/s."""
    workload = {
        "type": "many-to-one",
        "queuePairs": 2000,
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
    room = runner.find_room(scenario)
    if room is not None:
        scenario["workload"]["queuePairs"] = room // 4 * 4  # As many of each of the four senders.
    summary, _ = runner.run(scenario)
    goodput = summary["streams"]["goodput_gbps"]
    return Answer(
        "R4",
        f"at least {LEAST_GBPS} Gb/s from senders at lower rates to a receiver of 100 Gb/s",
        goodput >= LEAST_GBPS,
        f"{goodput:.1f} Gb/s from 4 senders of 24 Gb/s with {scenario['workload']['queuePairs']:,} queue pairs"
        + (f", {receiver} has room for {room}" if room is not None else ""),
    )


def check_losses(runner, sender, receiver):
    """R2 and R5: over a lossy way messages arrive, and nothing is sent again."""
    workload = {
        "type": "many-to-one",
        "queuePairs": 40,
        "messageBytes": MESSAGE,
        "rate": "20Gbps",
        "duration": "30ms",
    }
    _, rows = runner.run(make_scenario("r2", sender, receiver, 4, 1, workload, **WIDE_AREA))
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


def check_flags(runner, sender, receiver):
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
    _, rows = runner.run(scenario)
    lost, missing = get_total(rows, "lost"), get_total(rows, "missing_blocks")
    return Answer(
        "R6",
        "missing data are flagged",
        lost > 0 and missing == lost,
        f"{missing} blocks flagged as missing, of {lost} messages lost in an outage of 1 ms",
    )


def check_all(runner, sender, receiver, devices):
    """Return the answers, R1 to R6."""
    lossy = check_losses(runner, sender, receiver)
    return (
        check_fpga(runner, sender, receiver),
        lossy[0],
        check_devices(runner, sender, receiver, devices),
        check_goodput(runner, sender, receiver),
        lossy[1],
        check_flags(runner, sender, receiver),
    )


def add_options(commands):
    """Add the command requirements."""
    command = commands.add_parser(
        "requirements",
        help="check the requirements of a radio telescope on its data transport",
        description="Check the requirements R1 to R6 of radio telescopes by runs: met or not, and the number.",
        epilog=make_examples(
            "requirements", "requirements --receiver balboa --json", "requirements --out results"
        ),
    )
    command.add_argument(
        "--sender", default="fpga-sender", metavar="NIC", help="preset of the senders (default: %(default)s)"
    )
    command.add_argument(
        "--receiver", default="connectx6", metavar="NIC", help="preset of the receivers (default: %(default)s)"
    )
    command.add_argument(
        "--devices", type=read_whole(1, 1000), default=LEAST_DEVICES, metavar="N", help="number of devices of R3, on either side (default: %(default)s)"
    )
    command.add_argument("--out", metavar="DIR", help="folder that keeps scenarios and results")
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    command.add_argument("--build", default=find_build(), help=argparse.SUPPRESS)
    command.set_defaults(run=run_requirements)


def check_presets(options):
    """Raise UserError unless the NICs are presets."""
    known = list_presets(options.build)
    for name in ("sender", "receiver"):
        value = getattr(options, name)
        if value not in known:
            raise UserError(f"--{name}: expected a NIC preset ({', '.join(known)}), got {value!r}")


def run_requirements(options):
    """Carry out the command requirements; returns (exit status, files written)."""
    check_presets(options)
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_folder(Path(options.out) / "requirements") if options.out else Path(scratch)
        answers = check_all(Runner(options.build, folder), options.sender, options.receiver, options.devices)
    if options.json:
        print(json.dumps([vars(answer) for answer in answers], indent=2))
    else:
        rows = [[a.requirement, a.asks, "met" if a.is_met else "NOT met", a.measured] for a in answers]
        print(format_table(["", "asks", "", "measured"], rows), end="")
    return 0 if all(answer.is_met for answer in answers) else NOT_MET, []
