# SPDX-License-Identifier: GPL-2.0-only
"""The HTML of a report: one file that asks for nothing else."""

import json
import re
from html import escape
from pathlib import Path

from rocelab.files import read_text
from rocelab.report import compare, topology
from rocelab.report.charts import make_charts
from rocelab.report.figure_part import add_figure
from rocelab.report.limits import get_limits, get_warnings
from rocelab.report.scenario_words import describe_scenario
from rocelab.report.sweep_part import add_sweep
from rocelab.results.figure_file import FigureResult
from rocelab.results.folders import FABRIC_REASONS, split_workloads
from rocelab.results.json_files import TRIMS
from rocelab.results.sweep_table import SweepTable
from rocelab.terminal.table import divide, format_count, format_number, format_ratio

HERE = Path(__file__).resolve().parent
COST_COLUMNS = 2  # The last of compare.COLUMNS: of the simulation, not of what is simulated.
UPLOT = HERE.parent / "third-party" / "uplot"

# The browser refuses whatever the page might ask for beside itself.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


class Page:
    """Collects the parts of a page, and the charts that report.js draws."""

    def __init__(self, title):
        self._title = title
        self._parts = []
        self._charts = []

    def add(self, html):
        """Append HTML."""
        self._parts.append(html)

    def add_heading(self, name, number):
        """Append the heading of a result, which the list at the top points to."""
        self.add(f'<h2 class="scenario" id="result-{number}">{escape(name)}</h2>')

    def add_note(self, text):
        """Append small print."""
        self.add(f'<p class="quiet">{escape(text)}</p>')

    def add_table(self, headers, rows):
        """Append a table of texts; it scrolls in itself where the window is narrow."""
        head = "".join(f"<th>{escape(text.strip())}</th>" for text in headers)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
        )
        self.add(
            f'<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        )

    def add_list(self, kind, lines):
        """Append a list of lines in a box of a class."""
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        self.add(f'<div class="{kind}"><ul>{items}</ul></div>')

    def add_charts(self, charts):
        """Append plots, two beside each other where there is room."""
        boxes = []
        for chart in charts:
            note = f'<p class="quiet">{escape(chart["note"])}</p>' if chart["note"] else ""
            boxes.append(
                f'<section class="chart"><h3>{escape(chart["title"])}</h3>'
                f'<div class="plot" data-chart="{len(self._charts)}"></div>{note}</section>'
            )
            self._charts.append(chart)
        self.add(f'<div class="charts">{"".join(boxes)}</div>')

    def format(self):
        """Return the whole page."""
        # "<" would end the script, were it in a name.
        charts = json.dumps(self._charts, separators=(",", ":")).replace("<", "\\u003c")
        styles = read_text(UPLOT / "uPlot.min.css") + read_text(HERE / "report.css")
        licence = read_text(UPLOT / "LICENSE").strip()
        scripts = f"/* uPlot 1.6.32\n\n{licence}\n*/\n" + read_text(UPLOT / "uPlot.iife.min.js")
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self._title)}</title>\n<style>\n{styles}</style>\n</head>\n<body>\n"
            + "\n".join(self._parts)
            + f'\n<script type="application/json" id="charts">{charts}</script>\n'
            f"<script>\n{scripts}</script>\n<script>\n{read_text(HERE / 'report.js')}</script>\n"
            "</body>\n</html>\n"
        )


def make_page(results):
    """Return the HTML of the report of ScenarioResults, FigureResults and SweepTables."""
    names = [result.name for result in results]
    page = Page("RoceLab report: " + ", ".join(names))
    page.add(f'<header><p class="kicker">RoceLab report</p><h1>{escape(", ".join(names))}</h1>')
    if len(results) > 1:
        links = "".join(
            f'<li><a href="#result-{n}">{escape(name)}</a></li>' for n, name in enumerate(names)
        )
        page.add(f"<nav><ul>{links}</ul></nav>")
    page.add("</header>\n<main>")
    for number, result in enumerate(results):
        if isinstance(result, FigureResult):
            add_figure(page, result, number)
        elif isinstance(result, SweepTable):
            add_sweep(page, result, number)
        else:
            add_scenario(page, result, number)
    page.add("</main>")
    page.add(
        "<footer><p>In a plot: drag to enlarge, double-click to go back, move for values; click a name to hide"
        " its line.</p></footer>"
    )
    return page.format()


