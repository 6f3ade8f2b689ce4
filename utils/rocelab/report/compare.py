# SPDX-License-Identifier: GPL-2.0-only
"""rocelab compare: the NICs of one scenario side by side, as table, CSV and plots."""

import json
from itertools import compress
from pathlib import Path

from rocelab.draw import latency_plots, plots, time_plots
from rocelab.draw.style import save
from rocelab.files import write_text
from rocelab.report.limits import list_few_flows
from rocelab.results import csv_text
from rocelab.results.folders import load_scenario, select_workload, split_workloads
from rocelab.results.samples import ITERATIONS, REQUESTS
from rocelab.runs.engine import UNFINISHED_FLOWS, make_arguments, run_scenario
from rocelab.terminal.table import (
    MISSING,
    divide,
    format_count,
    format_number,
    format_ratio,
    format_table,
)

REFERENCE_NIC = "srnic"
FLOW_COLUMNS = 8  # After the first column: only flows have them.
PART_PLACE = 1 + FLOW_COLUMNS  # Of the columns of requests and collectives, after those of flows.
TRIM_PLACE = 10  # Of the column of trims, before that of drops.
INCOMPLETE_MARK = "*"
ALL = "all"  # In the column of workloads: the whole run.



def describe_row(nic):
    """Return the name of a row: of a NIC, or below it of one of its workloads."""
    if nic.workload:
        return f"  {nic.workload}"
    return nic.name + ("" if nic.is_complete else INCOMPLETE_MARK)


def format_flows(nic):
    """Return "done/started"; "-" for traffic of another kind alone."""
    return f"{nic.completed_count:,}/{nic.started_count:,}" if has_flows([nic]) else MISSING


# Header, and the text of one NIC's cell.
COLUMNS = (
    ("NIC\n", lambda nic: describe_row(nic)),
    ("flows\ndone/started", format_flows),
    ("FCT us\nmean", lambda nic: format_number(nic.fct_us("mean"))),
    ("FCT us\nP99", lambda nic: format_number(nic.fct_us("p99"))),
    ("slow-\ndown\nmean", lambda nic: format_number(nic.slowdown("mean"))),
    ("slow-\ndown\nP50", lambda nic: format_number(nic.slowdown("p50"))),
    ("slow-\ndown\nP99", lambda nic: format_number(nic.slowdown("p99"))),
    ("slow-\ndown\n<100kB", lambda nic: format_number(nic.small_flow_slowdown)),
    # The first is not lowered by a tail of few flows, the second is (docs/reference/results.md).
    ("Gbps to\nlast\nstart", lambda nic: format_number(nic.goodput_to_last_start_gbps)),
    ("Gbps to\nlast\nend", lambda nic: format_number(nic.goodput_gbps)),
    ("fabric\ndrops", lambda nic: format_count(nic.summary["fabric_drops"])),
    ("NIC\ndiscards", lambda nic: format_count(nic.summary["nic_discards"])),
    ("re-\nsent", lambda nic: format_count(nic.count("retransmitted"))),
    ("time-\nouts", lambda nic: format_count(nic.count("timeouts"))),
    ("ECN\nmarks", lambda nic: format_count(nic.summary["ecn_marks"])),
    ("PFC\npauses", lambda nic: format_count(nic.summary["pfc_pauses"])),
    ("wall\ns", lambda nic: format_number(nic.summary["wall_seconds"])),
    ("speed\nMhops/s", lambda nic: format_number(divide(nic.summary["packet_hops_per_second"], 1e6))),
)

#: Packets whose payload a switch removed: no drops.
TRIM_COLUMN = ("\ntrims", lambda nic: format_count(nic.summary.get("trims")))

#: How many of a part's operations there are: header, and the text of its summary.
PART_COUNTS = {
    "rpc": ("requests\nmeasured", lambda part: format_count(part["measured"])),
    "messages": ("messages\nmeasured", lambda part: format_count(part["measured"])),
    "collective": ("iterations\ndone/planned", lambda part: f"{part['completed']:,}/{part['iterations']:,}"),
    "sequence": ("sequences\ndone/planned", lambda part: f"{part['completed']:,}/{part['iterations']:,}"),
}

