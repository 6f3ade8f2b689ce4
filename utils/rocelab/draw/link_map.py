# SPDX-License-Identifier: GPL-2.0-only
"""How busy each link was, drawn on the topology: tiers by distance from the servers."""

from collections import defaultdict

import numpy
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from rocelab.draw import plots, style
from rocelab.draw.canvas import COLOR_BAR_LENGTH, Canvas
from rocelab.errors import UserError
from rocelab.results.series import read_series

TIER_HEIGHT = 0.62  # Inches.
MARGIN = 0.45  # Inches of a panel beside its tiers.
PERCENT = 100
KILO = 1e3
SERVER_SIZE, SWITCH_SIZE = 2.2, 4.5  # Points.
LEAST_SERVER_SIZE = 1  # Smaller dots cannot be seen in print.
MOST_WIDTH, LEAST_WIDTH = 1.6, 0.35  # Points, of lines.

#: Idle links have to be seen on white.
BUSY = LinearSegmentedColormap.from_list("busy", ["#d0d0d0", *style.HEAT_COLORS[1:]])


def find_arrivals(nic, series):
    """Return the first and the last start of a flow of a NicResult, ns.

    None if they span less than a sample, as those of an incast.
    """
    starts, times = nic.measured["start_ns"], numpy.unique(series["time_ns"])
    if not len(starts):
        return None
    span = int(starts.min()), int(starts.max())
    return span if span[1] - span[0] >= numpy.median(numpy.diff(times, prepend=0)) else None


def measure_links(series, span=None):
    """Return {(node, peer): mean share of the line rate, percent}; of parallel links, of all.

    Each row counts for the time since the row before, or for the part of it that lies in `span`, ns.
    """
    times = numpy.unique(series["time_ns"])
    low, high = span or (0, times[-1])
    bounds = numpy.clip(numpy.insert(times, 0, 0), low, high)
    span = dict(zip(times, numpy.diff(bounds)))
    weights = numpy.array([span[time] for time in series["time_ns"]])
    sent, could = defaultdict(float), defaultdict(float)
    ends = list(zip(series["node"].tolist(), series["peer"].tolist()))
    for link, gbps, line, weight in zip(ends, series["gbps"], series["line_gbps"], weights):
        sent[link] += gbps * weight
        could[link] += line * weight
    return {link: PERCENT * sent[link] / could[link] for link in sent}


def find_tiers(links, servers):
    """Return [[node, ...], ...]: the servers, then switches by their distance from these.

    `servers` is how many there are: they have the first node ids.
    """
    neighbours = defaultdict(set)
    for one, other in links:
        neighbours[one].add(other)
        neighbours[other].add(one)
    tier = [node for node in sorted(neighbours) if node < servers]
    tiers, seen = [], set(tier)
    while tier:
        tiers.append(tier)
        tier = sorted({peer for node in tier for peer in neighbours[node]} - seen)
        seen |= set(tier)
    return tiers


def place_nodes(tiers):
    """Return {node: (x, y)}, x from 0 to 1 and a tier per unit of y."""
    return {
        node: ((index + 0.5) / len(tier), height)
        for height, tier in enumerate(tiers)
        for index, node in enumerate(tier)
    }


def count_servers(scenario):
    """Return how many servers the fabric of a run has."""
    fabric = scenario.get("fabric") or {}
    count = fabric.get("servers")
    if fabric.get("topology") == "dumbbell" and isinstance(count, int):
        return 2 * count  # On each side.
    return count


