# SPDX-License-Identifier: GPL-2.0-only
"""What limited a design in a scenario: the causes of its slowest flow's time (`rocelab why`), or its counters."""

from rocelab.runs.engine import run_json_command
from rocelab.terminal.table import format_count

#: Causes of `rocelab why` that an ideal design has, too.
UNAVOIDABLE = ("serialization", "propagation")
MOST_CAUSES = 2
LEAST_SHARE = 0.05  # Of the time; smaller causes are not named.
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
        return shorten(run.messages[0]) if run.messages else "no results"
    causes = describe_causes(build, run, plugins) if has_flows and not run.summary.get("workloads") else ""
    return "; ".join(filter(None, [describe_flows(run.summary), causes, describe_counters(run.summary)]))


def shorten(message):
    """Return a message of the program without the scenario file, which has a place of its own on each machine."""
    return message.rpartition(".json: ")[2]


def describe_flows(summary):
    """Return how many flows failed or stalled."""
    flows = summary["flows"]
    bad = flows["failed"] + flows["stalled"]
    return f"{bad:,} of {flows['started']:,} flows failed" if bad else ""


def describe_causes(build, run, plugins):
    """Return the largest avoidable causes of the slowest flow's time."""
    completed = run.flows[run.flows["status"] == "completed"]
    if not len(completed):
        return ""
    slowest = completed.loc[completed["slowdown"].idxmax(), "flow"]
    words = ["why", str(run.folder), str(slowest), "--json", *(word for plugin in plugins for word in ("--plugin", plugin))]
    found = run_json_command(build, words)
    sums = {}
    for part in found["parts"]:
        if part["cause"] not in UNAVOIDABLE:
            sums[part["cause"]] = sums.get(part["cause"], 0) + part["ps"]
    order = sorted(sums, key=lambda cause: (-sums[cause], cause))[:MOST_CAUSES]
    shares = {cause: sums[cause] / found["fct_ps"] for cause in order}
    named = [f"{WORDS.get(cause, cause)} {100 * share:.0f} %" for cause, share in shares.items() if share >= LEAST_SHARE]
    return f"slowest flow: {', '.join(named)}" if named else ""


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