def describe_runs(scenario):
    """Return what made the results of a scenario."""
    made = set()
    for nic in scenario.nics:
        origin = nic.scenario.get("rocelab") or {}
        words = [f"rocelab {origin.get('version', 'of an unknown version')}"]
        words += [f"ns-3 {origin['ns3']}"] if "ns3" in origin else []
        words += [origin["compiler"]] if "compiler" in origin else []
        made.add(", ".join(words))
    return "; ".join(sorted(made))


def add_scenario(page, scenario, number):
    """Append the sections of one scenario."""
    page.add_heading(scenario.name, number)
    page.add_note(describe_runs(scenario))
    add_workload(page, scenario)
    warnings = get_warnings(scenario)
    if warnings:
        page.add_list("warnings", warnings)
    add_results(page, scenario)
    if charts := make_charts(scenario):
        page.add("<h2>Distributions and time</h2>")
        page.add_charts(charts)
    add_drops(page, scenario)
    add_fabric(page, scenario)
    page.add("<h2>Not modelled</h2>")
    page.add_list("limits", get_limits(scenario))
    add_cost(page, scenario)
    add_scenario_files(page, scenario)


def add_workload(page, scenario):
    """Append what was run, in plain words: servers, workload, load, how long."""
    facts = describe_scenario(scenario.nics)
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in facts)
    page.add(f'<dl class="facts">{items}</dl>')


def write_unit(header):
    """Return the header of a column with print's sign for microseconds."""
    return re.sub(r"\bus\b", "\u00b5s", header)


def add_results(page, scenario):
    """Append the tables of numbers and of ratios."""
    page.add("<h2>Results</h2>")
    rows = compare.list_rows(scenario)
    columns = compare.get_columns(rows)[:-COST_COLUMNS]
    page.add_table(
        [write_unit(header) for header, _ in columns],
        [[cell(nic) for _, cell in columns] for nic in rows],
    )
    reference = compare.get_reference(scenario)
    ratios = compare.get_known_ratio_columns(rows, reference)
    page.add_table(
        [f"ratio to {reference.name}"] + [header for header, _, _ in ratios],
        [
            [compare.describe_row(nic)]
            + [format_ratio(ratio).replace("x", "\u00d7") for ratio in compare.get_ratios(nic, reference, ratios)]
            for nic in rows
        ],
    )


def add_drops(page, scenario):
    """Append drops by reason, requests and hardware, where the runs have them.

    Drops are those of the whole run: of one workload none are known.
    """
    drops = [nic.summary.get("drops", {}) for nic in scenario.nics]
    reasons = sorted({reason for counts in drops for reason, count in counts.items() if count})
    reasons.sort(key=lambda reason: reason not in FABRIC_REASONS)
    page.add("<h2>Drops in the fabric and discards at NICs, by reason</h2>")
    if not reasons:
        page.add("<p>No frame was dropped or discarded.</p>")
    else:
        page.add_table(
            ["NIC"]
            + [f"{'fabric' if reason in FABRIC_REASONS else 'NIC'}\n{reason}" for reason in reasons],
            [
                [nic.name, *[format_count(nic.summary.get("drops", {}).get(reason, 0)) for reason in reasons]]
                for nic in scenario.nics
            ],
        )
    add_trims(page, scenario)
    parts = split_workloads(scenario).nics
    rpcs = [(nic, nic.summary["rpc"]) for nic in parts if "rpc" in nic.summary]
    if rpcs:
        page.add("<h2>Requests</h2>")
        page.add_table(
            ["NIC", "measured", "mean \u00b5s", "P50 \u00b5s", "P99 \u00b5s", "P99.9 \u00b5s", "goodput Gb/s"],
            [
                [nic.name, format_count(rpc["measured"])]
                + [format_number(rpc["latency_us"][key]) for key in ("mean", "p50", "p99", "p999")]
                + [format_number(rpc["goodput_gbps"])]
                for nic, rpc in rpcs
            ],
        )
    add_collectives(page, parts)
    add_sequences(page, parts)
    add_hardware(page, scenario)


