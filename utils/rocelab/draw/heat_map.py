# SPDX-License-Identifier: GPL-2.0-only
"""Which queues were full when: ports over time, the bytes that waited as a colour."""

import numpy
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator

from rocelab.draw import plots, style, time_plots
from rocelab.draw.canvas import COLOR_BAR_LENGTH, Canvas
from rocelab.errors import UserError
from rocelab.results.series import read_series

MOST_PORTS = 16  # With the fullest queues; each has a row of its own.
MOST_COLUMNS = 200  # Of time; more cannot be seen in print.
ROW_HEIGHT = 0.115  # Inches.
MARGIN = 0.55  # Inches of a panel beside its rows.
LEAST_SHARE = 0.05  # Of the fullest queue; what is below cannot be seen.
KILO = 1e3

HEAT = LinearSegmentedColormap.from_list("heat", ["#f4f4f4", *style.HEAT_COLORS])


def find_fullest(series, count, least):
    """Return the (node, port, peer) of the queues that had at least `least` bytes, by node and port.

    Not more than `count`: those with the most bytes.
    """
    ports = numpy.unique(series[["node", "port", "peer"]])
    most = [find_rows(series, port)["max_bytes"].max() for port in ports]
    order = sorted(range(len(ports)), key=lambda index: (-most[index], index))
    return sorted(tuple(map(int, ports[index])) for index in order[:count] if most[index] >= least)


def find_rows(series, port):
    """Return the rows of one port."""
    node, number = port[0], port[1]
    return series[(series["node"] == node) & (series["port"] == number)]


def spread(rows, edges):
    """Return the largest max_bytes in each column of time between rising `edges`, ns.

    A row holds for the time since the row before.
    """
    ends = rows["time_ns"]
    starts = numpy.insert(ends[:-1], 0, edges[0])
    cells = numpy.zeros(len(edges) - 1)
    first = numpy.searchsorted(edges, starts, "right") - 1
    last = numpy.searchsorted(edges, ends, "left")
    for low, high, most in zip(first, last, rows["max_bytes"]):
        numpy.maximum(cells[low:high], most, out=cells[low:high])
    return cells


def make_grid(series, ports):
    """Return (edges of the columns in us, kB of each port and column)."""
    end = series["time_ns"].max()
    samples = len(numpy.unique(series["time_ns"]))
    edges = numpy.linspace(0, end, min(samples, MOST_COLUMNS) + 1)
    grid = [spread(find_rows(series, port), edges) / KILO for port in ports]
    return edges / KILO, numpy.array(grid)


def draw_queue_heat_map(scenario, page=None):
    """Return the picture: a panel per NIC that has the series, the fullest queues as rows."""
    page = page or style.Page()
    looks = plots.get_looks(scenario)
    found = [(nic, read_series(nic, "queue")) for nic in scenario.nics]
    found = [(nic, series) for nic, series in found if series is not None and len(series)]
    least = max(1, LEAST_SHARE * max((rows["max_bytes"].max() for _, rows in found), default=0))
    found = [(nic, rows, find_fullest(rows, MOST_PORTS, least)) for nic, rows in found]
    shown = [(nic, *make_grid(series, ports), ports) for nic, series, ports in found if ports]
    if not shown:
        raise UserError(f"{scenario.folder}: expected bytes in a queue, got none in any sample")
    notes = [
        f"Up to {MOST_PORTS} ports with the fullest queues, as node > neighbour; those below"
        f" {LEAST_SHARE:.0%} of the fullest are left out. Most bytes since the sample before."
    ]
    notes += [f"{looks[nic.name].label}: no such queue." for nic, _, ports in found if not ports]
    width = page.choose_width()
    columns = 2 if width == style.PAGE_WIDTH and len(shown) > 1 else 1
    rows = -(-len(shown) // columns)
    counts = [len(ports) for *_, ports in shown]
    heights = [
        MARGIN + ROW_HEIGHT * max(4, *counts[row * columns : (row + 1) * columns]) for row in range(rows)
    ]
    height = max(sum(heights), COLOR_BAR_LENGTH)
    with style.paper():
        notes = page.take_notes([*plots.get_notes(scenario), *notes])
        shares = {"gridspec_kw": {"height_ratios": heights}}
        canvas = Canvas(width, height, rows, columns, notes=notes, **shares)
        most = max(grid.max() for _, _, grid, _ in shown)
        for axes, (nic, times, grid, ports) in zip(canvas.panels, shown):
            image = draw_grid(axes, times, grid, ports, most)
            axes.set_title(looks[nic.name].label, pad=3)
        for axes in canvas.panels[len(shown) :]:
            axes.remove()
        canvas.add_color_bar(image, canvas.panels[: len(shown)], "Bytes waiting (kB)")
        return canvas.figure


def draw_grid(axes, times, grid, ports, most):
    """Draw one panel; returns the image."""
    scale, unit = time_plots.choose_time_unit(times)
    extent = (times[0] / scale, times[-1] / scale, len(ports) - 0.5, -0.5)
    image = axes.imshow(
        grid, cmap=HEAT, vmin=0, vmax=most, aspect="auto", interpolation="nearest", extent=extent
    )
    labels = [f"{node} > {peer}" for node, _, peer in ports]
    axes.set_yticks(range(len(ports)), labels, fontsize=style.SMALL_FONT)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.grid(False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel(f"Time ({unit})")
    return image