LATENCY_COLUMNS = tuple(
    (f"latency us\n{word}", f"latency_us_{key}", ("latency_us", key))
    for word, key in (("mean", "mean"), ("P50", "p50"), ("P99", "p99"), ("P99.9", "p999"))
)

#: The same of what workloads add: header, column of compare.csv, keys of the number in the summary.
PART_COLUMNS = {
    "rpc": LATENCY_COLUMNS,
    "messages": LATENCY_COLUMNS,
    "collective": (
        ("iteration\nmean us", "iteration_us_mean", ("time_us", "mean")),
        ("iteration\nP99 us", "iteration_us_p99", ("time_us", "p99")),
        ("bus\nGbps", "busbw_gbps", ("busbw_gbps",)),
        ("iteration\nslowdown", "iteration_slowdown", ("slowdown",)),
    ),
    "sequence": (
        ("sequence\nmean us", "sequence_us_mean", ("time_us", "mean")),
        ("sequence\nP99 us", "sequence_us_p99", ("time_us", "p99")),
    ),
}

FLUID_NOTE = "without the {count:,} flows that began as a fluid (run.fluidStart)"

# Stands behind the line of a run that left flows: with them, its means would be larger.
SOME_NOTE = "means of finished flows only"

# Header of the text table, column of compare.csv, and the number that is set in relation.
RATIOS = (
    ("mean FCT", "fct_mean_ratio", lambda nic: nic.fct_us("mean")),
    ("P99 FCT", "fct_p99_ratio", lambda nic: nic.fct_us("p99")),
    ("mean slowdown", "slowdown_mean_ratio", lambda nic: nic.slowdown("mean")),
)

LATENCY_RATIOS = (
    ("mean latency", "latency_mean_ratio", ("latency_us", "mean")),
    ("P99 latency", "latency_p99_ratio", ("latency_us", "p99")),
)

#: The same of what workloads add: header, column of compare.csv, keys of the number in the summary.
PART_RATIOS = {
    "rpc": LATENCY_RATIOS,
    "messages": LATENCY_RATIOS,
    "collective": (
        ("mean iteration", "iteration_mean_ratio", ("time_us", "mean")),
        ("P99 iteration", "iteration_p99_ratio", ("time_us", "p99")),
    ),
    "sequence": (
        ("mean sequence", "sequence_mean_ratio", ("time_us", "mean")),
        ("P99 sequence", "sequence_p99_ratio", ("time_us", "p99")),
    ),
}

SUMMARY_COUNTERS = (
    "trims",
    "fabric_drops",
    "nic_discards",
    "ecn_marks",
    "pfc_pauses",
    "cnps",
    "packet_hops",
    "wall_seconds",
    "packet_hops_per_second",
    "peak_rss_bytes",
)


def list_rows(scenario):
    """Return the results that tables have a row of: of each NIC, then of each workload of its list."""
    return [row for nic in scenario.nics for row in [nic, *map(nic.select, nic.workloads)]]


def get_part_number(nic, part, keys):
    """Return a number of a part of a result's summary; None if it has none."""
    value = nic.summary.get(part, {})
    for key in keys:
        value = value.get(key, {})
    return None if value == {} else value


def has_flows(rows):
    """Tell whether a table has the columns of flows: unless all traffic is of other kinds."""
    return any(nic.started_count or not nic.traffic for nic in rows)


def format_part_count(nic, part, text):
    """Return the cell of PART_COUNTS; "-" for a result without the part."""
    return text(nic.summary[part]) if part in nic.summary else MISSING


def get_part_columns(rows):
    """Return the columns of the parts that any row has."""
    columns = []
    for part in PART_COLUMNS:
        if any(part in nic.summary for nic in rows):
            header, text = PART_COUNTS[part]
            columns.append((header, lambda nic, part=part, text=text: format_part_count(nic, part, text)))
            columns += [
                (header, lambda nic, part=part, keys=keys: format_number(get_part_number(nic, part, keys)))
                for header, _, keys in PART_COLUMNS[part]
            ]
    return columns


