# SPDX-License-Identifier: GPL-2.0-only
"""SRNIC Figure 12 as its authors ran it, beside RoceLab's own settings, and what makes the difference.

Source: SRNIC (NSDI 2023), section 6.3; its simulator, HKUST-SING/srnic-simulation-public (commit
9c1f6514), and the base of that, alibaba-edu/High-Precision-Congestion-Control (9f4be2a).
"""

import csv
import io
import re
from pathlib import Path

import numpy

from rocelab.errors import UserError
from rocelab.files import read_text
from rocelab.places import find_data
from rocelab.results.percentile import mean, nearest_rank
from rocelab.terminal.table import divide, format_number, format_ratio, format_table
from rocelab.validate.checks import check, compare, format_rows
from rocelab.validate.facts import make_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_chosen, read_numbers

from .. import hpcc_trace

FOLDER = Path(__file__).resolve().parent
SIZES = find_data("traces", "cache-follower.cdf")
FAT_TREES = (16, 64, 256, 1024)
KNOWN_SIZE = 64  # The size of authors.csv.

OPTIONS = {
    "servers": Option("16,64,256", "16", "fat-tree sizes, out of 16, 64, 256, 1024"),
    "causes": Option("64", "16", "size at which each cause is switched on alone, or off"),
    "duration": Option("10ms", "300us", "how long flows arrive"),
    "seeds": Option("1,2,3,4,5", "1", "seeds of the fabric's hashes and marks; all for theirs at 64 servers, else the first"),
}

# What the authors ran, by the names of the runs here and in authors.csv.
SRNIC, IRN, RUN_PY, CONFIG_TXT = "srnic", "irn", "connectx6-run-py", "connectx6-config-txt"
MODES = {
    SRNIC: {"preset": "srnic"},
    IRN: {"preset": "irn", "parameters": "hpcc"},
    RUN_PY: {"preset": "connectx6", "parameters": "hpcc"},
    CONFIG_TXT: {"preset": "connectx6", "parameters": "srnic-authors"},
}
LABELS = {
    SRNIC: "SRNIC: DCTCP, selective repeat",
    IRN: "IRN: DCQCN, BDP window, selective repeat",
    RUN_PY: "ConnectX-6: go-back-N, PFC, DCQCN of run.py",
    CONFIG_TXT: "ConnectX-6: go-back-N, PFC, DCQCN of config.txt, no window",
}

NIC, CC, RTO = "ns3::rdma::RdmaNic::", "ns3::rdma::", "ns3::rdma::BackoffTimeout::"

# Where the authors' simulator differs from RoceLab. The settings of each cause: of the fabric, and
# of the NICs by congestion control or preset.
CAUSES = {
    # 1,048 B take 83 ns and an acknowledgment 4 there, instead of 83.84 and 4.8: times are cut to
    # whole ns. Both together: 88.64 / 87 and, at 400 Gb/s, 22.16 / 21 of the rate.
    "links": {"fabric": {"hostRate": "101885Mbps", "fabricRate": "422100Mbps"}},
    "headers": {
        "fabric": {"mtu": 1000, "framing": "none"},
        "all": {NIC + "WireFormat": CC + "HpccFormat"},
    },
    "CNPs in acks": {"dcqcn": {CC + "Dcqcn::CnpsInAcks": True}},
    # 615 Mb/s in 8.2 us, the base round trip to which their window refers.
    "step": {"srnic": {CC + "WindowDctcp::Step": 630}},
    # 10 base round trips. Only the fork has a timer.
    "timeout": {
        "selective": {
            NIC + "RetransmissionTimeout": CC + "BackoffTimeout",
            RTO + "RtoLow": "82us",
            RTO + "RtoHigh": "82us",
            RTO + "MaxBackoff": 0,
        },
    },
    # RdmaEgressQueue::GetNextQindex: behind the queue pair that sent last, in the order of creation.
    "ring": {"all": {NIC + "SendScheduler": CC + "RingScheduler"}},
    # Not theirs: no switch there ever sees it. What older pages of this project had assumed.
    "acks first": {"all": {NIC + "AckPriority": 6}},
}
# The same with the time of each packet: at 101.012 and 419.2 Gb/s 1,048 B take 83.0 and 20.0 ns, 51 B
# 4.04 and 0.97. Only with the headers.
CAUSES["whole ns"] = {
    "fabric": {"hostRate": "101012Mbps", "fabricRate": "419200Mbps"},
    "all": {CC + "HpccFormat::AnswerBytes": 51},
}
THEIRS = ("headers", "whole ns", "CNPs in acks", "step", "ring")
ALONE = ("links", "headers", "CNPs in acks", "step", "ring", "timeout", "acks first")
KINDS = {SRNIC: ("all", "selective", "srnic"), IRN: ("all", "selective", "dcqcn")}
CAUSE_ROWS = (
    ("RoceLab's own", ()),
    *((name, (name,)) for name in ALONE),
    ("theirs", THEIRS),
    ("theirs with 'links'", ("headers", "links", "CNPs in acks", "step", "ring")),
    ("theirs, and the timeout", (*THEIRS, "timeout")),
)