def add_trims(page, scenario):
    """Append the packets whose payload switches removed, which are no drops."""
    found = [nic for nic in scenario.nics if nic.summary.get("trims")]
    if found:
        page.add("<h2>Trimmed packets</h2>")
        page.add_table(
            ["NIC", "trimmed", "at the last switch", "dropped later"],
            [[nic.name, *[format_count(nic.summary.get(key)) for key in TRIMS]] for nic in found],
        )
        page.add_note("The NIC answers a trimmed packet, and its sender sends it again. Trims are no drops.")


def add_collectives(page, parts):
    """Append the iterations of collectives."""
    found = [(nic, nic.summary["collective"]) for nic in parts if "collective" in nic.summary]
    if found:
        page.add("<h2>Collectives</h2>")
        page.add_table(
            ["NIC", "iterations", "mean \u00b5s", "P50 \u00b5s", "P99 \u00b5s", "longest \u00b5s", "bus Gb/s", "slowdown"],
            [
                [nic.name, f"{one['completed']:,}/{one['iterations']:,}"]
                + [format_number(one.get("time_us", {}).get(key)) for key in ("mean", "p50", "p99", "max")]
                + [format_number(one.get(key)) for key in ("busbw_gbps", "slowdown")]
                for nic, one in found
            ],
        )


def add_sequences(page, parts):
    """Append the phases of sequences."""
    found = [(nic, nic.summary["sequence"]) for nic in parts if "sequence" in nic.summary]
    if found:
        page.add("<h2>Sequences</h2>")
        page.add_table(
            ["NIC", "iterations", "mean \u00b5s", "phase", "mean \u00b5s of phase", "of its barrier"],
            [
                [nic.name, f"{one['completed']:,}/{one['iterations']:,}", format_number(one.get("time_us", {}).get("mean")), phase["name"]]
                + [format_number(phase.get(key)) for key in ("mean_us", "barrier_us")]
                for nic, one in found
                for phase in one["phases"]
            ],
        )


def add_hardware(page, scenario):
    """Append what the NICs' hardware counted, where it took time."""
    found = [(nic, nic.summary["hardware"]) for nic in scenario.nics if "hardware" in nic.summary]
    if found:
        page.add("<h2>Hardware</h2>")
        page.add_table(
            ["NIC", "cores, mean", "cores, most", "PCIe up", "PCIe down", "context misses", "slow path"],
            [
                [nic.name]
                + [format_number(counts["cpu_cores"][key]) for key in ("mean", "max")]
                + [format_count(counts[f"pcie_{way}_bytes"]) for way in ("up", "down")]
                + [format_count(counts[key]) for key in ("context_misses", "software_packets")]
                for nic, counts in found
            ],
        )


def add_fabric(page, scenario):
    """Append the topology."""
    fabric = scenario.nics[0].scenario.get("fabric") or {}
    tiers = topology.get_tiers(fabric)
    page.add("<h2>Topology</h2>")
    if tiers:
        text = topology.describe(fabric, tiers)
        page.add(f'<div class="topology">{topology.draw(tiers)}<p class="quiet">{escape(text)}</p></div>')
        return
    words = " ".join(str(fabric[key]) for key in ("topology", "file", "servers") if key in fabric)
    page.add(f"<p>{escape(words or 'not stated')}; this kind is not drawn.</p>")


def add_cost(page, scenario):
    """Append what the runs took."""
    columns = [compare.COLUMNS[0], *compare.COLUMNS[-COST_COLUMNS:]]
    page.add("<h2>What the runs took</h2>")
    page.add_table(
        [*[header for header, _ in columns], "packet\nhops", "memory\nMB"],
        [
            [cell(nic) for _, cell in columns]
            + [format_count(nic.summary["packet_hops"])]
            + [format_number(divide(nic.summary["peak_rss_bytes"], 1e6))]
            for nic in scenario.nics
        ],
    )


def add_scenario_files(page, scenario):
    """Append the resolved scenario of each NIC, folded."""
    page.add("<h2>Resolved scenario</h2>")
    for nic in scenario.nics:
        text = escape(json.dumps(nic.scenario, indent=2))
        page.add(f"<details><summary>{escape(nic.name)}</summary><pre>{text}</pre></details>")
