# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of the latencies of requests and of iterations: a line per NIC, and per workload of a list."""

from rocelab.draw import plots, style
from rocelab.draw.canvas import Canvas
from rocelab.results.samples import ITERATIONS, REQUESTS

#: Label of the axis and word for the samples of each table.
WORDS = {
    REQUESTS: ({"label": "Latency of a request", "unit": "us"}, "requests"),
    ITERATIONS: ({"label": "Time of an iteration", "unit": "us"}, "iterations"),
}


def draw_latency_cdf(scenario, page=None):
    """Share of the requests that were answered within a time."""
    return draw_samples(scenario, page, REQUESTS, plots.SHARE_BELOW)


def draw_latency_ccdf(scenario, page=None):
    """Share of the requests that took longer, on a log axis."""
    return draw_samples(scenario, page, REQUESTS, plots.SHARE_ABOVE)


def draw_iteration_cdf(scenario, page=None):
    """Share of a collective's iterations that took at most a time."""
    return draw_samples(scenario, page, ITERATIONS, plots.SHARE_BELOW)


def draw_iteration_ccdf(scenario, page=None):
    """Share of the iterations that took longer, on a log axis."""
    return draw_samples(scenario, page, ITERATIONS, plots.SHARE_ABOVE)


def find_samples(scenario, samples):
    """Return {name of a line: (times in us, number of all samples)}."""
    found = {}
    for nic in filter(samples.is_in, scenario.nics):
        for workload, table in samples.split(nic):
            name = f"{nic.name}: {workload}" if workload else nic.name
            found[name] = (samples.get_times(table), len(table))
    return found


def draw_samples(scenario, page, samples, share):
    """Return the picture of a plots.Share of the rows of a SampleTable."""
    axis, word = WORDS[samples]
    found = find_samples(scenario, samples)
    looks = style.get_styles(list(found))
    page = page or style.Page()
    with style.paper():
        canvas = Canvas(
            page.choose_width(),
            style.PANEL_HEIGHT,
            legend=[looks[name].label for name in found],
            notes=page.take_notes(plots.get_notes(scenario)),
        )
        axes = canvas.panels[0]
        for order, (name, (times, count)) in enumerate(found.items()):
            look = style.get_line_look(looks[name], order, len(found))
            plots.draw_share(axes, (times, count), share, order, label=looks[name].label, **look)
        plots.label_share(axes, axis, word, share)
        canvas.add_legend()
        return canvas.figure
