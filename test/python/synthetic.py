# SPDX-License-Identifier: GPL-2.0-only
"""Result folders in the exact format of build/rocelab, with numbers that tests can derive."""

import json

FLOWS_HEADER = (
    "flow,src,dst,bytes,start_ns,fct_ns,ideal_ns,slowdown,packets,retransmitted,timeouts,status"
)
FLOW_COUNT = 200
SMALL_FLOW_COUNT = 100  # Flows 1 to 100 are 50 kB, flows 101 to 200 are 200 kB.


def make_flows(factor, count=FLOW_COUNT):
    """Return flow rows; flow k of 1 to `count` has an FCT of k x factor us and an ideal of 1 us.

    All 200 flows have FCTs of 1 to 200 times the factor, in us, and slowdowns of the same values:
    mean (1 + ... + 200) / 200 = 100.5, P50 = the 100th = 100, P99 = the 198th = 198.
    """
    rows = []
    for number in range(1, count + 1):
        size = 50_000 if number <= SMALL_FLOW_COUNT else 200_000
        fct, slowdown = round(number * factor * 1000, 3), round(number * factor, 6)
        rows.append([number - 1, 0, 1, size, number * 10, fct, 1000, slowdown, 49, 0, 0, "completed"])
    return rows


def stop_flows(rows, numbers, status):
    """Give the flows `numbers` a status other than completed: no time, no slowdown."""
    for number in numbers:
        rows[number - 1][5] = rows[number - 1][7] = ""
        rows[number - 1][11] = status
    return rows


def summarize(rows):
    """Return summary.json of flow rows, every key of the format."""
    done = [row for row in rows if row[11] == "completed"]
    values = sorted(row[7] for row in done)  # Slowdown and FCT in us are the same numbers.

    def get_percentile(percent):
        # The definition, read word by word.
        return next(
            value
            for value in values
            if 100 * sum(other <= value for other in values) >= percent * len(values)
        )

    statistics = {"mean": None, "p50": None, "p99": None}
    if values:
        statistics = {
            "mean": sum(values) / len(values),
            "p50": get_percentile(50),
            "p99": get_percentile(99),
        }
    counts = {"started": len(rows), "completed": len(done)}
    for status in ("failed", "stalled"):
        counts[status] = sum(row[11] == status for row in rows)
    return {
        "partial": False,
        "flows": counts,
        "fct_us": statistics,
        "slowdown": dict(statistics),
        "goodput_gbps": 2345.678,
        "goodput_to_last_start_gbps": 3456.789,
        "drops": {"buffer-full": 1200, "link-loss": 34, "out-of-order": 1520000},
        "fabric_drops": 1234,
        "nic_discards": 1520000,
        "ecn_marks": 1234567,
        "pfc_pauses": 17,
        "cnps": 77,
        "retransmitted": 4321,
        "timeouts": 5,
        "packet_hops": 30000000,
        "events": 50000000,
        "simulated_ms": 12.5,
        "wall_seconds": 6.25,
        "packet_hops_per_second": 4800000.0,
        "peak_rss_bytes": 123456789,
    }


def write_nic(folder, rows, scenario, **changes):
    """Write RESULTS/<scenario>/<nic>/; `changes` replace keys of the summary."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [FLOWS_HEADER] + [",".join(str(field) for field in row) for row in rows]
    (folder / "flows.csv").write_text("\n".join(lines) + "\n")
    (folder / "summary.json").write_text(json.dumps(summarize(rows) | changes))
    named = {"name": folder.parent.name, "run": {"seed": 1}} | scenario  # Runs that are compared have one name.
    (folder / "scenario.json").write_text(json.dumps(named))


def write_scenario(folder, factors):
    """Write a complete scenario, {NIC: factor of make_flows()}, in that order; returns the folder."""
    scenario = {"name": folder.name, "nics": [{"name": nic, "preset": nic} for nic in factors]}
    for nic, factor in factors.items():
        write_nic(folder / nic, make_flows(factor), scenario)
    return folder