def draw_link_utilisation(scenario, page=None):
    """Return the picture: a panel per NIC that has the series of ports."""
    page = page or style.Page()
    looks = plots.get_looks(scenario)
    found = [(nic, read_series(nic, "port")) for nic in scenario.nics]
    found = [(nic, rows, find_arrivals(nic, rows)) for nic, rows in found if rows is not None and len(rows)]
    shown = [(nic, measure_links(rows, span)) for nic, rows, span in found]
    if not shown:
        raise UserError(f"{scenario.folder}: expected samples in series/port.csv, got none")
    panels = [(nic, links, find_tiers_of(nic, links)) for nic, links in shown]
    width = page.choose_width()
    columns = 2 if width == style.PAGE_WIDTH and len(panels) > 1 else 1
    rows = -(-len(panels) // columns)
    tiers = max(len(tiers) for *_, tiers in panels)
    height = max(rows * (MARGIN + TIER_HEIGHT * (tiers - 1)), COLOR_BAR_LENGTH)
    notes = [
        *plots.get_notes(scenario),
        describe_spans([span for *_, span in found]),
        "The half of a link at a node shows what this node sends.",
    ]
    with style.paper():
        canvas = Canvas(width, height, rows, columns, notes=page.take_notes(notes))
        for axes, (nic, links, tiers) in zip(canvas.panels, panels):
            lines = draw_links(axes, links, tiers)
            axes.set_title(looks[nic.name].label, pad=3)
        for axes in canvas.panels[len(panels) :]:
            axes.remove()
        canvas.add_color_bar(lines, canvas.panels[: len(panels)], "% of line rate")
        return canvas.figure


def describe_spans(spans):
    """Return the note on the time over which the means are: of each run's (first, last) start, or None."""
    if None in spans:
        return "Mean over the run." if not any(spans) else "Mean over the arrivals of flows, or the run if these are at one time."
    ends = sorted({f"{end / KILO:,.0f}" for _, end in spans}, key=len)
    until = f" ({ends[0]} {plots.MICROSECONDS})" if len(ends) == 1 else ""
    return f"Mean from the first to the last start of a flow{until}; the rest of the run is left out."


def find_tiers_of(nic, links):
    """Return the tiers of a run's network; raises UserError if it does not say its servers."""
    count = count_servers(nic.scenario)
    if not isinstance(count, int):  # A topology of a file: what has one neighbour is a server.
        peers = defaultdict(set)
        for one, other in links:
            peers[one].add(other)
            peers[other].add(one)
        leaves = [node for node in peers if len(peers[node]) == 1]
        count = max(leaves, default=-1) + 1
    tiers = find_tiers(links, count)
    if len(tiers) < 2:
        raise UserError(
            f"{nic.folder}: expected ports of servers in series/port.csv, got none"
        )
    return tiers


def draw_links(axes, links, tiers):
    """Draw one panel; returns the lines, which have the colours."""
    place = place_nodes(tiers)
    halves, values = [], []
    for (node, peer), percent in sorted(links.items(), key=lambda item: item[1]):
        if node in place and peer in place:
            (x, y), (other_x, other_y) = place[node], place[peer]
            halves.append([(x, y), ((x + other_x) / 2, (y + other_y) / 2)])
            values.append(percent)
    values = numpy.array(values)
    widths = LEAST_WIDTH + (MOST_WIDTH - LEAST_WIDTH) * numpy.clip(values / PERCENT, 0, 1)
    lines = LineCollection(halves, cmap=BUSY, linewidths=widths, zorder=2)
    lines.set_array(values)
    lines.set_clim(0, PERCENT)
    axes.add_collection(lines)
    for height, tier in enumerate(tiers):
        size = SWITCH_SIZE if height else max(min(SERVER_SIZE, 150 / len(tier)), LEAST_SERVER_SIZE)
        xs = [place[node][0] for node in tier]
        kind = {"marker": "s" if height else "o", "color": "#333333", "markersize": size}
        axes.plot(xs, [height] * len(tier), linestyle="none", zorder=3, clip_on=False, **kind)
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.15, len(tiers) - 0.85)
    axes.set_xticks([])
    axes.grid(False)
    names = ["servers", *(f"tier {number}" for number in range(1, len(tiers)))]
    axes.set_yticks(range(len(tiers)), names, fontsize=style.SMALL_FONT)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.spines[["left", "bottom"]].set_visible(False)
    return lines
