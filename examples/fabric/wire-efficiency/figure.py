# SPDX-License-Identifier: GPL-2.0-only
"""What headers leave of the line rate, by message size: plain RoCE v2 and SRNIC's longer headers.

Sources: SRNIC (NSDI 2023), section 4.4.1; the TU Delft thesis on RoCE for radio astronomy, section
2.4.4, Eq. 2.1 and 2.2.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.runs.engine import make_arguments
from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers
from rocelab.validate.points import find

from ...srnic import common as srnic

LINE_RATE = 100  # Gbit/s.
SRNIC_MTU = 1024  # SRNIC-055.
THESIS_MTU = 4096  # ASTRON-thesis-252.
LARGE = 1 << 20  # Of a message of which nearly all packets are middle ones.

OPTIONS = {
    "sizes": Option("1024,4096,16384,65536,1048576", "1024,4096,1048576", "message sizes, bytes"),
    "megabytes": Option("60", "8", "approximate payload of each test, MB"),
}

# Name in the picture: path MTU, NIC, test, look.
LINES = {
    "connectx6, WRITE": (SRNIC_MTU, "connectx6", "write_bw", (style.VERMILLION, "s", "-")),
    "connectx6, SEND": (SRNIC_MTU, "connectx6", "send_bw", (style.VERMILLION, "^", (0, (4, 1.5)))),
    "srnic, WRITE": (SRNIC_MTU, "srnic", "write_bw", (style.BLUE, "o", "-")),
    "srnic, SEND": (SRNIC_MTU, "srnic", "send_bw", (style.BLUE, "v", (0, (4, 1.5)))),
    "connectx6, WRITE, MTU 4096": (THESIS_MTU, "connectx6", "write_bw", (style.GREEN, "D", "-")),
}
LOOKS = {
    name: style.NicStyle(name.replace("connectx6", "RoCE v2").replace("srnic", "SRNIC"), *look, "")
    for name, (_, _, _, look) in LINES.items()
}

X_AXIS = {"label": "Message size", "unit": "B", "scale": "log2"}
Y_AXIS = {"label": "Line rate without payload", "unit": "%", "scale": "linear"}


def measure(context, mtu, nic, test, size, megabytes):
    """Return what part of the line rate is no payload, %; hardware off: the wire is the only limit."""
    iterations = srnic.get_iterations(size, megabytes, 50, 40000)
    command = ["perftest", test, "--nic", nic, "--json"]
    command += make_arguments({"mtu": mtu, "size": size, "iters": iterations})
    gbps = context.run_command(command)["results"][0]["measured"]["goodputGbps"]
    return 100 * (1 - gbps / LINE_RATE)


def make_rows(series):
    """Return the rows of validation: what headers cost."""

    def get(name, size):
        lost = find(series, name, size)
        return None if lost is None else 100 - lost

    rows = []
    for operation, fact in (("SEND", "SRNIC-055"), ("WRITE", "SRNIC-056")):
        plain, longer = (get(f"{nic}, {operation}", LARGE) for nic in ("connectx6", "srnic"))
        ours = 100 * (plain - longer) / plain if plain and longer else None
        rows.append(compare(f"srnic, {operation}: goodput that headers cost, %", ours, [fact]))
    name = "connectx6, WRITE, MTU 4096"
    one, large = get(name, THESIS_MTU), get(name, LARGE)
    for what, percent, fact in (
        ("WRITE of one packet, % of the line rate", one, "ASTRON-thesis-252"),
        ("large WRITE, % of the line rate", large, "ASTRON-thesis-254"),
    ):
        rows.append(compare(what, percent, [fact]))
    for what, percent, facts in (
        ("WRITE of one packet, Gbit/s", one, ["ASTRON-thesis-253", "ASTRON-thesis-305"]),
        ("WRITE of four packets, Gbit/s", get(name, 4 * THESIS_MTU), ["ASTRON-thesis-306"]),
    ):
        rows.append(compare(what, None if percent is None else percent * LINE_RATE / 100, facts))
    return rows


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def run(context):
    """Measure all lines, print the table and write the figure."""
    sizes = read_numbers(context.options, "sizes", 64, 1 << 24)
    megabytes = read_number(context.options, "megabytes", 1, 10**4)
    series = {
        name: [[size, measure(context, mtu, nic, test, size, megabytes)] for size in sizes]
        for name, (mtu, nic, test, _) in LINES.items()
    }
    panels = [{"x": X_AXIS, "y": Y_AXIS, "series": series}]
    settings = {"hardware": "off", "megabytes": megabytes}
    srnic.finish(context, panels, make_rows(series), settings, plot=draw)