def get_columns(rows):
    """Return COLUMNS, with those of the parts that any row has, and of trims if there are any.

    Those of flows are left out if all traffic is of other kinds.
    """
    trims = [TRIM_COLUMN] if any(nic.summary.get("trims") for nic in rows) else []
    flows = COLUMNS[1:PART_PLACE] if has_flows(rows) else ()
    after = [*COLUMNS[PART_PLACE:TRIM_PLACE], *trims, *COLUMNS[TRIM_PLACE:]]
    return [COLUMNS[0], *flows, *get_part_columns(rows), *after]


def get_reference(scenario):
    """Return the NIC that ratios refer to: srnic, or the first one of a scenario without it."""
    names = [nic.name for nic in scenario.nics]
    return scenario[REFERENCE_NIC] if REFERENCE_NIC in names else scenario.nics[0]


def get_ratio_columns(rows):
    """Return RATIOS, with those of the parts that any row has."""
    added = [
        (header, column, lambda nic, part=part, keys=keys: get_part_number(nic, part, keys))
        for part, columns in PART_RATIOS.items()
        if any(part in nic.summary for nic in rows)
        for header, column, keys in columns
    ]
    return [*RATIOS, *added]


def get_ratios(nic, reference, columns):
    """Return the ratios of `nic` to `reference`, of get_ratio_columns(); None where one has no number.

    Those of a workload are to the same workload.
    """
    if nic.workload and not reference.workload:
        reference = reference.select(nic.workload) if nic.workload in reference.workloads else nic
    return [divide(number(nic), number(reference)) for _, _, number in columns]


def get_known_ratio_columns(rows, reference):
    """Return get_ratio_columns() without those of which no row has a number, unless that is all of them.

    Without flows, those of flows are left out in any case.
    """
    columns = get_ratio_columns(rows)
    columns = columns if has_flows(rows) else columns[len(RATIOS) :]
    numbers = [get_ratios(nic, reference, columns) for nic in rows]
    known = [any(row[place] is not None for row in numbers) for place in range(len(columns))]
    return list(compress(columns, known)) or columns


def format_ratios(rows, reference):
    """Return the table of ratios."""
    columns = get_known_ratio_columns(rows, reference)
    return format_table(
        [f"ratio to {reference.name}"] + [header for header, _, _ in columns],
        [
            [describe_row(nic)] + [format_ratio(ratio) for ratio in get_ratios(nic, reference, columns)]
            for nic in rows
        ],
    )


def format_comparison(scenario):
    """Return the text that the command prints: results, ratios, and what is incomplete."""
    reference = get_reference(scenario)
    rows = list_rows(scenario)
    columns = get_columns(rows)
    results = add_notes(
        rows,
        format_table(
            [header for header, _ in columns],
            [[cell(nic) for _, cell in columns] for nic in rows],
        ),
    )
    ratios = add_notes(rows, format_ratios(rows, reference))
    parts = [f"Scenario {scenario.name}", results, ratios]
    notes = [f"* {nic.name}: {nic.defect}" for nic in scenario.nics if not nic.is_complete]
    notes += list_fluid_notes(scenario.nics)
    notes += [f"  {nic.name}: {note}" for nic in scenario.nics for note in nic.summary.get("notes", [])]
    notes += [f"  {line}" for line in list_few_flows(scenario)]
    notes += [f"  {name}: no results" for name in scenario.missing]
    if notes:
        parts.append("\n".join(notes))
    return "\n\n".join(parts)


def list_fluid_notes(nics):
    """Return a line for each NIC some of whose flows are in no mean, because they began as a fluid."""
    return [f"  {nic.name}: {FLUID_NOTE.format(count=nic.fluid_count)}" for nic in nics if nic.fluid_count]


def add_notes(rows, table):
    """Return a table of results with what has to be said about the means of a line."""
    lines = table.split("\n")
    heads = len(lines) - len(rows)
    for number, nic in enumerate(rows, start=heads):
        if nic.has_means_of_some and nic.completed_count:
            lines[number] += f"  {SOME_NOTE}"
    return "\n".join(lines)


