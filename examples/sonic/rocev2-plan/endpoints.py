# SPDX-License-Identifier: GPL-2.0-only
"""Cases of the RoCEv2 plan: ranks with NICs of a design send data in lossless and lossy queues through the switch."""

import numpy

from rocelab.results.series import read_series

from ..common import (
    ACK_CLASS,
    CNP_CLASS,
    LOSSLESS,
    LOSSY,
    NIC,
    WEIGHTS,
    Case,
    make_dut,
    select_class,
    within,
)

#: Designs with DCQCN: they send CNPs, and their congestion control can be off.
DCQCN = {"connectx4", "connectx5", "cx5-measured", "connectx6", "connectx7", "bluefield3", "connectx7-ar", "irn"}
#: Designs that cannot send without their congestion control: it is also their loss recovery.
ALWAYS_ON = {"uet", "uet-rccc", "mrc"}
NO_CONTROL = "ns3::rdma::NoCongestionControl"
#: All designs are tested with the same switch; trimming switches are not used, even by designs made for them.
SWITCH = {"pfc": True, "admissionPolicy": "ns3::rdma::TailDrop", "markingPolicy": "ns3::rdma::RedMarking"}

FEW_PAUSES = 100  # "Few or no" PFC of the plan's tests.
RATE_TOLERANCE = 5  # Percent of the share by weight.
COUNTER_TOLERANCE = 2  # Percent between the tester's count and the switch's.
FAIRNESS = 30  # Percent between the rates of ranks.
CNP_WIRE = 98  # 58 bytes of headers up to the BTH, 16 reserved, ICRC, FCS, preamble and gap: docs/reference/wire.md.
STEP_US = 20

#: {scenario: the queue of each rank that sends lossless data}
QUEUES = {"Q3": (3, 3), "Q3 and Q4": (3, 4)}
RANKS = {"Q3": (3, 3, 3), "Q3 and Q4": (3, 4, 3)}


def make_design(preset, has_control):
    """Return an entry of "nics": ranks, whose congestion control may be off, and the receiver."""
    receiver = {"preset": preset, "attributes": {f"{NIC}AckPriority": ACK_CLASS}}
    if preset in DCQCN:
        receiver["attributes"][f"{NIC}CnpPriority"] = CNP_CLASS
    ranks = {"preset": preset, "attributes": {f"{NIC}AckPriority": ACK_CLASS}}
    if has_control or preset in ALWAYS_ON:
        ranks = receiver
    else:
        ranks["congestionControl"] = NO_CONTROL
    return {"name": preset, "groups": {"ranks": ranks, "receiver": receiver}, "fabric": SWITCH}


def make_flows(name, number, pairs, size):
    """Return a workload: a message of each pair in a queue."""
    flows = [{"src": src, "dst": dst, "bytes": size} for src, dst in pairs]
    return {"name": name, "type": "flows", "priority": number, "flows": flows}


