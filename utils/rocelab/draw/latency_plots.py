# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of the latencies of requests: a line per NIC, and per workload of a list."""

import numpy

from rocelab.draw import plots, style
from rocelab.draw.canvas import Canvas
from rocelab.results.requests import ANSWERED, has_requests, split_requests

AXIS = {"label": "Latency of a request", "unit": "us"}


def draw_latency_cdf(scenario, page=None):
    """Share of the requests that were answered within a time."""
    return draw_latencies(scenario, page, plots.SHARE_BELOW)


def draw_latency_ccdf(scenario, page=None):
    """Share of the requests that took longer, on a log axis."""
    return draw_latencies(scenario, page, plots.SHARE_ABOVE)


def find_latencies(scenario):
    """Return {name of a line: (latencies in us of the answered requests, number of all requests)}."""
    found = {}
    for nic in filter(has_requests, scenario.nics):
        for workload, table in split_requests(nic):
            answered = table[numpy.isin(table["status"], ANSWERED)]
            name = f"{nic.name}: {workload}" if workload else nic.name
            found[name] = (answered["latency_ns"] / 1e3, len(table))
    return found


def draw_latencies(scenario, page, share):
    """Return the picture of a plots.Share of requests."""
    found = find_latencies(scenario)
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
        for order, (name, (latencies, count)) in enumerate(found.items()):
            look = style.get_line_look(looks[name], order, len(found))
            plots.draw_share(axes, (latencies, count), share, order, label=looks[name].label, **look)
        plots.label_share(axes, AXIS, "requests", share)
        canvas.add_legend()
        return canvas.figure