FACTS = ["SRNIC-110", "SRNIC-111", "SRNIC-112"]
STABLE, ALIKE = 1.25, 1.1  # As in srnic/figure-12.

X_AXIS = {"label": "Fabric size", "unit": "servers", "scale": "log2"}
METRICS = (
    ("mean_fct_us", {"label": "Mean FCT", "unit": "us"}),
    ("p99_fct_us", {"label": "P99 FCT", "unit": "us"}),
    ("mean_slowdown", {"label": "Mean slowdown", "unit": "x standalone"}),
)


def read_authors(path=FOLDER / "authors.csv"):
    """Return {run: {metric: number}} of the authors' simulator at KNOWN_SIZE servers, 10 ms."""
    rows = csv.DictReader(io.StringIO(read_text(path)))
    return {
        row["run"]: {name: float(row[name]) for name in row if name not in ("run", "flows")}
        for row in rows
    }


def read_options(options):
    """Return (sizes, size of the causes or None, duration in ns, seeds) from the options' texts."""
    known = list(map(str, FAT_TREES))
    sizes = sorted(map(int, read_chosen(options, "servers", known)))
    causes = None if options["causes"] == "off" else min(map(int, read_chosen(options, "causes", known)))
    match = re.fullmatch(r"(\d{1,6})(us|ms)", options["duration"])
    if not match or int(match[1]) == 0:
        raise UserError(
            f'option duration: expected a time such as "10ms", got {options["duration"]!r}'
        )
    duration_ns = int(match[1]) * {"us": 10**3, "ms": 10**6}[match[2]]
    return sizes, causes, duration_ns, read_numbers(options, "seeds", 0, 2**64 - 1)


def make_nic(name, causes):
    """Return one of the runs with these causes switched on."""
    attributes = {NIC + "AckPriority": 3}  # As data: said, since it is what is compared.
    for cause in causes:
        for kind in KINDS.get(name, ("all", "dcqcn")):
            attributes.update(CAUSES[cause].get(kind, {}))
    return {**MODES[name], "name": name, "attributes": attributes}


def get_scenario(servers, trace, title, causes):
    """Return the scenario of one size with these causes switched on."""
    fabric = {
        "topology": "fat-tree",
        "servers": servers,
        "hostRate": "100Gbps",  # SRNIC-102
        "fabricRate": "400Gbps",  # SRNIC-103
        "linkDelay": "1us",  # SRNIC-104
        "buffer": "32MiB",
    }
    for cause in causes:
        fabric.update(CAUSES[cause].get("fabric", {}))
    fabric["ecn"] = {
        fabric["hostRate"]: {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2},
        fabric["fabricRate"]: {"kmin": "1600kB", "kmax": "6400kB", "pmax": 0.2},
    }
    return {
        "name": re.sub(r"[^a-z0-9]+", "-", f"{title.lower()}-{servers}"),
        "nics": [make_nic(name, causes) for name in MODES],
        "fabric": fabric,
        "workload": {"type": "hpcc-trace", "file": str(trace)},
        "run": {"seed": 1, "drain": True},
    }


def is_affected(name, causes):
    """Tell whether a run differs from RoceLab's own with these causes."""
    has_fabric = any("fabric" in CAUSES[cause] for cause in causes)
    return not causes or has_fabric or make_nic(name, causes) != make_nic(name, ())


def get_link_count(servers, source, destination):
    """Return (links at the servers' rate, links between switches) of a path of the fat-tree."""
    # Servers per top-of-rack switch; at 1,024 four of these switches are a pod.
    per_rack = {16: 16, 64: 16, 256: 32, 1024: 16}[servers]
    if source // per_rack == destination // per_rack:
        return 2, 0
    per_pod = 64 if servers == 1024 else servers
    return 2, 2 if source // per_pod == destination // per_pod else 4


