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
TITLE = 0.2  # Inches above the rows of a panel.
AXIS = 0.4  # Inches of the axis of time below all panels.
LEAST_SHARE = 0.05  # Of the fullest queue; what is below cannot be seen.
KILO = 1e3
PERCENT = 100

HEAT = LinearSegmentedColormap.from_list("heat", ["#f4f4f4", *style.HEAT_COLORS])


def find_fullest(found, count, share):
    """Return the (node, port, peer) of the queues that were fullest in any of several series, by node and port.

    Not more than `count`, and only queues with at least `share` of the bytes of the fullest.
    """
    most = {}
    for series in found:
        for port in numpy.unique(series[["node", "port", "peer"]]):
            key = tuple(map(int, port))
            most[key] = max(most.get(key, 0), int(find_rows(series, key)["max_bytes"].max()))
    least = max(1, share * max(most.values(), default=0))
    order = sorted(most, key=lambda port: (-most[port], port))
    return sorted(port for port in order[:count] if most[port] >= least)


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


def make_edges(found):
    """Return rising times, ns, between the columns of all panels: up to the end of the longest series."""
    samples = max(len(numpy.unique(series["time_ns"])) for series in found)
    return numpy.linspace(0, max(series["time_ns"].max() for series in found), min(samples, MOST_COLUMNS) + 1)


def make_grid(series, ports, edges):
    """Return kB of each port and column; NaN after the end of the series, and for a port that it does not have."""
    grid = numpy.full((len(ports), len(edges) - 1), numpy.nan)
    is_sampled = edges[:-1] < series["time_ns"].max()
    for row, port in zip(grid, ports):
        rows = find_rows(series, port)
        if len(rows):
            row[is_sampled] = spread(rows, edges)[is_sampled] / KILO
    return grid


def draw_queue_heat_map(scenario, page=None):
    """Return the picture: a panel per NIC that has the series; the fullest queues of all are its rows."""
    page = page or style.Page()
    looks = plots.get_looks(scenario)
    found = [(nic, read_series(nic, "queue")) for nic in scenario.nics]
    shown = [(nic, series) for nic, series in found if series is not None and len(series)]
    ports = find_fullest([series for _, series in shown], MOST_PORTS, LEAST_SHARE)
    if not ports:
        raise UserError(f"{scenario.folder}: expected bytes in a queue, got none in any sample")
    edges = make_edges([series for _, series in shown])
    grids = [make_grid(series, ports, edges) for _, series in shown]
    notes = [
        f"Up to {MOST_PORTS} ports with the fullest queues of all runs, as node > neighbour; ports below"
        f" {PERCENT * LEAST_SHARE:g} % of the fullest are left out. Largest number of bytes since the previous sample."
    ]
    notes += time_plots.describe_events(scenario)
    notes += ["White: after the end of a run."] if numpy.isnan(grids).any() else []
    width = page.choose_width()
    columns = 2 if width == style.PAGE_WIDTH and len(shown) > 1 else 1
    rows = -(-len(shown) // columns)
    height = max(AXIS + rows * (TITLE + ROW_HEIGHT * max(4, len(ports))), COLOR_BAR_LENGTH)
    with style.paper():
        notes = page.take_notes([*plots.get_notes(scenario), *notes])
        canvas = Canvas(width, height, rows, columns, notes=notes, sharex=True, sharey=True)
        most = numpy.nanmax(grids)
        for axes, (nic, _), grid in zip(canvas.panels, shown, grids):
            image = draw_grid(axes, edges / KILO, grid, ports, most)
            axes.set_title(looks[nic.name].label, pad=3)
        time_plots.draw_events(canvas.panels[: len(shown)], scenario, time_plots.choose_time_unit(edges / KILO)[0])
        label_times(canvas.panels, len(shown), columns, edges / KILO)
        canvas.add_color_bar(image, canvas.panels[: len(shown)], "Bytes waiting (kB)")
        return canvas.figure


def label_times(panels, count, columns, times):
    """Label the shared axis of time below the lowest panel of each column, of `count` that are drawn."""
    for axes in panels[count:]:
        axes.remove()
    for axes in panels[max(0, count - columns) : count]:
        axes.tick_params(axis="x", labelbottom=True)
        axes.set_xlabel(f"Time ({time_plots.choose_time_unit(times)[1]})")


def draw_grid(axes, times, grid, ports, most):
    """Draw one panel; returns the image."""
    scale, _ = time_plots.choose_time_unit(times)
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
    return image
