# SPDX-License-Identifier: GPL-2.0-only
"""Cases of forwarding: the highest rate without loss, and the latency under load."""

from ..common import Case, get_stream, make_dut, make_scenario, make_stream

PORTS = 4
PAYLOADS = (64, 128, 256, 512, 1024, 4096, 8192)  # The plan's frame sizes; here they are payload, as RoCE has no 64.
LEAST_STEP = 0.5  # Percent of the line rate at which the search ends.


def make_mesh(name, payload, percent, seed, duration_us=200, number=1):
    """Return the scenario of a full mesh: each port sends the same rate to each other."""
    workloads = [
        make_stream(f"from-{src}-to-{dst}", src, dst, number, percent / (PORTS - 1), 0, duration_us, payload)
        for src in range(PORTS)
        for dst in range(PORTS)
        if src != dst
    ]
    scenario = make_scenario(name, make_dut(PORTS, mtu=max(payload, 1024)), workloads, seed)
    return scenario


def count_lost(nic):
    """Return the messages that a run lost."""
    return sum(get_stream(nic, name)[2] for name in nic.summary["workloads"])


def search_rate(context, payload, seed):
    """Return the highest rate without loss, percent, by the plan's search: 100, 10, then halves."""
    def is_lossless(percent):
        scenario = make_mesh(f"mesh-{payload}-{percent:g}", payload, percent, seed)
        return count_lost(context.run_scenario(scenario).nics[0]) == 0

    if is_lossless(100):
        return 100.0
    low, high = (10.0, 100.0) if is_lossless(10) else (0.0, 10.0)
    while high - low > LEAST_STEP:
        middle = (low + high) / 2
        low, high = (middle, high) if is_lossless(middle) else (low, middle)
    return low


def judge_threshold(context, payloads, seed):
    """Return the highest rates without loss of a lossy queue; the plan has no threshold for them."""
    case = Case("Packet drop threshold", "switch-packet-drop-threshold-tests.md")
    for payload in payloads:
        case.report("highest rate without loss", f"{search_rate(context, payload, seed):.4g} %", f"{payload} bytes")
    return case.verdicts


def make_latency(name, load, payload, has_overload, seed):
    """Return the scenario of probes from port 0 to the last port beside traffic of the tester."""
    scenario = make_mesh(name, payload, load, seed, 1000, 3)
    if has_overload:
        last = PORTS - 1
        scenario["workloads"] = [
            make_stream(f"from-{src}-to-{last}", src, last, 3, load / (PORTS - 1), 0, 1000, payload) for src in range(PORTS - 1)
        ]
    probes = [{"src": PORTS, "dst": PORTS - 1, "bytes": 64, "start": f"{time}us"} for time in range(100, 1000, 10)]
    scenario["workloads"].append({"name": "probes", "type": "flows", "priority": 3, "flows": probes})
    scenario["fabric"]["servers"] = PORTS + 1
    return scenario


def judge_latency(context, seed):
    """Return the latencies of small WRITEs beside load; the plan has no threshold for them."""
    loads = [(60, 1024, False), (90, 1024, False), (90, 4096, False), (110, 1024, True), (110, 4096, True)]
    scenarios = {key: make_latency(f"latency-{key[0]}-{key[1]}-{int(key[2])}", *key, seed) for key in loads}
    results = context.sweep(scenarios)
    case = Case("Switch latency, test cases 1 and 2", "switch-latency-tests.md")
    for load, payload, has_overload in loads:
        flows = results[load, payload, has_overload].nics[0].select("probes").completed
        waits = (flows["fct_ns"] - flows["ideal_ns"]) / 1e3
        shape = "one port oversubscribed" if has_overload else "full mesh"
        case.report(
            "latency above idle: least, mean, highest",
            f"{waits.min():.2f}, {waits.mean():.2f}, {waits.max():.2f} us",
            f"{shape}, {load} %, {payload} bytes",
        )
    return case.verdicts
