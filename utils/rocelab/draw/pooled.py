# SPDX-License-Identifier: GPL-2.0-only
"""Distributions of a sweep: the flows of all seeds of a point together, a series per NIC and point."""

from dataclasses import replace
from functools import partial

import numpy

from rocelab.draw import own_style, plots
from rocelab.errors import UserError
from rocelab.results.confidence import get_interval
from rocelab.results.folders import ScenarioResult, check_workload, load_nic
from rocelab.results.sweep_table import FOLDER, MOST_SERIES, find_others, keep_where, load_runs

COUNTS = ("started", "completed", "failed", "stalled")
ENDED = ("done", "stalled")  # Runs that have results.


def load_pooled(table, options):
    """Return (ScenarioResult, {name of a series: [flows of a seed that completed, ...]}) of a SweepTable.

    `options` are those of the command plot. Raises UserError for too many series.
    """
    given = next((name for name in ("x", "y") if getattr(options, name)), None)
    if given:
        raise UserError(f"--{given}: expected a picture over an axis of a sweep, got {options.kind}")
    table = load_runs(table)
    rows = [row for row in keep_where(table, options.where) if row["status"] in ENDED]
    if not rows:
        raise UserError(f"{table.folder}: expected runs with results, got none")
    others = find_others(table, rows)
    runs = {}
    for row in rows:
        place = [f"{axis} {row[axis]}" for axis in others]
        for nic, workload in select(load_nic(row[FOLDER]), options.workload):
            words = [workload, *place] if workload else place
            name = f"{row['nic']}: {', '.join(words)}" if words else row["nic"]
            runs.setdefault(name, []).append(nic)
        if len(runs) > MOST_SERIES:
            raise UserError(
                f"{table.folder}: expected at most {MOST_SERIES} series, got more: fix an axis by"
                f" --where AXIS=VALUE ({', '.join(['nic', *others])})"
            )
    pooled = [pool(name, runs[name]) for name in own_style.get_current().sort(list(runs))]
    seeds = {name: [nic.completed for nic in found] for name, found in runs.items()}
    return ScenarioResult(table.name, table.folder, pooled), seeds


def select(nic, workload):
    """Return [(NicResult, name of its workload)]: of one workload, of each of a list, or of the run."""
    if workload is not None:
        check_workload(nic, workload)
        return [(nic.select(workload), "")]
    return [(nic.select(name), name) for name in nic.workloads] or [(nic, "")]


def pool(name, runs):
    """Return a NicResult with the flows and the counts of several."""
    counts = {key: sum(run.summary["flows"][key] for run in runs) for key in COUNTS}
    summary = {"flows": counts, "partial": any(run.is_partial for run in runs)}
    summary["violations"] = [one for run in runs for one in run.summary.get("violations", [])]
    if "fluid" in runs[0].summary:
        summary["fluid"] = runs[0].summary["fluid"]
    if runs[0].precision:
        reached = all(run.precision["reached"] for run in runs)
        summary["precision"] = {"reached": reached, "from_us": 0}  # completed is without the warm-ups already.
    flows = numpy.concatenate([run.completed if run.precision else run.flows for run in runs])
    return replace(runs[0], name=name, summary=summary, flows=flows, workload="")


def draw_pooled_by_size(quantity, source, options, page):
    """Return the picture of a quantity by flow size of a sweep."""
    scenario, seeds = load_pooled(source.content, options)
    most = max(map(len, seeds.values()))
    if most == 1:
        return plots.draw_by_size(scenario, quantity, page, notes=["One seed of each point."])
    return plots.draw_by_size(
        scenario,
        quantity,
        page,
        plots.ErrorBars(partial(find_seed_bounds, seeds), (plots.mean, plots.get_p99)),
        [
            f"Flows of up to {most} seeds pooled. Error bars: 95 % confidence interval of the seeds' own"
            " values (Student's t)."
        ],
    )


def find_seed_bounds(seeds, nic, edges, summarize, quantity):
    """Return [(low, high)] of each bin: the value of all flows, and the half width over the seeds' values."""
    bounds = []
    for low, high in zip(edges[:-1], edges[1:]):
        whole = summarize_bin(nic.completed, low, high, summarize, quantity)
        if whole is None:
            continue
        values = [summarize_bin(flows, low, high, summarize, quantity) for flows in seeds[nic.name]]
        _, half = get_interval([value for value in values if value is not None])
        bounds.append((max(quantity.least, whole - (half or 0)), whole + (half or 0)))
    return bounds


def summarize_bin(flows, low, high, summarize, quantity):
    """Return a number of the flows of at least `low` and less than `high` bytes; None if there are none."""
    _, values = plots.summarize_by_size(flows, [low, high], summarize, quantity)
    return values[0] if values else None
