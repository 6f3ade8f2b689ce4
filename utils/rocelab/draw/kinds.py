# SPDX-License-Identifier: GPL-2.0-only
"""The kinds of pictures that `rocelab plot` draws, and what data each needs."""

from dataclasses import dataclass
from functools import partial

from rocelab.draw import latency_plots, perftest, plots, sweep_plots, task_bars, time_plots
from rocelab.draw.cpu_use import draw_cpu_use
from rocelab.draw.heat_map import draw_queue_heat_map
from rocelab.draw.link_map import draw_link_utilisation
from rocelab.draw.panels import draw_panels
from rocelab.draw.pooled import draw_pooled_by_size
from rocelab.draw.sources import FIGURE, PERFTEST, SCENARIO, SWEEP
from rocelab.errors import UserError
from rocelab.results.figure_file import is_drawable
from rocelab.results.folders import split_workloads
from rocelab.results.samples import ITERATIONS, REQUESTS, SampleTable


@dataclass(frozen=True)
class Kind:
    """One kind of picture."""

    name: str
    help: str
    draws: dict  # {kind of source: draw(source, options, page)}
    series: str = ""  # What series/NAME.csv it needs.
    needs_threads: bool = False  # It needs the threads.csv of each run.
    samples: SampleTable | None = None  # A file that a run needs.
    needs_flows: bool = False  # Runs need flows that started.

    def is_possible(self, source):
        """Tell whether the source has what this kind needs."""
        return source.kind in self.draws and not self.find_missing(source)

    def find_missing(self, source):
        """Return (the file of runs that is missing, what writes it); empty if none is."""
        is_of_runs = source.kind == SCENARIO
        if self.needs_flows and is_of_runs and not any(nic.started_count for nic in source.content.nics):
            return f"flows in {source.content.folder}", "its traffic is of another kind"
        if self.series and not time_plots.has_series(source.content, self.series):
            return f"series/{self.series}.csv in {source.content.folder}", "rocelab run --series writes it"
        if self.samples and not any(map(self.samples.is_in, source.content.nics)):
            writers = {REQUESTS: "requests", ITERATIONS: "collectives"}
            return f"{self.samples.file} in {source.content.folder}", f"runs with {writers[self.samples]} write it"
        if self.needs_threads:
            for nic in source.content.nics:
                if not task_bars.has_threads(nic):
                    return f"{task_bars.FILE} in {nic.folder}", "runs of streams write it"
        return ()


def of_runs(draw):
    """Return how a picture of a ScenarioResult is drawn from a Source."""
    return {SCENARIO: lambda source, options, page: draw(source.content, page)}


def of_flows(draw):
    """Return the same of a picture of flows, which has each workload of a list by itself."""
    return {SCENARIO: lambda source, options, page: draw(split_workloads(source.content), page)}


def of_pooled(quantity):
    """Return the same of a sweep's flows by size, all seeds together."""
    return {SWEEP: partial(draw_pooled_by_size, quantity)}


def of_sweep(draw, metrics, **more):
    """Return the same of a sweep's table; `metrics` are drawn unless the user names others."""
    return {
        SWEEP: lambda source, options, page: draw(
            source.content, options.y or list(metrics), options, page, **more
        )
    }


def of_perftest(over):
    """Return the same of a throughput test."""
    return {
        PERFTEST: lambda source, options, page: perftest.draw_throughput(source.content, page, over)
    }


def draw_latency(source, options, page):
    """Draw the parts of a latency."""
    return perftest.draw_latency_split(source.content, options.build, page)


def of_figure(words=()):
    """Return how panels of a figure.json are drawn whose x axis has one of the words."""

    def draw(source, _, page):
        data = source.content.data
        panels = data.get("panels") or [data]
        kept = [p for p in panels if not words or any(w in p["x"]["label"].lower() for w in words)]
        if not kept or not all(is_drawable(points) for p in kept for points in p["series"].values()):
            wanted = f"an x axis of {' or '.join(words)}" if words else "panels of lines"
            raise UserError(
                f"{source.folder}: expected a figure with {wanted}, got another (./waf figure"
                f" --name={source.content.name} draws it)"
            )
        return draw_panels({**data, "panels": kept}, page=page)

    return {FIGURE: draw}


