# SPDX-License-Identifier: GPL-2.0-only
"""rocelab diff: two runs of the same flows, flow by flow and in distribution.

The runs may differ in anything but the flows: design, parameters, fabric, version of the program.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy
from scipy import stats

from rocelab.errors import UserError
from rocelab.files import write_text
from rocelab.results import csv_text
from rocelab.results.folders import (
    COMPLETED,
    SMALL_FLOW_BYTES,
    check_workload,
    describe_value,
    find_difference,
    load_nic,
)
from rocelab.results.percentile import mean, nearest_rank
from rocelab.terminal.table import MISSING, divide, format_number, format_table

SAME_FLOW = ("flow", "src", "dst", "bytes", "start_ns")
FEWEST_PAIRS = 20  # With fewer flows a test, and an interval, say little.
RESAMPLES = 2000
CHUNK = 1 << 22  # Draws at a time, which bounds the memory.
SEED = 1  # Of the bootstrap, so that the same results give the same numbers.
MOST_DIFFERENCES = 12
LARGEST = 5  # Flows that are listed as those that changed most.
RULE = "-" * 72  # Between the NICs of two scenarios.
NOTE = (
    "p: how likely a difference at least as large is by chance, if flows were independent; those of one"
    "\nrun share queues, so that p is too small and the interval too narrow. Compare several seeds."
)


@dataclass(frozen=True)
class Pair:
    """Two runs, and the flows that completed in both, in the same order."""

    a: object
    b: object
    flows_a: numpy.ndarray
    flows_b: numpy.ndarray

    def get_times(self, chosen=slice(None)):
        """Return the flow completion times of both in us."""
        return self.flows_a["fct_ns"][chosen] / 1e3, self.flows_b["fct_ns"][chosen] / 1e3


@dataclass(frozen=True)
class Change:
    """What two sets of times of the same flows tell. Probabilities are None where not tested."""

    count: int
    mean_a: float
    mean_b: float
    ratio: float
    low: float | None  # Of the ratio of the means, 95 %.
    high: float | None
    signed_rank: float | None
    distance: float | None  # Of the distributions, largest (Kolmogorov and Smirnov).
    same_distribution: float | None


def load_pair(folder_a, folder_b, workload=None):
    """Return the Pair of two folders RESULTS/<scenario>/<nic>; raises UserError if it is none.

    With `workload`, of that one of a list of workloads.
    """
    nics = [load_run(folder) for folder in (folder_a, folder_b)]
    if workload is not None:
        for nic in nics:
            check_workload(nic, workload)
        nics = [nic.select(workload) for nic in nics]
    elif nics[0].workloads != nics[1].workloads:
        names = (", ".join(nic.workloads) or "one without a name" for nic in nics)
        raise UserError("{}: expected the workloads of {}, {}, got {}".format(folder_b, folder_a, *names))
    flows = [numpy.sort(nic.measured, order=get_order(nic.flows)) for nic in nics]
    check_same_flows(folder_a, folder_b, *flows)
    both = (flows[0]["status"] == COMPLETED) & (flows[1]["status"] == COMPLETED)
    if not both.any():
        raise UserError(f"{folder_b}: expected a flow that completed here and in {folder_a}, got none")
    return Pair(*nics, flows[0][both], flows[1][both])


def find_runs(folder_a, folder_b):
    """Return pairs of folders of a NIC: the two themselves, or those of the same name within both."""
    inside = [{path.parent.name for path in folder.glob("*/summary.json")} for folder in (folder_a, folder_b)]
    for folder, names in zip((folder_a, folder_b), inside):
        if not names and not (folder / "summary.json").is_file():
            raise UserError(
                f"{folder}: expected results, RESULTS/<scenario> or RESULTS/<scenario>/<nic>, got none"
            )
    if all((folder / "summary.json").is_file() for folder in (folder_a, folder_b)):
        return [(folder_a, folder_b)]
    names = sorted(inside[0] & inside[1])
    if not names:
        raise UserError(
            f"{folder_b}: expected a NIC that {folder_a} has, too (name RESULTS/<scenario>/<nic> of both"
            " to compare different ones), got none"
        )
    return [(folder_a / name, folder_b / name) for name in names]


def load_run(folder):
    """Return the NicResult of a folder of one NIC, of a run that came to its end."""
    nic = load_nic(folder)
    if nic.is_partial:
        raise UserError(f"{folder}: expected a run that came to its end, got one that was interrupted")
    return nic


def get_order(flows):
    """Return the columns that flows are sorted by."""
    return [column for column in ("workload", "flow") if column in flows.dtype.names]


def get_identity(flows):
    """Return the columns in which the flows of both runs are the same."""
    return [*get_order(flows), *SAME_FLOW[1:]]


def format_field(value):
    """Return a number or a word as text."""
    return str(value) if isinstance(value, str) else f"{value:.12g}"


def check_same_flows(folder_a, folder_b, flows_a, flows_b):
    """Raise UserError that names the first flow that is not the same in both runs."""
    common = min(len(flows_a), len(flows_b))
    for column in get_identity(flows_a):
        other = numpy.flatnonzero(flows_a[column][:common] != flows_b[column][:common])
        if len(other):
            flow_a, flow_b = flows_a[other[0]], flows_b[other[0]]
            got, wanted = format_field(flow_b[column]), format_field(flow_a[column])
            raise UserError(
                f"{folder_b / 'flows.csv'}: expected the flows of {folder_a}, got {column}"
                f" {got} for {wanted} of flow {flow_a['flow']}"
                " (runs are compared that differ in anything but their flows)"
            )
    if len(flows_a) != len(flows_b):
        raise UserError(
            f"{folder_b / 'flows.csv'}: expected the flows of {folder_a}, {len(flows_a):,}, got"
            f" {len(flows_b):,} (runs are compared that differ in anything but their flows)"
        )


def bootstrap_ratio(a, b):
    """Return the bounds of 95 % of the ratios mean(b) / mean(a) of resampled flows.

    A resample draws flows, with both of their times, with replacement.
    """
    count = len(a)
    random = numpy.random.default_rng(SEED)
    ratios = []
    step = max(1, CHUNK // count)
    for start in range(0, RESAMPLES, step):
        drawn = random.integers(0, count, (min(step, RESAMPLES - start), count))
        ratios.append(b[drawn].sum(axis=1) / a[drawn].sum(axis=1))
    low, high = numpy.percentile(numpy.concatenate(ratios), (2.5, 97.5))
    return float(low), float(high)


def get_change(a, b):
    """Return the Change from times a to times b of the same flows; None for no flows."""
    if not len(a):
        return None
    low = high = signed_rank = distance = same = None
    if len(a) >= FEWEST_PAIRS:
        low, high = bootstrap_ratio(a, b)
        # The ranks say nothing where no flow changed.
        differs = numpy.any(a != b)
        signed_rank = float(stats.wilcoxon(b, a).pvalue) if differs else 1.0
        found = stats.ks_2samp(a, b, method="asymp")
        distance, same = float(found.statistic), float(found.pvalue)
    return Change(len(a), mean(a), mean(b), mean(b) / mean(a), low, high, signed_rank, distance, same)


def get_groups(pair):
    """Return (name, whether a flow belongs to it) of the rows of the table."""
    sizes = pair.flows_a["bytes"]
    small = sizes < SMALL_FLOW_BYTES
    groups = [("all", numpy.ones(len(sizes), bool))]
    if small.any() and not small.all():
        groups += [("below 100 kB", small), ("from 100 kB on", ~small)]
    names = pair.a.workloads
    groups += [(name, pair.flows_a["workload"] == name) for name in names]
    return [(name, chosen) for name, chosen in groups if chosen.any()]


def format_p(value):
    """Return a probability, "< 1e-6" where it is smaller."""
    if value is None:
        return MISSING
    return "< 1e-6" if value < 1e-6 else f"{value:.2g}"


def format_changes(pair):
    """Return the table of changes by group."""
    rows = []
    for name, chosen in get_groups(pair):
        change = get_change(*pair.get_times(chosen))
        interval = MISSING if change.low is None else f"{change.low:.3f} to {change.high:.3f}"
        rows.append(
            [
                name,
                f"{change.count:,}",
                format_number(change.mean_a),
                format_number(change.mean_b),
                f"{change.ratio:.3f}",
                interval,
                format_p(change.signed_rank),
                MISSING if change.distance is None else f"{change.distance:.3f}",
                format_p(change.same_distribution),
            ]
        )
    headers = ["flows\n", "\n", "FCT us\nA", "FCT us\nB", "B / A\nmeans", "B / A\n95 %"]
    headers += ["p\nsigned rank", "KS\ndistance", "p\nKS"]
    return format_table(headers, rows)


def format_statistics(pair):
    """Return the table of mean and percentiles of FCT and slowdown."""
    rows = []
    for label, get in (
        ("FCT, us", lambda flows: flows["fct_ns"] / 1e3),
        ("slowdown", lambda flows: flows["slowdown"]),
    ):
        a, b = get(pair.flows_a), get(pair.flows_b)
        for word, reduce in (
            ("mean", mean),
            ("P50", lambda values: nearest_rank(values, 50)),
            ("P99", lambda values: nearest_rank(values, 99)),
            ("largest", lambda values: float(values.max())),
        ):
            values = reduce(a), reduce(b)
            rows.append([f"{label}, {word}", *map(format_number, values), f"{divide(*values[::-1]):.3f}"])
    return format_table(["", "A", "B", "B / A"], rows)


def format_flows(pair):
    """Return how many flows became faster or slower, and which changed most."""
    a, b = pair.get_times()
    lines = [
        f"{int((b < a).sum()):,} flows are faster in B, {int((b > a).sum()):,} slower,"
        f" {int((b == a).sum()):,} take the same time."
    ]
    order = numpy.argsort(-numpy.abs(numpy.log(b / a)), kind="stable")[:LARGEST]
    order = [index for index in order if a[index] != b[index]]
    if order:
        rows = [
            [describe_flow(flow), f"{flow['src']} to {flow['dst']}", f"{flow['bytes']:,}"]
            + [format_number(a[index]), format_number(b[index]), f"{b[index] / a[index]:.3g}"]
            for index in order
            for flow in [pair.flows_a[index]]
        ]
        headers = ["flow", "nodes", "bytes", "FCT us, A", "FCT us, B", "B / A"]
        lines += ["", "Changed most:", format_table(headers, rows)]
    return "\n".join(lines)


def describe_flow(flow):
    """Return the number of a flow, and its workload if that has a name."""
    return " ".join(str(flow[column]) for column in get_order(flow))


def drop_names(nics):
    """Return the NICs of a scenario without their names, which say nothing of what they do."""
    if not isinstance(nics, list):
        return nics
    return [
        {key: nic[key] for key in nic if key != "name"} if isinstance(nic, dict) else nic for nic in nics
    ]


def list_differences(a, b):
    """Return lines on where two scenario.json differ, shortest paths first, at most some."""
    made = [(nic.scenario.get("rocelab") or {}).get("version") for nic in (a, b)]
    a, b = ({**nic.scenario, "nics": drop_names(nic.scenario.get("nics"))} for nic in (a, b))
    lines = []
    for key in dict.fromkeys([*a, *b]):
        if key == "rocelab":
            continue
        found = find_difference(a.get(key), b.get(key), f"$.{key}")
        if found:
            path, one, other = found
            lines.append(f"  {path}: {describe_value(one)} in A, {describe_value(other)} in B")
    if made[0] != made[1]:
        lines.append(f"  version: {made[0]} in A, {made[1]} in B")
    return lines[:MOST_DIFFERENCES]


def format_diff(pair):
    """Return the text that the command prints."""
    parts = [f"A: {pair.a.folder}\nB: {pair.b.folder}"]
    differences = list_differences(pair.a, pair.b)
    if differences:
        parts.append("\n".join(["The scenarios differ first in:", *differences]))
    else:
        parts.append("The scenarios are the same.")
    parts += [format_changes(pair), format_statistics(pair), format_flows(pair)]
    left = [
        f"{name}: {nic.started_count - len(pair.flows_a):,} of {nic.started_count:,} flows are not compared"
        f" ({nic.defect or 'they did not complete in the other run'})"
        for name, nic in (("A", pair.a), ("B", pair.b))
        if nic.started_count > len(pair.flows_a)
    ]
    if left:
        parts.append("\n".join(left))
    if len(pair.flows_a) < FEWEST_PAIRS:
        parts.append(f"Fewer than {FEWEST_PAIRS} flows: nothing was tested.")
    return "\n\n".join(parts)


def format_csv(pair):
    """Return the flows that completed in both runs as CSV."""
    identity = get_identity(pair.flows_a)
    rows = [[*identity, "fct_a_ns", "fct_b_ns", "ratio"]]
    for a, b in zip(pair.flows_a, pair.flows_b):
        common = [format_field(a[name]) for name in identity]
        times = [f"{flow['fct_ns']:.12g}" for flow in (a, b)]
        rows.append([*common, *times, f"{b['fct_ns'] / a['fct_ns']:.6g}"])
    return csv_text.format_table(rows)


def write_diff(folder_a, folder_b, out=None, workload=None):
    """Print how run B differs from run A; writes the flows to `out` if given; returns the paths.

    With `workload`, only that one of a list of workloads.
    """
    runs = find_runs(Path(folder_a), Path(folder_b))
    if out and len(runs) > 1:
        raise UserError("--out: expected two folders of one NIC, got folders of several")
    pairs = [load_pair(*folders, workload) for folders in runs]
    written = [write_text(out, format_csv(pairs[0]))] if out else []
    print(f"\n\n{RULE}\n\n".join([*map(format_diff, pairs)]) + f"\n\n{NOTE}")
    return written
