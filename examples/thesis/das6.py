# SPDX-License-Identifier: GPL-2.0-only
"""DAS6 at ASTRON, the testbed of the thesis on RoCE for radio telescopes, set up in several ways.

Five hosts with a ConnectX-6 each at one SN2100 (chapter 3, appendix A): one to one (appendix B.1),
many to one (B.3) and one to many (B.5), with memory of the host or of the GPU of node505. What a
figure of streams needs is in common.py; here is what differs between the set-ups.
"""

import math

from rocelab.errors import UserError
from rocelab.validate.figure import Option

from . import common

#: Tables 5.8 to 5.10: number, queue pairs, KiB.
CONFIGURATIONS = {
    "1": (4, 8),
    "2": (4, 16),
    "3": (40, 8),
    "4": (40, 16),
    "5": (400, 8),
    "6": (400, 16),
    "7": (2000, 8),
    "8": (2000, 16),
}

REQUESTERS = 4  # node501 to node504; node505 is server 4.
RESPONDER = 4

#: Switch: alpha 1 at ingress, none at egress (the model has no limit there), priority 3 lossless.
FABRIC = {"bufferAlpha": {common.RATE: 1}, "pfc": True}
#: Appendix B.3.
MANY_TO_ONE = FABRIC | {"ecn": {common.RATE: {"kmin": "4MB", "kmax": "6MB", "pmax": 1.0}}}

#: PCIe 4.0 x16 (section 3.1). The NIC pauses its link before its buffer is full; where it does is
#: our estimate: 256 KiB of its 614 KiB leave room for what is under way. A queue pair that DCQCN
#: limits sends a burst, "a few packets" (NVIDIA 5T Technology User Manual, Packet Pacing), before
#: its rate counts: 16 KiB, as a turn has without a limit, are our estimate.
NIC = {
    "ns3::rdma::WqeFetcher::PacedBurstBytes": 16384,
    "ns3::rdma::PcieLink::Generation": 4,
    "ns3::rdma::ReceiveBuffer::PauseAt": 262144,
    "ns3::rdma::ReceiveBuffer::ResumeAt": 131072,
}
#: Section 2.6: an A100.
GPU = {"ns3::rdma::GpuPath::BarBytes": 60_000_000_000}
#: The longest and default timeout of delay drop in Linux' mlx5 driver: docs/models/nic-hardware.md.
STALL = {"ns3::rdma::ReceiveWqeCache::EmptyTimeout": "100ms"}
#: Section 5.3: by ETS, on the wire. The burst is our estimate: a turn of four queue pairs of 16 KiB.
#: NVIDIA's manual of the limit accepts 10 % of deviation ("Quality of Service", Rate limit), and the
#: thesis names it; its 90 Gb/s of four queue pairs are 23 Gb/s each without one.
RATE_LIMIT = {
    "ns3::rdma::RdmaNic::PortRateLimit": "23Gbps",
    "ns3::rdma::RdmaNic::PortRateBurst": 65536,
}

LINKED = 100
#: What the thesis uses after section 5.2.2; samples are as long as its own.
WORK = {"solicited": True, "linked": LINKED, "sampleInterval": "10ms"}
SAMPLE_MS = 10


#: In which 500 senders of a server fill their send queues of 1,000 requests: 16 cores, 0.25 us per request, and their switches.
FILL_MS = 30

#: Of figures; ten seconds of the thesis are this here.
MEASURED = Option("60", "20", "ms that are measured of each run, a multiple of 10; the warm-up is das6.get_warmup()")

#: The same, of figures about the variation of goodput.
LONG = Option("100", "20", MEASURED.help)

#: What queues still hold when the senders stop says nothing.
END = {"run": {"drain": False}}


def make_one_to_one(name, queue_pairs, kibibytes, gpu=False, **workload):
    """Return the scenario of one requester and one responder."""
    return END | common.make_scenario(
        name,
        [{"sender": 0, "receiver": 1, "queuePairs": queue_pairs, "messageBytes": f"{kibibytes}KiB"}],
        attributes=NIC | (GPU if gpu else {}),
        fabric=FABRIC,
        **WORK | get_memory(gpu) | workload,
    )