LOSS_SWEEP = of_sweep(sweep_plots.draw_lines_over_axis, ["goodput_gbps"], only=sweep_plots.LOSS)

KINDS = (
    Kind("fct", "mean and P99 flow completion time, a bar per NIC", of_flows(plots.draw_fct_bars), needs_flows=True),
    Kind("slowdown", "the same of slowdown", of_flows(plots.draw_slowdown_bars), needs_flows=True),
    Kind("fct-cdf", "distribution of flow completion times", of_flows(plots.draw_fct_cdf), needs_flows=True),
    Kind("slowdown-cdf", "distribution of slowdowns", of_flows(plots.draw_slowdown_cdf), needs_flows=True),
    Kind(
        "fct-ccdf",
        "share of flows that took longer, on a log axis",
        of_flows(plots.draw_fct_ccdf),
        needs_flows=True,
    ),
    Kind("slowdown-ccdf", "the same of slowdown", of_flows(plots.draw_slowdown_ccdf), needs_flows=True),
    Kind(
        "latency-cdf",
        "distribution of the latencies of requests",
        of_runs(latency_plots.draw_latency_cdf),
        samples=REQUESTS,
    ),
    Kind(
        "latency-ccdf",
        "share of requests that took longer, on a log axis",
        of_runs(latency_plots.draw_latency_ccdf),
        samples=REQUESTS,
    ),
    Kind(
        "iteration-cdf",
        "distribution of the times of a collective's iterations",
        of_runs(latency_plots.draw_iteration_cdf),
        samples=ITERATIONS,
    ),
    Kind(
        "iteration-ccdf",
        "share of iterations that took longer, on a log axis",
        of_runs(latency_plots.draw_iteration_ccdf),
        samples=ITERATIONS,
    ),
    Kind(
        "fct-by-size",
        "mean and P99 flow completion time by size bucket",
        of_flows(plots.draw_fct_by_size) | of_pooled(plots.FCT),
        needs_flows=True,
    ),
    Kind(
        "slowdown-by-size",
        "the same of slowdown",
        of_flows(plots.draw_slowdown_by_size) | of_pooled(plots.SLOWDOWN),
        needs_flows=True,
    ),
    Kind(
        "queue-depth",
        "the deepest queue over time",
        of_runs(time_plots.draw_queue_depth),
        "queue",
    ),
    Kind(
        "queue-heat-map",
        "the fullest queues over time, bytes as a colour",
        of_runs(draw_queue_heat_map),
        "queue",
    ),
    Kind(
        "port-throughput",
        "throughput of all ports over time",
        of_runs(time_plots.draw_port_throughput),
        "port",
    ),
    Kind(
        "link-utilisation",
        "how busy each link was, on the topology",
        of_runs(draw_link_utilisation),
        "port",
    ),
    Kind(
        "sending-rate",
        "sending rate of a flow over time",
        of_runs(time_plots.draw_sending_rate),
        "rate",
    ),
    Kind(
        "goodput",
        "payload that all workloads deliver over time",
        of_runs(time_plots.draw_goodput),
        "goodput",
    ),
    Kind(
        "cpu-use",
        "what cores were used for, by host, core or thread",
        {SCENARIO: lambda source, options, page: draw_cpu_use(source.content, options.by or "host", page)},
        needs_threads=True,
    ),
    Kind(
        "scale",
        "bars over an axis of a sweep, as its fabric size, with confidence intervals",
        of_sweep(sweep_plots.draw_bars_over_axis, ["fct_us_mean", "fct_us_p99"]),
    ),
    Kind(
        "lines",
        "lines over an axis of a sweep, with confidence intervals; a figure's panels",
        of_sweep(sweep_plots.draw_lines_over_axis, ["slowdown_mean", "slowdown_p99"]) | of_figure(),
    ),
    Kind(
        "goodput-loss",
        "goodput against loss",
        LOSS_SWEEP | of_perftest(perftest.LOSS) | of_figure(["loss"]),
    ),
    Kind(
        "throughput-queue-pairs",
        "throughput against the number of queue pairs",
        of_perftest(perftest.QUEUE_PAIRS) | of_figure(["queue pairs", "connections"]),
    ),
    Kind(
        "latency-split",
        "where the latency of a WRITE comes from: host, PCIe, pipelines, links",
        {PERFTEST: draw_latency},
    ),
)