def make_incast(name, presets, queues, has_lossy, has_control, has_wred, size, seed):
    """Return the scenario of ranks that send to the last port, the last of them in the lossy queues."""
    senders = len(queues) + has_lossy
    workloads = [
        make_flows(f"Q{number}", number, [(rank, senders) for rank, one in enumerate(queues) if one == number], size)
        for number in sorted(set(queues))
    ]
    if has_lossy:
        workloads += [make_flows(f"Q{number}", number, [(senders - 1, senders)], size // 2) for number in LOSSY]
    return {
        "name": name,
        "fabric": make_dut(senders + 1, has_wred),
        "groups": {"ranks": [[0, senders - 1]], "receiver": [senders]},
        "nics": [make_design(preset, has_control) for preset in presets],
        "workloads": workloads,
        "run": {"seed": seed},
        "series": {"interval": f"{STEP_US}us", "what": ["class", "rate"], "ports": [[senders + 1, senders]]},
    }


def make_pairs(presets, size, seed):
    """Return the scenario without congestion: two pairs, both ways, one in queue 3, one in the lossy queues."""
    workloads = [make_flows("Q3", 3, [(0, 2), (2, 0)], size)]
    workloads += [make_flows(f"Q{number}", number, [(1, 3), (3, 1)], size // 2) for number in LOSSY]
    designs = []
    for preset in presets:
        design = make_design(preset, False)
        designs.append(design | {"groups": {"ranks": design["groups"]["ranks"]}})
    return {
        "name": "no-congestion",
        "fabric": make_dut(4),
        "groups": {"ranks": [[0, 3]]},
        "nics": designs,
        "workloads": workloads,
        "run": {"seed": seed},
        "series": {"interval": f"{STEP_US}us", "what": ["class", "rate"]},
    }


def get_class(nic, number, key):
    """Return a sum of a traffic class over all ports."""
    return nic.summary["classes"].get(str(number), {}).get(key, 0)


def get_lossless(nic):
    """Return the workloads in lossless queues of a run."""
    return {name: part for name, part in nic.summary["workloads"].items() if int(name[1:]) in LOSSLESS}


def require_delivery(case, nic, scenario, parts=None):
    """Add the checks that all cases have: messages complete, no loss, no NAK, acknowledgments present."""
    parts = get_lossless(nic) if parts is None else parts
    numbers = [int(name[1:]) for name in parts]
    started = sum(part["flows"]["started"] for part in parts.values())
    completed = sum(part["flows"]["completed"] for part in parts.values())
    drops = sum(get_class(nic, number, "fabric_drops") for number in numbers)
    case.require(
        "lossless: complete, no loss", "all, 0", f"{completed}/{started}, {drops} lost", completed == started and not drops, scenario
    )
    again = sum(part["retransmitted"] for part in parts.values())
    case.require("lossless: no NAK, nothing again", "0", f"{again:,} packets again", again == 0, scenario)
    acks = get_class(nic, ACK_CLASS, "sent_bytes")
    case.require("ACKs in queue 6", "above 0", f"{acks / 1e6:.1f} MB", acks > 0, scenario)


def require_marks(case, nic, scenario, has_marks):
    """Add the check of CE in the lossless queues."""
    marks = sum(get_class(nic, number, "marks") for number in LOSSLESS)
    check = "lossless: CE" if has_marks else "lossless: no CE"
    case.require(check, "above 0" if has_marks else "0", f"{marks:,}", (marks > 0) == has_marks, scenario)


def require_cnps(case, nic, scenario, has_cnps):
    """Add the checks of CNPs, and of their number in queue 5 of the switch."""
    cnps = nic.summary["cnps"]
    check = "CNPs" if has_cnps else "no CNPs"
    case.require(check, "above 0" if has_cnps else "0", f"{cnps:,}", (cnps > 0) == has_cnps, scenario)
    if has_cnps:
        # Each CNP is sent twice, by the NIC and by the switch.
        counted = get_class(nic, CNP_CLASS, "sent_bytes") / CNP_WIRE / 2
        share = abs(counted - cnps) / counted * 100 if counted else None
        value = "none" if share is None else f"{share:.1f} %"
        case.require(
            "CNPs match queue 5", f"{COUNTER_TOLERANCE} %", value, share is not None and share <= COUNTER_TOLERANCE, scenario
        )


def require_pauses(case, nic, scenario, least, most):
    """Add the check of the number of pause frames."""
    pauses = nic.summary["pfc_pauses"]
    text = f"at most {most}" if least == 0 else "above 0"
    case.require("pauses", text, f"{pauses:,}", least <= pauses <= most, scenario)


def get_shares(queues):
    """Return {queue: expected rate, percent of the port} by weights, no more than what is offered."""
    offered = {number: 100 * queues.count(number) for number in set(queues)} | {number: 50 for number in LOSSY}
    left, shares, open_queues = 100.0, {}, set(offered)
    while open_queues:
        weight = sum(WEIGHTS[number] for number in open_queues)
        met = {number for number in open_queues if offered[number] <= left * WEIGHTS[number] / weight}
        if not met:
            return shares | {number: left * WEIGHTS[number] / weight for number in open_queues}
        shares |= {number: offered[number] for number in met}
        left -= sum(offered[number] for number in met)
        open_queues -= met
    return shares


def require_weights(case, nic, scenario, queues):
    """Add the check of rates by weight, while all ranks send: from 10 % to 90 % of the time to the first end."""
    switch, receiver = len(queues) + 2, len(queues) + 1
    end = get_end(nic)
    shares = get_shares(queues)
    worst = 0
    for number, expected in shares.items():
        rows = within(select_class(nic, switch, receiver, number), 0.1 * end, 0.9 * end)
        steps = (0.9 - 0.1) * end / STEP_US
        worst = max(worst, abs(float(rows["gbps"].sum()) / steps - expected) / expected * 100)
    idle = max(get_idle_share(nic, number, end) for number in shares)
    value = f"{worst:.1f} %, a queue empty for {idle:.0f} %"
    case.require("rates by weight", f"within {RATE_TOLERANCE} %", value, worst <= RATE_TOLERANCE, scenario)


def judge_no_congestion(context, presets, size, seed):
    """Return the verdicts of test case 1."""
    result = context.sweep({"only": make_pairs(presets, size, seed)})["only"]
    verdicts = []
    for preset in presets:
        nic = result[preset]
        case = Case("RoCEv2 test case 1, no congestion", "#23240", preset)
        require_delivery(case, nic, "", nic.summary["workloads"])
        marks = sum(get_class(nic, number, "marks") for number in range(8))
        case.require("no CE", "0", f"{marks}", marks == 0)
        require_cnps(case, nic, "", False)
        require_pauses(case, nic, "", 0, 0)
        case.require(*check_queues(nic, size))
        slowdown = nic.summary["workloads"]["Q3"]["slowdown"]["mean"]
        case.report("completion in queue 3, relative to ideal", f"{slowdown:.3f}")
        verdicts += case.verdicts
    return verdicts


def check_queues(nic, size):
    """Return what Case.require() takes: whether data of each queue is in the queue of its priority, and only there."""
    wanted = {3: 2 * size, **{number: size for number in LOSSY}}
    # Each byte is sent twice; headers are less than 5 % of packets of 4096 bytes, and no class may have more.
    holds = all(1 <= get_class(nic, number, "sent_bytes") / 2 / least < 1.05 for number, least in wanted.items())
    extra = set(map(int, nic.summary["classes"])) - {*wanted, ACK_CLASS}
    return "data in the mapped queues", "all, and no other", f"{sorted(extra) or 'no'} other queues", holds and not extra


def judge_pfc(context, presets, size, seed):
    """Return the verdicts of test case 2: congestion without DCQCN and WRED."""
    results = context.sweep(
        {
            name: make_incast(f"pfc-{len(set(queues))}", presets, queues, True, False, False, size, seed)
            for name, queues in QUEUES.items()
        }
    )
    verdicts = []
    for preset in presets:
        case = Case("RoCEv2 test case 2, PFC", "#25347", preset)
        for name, queues in QUEUES.items():
            nic = results[name][preset]
            require_delivery(case, nic, name)
            require_marks(case, nic, name, False)
            require_cnps(case, nic, name, False)
            require_pauses(case, nic, name, 1, 1e9)
            lossy = sum(get_class(nic, number, "paused_ms") for number in LOSSY)
            case.require("no pauses of lossy queues", "0", f"{lossy:g} ms", lossy == 0, name)
            drops = [get_class(nic, number, "fabric_drops") for number in LOSSY]
            case.require("lossy queues lose packets", "above 0", f"{sum(drops):,}", min(drops) > 0, name)
            require_weights(case, nic, name, queues)
        verdicts += case.verdicts
    return verdicts


def judge_dcqcn(context, presets, size, seed):
    """Return the verdicts of test case 3: congestion with DCQCN."""
    results = context.sweep(
        {
            name: make_incast(f"dcqcn-{len(set(queues))}", presets, queues, True, True, True, size, seed)
            for name, queues in QUEUES.items()
        }
    )
    verdicts = []
    for preset in presets:
        case = Case("RoCEv2 test case 3, DCQCN", "#27040", preset)
        for name in QUEUES:
            require_control(case, results[name][preset], name)
        verdicts += case.verdicts
    return verdicts


def require_control(case, nic, scenario):
    """Add the checks of a run in which congestion control, not PFC, holds the queues."""
    require_delivery(case, nic, scenario)
    require_marks(case, nic, scenario, True)
    require_cnps(case, nic, scenario, True)
    require_pauses(case, nic, scenario, 0, FEW_PAUSES)
    case.report("deepest lossless queue (kmin: 1,049 kB)", f"{get_depth(nic) / 1e3:,.0f} kB", scenario)


def judge_storage(context, presets, size, seed):
    """Return the verdicts of test case 4: storage, with PFC alone and with DCQCN."""
    keys = [(has_control, name) for has_control in (False, True) for name in QUEUES]
    results = context.sweep(
        {
            key: make_incast(f"storage-{int(key[0])}-{len(set(QUEUES[key[1]]))}", presets, QUEUES[key[1]], True, key[0], True, size, seed)
            for key in keys
        }
    )
    verdicts = []
    for preset in presets:
        case = Case("RoCEv2 test case 4, storage", "#27207", preset)
        for has_control, name in keys:
            nic = results[has_control, name][preset]
            where = f"{'DCQCN' if has_control else 'PFC'}, {name}"
            if has_control:
                require_control(case, nic, where)
            else:
                require_delivery(case, nic, where)
                require_marks(case, nic, where, True)
                require_cnps(case, nic, where, True)
                require_pauses(case, nic, where, 1, 1e9)
        verdicts += case.verdicts
    return verdicts


def judge_fairness(context, presets, size, seed):
    """Return the verdicts of test case 6: the rates of three ranks with DCQCN."""
    results = context.sweep(
        {
            name: make_incast(f"fairness-{len(set(queues))}", presets, queues, False, True, True, size, seed)
            for name, queues in RANKS.items()
        }
    )
    verdicts = []
    for preset in presets:
        case = Case("RoCEv2 test case 6, fairness", "test_rocev2_qp_fairness_dcqcn.py", preset)
        for name in RANKS:
            nic = results[name][preset]
            require_control(case, nic, name)
            spread = get_spread(nic)
            case.require("rates of ranks", f"within {FAIRNESS} %", f"{spread:.0f} %", spread <= FAIRNESS, name)
        verdicts += case.verdicts
    return verdicts


def get_depth(nic):
    """Return the longest lossless queue at the receiver's port, bytes, at the times of samples."""
    rows = read_series(nic, "class")
    return max(int(rows["bytes"][rows["class"] == number].max(initial=0)) for number in LOSSLESS)


def get_idle_share(nic, number, end_us):
    """Return how often the queue of a class at the receiver's port was empty, percent of the samples of require_weights()."""
    rows = read_series(nic, "class")
    rows = within(rows[rows["class"] == number], 0.1 * end_us, 0.9 * end_us)
    return float((rows["bytes"] == 0).mean()) * 100


def get_end(nic):
    """Return the first end of a flow, us."""
    return float(numpy.min(nic.flows["start_ns"] + nic.flows["fct_ns"])) / 1e3


def get_spread(nic):
    """Return (highest - lowest) / mean of the ranks' rates, percent, in the second half of the time to the first end."""
    end = get_end(nic)
    rows = within(read_series(nic, "rate"), 0.5 * end, end)
    gained = []
    for src in sorted(set(rows["src"])):
        acked = rows[rows["src"] == src]["acked_bytes"]
        gained.append(int(acked.max()) - int(acked.min()))
    return (max(gained) - min(gained)) / numpy.mean(gained) * 100
