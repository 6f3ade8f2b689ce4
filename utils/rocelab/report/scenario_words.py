# SPDX-License-Identifier: GPL-2.0-only
"""What a run was of, in plain words: what a reader wants to know before the numbers."""

from rocelab.results.link_events import describe_link_events, list_link_events

#: Keys of a workload that are said in a line of their own, or are of no use to a reader.
SAID = {"type", "load", "duration", "name"}
MOST_LETTERS = 60  # Of a value; flows that are written out have many.


def describe_scenario(nics):
    """Return [(what, text)] of the scenario of NicResults; what it does not say is left out."""
    scenario = nics[0].scenario
    fabric, run = scenario.get("fabric") or {}, scenario.get("run") or {}
    workloads = scenario.get("workloads") or [scenario.get("workload") or {}]
    facts = [
        ("Workload" if len(workloads) == 1 else "Workloads", describe_each(workloads, describe_workload)),
        ("Load", describe_each(workloads, lambda workload: describe_load(workload, fabric))),
        ("Arrivals", describe_each(workloads, lambda workload: workload.get("duration", ""))),
        ("Simulated", describe_range([nic.summary.get("simulated_ms") for nic in nics])),
        ("Fabric", describe_fabric(fabric)),
        ("Links", describe_link_events(list_link_events(scenario))),
        ("End", describe_end(run, workloads)),
        ("Seed", str(run.get("seed", ""))),
    ]
    return [(what, text) for what, text in facts if text]


def describe_each(workloads, describe):
    """Return what describe(workload) says of each workload, with its name if it has one."""
    texts = [(workload.get("name", ""), str(describe(workload))) for workload in workloads]
    return "; ".join(f"{name}: {text}" if name else text for name, text in texts if text)


def describe_range(times):
    """Return "3.3 to 3.5 ms" of the NICs' simulated times; empty if one does not tell."""
    if None in times:
        return ""
    ends = dict.fromkeys(f"{time:.4g}" for time in (min(times), max(times)))
    return " to ".join(ends) + " ms"


def describe_workload(workload):
    """Return "poisson: sizes traces/cache-follower.cdf"."""
    kind = workload.get("type", "")
    parts = []
    for key, value in workload.items():
        if key in SAID:
            continue
        if isinstance(value, list):
            text = f"{len(value)} {key}"
        else:
            text = f"{key} {value}"
        parts.append(text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "...")
    return f"{kind}: {', '.join(parts)}" if parts else kind


def describe_load(workload, fabric):
    """Return "0.7 of the servers' links (100Gbps)"."""
    if "load" not in workload:
        return ""
    rate = f" ({fabric['hostRate']})" if "hostRate" in fabric else ""
    return f"{workload['load']} of the servers' links{rate}"


#: Numbers of docs/models/topologies.md that give a fabric its size.
SHAPE_KEYS = (
    *("preset", "k", "racks", "serversPerRack", "pods", "aggregation", "core"),
    *("leaves", "spines", "serversPerLeaf", "groups", "serversPerGroup", "rails", "a", "p", "h"),
)


def describe_fabric(fabric):
    """Return "fat-tree, 64 servers"."""
    words = [str(fabric.get("topology", ""))]
    words += [f"{fabric['servers']:,} servers"] if isinstance(fabric.get("servers"), int) else []
    words += [f"{key} {fabric[key]}" for key in SHAPE_KEYS if key in fabric]
    words += [str(fabric["file"])] if "file" in fabric else []
    return ", ".join(word for word in words if word)


def describe_end(run, workloads):
    """Return when a run ends."""
    if run.get("precision"):
        return f"when the mean slowdown is known within {run['precision']} of itself"
    if run.get("drain") is False and any("duration" in workload for workload in workloads):
        return "with the arrivals; flows under way then are cut off"
    return "when all flows have ended"
