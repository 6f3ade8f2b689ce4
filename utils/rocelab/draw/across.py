# SPDX-License-Identifier: GPL-2.0-only
"""One picture of several scenarios with the same NICs: a row of panels for each scenario."""

from rocelab.draw import coincide, plots, style
from rocelab.draw.canvas import Canvas

ROW_HEIGHT = 0.8 * style.PANEL_HEIGHT


def draw_slowdown_by_size(scenarios, page=None):
    """Mean (left) and P99 (right) slowdown in bins of flow size, a row per scenario.

    All rows have the same bins; each panel has its own vertical scale.
    """
    page = page or style.Page()
    lines = get_lines(scenarios)
    edges = plots.get_size_edges([nic.completed["bytes"] for one in scenarios for nic in one.nics])
    notes = [f"{one.name}: {note}" for one in scenarios for note in [*plots.get_notes(one), *plots.get_fluid_notes(one)]]
    notes += [plots.ERROR_BAR_NOTE, plots.SIDESTEP_NOTE] if any(map(len, lines)) else []
    with style.paper():
        canvas = Canvas(
            page.choose_width(style.PAGE_WIDTH),
            len(scenarios) * ROW_HEIGHT,
            len(scenarios),
            len(plots.STATISTICS),
            legend=list(dict.fromkeys(label for row in lines for _, label, _ in row)),
            notes=page.take_notes(notes),
            sharex=True,
        )
        panels = iter(canvas.panels)
        for scenario, row in zip(scenarios, lines):
            for word, summarize in plots.STATISTICS:
                axes = next(panels)
                plots.draw_size_lines(axes, row, edges, plots.SLOWDOWN, summarize, plots.RESAMPLED)
                axes.set_title(scenario.name, loc="left", fontsize=style.FONT)
                axes.set_ylabel(plots.describe(word, plots.SLOWDOWN))
        for axes in canvas.panels[-len(plots.STATISTICS) :]:
            plots.label_sizes(axes)
        canvas.figure.align_ylabels()
        canvas.add_legend()
        return canvas.figure


def get_lines(scenarios):
    """Return plots.get_lines() of each scenario, with one look and label per NIC in all of them.

    NICs share a line only if their flows took the same times in each scenario that has them.
    """
    names = list(dict.fromkeys(nic.name for one in scenarios for nic in one.nics))
    rows = [{nic.name: nic for nic in one.nics} for one in scenarios]

    def are_same(name, other):
        pairs = [(row.get(name), row.get(other)) for row in rows]
        return all(
            one is two or (one and two and plots.have_same_times(one, two)) for one, two in pairs
        )

    looks = style.get_styles(names)
    groups = coincide.group(names, are_same)
    lines = []
    for row in rows:
        drawn = []
        for order, members in enumerate(groups):
            nic = row.get(members[0])
            if nic is None or not len(nic.completed):
                continue
            label = coincide.join_labels(looks[name].label for name in members)
            look = style.get_line_look(looks[members[0]], order, len(groups), nic.is_complete)
            drawn.append((nic, label, look))
        lines.append(drawn)
    return lines
