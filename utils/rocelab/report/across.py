# SPDX-License-Identifier: GPL-2.0-only
"""rocelab compare with several scenarios: the same NICs in several fabrics side by side."""

from pathlib import Path

from rocelab.draw import across
from rocelab.draw.style import save
from rocelab.files import write_text
from rocelab.report.compare import RATIOS, get_reference
from rocelab.results import csv_text
from rocelab.terminal.table import divide, format_count, format_number, format_ratio, format_table
from rocelab.validate.facts import get_fact

#: SRNIC section 6.3, Figure 12: the least and the most of the ratios of ConnectX-6 to SRNIC.
PAPER_FACTS = ("SRNIC-110", "SRNIC-111")
PAPER_NICS = ("connectx6", "srnic")
PAPER_SIZES = "cache-follower.cdf"


def write_across(scenarios, out):
    """Write fabrics.csv and plots/fabrics, print the table and what it shows; returns the paths."""
    out = Path(out)
    rows = list_rows(scenarios)
    try:
        written = [write_text(out / "fabrics.csv", format_csv(rows))]
        if any(nic.started_count for one in scenarios for nic in one.nics):
            written += save(across.draw_slowdown_by_size(scenarios), out / "plots" / "fabrics")
    finally:
        print(format_across(scenarios))
    return written


def count_trims(nic):
    """Return how many packets reached the NIC without their payload, which is lost."""
    return nic.summary.get("trims", 0) - nic.summary.get("trimmed_drops", 0)


def count_lost(nic):
    """Return how many frames the fabric dropped or trimmed, acknowledgments included; a NIC's discards are no losses.

    A trimmed packet that is dropped later, or that the NIC does not answer, is a drop.
    """
    answered = count_trims(nic) - nic.summary["drops"].get("trimmed", 0)
    return nic.summary["fabric_drops"] + answered


def get_resent_per_lost(nic):
    """Return how many packets a run sent again for each frame that the fabric dropped or trimmed; None without a loss."""
    return divide(nic.summary["retransmitted"], count_lost(nic))


def list_rows(scenarios):
    """Return [(ScenarioResult, NicResult, [its RATIOS to the reference NIC of the scenario])]."""
    rows = []
    for scenario in scenarios:
        reference = get_reference(scenario)
        for nic in scenario.nics:
            ratios = [divide(number(nic), number(reference)) for _, _, number in RATIOS]
            rows.append((scenario, nic, ratios))
    return rows


def format_csv(rows):
    """Return fabrics.csv: a line per scenario and NIC."""
    header = ["scenario", "nic", "complete", *(column for _, column, _ in RATIOS)]
    header += ["trims", "fabric_drops", "retransmitted", "timeouts", "pfc_pauses"]
    table = [
        [
            scenario.name,
            nic.name,
            "yes" if nic.is_complete else "no",
            *ratios,
            *(nic.summary.get(key) for key in header[-5:]),
        ]
        for scenario, nic, ratios in rows
    ]
    return csv_text.format_table([header, *table])


def format_across(scenarios):
    """Return the text that the command prints below the tables of the scenarios."""
    rows = list_rows(scenarios)
    headers = ["scenario", "NIC"]
    headers += [f"{header}\nratio" for header, _, _ in RATIOS]
    headers += ["\ntrims", "fabric\ndrops", "resent\nper loss", "time-\nouts", "PFC\npauses"]
    table = format_table(
        headers,
        [
            [
                scenario.name,
                nic.name + ("" if nic.is_complete else "*"),
                *map(format_ratio, ratios),
                format_count(nic.summary.get("trims", 0)),
                format_count(nic.summary["fabric_drops"]),
                format_number(get_resent_per_lost(nic)),
                format_count(nic.summary["timeouts"]),
                format_count(nic.summary["pfc_pauses"]),
            ]
            for scenario, nic, ratios in rows
        ],
    )
    sentences = [describe(one) for one in scenarios for describe in (describe_order, describe_losses)]
    sentences.append(describe_paper(scenarios))
    names = ", ".join(dict.fromkeys(get_reference(one).name for one in scenarios))
    parts = [f"All scenarios, ratios to {names} of the same scenario", table, "\n".join(filter(None, sentences))]
    return "\n\n".join(part for part in parts if part)


def describe_order(scenario):
    """Return a sentence: the design with the least mean slowdown, and the ratios of the others to it."""
    known = [(nic.slowdown("mean"), nic.name) for nic in scenario.nics if nic.slowdown("mean") is not None]
    if len(known) < 2:
        return ""
    (best, winner), *others = sorted(known)
    text = ", ".join(f"{name} {format_ratio(value / best)}" for value, name in others)
    return f"{scenario.name}: {winner} has the lowest mean slowdown, {format_number(best)}; {text}."


def describe_losses(scenario):
    """Return a sentence about the packets that each design sent again per lost frame."""
    numbers = [(get_resent_per_lost(nic), nic.name) for nic in scenario.nics]
    known = sorted((number, name) for number, name in numbers if number is not None)
    if not known:
        return f"{scenario.name}: the fabric dropped no frame."
    loss = "dropped or trimmed" if any(map(count_trims, scenario.nics)) else "dropped"
    text = ", ".join(f"{name} {format_number(number)}" for number, name in known)
    return f"{scenario.name}: packets sent again per frame that the fabric {loss}: {text}."


def describe_paper(scenarios):
    """Return what SRNIC's paper states of this comparison, beside our numbers; empty for another one."""
    ours = []
    for scenario in filter(is_papers, scenarios):
        base, other = (scenario[name] for name in reversed(PAPER_NICS))
        ratios = [divide(number(other), number(base)) for _, _, number in RATIOS]
        ours.append(f"{scenario.name} {', '.join(map(format_ratio, ratios))}")
    if not ours:
        return ""
    least, most = (get_fact(name).value for name in PAPER_FACTS)
    return (
        f"SRNIC's paper (Figure 12) has {least:g} to {most:g} for ConnectX-6 with PFC over SRNIC in mean FCT, P99 FCT and"
        f" mean slowdown; here: {'; '.join(ours)} (examples/srnic/figure-12/README.md)."
    )


def is_papers(scenario):
    """Tell whether a scenario has Figure 12's kind of fabric, traffic and both of its NICs."""
    names = [nic.name for nic in scenario.nics]
    if not all(name in names for name in PAPER_NICS):
        return False
    resolved = scenario.nics[0].scenario
    workload = resolved.get("workload") or {}
    return (
        resolved.get("fabric", {}).get("topology") == "fat-tree"
        and workload.get("type") == "poisson"
        and Path(str(workload.get("sizes", ""))).name == PAPER_SIZES
    )
