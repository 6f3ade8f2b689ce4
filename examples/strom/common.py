# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of offload experiments share: the measurements offload-..., looks of methods."""

from dataclasses import replace

from matplotlib.transforms import ScaledTranslation

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import format_rows, format_statements, get_measured
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

LOOKS = {
    "read": style.NicStyle("RDMA READ", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
    "cpu": style.NicStyle("READ + software", style.BLUE, "^", (0, (4, 1.2, 1, 1.2)), "...."),
    "kernel": style.NicStyle("StRoM", style.GREEN, "o", "-", ""),
    "tcp": replace(style.OTHER_STACKS["tcp"], label="TCP RPC"),
    "tcp-int": style.NicStyle("TCP RPC, array of int", style.ORANGE, "D", (0, (3, 1, 1, 1)), "xx"),
    "tcp-char": style.NicStyle("TCP RPC, array of char", style.SKY_BLUE, "v", (0, (1, 1)), "oo"),
}
#: Two NICs without a switch (StRoM, section 6.1); 2 m are our estimate.
CABLE = Option("10", "10", "delay of the cable, ns")
STEP = 3  # Points between the lines of a panel with whiskers.
SPREAD_NOTE = (
    f"Whiskers: P1 to P99. Lines with whiskers are shifted by {STEP} points each so that they do not overlap."
)
HEADROOM = 1.05
VISIBLE = 0.05  # Whiskers shorter than this share of their value are not drawn.


def read_cable(context):
    """Return the delay of the option CABLE, with its unit."""
    return f"{read_number(context.options, 'cable', 0, 1_000_000)}ns"


def run_offload(context, task, method, calls, options, nic="strom10g", settings=(), mtu=None, delay=None):
    """Return the row of the measurement offload-TASK; options are the task's own keys, {"length": 8}."""
    keys = {"method": method, "nic": nic, "calls": calls, "mtu": mtu, "delay": delay}
    given = {key: value for key, value in keys.items() if value is not None}
    (row,) = context.measure(f"offload-{task}", settings, **given, **options)
    return row


def get_spread(x, row):
    """Return the whisker of a point of run_offload(), [x, P1, P99]."""
    return [x, row["latency_p1_us"], row["latency_p99_us"]]


def format_points(panels):
    """Return the table of all points: a line per x, a column per panel and series."""
    columns, headers = [], [panels[0]["x"]["label"]]
    for panel in panels:
        for name, points in panel["series"].items():
            if dict(map(tuple, points)) in columns:
                continue  # Shown by two panels.
            headers.append(f"{panel['y']['label']}\n{name}\n{panel['y']['unit']}")
            columns.append(dict(map(tuple, points)))
    places = sorted({x for column in columns for x in column})
    return format_table(
        headers, [[f"{x:,}"] + [format_number(column.get(x)) for column in columns] for x in places]
    )


def draw(data):
    """Return the picture: panels of lines, with whiskers where a panel has a "spread"."""
    names = list(dict.fromkeys(name for panel in data["panels"] for name in panel["series"]))
    return draw_with_whiskers(data, {name: LOOKS[name] for name in names})


def draw_with_whiskers(data, looks):
    """Return the picture of panels, of which some may have a "spread"."""
    if any(map(has_spread, data["panels"])):
        data = {**data, "notes": [*data.get("notes", []), SPREAD_NOTE]}
    figure = draw_panels(data, looks)
    for axes, panel in zip(figure.axes, data["panels"]):
        if has_spread(panel):
            draw_whiskers(axes, panel, looks)
    return figure


def has_spread(panel):
    """Tell whether some whisker of a panel would be seen."""
    return any(
        high - low > VISIBLE * high
        for bounds in panel.get("spread", {}).values()
        for _, low, high in bounds
    )


def draw_whiskers(axes, panel, looks):
    """Draw {name: [[x, low, high], ...]}; lines are shifted by STEP points."""
    for order, (name, bounds) in enumerate(panel["spread"].items()):
        shift = STEP * (order - (len(panel["spread"]) - 1) / 2) / 72
        beside = ScaledTranslation(shift, 0, axes.figure.dpi_scale_trans)
        for line in axes.lines:
            if line.get_label() == looks[name].label:
                line.set_transform(axes.transData + beside)
        for x, low, high in bounds:
            axes.plot(
                [x, x],
                [low, high],
                color=looks[name].color,
                linewidth=0.8,
                marker="_",
                markersize=4,
                transform=axes.transData + beside,
                clip_on=False,
                zorder=1.5,
            )
    top = max(high for bounds in panel["spread"].values() for _, _, high in bounds)
    axes.set_ylim(top=max(axes.get_ylim()[1], HEADROOM * top))


def finish(context, panels, checks, settings, plot=draw, **more):
    """Print points, checks and what the paper states, and write the figure.

    Rows of checks whose number was not measured are left out.
    """
    checks = get_measured(checks)
    parts = [format_points(panels), "", format_rows(checks), "", format_statements(context.paper)]
    print("\n".join(parts))
    return context.write_panels(panels, plot=plot, checks=checks, settings=settings, **more)
