# SPDX-License-Identifier: GPL-2.0-only
"""What limited a design in a scenario: the causes of its flows' time (`rocelab why`), or its counters."""

import csv

from rocelab.runs.engine import read_output
from rocelab.terminal.table import format_count

#: Columns of `rocelab why --all` that an ideal design has, too.
UNAVOIDABLE = ("serialization_ps", "propagation_ps", "fct_ps", "start_ps")
MOST_CAUSES = 2
LEAST_SHARE = 0.05  # Of the time; smaller causes are not named.
SLOWEST = 100  # Flows: the hundredth with the largest slowdown, at least one.
PARTS = ("collective", "sequence", "rpc", "messages")
WORDS = {
    "queueing": "queues",
    "scheduler": "other flows of the NIC",
    "sender_pfc": "pauses at the sender",
    "pfc": "pauses",
    "queue_pair": "own queue pair",
}


def describe_run(build, run, plugins, has_flows):
    """Return what limited a RunResult, "queues 60 %, window 12 %"; empty if nothing is known."""
    if not run.has_results:
        return run.messages[0] if run.messages else "no results"
    causes = describe_causes(build, run, plugins) if has_flows and not run.summary.get("workloads") else ""
    return "; ".join(filter(None, [describe_flows(run.summary), causes, describe_counters(run.summary)]))


def describe_flows(summary):
    """Return how many flows failed or stalled."""
    flows = summary["flows"]
    bad = flows["failed"] + flows["stalled"]
    return f"{bad:,} of {flows['started']:,} flows failed" if bad else ""


def describe_causes(build, run, plugins):
    """Return the largest avoidable causes of the slowest flows' time."""
    words = ["why", str(run.folder), "--all", *(word for plugin in plugins for word in ("--plugin", plugin))]
    rows = list(csv.DictReader(read_output(build, words).splitlines()))
    if not rows:
        return ""
    ideal = dict(zip(run.flows["flow"].astype(str), run.flows["ideal_ns"]))
    rows.sort(key=lambda row: (-int(row["fct_ps"]) / ideal[row["flow"]], int(row["flow"])))
    slowest = rows[: max(1, len(rows) // SLOWEST)]
    sums = {
        name.removesuffix("_ps"): sum(int(row[name]) for row in slowest)
        for name in slowest[0]
        if name.endswith("_ps") and name not in UNAVOIDABLE
    }
    total = sum(int(row["fct_ps"]) for row in slowest)
    order = sorted(sums, key=lambda name: (-sums[name], name))[:MOST_CAUSES]
    named = [f"{WORDS.get(name, name)} {100 * sums[name] / total:.0f} %" for name in order if sums[name] >= LEAST_SHARE * total]
    return ", ".join(named)


def describe_counters(summary):
    """Return packets sent again, expired timers, and contexts that were not on the chip."""
    parts = [summary, *(summary[name] for name in PARTS if name in summary)]
    parts += [part for one in summary.get("workloads", {}).values() for part in one.values() if isinstance(part, dict)]
    counts = {
        "packets sent again": sum(part.get("retransmitted") or 0 for part in parts),
        "timeouts": sum(part.get("timeouts") or 0 for part in parts),
        "context misses": summary.get("hardware", {}).get("context_misses", 0),
    }
    return ", ".join(f"{format_count(count)} {name}" for name, count in counts.items() if count)
