# SPDX-License-Identifier: GPL-2.0-only
"""What the cases of SONiC's plans share: the switch with SONiC's default classes, the tester, and verdicts."""

from dataclasses import dataclass

import numpy

from rocelab.errors import UserError
from rocelab.results.folders import load_scenario
from rocelab.results.series import read_series

NIC = "ns3::rdma::RdmaNic::"

#: Payload of a packet, "4K IB MTU" of the plan, and what the tester's packets have beside it at the wire: Ethernet, IPv4,
#: UDP, BTH, RETH, immediate data, ICRC, FCS, preamble and gap.
MTU, OVERHEAD = 4096, 102
GBPS = 100

LOSSLESS, LOSSY = (3, 4), (0, 1)
CNP_CLASS, ACK_CLASS = 5, 6
#: sonic-buildimage, files/build_templates/qos_config.j2: scheduler.1 for the classes 3 and 4, scheduler.0 for the others.
WEIGHTS = {0: 14, 1: 14, 2: 14, 3: 15, 4: 15, 5: 14, 6: 14}
#: The same file, WRED_PROFILE AZURE_LOSSLESS.
KMIN, KMAX, PMAX = 1_048_576, 2_097_152, 0.05
WRED = {"100Gbps": {"kmin": f"{KMIN}B", "kmax": f"{KMAX}B", "pmax": PMAX}}

#: Verdicts. A plan that names no threshold has a measured value only.
PASS, FAIL, MEASURED, OPEN = "PASS", "FAIL", "measured", "too few packets"


@dataclass(frozen=True)
class Verdict:
    """Result of one check of a case for one NIC design, or for the tester."""

    case: str  # Name of the case in the plan.
    source: str  # Document or pull request of sonic-net/sonic-mgmt.
    check: str
    criterion: str
    value: str
    verdict: str
    scenario: str = ""
    nic: str = "tester"


class Case:
    """Collects the verdicts of one case."""

    def __init__(self, name, source, nic="tester"):
        self.verdicts = []
        self._parts = {"case": name, "source": source, "nic": nic}

    def require(self, check, criterion, value, holds, scenario=""):
        """Add a check that passes if `holds`."""
        self._add(check, criterion, value, PASS if holds else FAIL, scenario)

    def report(self, check, value, scenario=""):
        """Add a value for which the plan has no criterion."""
        self._add(check, "none", value, MEASURED, scenario)

    def leave_open(self, check, criterion, value, scenario=""):
        """Add a check that this run has too few packets for."""
        self._add(check, criterion, value, OPEN, scenario)

    def _add(self, check, criterion, value, verdict, scenario):
        self.verdicts.append(
            Verdict(check=check, criterion=criterion, value=value, verdict=verdict, scenario=scenario, **self._parts)
        )


def make_dut(servers, has_wred=True, **more):
    """Return the fabric: one switch with SONiC's default classes, 100 Gb/s and 100 m of cable to each port."""
    classes = {str(number): {"weight": weight, "ecn": "off"} for number, weight in WEIGHTS.items()}
    for number in LOSSLESS:
        classes[str(number)].update(lossless=True, ecn=WRED if has_wred else "off")
    return {
        "topology": "star",
        "servers": servers,
        "hostRate": f"{GBPS}Gbps",
        "linkDelay": "500ns",
        "mtu": MTU,
        "pfc": True,
        "classes": classes,
        **more,
    }


def make_tester():
    """Return the traffic generator: it sends at a given rate, without congestion control and hardware times."""
    return {"name": "tester", "preset": "fpga-sender", "hardware": "off"}


def get_payload_rate(percent, payload=MTU):
    """Return the rate of payload, as text, of packets that have a share of the line rate at the wire."""
    return f"{percent / 100 * GBPS * payload / (payload + OVERHEAD) * 1000:.0f}Mbps"


def make_stream(name, sender, receiver, number, percent, start_us, duration_us, payload=MTU):
    """Return a workload of the tester: packets of one queue pair of UC, at a rate in percent of the line rate."""
    return {
        "name": name,
        "type": "streams",
        "priority": number,
        "service": "UC",
        "start": f"{start_us:g}us",
        "duration": f"{duration_us:g}us",
        "streams": [
            {
                "sender": sender,
                "receiver": receiver,
                "messageBytes": f"{payload}B",
                "rate": get_payload_rate(percent, payload),
            }
        ],
    }


def make_scenario(name, fabric, workloads, seed, **more):
    """Return the scenario of a case that needs the tester only."""
    return {
        "name": name,
        "fabric": fabric,
        "nics": [make_tester()],
        "workloads": workloads,
        "run": {"seed": seed},
        **more,
    }


def run_with_losses(context, scenario):
    """Return the NicResult of a scenario whose lossless queues may lose packets: such a run has exit status 4."""
    try:
        return context.run_scenario(scenario).nics[0]
    except UserError:
        return load_scenario(context.results / "runs" / scenario["name"]).nics[0]


def select_class(nic, node, peer, number):
    """Return the rows of series/class.csv of a class at the port of `node` that leads to `peer`."""
    rows = read_series(nic, "class")
    return rows[(rows["node"] == node) & (rows["peer"] == peer) & (rows["class"] == number)]


def within(rows, start_us, end_us):
    """Return the rows of a series whose interval ends in (start, end]."""
    times = rows["time_ns"] / 1e3
    return rows[(times > start_us) & (times <= end_us)]


def first_time(rows, column):
    """Return the end of the first interval, us, in which a column is above zero; None if there is none."""
    times = rows["time_ns"][rows[column] > 0]
    return float(times.min()) / 1e3 if len(times) else None


def last_time(rows, column):
    """Return the end of the last interval, us, in which a column is above zero; None if there is none."""
    times = rows["time_ns"][rows[column] > 0]
    return float(times.max()) / 1e3 if len(times) else None


def get_bytes(rows, until_us):
    """Return the bytes at the wire, preamble and gap included, of all rows of a class of a port up to a time.

    The first row is since the begin of the run: a class has rows from its first frame on.
    """
    durations = numpy.diff(rows["time_ns"], prepend=0)
    is_before = rows["time_ns"] <= until_us * 1e3
    return float(numpy.sum((rows["gbps"] * durations)[is_before])) / 8


def get_stream(nic, workload):
    """Return the sent, received and lost messages of a workload of streams."""
    part = nic.summary["workloads"][workload]["streams"]
    return part["sent"], part["received"], part["lost"]