def get_standalone_ns(servers, source, destination, size):
    """Return the authors' FCT of a lone flow: two ways of 1 us per link, a packet of 1,000 B per
    link, all bytes with 48 of headers per 1,000 at the servers' rate."""
    slow, fast = get_link_count(servers, source, destination)
    headers = 48 * -(-size // 1000)
    return 2000 * (slow + fast) + 8000 * (slow / 100 + fast / 400) + (size + headers) * 8 / 100


def measure(servers, result):
    """Return {metric: number} of one run, slowdown over the authors' standalone FCT, at least 1."""
    flows = result.completed
    fct_ns = flows["fct_ns"]
    alone_ns = numpy.array(
        [
            get_standalone_ns(servers, int(flow["src"]), int(flow["dst"]), int(flow["bytes"]))
            for flow in flows
        ]
    )
    slowdown = numpy.maximum(fct_ns / alone_ns, 1) if len(flows) else fct_ns
    small, large = flows["bytes"] < 100_000, flows["bytes"] > 1_000_000
    p99_ns = nearest_rank(fct_ns, 99)
    return {
        "mean_fct_us": divide(mean(fct_ns), 1000),
        "p99_fct_us": divide(p99_ns, 1000),
        "mean_slowdown": mean(slowdown),
        "p99_slowdown": nearest_rank(slowdown, 99),
        "small_fct_us": divide(mean(fct_ns[small]), 1000),
        "large_fct_us": divide(mean(fct_ns[large]), 1000),
    }


def average(runs):
    """Return {run: {metric: mean over the seeds}} of a list of {run: {metric: number}}."""
    return {
        name: {
            metric: None if None in values else mean(values)
            for metric in runs[0][name]
            for values in [[numbers[name][metric] for numbers in runs]]
        }
        for name in runs[0]
    }


def format_differences(numbers, known):
    """Return the differences of the three metrics from the authors' as cells."""
    cells = []
    for metric, _ in METRICS:
        ratio = divide(numbers[metric], known[metric])
        cells.append("" if ratio is None else f"{100 * (ratio - 1):+.1f} %")
    return cells


def format_sizes(results, authors):
    """Return the table of all sizes: each run as theirs and as RoceLab's own, ratios, differences."""
    headers = ["servers", "settings", "run"]
    for _, axis in METRICS:
        headers += [f"{axis['label']}\n{axis['unit']}", f"ratio to\n{SRNIC}"]
    headers += ["difference from the\nauthors' simulator"]
    rows = []
    for (servers, title), runs in results.items():
        for name, numbers in runs.items():
            row = [str(servers), title, name]
            for metric, _ in METRICS:
                row.append(format_number(numbers[metric]))
                row.append(format_ratio(divide(numbers[metric], runs[SRNIC][metric])))
            known = authors.get(name) if servers == KNOWN_SIZE else None
            row.append(", ".join(format_differences(numbers, known)) if known else "")
            rows.append(row)
    for name, numbers in authors.items():
        row = [str(KNOWN_SIZE), "their simulator", name]
        for metric, _ in METRICS:
            row.append(format_number(numbers[metric]))
            row.append(format_ratio(divide(numbers[metric], authors[SRNIC][metric])))
        rows.append([*row, ""])
    return format_table(headers, rows)


def format_spread(by_seed):
    """Return a line per run that has several seeds: the least and the largest number of each metric."""
    lines = []
    for (servers, title), runs in by_seed.items():
        for name in runs[0] if len(runs) > 1 else []:
            cells = []
            for metric, axis in METRICS:
                values = [numbers[name][metric] for numbers in runs]
                cells.append(f"{format_number(min(values))} to {format_number(max(values))}")
            lines.append(f"{servers} servers, {title}, {name}, {len(runs)} seeds: {'; '.join(cells)}")
    return "\n".join(lines)


def format_causes(size, table, authors):
    """Return the table of causes: what each alone changes in each run."""
    headers = ["switched on", *(f"{name}\nmean us, P99 us, slowdown" for name in MODES)]
    rows = []
    for title, runs in {**table, **({"their simulator": authors} if authors else {})}.items():
        cells = [", ".join(format_number(runs[name][metric]) for metric, _ in METRICS) for name in MODES]
        rows.append([title, *cells])
    return f"Cause by cause, {size} servers:\n" + format_table(headers, rows)


def make_checks(theirs):
    """Return the rows of validation: the paper's statements about Figure 12 with their settings."""
    rows = []
    ratios = {
        name: {
            size: [divide(runs[name][metric], runs[SRNIC][metric]) for metric, _ in METRICS]
            for size, runs in theirs.items()
        }
        for name in (IRN, CONFIG_TXT)
    }
    for size, values in ratios[CONFIG_TXT].items():
        what = f"config.txt's connectx6 over srnic as its authors ran them, {size} servers"
        if None not in values:
            rows.append(compare(f"{what}, least of the three", min(values), ["SRNIC-614"]))
            rows.append(compare(f"{what}, most of the three", max(values), ["SRNIC-615"]))
    fact = ["SRNIC-616"]
    slowdown = [runs[SRNIC]["mean_slowdown"] for runs in theirs.values()]
    if len(theirs) > 1 and None not in slowdown:
        text = f"{min(slowdown):.2f} to {max(slowdown):.2f}"
        is_met = max(slowdown) <= STABLE * min(slowdown)
        rows.append(check("srnic, mean slowdown over the sizes", "stable", text, is_met, fact))
        first, *_, last = ratios[CONFIG_TXT].values()
        text = "; ".join(f"{a:.2f} to {b:.2f}" for a, b in zip(first, last))
        is_met = all(a < b for a, b in zip(first, last))
        what = "connectx6 over srnic, smallest to largest fabric"
        rows.append(check(what, "widens", text, is_met, fact))
    alike = [value for values in ratios[IRN].values() for value in values if value is not None]
    if alike:
        is_met = all(1 / ALIKE <= value <= ALIKE for value in alike)
        text = f"{min(alike):.2f} to {max(alike):.2f}"
        rows.append(check("irn over srnic", "about the same", text, is_met, fact))
    return rows


def make_panel(results, metric, axis):
    """Return one panel: a metric over the fabric's size, as theirs and as RoceLab's own."""
    series = {}
    for (servers, title), runs in results.items():
        for name, numbers in runs.items():
            label = f"{name}, {'theirs' if title == 'theirs' else 'own'}"
            series.setdefault(label, []).append([servers, numbers[metric]])
    return {"x": X_AXIS, "y": axis, "series": series}


def run(context):
    """Run both settings at each size and the causes at one, print the tables, write the figure."""
    sizes, causes_at, duration_ns, seeds = read_options(context.options)
    # The stored numbers are of ten milliseconds.
    authors = read_authors() if duration_ns == 10**7 else {}
    traces, incomplete = {}, {}
    distribution = hpcc_trace.read_sizes(SIZES)

    def run_settings(servers, title, causes, seed, known=None):
        """Return {run: numbers}; those of `known` where these causes change nothing."""
        if servers not in traces:
            flows = hpcc_trace.make_flows(servers, distribution, 0.7, 100e9, duration_ns)
            path = context.results / "traces" / f"cache-follower-{servers}.txt"
            traces[servers] = hpcc_trace.write_trace(path, flows)
        scenario = get_scenario(servers, Path(traces[servers]).resolve(), title, causes)
        if seed != seeds[0]:
            scenario["name"] += f"-seed-{seed}"
        names = [name for name in MODES if not known or is_affected(name, causes)]
        scenario["nics"] = [nic for nic in scenario["nics"] if nic["name"] in names]
        result = context.run_scenario(scenario, seed=seed)
        for nic in result.nics:
            if not nic.is_complete:
                incomplete.setdefault(nic.name, []).append(servers)
        return {
            name: measure(servers, result[name]) if name in names else known[name] for name in MODES
        }

    results, by_seed = {}, {}
    for servers in sizes:
        for title, causes in (("RoceLab's own", ()), ("theirs", THEIRS)):
            used = seeds if causes and servers == KNOWN_SIZE else seeds[:1]
            runs = [run_settings(servers, title, causes, seed) for seed in used]
            by_seed[servers, title] = runs
            results[servers, title] = average(runs)
    table = {}
    for title, causes in CAUSE_ROWS if causes_at else ():
        known = by_seed.get((causes_at, title))
        own = table.get(CAUSE_ROWS[0][0])
        if known:
            table[title] = known[0]
        else:
            table[title] = run_settings(causes_at, title, causes, seeds[0], own)

    print("\n".join(f"{name}: {text}" for name, text in LABELS.items()) + "\n")
    print(format_sizes(results, authors))
    print("\n" + format_spread(by_seed))
    if table:
        print("\n" + format_causes(causes_at, table, authors if causes_at == KNOWN_SIZE else {}))
    theirs = {size: runs for (size, title), runs in results.items() if title == "theirs"}
    checks = make_checks(theirs)
    print("\n" + format_rows(checks))
    panels = [make_panel(results, metric, axis) for metric, axis in METRICS]
    context.write_panels(
        panels,
        paper=make_statements(FACTS),
        incomplete=incomplete,
        checks=checks,
        causes={"servers": causes_at, "rows": table} if table else {},
        authors=authors,
        by_seed={f"{title}, {servers}": runs for (servers, title), runs in by_seed.items()},
        settings={"duration_ns": duration_ns, "seeds": seeds},
    )