def get_csv_row(nic, reference, ratios):
    """Return {column of compare.csv: value} for one NIC; None becomes an empty field."""
    row = {"nic": nic.name}
    if nic.workloads or nic.workload:
        row["workload"] = nic.workload or ALL
    row["complete"] = "yes" if nic.is_complete else "no"
    row["partial"] = "yes" if nic.is_partial else "no"
    row.update(nic.summary["flows"])
    for statistic in ("mean", "p50", "p99"):
        row[f"fct_us_{statistic}"] = nic.fct_us(statistic)
    for statistic in ("mean", "p50", "p99"):
        row[f"slowdown_{statistic}"] = nic.slowdown(statistic)
    row["slowdown_mean_below_100kB"] = nic.small_flow_slowdown
    for part, columns in PART_COLUMNS.items():
        if part in nic.summary:
            row.update((column, get_part_number(nic, part, keys)) for _, column, keys in columns)
    row["goodput_gbps"] = nic.goodput_gbps
    row["goodput_to_last_start_gbps"] = nic.goodput_to_last_start_gbps
    row.update((key, nic.count(key)) for key in ("retransmitted", "timeouts"))
    row.update((key, nic.summary.get(key)) for key in SUMMARY_COUNTERS)
    row["ratio_to"] = reference.name
    for (_, column, _), ratio in zip(ratios, get_ratios(nic, reference, ratios)):
        row[column] = ratio
    return row


def list_csv_rows(scenario):
    """Return {column of compare.csv: value} of each NIC and each workload of its list."""
    reference = get_reference(scenario)
    nics = list_rows(scenario)
    ratios = get_ratio_columns(nics)
    return [get_csv_row(nic, reference, ratios) for nic in nics]


def format_csv(scenario):
    """Return compare.csv: one header line and a line per NIC, numbers with 9 significant digits."""
    rows = list_csv_rows(scenario)
    # A key that only some runs have, as of flows that had not ended, is in all lines.
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return csv_text.format_table([columns, *([row.get(key) for key in columns] for row in rows)])


def write_comparison(folder, workload=None):
    """Load RESULTS/<scenario>, write compare.csv and plots/, print the table; returns the paths.

    With `workload`, of that one of a list of workloads alone. The files come first: the reader of the table may have closed its pipe.
    """
    scenario = load_scenario(folder)
    if workload is not None:
        scenario = select_workload(scenario, workload)
    drawn = split_workloads(scenario)
    folder = Path(folder)
    try:
        written = [write_text(folder / "compare.csv", format_csv(scenario))]
        # The engine removes these by name when results change (result-names.cc).
        if any(nic.started_count for nic in scenario.nics):
            for stem, draw in (
                ("fct", plots.draw_fct_bars),
                ("slowdown", plots.draw_slowdown_bars),
                ("fct-cdf", plots.draw_fct_cdf),
                ("fct-ccdf", plots.draw_fct_ccdf),
                ("slowdown-by-size", plots.draw_slowdown_by_size),
            ):
                written += save(draw(drawn), folder / "plots" / stem)
        for samples, stem, draw in (
            (REQUESTS, "latency-cdf", latency_plots.draw_latency_cdf),
            (REQUESTS, "latency-ccdf", latency_plots.draw_latency_ccdf),
            (ITERATIONS, "iteration-cdf", latency_plots.draw_iteration_cdf),
            (ITERATIONS, "iteration-ccdf", latency_plots.draw_iteration_ccdf),
        ):
            if any(map(samples.is_in, scenario.nics)):
                written += save(draw(scenario), folder / "plots" / stem)
        for series, stem, draw in time_plots.DRAWINGS:
            if time_plots.has_series(scenario, series):
                written += save(draw(scenario), folder / "plots" / stem)
    finally:
        print(format_comparison(scenario))
    return written


def find_name(file, sets):
    """Return the name of a scenario, which is that of its results; --set can change it."""
    for change in reversed(sets):
        path, _, value = change.partition("=")
        if path in ("name", "$.name"):
            return value.strip('"')
    return json.loads(Path(file).read_text(encoding="utf-8-sig"))["name"]


def run_comparison(build, file, out, sets, words, workload=None, **options):
    """Run a scenario file and compare its NICs; returns (exit status of the run, paths).

    `words` and `options` are further options of `rocelab run`. A run that fails has no results to
    compare; a run with unfinished flows has.
    """
    words = words + make_arguments({"set": sets, **options})
    status = run_scenario(build, file, out, words)
    if status not in (0, UNFINISHED_FLOWS):
        return status, []
    return status, write_comparison(Path(out) / find_name(file, sets), workload)