def make_many_to_one(name, queue_pairs, kibibytes, gpu=False, **workload):
    """Return the scenario of four requesters and one responder with so many queue pairs in all."""
    return END | common.make_scenario(
        name,
        [
            {
                "sender": sender,
                "receiver": RESPONDER,
                "queuePairs": queue_pairs // REQUESTERS,
                "messageBytes": f"{kibibytes}KiB",
            }
            for sender in range(REQUESTERS)
        ],
        servers=REQUESTERS + 1,
        attributes=NIC | RATE_LIMIT | (GPU if gpu else {}),
        fabric=MANY_TO_ONE,
        **WORK | get_queue(workload) | get_memory(gpu) | workload,
    )


def make_one_to_many(name, queue_pairs, kibibytes, **workload):
    """Return the scenario of one requester with so many queue pairs to four responders in all."""
    return END | common.make_scenario(
        name,
        [
            {
                "sender": RESPONDER,
                "receiver": receiver,
                "queuePairs": queue_pairs // REQUESTERS,
                "messageBytes": f"{kibibytes}KiB",
            }
            for receiver in range(REQUESTERS)
        ],
        servers=REQUESTERS + 1,
        attributes=NIC,
        fabric=MANY_TO_ONE,
        **WORK | {"linked": 10} | get_queue(workload) | workload,
    )


def get_queue(workload):
    """Return the workload's key of the receive queue, by Tables B.2 and B.3."""
    return {"receiveQueue": 20000 if workload.get("sharedReceiveQueue") else 1000}


def get_memory(gpu):
    """Return the workload's key of memory, if it is the GPU's."""
    return {"memory": "gpu"} if gpu else {}


def get_warmup(queue_pairs, kibibytes, is_shared):
    """Return ms of warm-up, a multiple of the sample interval.

    A thread of its own is notified once per list, so its use is steady after a list of each queue
    pair; the thread of a shared queue is notified by any of them.
    """
    lists = 0 if is_shared else queue_pairs * LINKED * kibibytes * 1024 * 8 / 90e6
    return max(FILL_MS // SAMPLE_MS, math.ceil(lists / SAMPLE_MS)) * SAMPLE_MS


def make_times(queue_pairs, kibibytes, measured, is_shared):
    """Return the workload's keys of times, with so many ms measured, a number or its text."""
    if not str(measured).isdigit() or int(measured) == 0 or int(measured) % SAMPLE_MS:
        raise UserError(f"--option measured: expected a multiple of {SAMPLE_MS} (ms), got {str(measured)!r}")
    warmup = get_warmup(queue_pairs, kibibytes, is_shared)
    return {"duration": f"{warmup + int(measured)}ms", "warmup": f"{warmup}ms", "cooldown": "0ms"}


def measure(context, configurations, make, **workload):
    """Return {label: NicResult} and {number: NicResult} of the chosen configurations.

    configurations: {number: (queue pairs, KiB)}; make: one of the functions above.
    """
    scenarios = {}
    is_shared = workload.get("sharedReceiveQueue", False)
    for number in context.options["configurations"].split(","):
        if number not in configurations:
            known = ", ".join(configurations)
            raise UserError(f"--option configurations: expected some of {known}, got {number!r}")
        queue_pairs, kibibytes = configurations[number]
        times = make_times(queue_pairs, kibibytes, context.options["measured"], is_shared)
        scenarios[number] = make(f"configuration-{number}", queue_pairs, kibibytes, **times, **workload)
    results = common.sweep_streams(context, scenarios)
    labels = {"{}: {}x{}K".format(number, *configurations[number]): result for number, result in results.items()}
    return labels, results


def get_goodput(results, number, quantile="p10"):
    """Return Gb/s of a configuration at the first responder; None if it was not measured."""
    if number not in results:
        return None
    return common.get_measured_goodput(common.get_host(results[number]))[quantile]


def get_use(results, number, quantile="p50"):
    """Return % of a core of a configuration at the first responder; None if it was not measured."""
    if number not in results:
        return None
    return common.get_host(results[number])["use_percent"][quantile]
