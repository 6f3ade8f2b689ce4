# SPDX-License-Identifier: GPL-2.0-only
"""What a reader of results has to know beside the numbers: warnings, and what was not modelled."""

FEW_FLOWS = 1000  # A P99 of fewer rests on less than ten flows.


def get_hardware(nic):
    """Return "on" or "off" of the one NIC in a run's scenario.json; "on" if any of a group is."""
    entries = [entry for entry in nic.scenario.get("nics", []) if isinstance(entry, dict)]
    kinds = {str(group.get("hardware", "off")) for entry in entries for group in get_designs(entry)}
    return "on" if "on" in kinds else "off"


def get_designs(entry):
    """Return the designs of an entry of `nics`: itself, or those of its groups."""
    groups = entry.get("groups")
    if isinstance(groups, dict):
        return [design for design in groups.values() if isinstance(design, dict)] or [entry]
    return [entry]


def list_few_flows(scenario):
    """Return a line if flows are too few for a P99; else nothing."""
    few = {nic.name: len(nic.completed) for nic in scenario.nics if nic.started_count and len(nic.completed) < FEW_FLOWS}
    counts = ", ".join(f"{name} {count:,}" for name, count in few.items())
    return [f"A P99 rests on the slowest hundredth of few flows ({counts})."] if few else []


def get_warnings(scenario):
    """Return lines on what is amiss with the runs, the gravest first."""
    lines = [f"{name}: no results." for name in scenario.missing]
    for nic in scenario.nics:
        if not nic.is_complete:
            lines.append(f"{nic.name}: {nic.defect}.")
        lines += [f"{nic.name}: {text}." for text in nic.summary.get("notes", [])]
        lines += [f"{nic.name}: broken invariant: {text}" for text in nic.summary.get("violations", [])]
        if nic.has_means_of_some:
            lines.append(f"{nic.name}: means are of the flows that completed.")
        if nic.fluid_count:
            lines.append(
                f"{nic.name}: means, tables and plots are without the {nic.fluid_count:,} flows that began as a fluid."
            )
    lines += list_few_flows(scenario)
    versions = {(nic.scenario.get("rocelab") or {}).get("version") for nic in scenario.nics}
    if len(versions) > 1:
        names = ", ".join(sorted(str(version) for version in versions))
        lines.append(f"The runs are of different versions of the program ({names}).")
    plugins = sorted(
        {name for nic in scenario.nics for name in (nic.scenario.get("rocelab") or {}).get("plugins", [])}
    )
    if plugins:
        lines.append(f"Plug-ins are loaded: {', '.join(plugins)}.")
    return lines


#: Workloads of flows; all others are programs that call, stream or compute.
FLOW_TYPES = ("poisson", "incast", "flows", "hpcc-trace", "graph")


def has_flows(scenario):
    """Tell whether a scenario.json has a workload of flows."""
    workloads = scenario.get("workloads") or [scenario.get("workload") or {}]
    return any(workload.get("type") in FLOW_TYPES for workload in workloads)


def describe_routes(events):
    """Return lines on when routes follow the link events of a scenario.json."""
    events = [event for event in events if isinstance(event, dict) and is_seen(event)]
    delays = list(dict.fromkeys(str(event["routesAfter"]) for event in events if "routesAfter" in event))
    lines = []
    if any("routesAfter" not in event for event in events):
        lines.append("Routes follow a link that changes at once.")
    if delays:
        lines.append(
            f"The routes of all switches follow a link that changes at one time, {' or '.join(delays)} later"
            " (routesAfter): messages of routing protocols are not simulated."
        )
    return lines


def is_seen(event):
    """Tell whether the ends of a link detect what happens to it."""
    return "loss" not in event and event.get("state") != "half-open"


def is_set(time):
    """Tell whether a time of a scenario.json is above zero."""
    return any(digit in str(time or "") for digit in "123456789")


def get_limits(scenario):
    """Return lines on what these runs do not model, by their scenario (README, docs/)."""
    common = scenario.nics[0].scenario
    fabric = common.get("fabric") or {}
    off = [nic.name for nic in scenario.nics if get_hardware(nic) == "off"]
    on = [nic.name for nic in scenario.nics if get_hardware(nic) == "on"]
    lines = []
    if off:
        lines.append(
            f"Hardware off ({', '.join(off)}): PCIe, caches, pipelines and the host's cores take no time;"
            " the runs compare transports."
        )
    if on:
        lines.append(
            f"Hardware on ({', '.join(on)}): some values are our estimates, and some are fitted"
            " (docs/models/nic-hardware.md, docs/validation/validation.md)."
        )
    lines.append("Switches store and forward in zero time: no look-up, no crossbar.")
    lines += describe_routes(common.get("linkEvents") or [])
    if fabric.get("framing") == "none":
        lines.append("Preamble, FCS and gap between packets take no time on the wire.")
    lines.append("Connections exist from the start, without a handshake.")
    if has_flows(common):
        lines.append("Flows are WRITEs on reliable connections; the applications themselves take no time.")
    run = common.get("run") or {}
    if is_set(run.get("fluidStart")):
        lines.append("The run begins with the flows of a fluid model, whose queues are empty.")
    elif has_flows(common) and not run.get("precision"):
        lines.append("The run begins with an empty network; its means include the time in which it fills.")
    lines.append(
        f"One seed ({run.get('seed', 'unknown')}): the spread between seeds is not in these numbers."
    )
    return lines
