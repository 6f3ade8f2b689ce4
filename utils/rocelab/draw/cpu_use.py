# SPDX-License-Identifier: GPL-2.0-only
"""Use of cores by task: bars of hosts, cores or threads, of one run or of several next to each other."""

from rocelab.draw import plots, style, task_bars
from rocelab.draw.canvas import Canvas, get_text_width
from rocelab.errors import UserError

MAX_BARS = 64  # Of a role of one run: more cannot be distinguished on a page.
MAX_BARS_IN_COLUMN = 8
MAX_TICKS = 16  # Names of bars below a panel, as wide as a page.
SPAN = 0.8  # Of a run's bars together; runs are 1 apart.
PANEL_HEIGHT = 0.8 * style.PANEL_HEIGHT
WORDS = {"host": "server", "core": "server:core", "thread": "server:thread"}


def draw_cpu_use(scenario, by="host", page=None):
    """A panel per role; a group of bars per run, in it one per host, core or thread."""
    page = page or style.Page()
    uses = [task_bars.read_use(nic, by) for nic in scenario.nics]
    roles = [role for role in ("sender", "receiver") if any(use.get(role) for use in uses)]
    if not roles:
        raise UserError(f"{scenario.folder}: expected threads in {task_bars.FILE}, got none")
    check_counts(uses, by)
    stacks = [stack for use in uses for bars in use.values() for stack in bars.values()]
    most = max(sum(len(use.get(role, ())) for use in uses) for role in roles)
    usual = style.COLUMN_WIDTH if most <= MAX_BARS_IN_COLUMN else style.PAGE_WIDTH
    notes = page.take_notes(["100 % is one core.", *describe_bars(uses, by), *plots.get_notes(scenario)])
    with style.paper():
        canvas = Canvas(
            page.choose_width(usual),
            len(roles) * PANEL_HEIGHT,
            len(roles),
            legend=task_bars.find_tasks(stacks),
            notes=notes,
        )
        step = SPAN / max(len(bars) for use in uses for bars in use.values())
        for axes, role in zip(canvas.panels, roles):
            names = draw_role(axes, role, uses, step)
            label_bars(axes, names, WORDS[by]) if len(uses) == 1 else label_runs(axes, get_labels(scenario))
        canvas.add_legend()
        return canvas.figure


def check_counts(uses, by):
    """Raise UserError if a run has more bars than can be distinguished."""
    most = max(len(bars) for use in uses for bars in use.values())
    if most > MAX_BARS:
        raise UserError(
            f"plot cpu-use: expected at most {MAX_BARS} bars for a role of one run, got {most}"
            + ("" if by == "host" else " (--by host draws a bar per server)")
        )


def describe_bars(uses, by):
    """Return a note on what stands in one group, where the axis names the runs only."""
    if len(uses) == 1 or all(len(bars) == 1 for use in uses for bars in use.values()):
        return []
    return [f"Bars of one run: {by}s in the order of their numbers."]


def get_labels(scenario):
    """Return the runs' names; what is the same NIC in all of them is left out."""
    labels = [look.label for look in plots.get_looks(scenario).values()]
    parts = [label.rstrip("*").rpartition("/") for label in labels]
    if len(labels) > 1 and all(front for front, _, _ in parts) and len({nic for _, _, nic in parts}) == 1:
        return [front + ("*" if label.endswith("*") else "") for label, (front, _, _) in zip(labels, parts)]
    return labels


def draw_role(axes, role, uses, step):
    """Draw the bars of one role, `step` apart; returns {their places on the axis: their names}."""
    stacks, names = [], {}
    for run, use in enumerate(uses):
        bars = sorted(use.get(role, {}).items())
        for order, (place, stack) in enumerate(bars):
            names[run + (order - (len(bars) - 1) / 2) * step] = ":".join(map(str, place))
            stacks.append(stack)
    task_bars.draw_stacks(axes, list(names), stacks, width=0.9 * step)
    axes.set_xlim(-0.5, len(uses) - 0.5)
    axes.tick_params(axis="x", length=0, pad=2)
    axes.set_ylabel(style.get_axis_label({"label": f"CPU use, {role}s", "unit": "%"}))
    return names


def label_bars(axes, names, word):
    """Name the bars of one run, as many as there is room for."""
    every = -(-len(names) // MAX_TICKS)
    axes.set_xticks(list(names)[::every], list(names.values())[::every])
    axes.set_xlabel(word.capitalize())


def label_runs(axes, labels):
    """Name the runs, upright if they would touch."""
    axes.set_xticks(range(len(labels)), labels)
    room = axes.figure.get_figwidth() / (len(labels) + 1)
    if max(get_text_width(label, style.FONT) for label in labels) > room:
        axes.tick_params(axis="x", rotation=90)
