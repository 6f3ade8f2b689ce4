# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 5: where the latency of an outgoing WRITE comes from, for 64 B and 4 KB.

Source: RoCE BALBOA, section 6.2, "Performance Breakdown of RDMA Latency in RoCE BALBOA".
"""

from rocelab.draw import style
from rocelab.draw.bars import format_bar_value
from rocelab.draw.canvas import Canvas
from rocelab.errors import UserError
from rocelab.results.latency import get_write_path, sum_parts
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, format_rows, format_statements
from rocelab.validate.facts import TOLERANCE as DIFFERENT
from rocelab.validate.figure import Option

from .. import testbed

SIZES = (64, 4096)
STAGES = ("reth", "bth", "udp", "ip")  # The packet processing pipeline of the paper's Figure 2.
STACK = ("flow-control", "retransmission-mux", *STAGES, "icrc")
ABBREVIATIONS = ("reth", "bth", "udp", "ip", "icrc", "cmac", "fifo")
TOLERANCE = 0.001  # Of the sum, between the sum of the parts and the simulated latency.
# Criterion of "a major impact" that "shows differences": with both sizes the arbiters and FIFOs outside of the stack take
# at least this part of the card's way out, and their times differ by more than DIFFERENT. The paper's text does not
# list the blocks of its arbitration: ours are chosen by their names.
ARBITRATION = ("arbiter", "fifo")
MAJOR = 1 / 3

OPTIONS = {"iters": Option("100", "20", "messages of the simulated latency test")}


def list_pipeline(context, size):
    """Return what the NIC says that each of its parts takes, for a WRITE of a size."""
    arguments = ["list", "pipeline", "--nic", "balboa", "--bytes", str(size), "--json"]
    return context.run_command(arguments)


def measure_latency(context, size, iterations):
    """Return ns of a simulated WRITE, half a ping-pong between two hosts at one switch."""
    arguments = ["--nic", "balboa", *testbed.get_network(), "-n", str(iterations), "-I", "0"]
    return testbed.run_perftest(context, "write_lat", size, arguments)["typicalUs"] * 1000


def get_shares(transmit):
    """Return ns of what the paper tells apart on the way out."""
    processing = sum(transmit[stage] for stage in STAGES)
    stack = sum(transmit[block] for block in STACK)
    around = sum(ns for name, ns in transmit.items() if name not in STACK and name != "cmac")
    return {"stack": stack, "processing": processing, "icrc": transmit["icrc"], "around": around}


def check_sum(size, path, measured):
    """Raise UserError unless the parts add up to what the simulation measured."""
    total = sum(path.values())
    if abs(total - measured) > TOLERANCE * total:
        raise UserError(
            f"{size} bytes: expected the parts, {total:.0f} ns, to be what was measured, "
            f"got {measured:.0f} ns"
        )


def make_arbitration_row(transmit, shares):
    """Return the row of the arbitration before and after the stack. transmit: {size: {block: ns}} of the way out."""
    arbitration = {
        size: sum(ns for name, ns in blocks.items() if name.endswith(ARBITRATION) and name not in STACK)
        for size, blocks in transmit.items()
    }
    wholes = {size: sum(blocks.values()) for size, blocks in transmit.items()}
    text = "; ".join(
        f"{size} B: {ns:.0f} ns, {ns / wholes[size]:.0%}, with all blocks outside of the stack"
        f" {shares[size]['around'] / wholes[size]:.0%}"
        for size, ns in arbitration.items()
    )
    low, high = min(arbitration.values()), max(arbitration.values())
    is_met = all(ns >= MAJOR * wholes[size] for size, ns in arbitration.items()) and high > (1 + DIFFERENT) * low
    what = "arbiters and FIFOs outside of the stack, share of the card's way out"
    return check(what, "major; depends on the length", text, is_met, ["BALBOA-702"])


def make_rows(transmit, shares):
    """Return the rows of validation."""
    parts = [[share[name] / share["stack"] for name in ("processing", "icrc")] for share in shares.values()]
    text = "; ".join(f"{size} B: {a:.0%} and {b:.0%}" for size, (a, b) in zip(shares, parts))
    is_met = all(processing > max(icrc, 0.5) for processing, icrc in parts)
    what = "packet processing and ICRC, shares of the stack"
    return [
        check(what, "processing dominates", text, is_met, ["BALBOA-195"]),
        make_arbitration_row(transmit, shares),
    ]


def get_part_label(name):
    """Return a part as the picture spells it: "ethernet-header" is "Ethernet header"."""
    words = [word.upper() if word in ABBREVIATIONS else word for word in name.split("-")]
    return words[0][0].upper() + " ".join(words)[1:]


def describe_size(size):
    """Return a size as the legend writes it."""
    return f"{size:,} B"


def draw(data):
    """Return the picture: a bar per block and size, for the way out and the whole way."""
    with style.paper():
        labels = [f"{size} B" for size in SIZES]
        canvas = Canvas(style.PAGE_WIDTH, 2 * style.PANEL_HEIGHT, 1, 2, legend=list(map(describe_size, SIZES)))
        for axes, panel in zip(canvas.panels, data["panels"]):
            names = [name for name, _ in panel["series"][labels[0]]]
            for order, label in enumerate(labels):
                places = [place + 0.4 * (order - 0.5) for place in range(len(names))]
                values = [value for _, value in panel["series"][label]]
                bars = axes.barh(
                    places,
                    values,
                    0.38,
                    label=describe_size(SIZES[order]),
                    color=(style.SKY_BLUE, style.ORANGE)[order],
                    hatch=("", "////")[order],
                    edgecolor="white",
                )
                axes.bar_label(bars, map(format_bar_value, values), fontsize=style.SMALL_FONT, padding=1.5)
            axes.margins(x=0.15)
            axes.set_yticks(range(len(names)), [get_part_label(name) for name in names])
            axes.invert_yaxis()
            axes.grid(False)
            axes.grid(True, axis="x")
            axes.set_xlabel(style.get_axis_label(panel["y"]))
        canvas.add_legend()
        return canvas.figure


def format_results(panels, shares, measured):
    """Return both tables, and what of the paper's statements holds."""
    parts = []
    for panel in panels:
        columns = list(panel["series"].values())
        rows = [
            [name, *[format_number(column[index][1]) for column in columns]]
            for index, (name, _) in enumerate(columns[0])
        ]
        sums = [sum(value for _, value in column) for column in columns]
        rows.append(["sum", *[format_number(total) for total in sums]])
        if panel is panels[-1]:
            rows.append(["simulated", *[format_number(measured[size]) for size in SIZES]])
        headers = [panel["y"]["label"], *[f"{size} B\nns" for size in SIZES]]
        parts += [format_table(headers, rows), ""]
    for size in SIZES:
        share = shares[size]
        parts.append(
            f"{size} B: of {format_number(share['stack'])} ns in the stack, packet processing is "
            f"{share['processing'] / share['stack']:.0%} and the ICRC "
            f"{share['icrc'] / share['stack']:.0%}; before and after it "
            f"{format_number(share['around'])} ns"
        )
    return "\n".join(parts)


def run(context):
    """Ask the engine for all parts, simulate the same WRITE, print the tables, write the figure."""
    iterations = context.options["iters"]
    if not iterations.isdigit() or int(iterations) < 5:
        raise UserError(f"option iters: expected a number from 5 on, got {iterations!r}")
    blocks, paths, shares, measured = {}, {}, {}, {}
    for size in SIZES:
        account = list_pipeline(context, size)
        transmit = sum_parts(account["transmit"])
        blocks[f"{size} B"] = list(transmit.items())
        path = get_write_path(account, testbed.RATE_GBPS, [testbed.DELAY_NS] * 2, testbed.HEAD_BYTES)
        paths[f"{size} B"] = list(path.items())
        shares[size] = get_shares(transmit)
        measured[size] = measure_latency(context, size, int(iterations))
        check_sum(size, path, measured[size])
    x = {"label": "Part", "unit": ""}
    panels = [
        {"x": x, "y": {"label": "On the card, way out", "unit": "ns"}, "series": blocks},
        {"x": x, "y": {"label": "Post to the peer's memory", "unit": "ns"}, "series": paths},
    ]
    print(format_results(panels, shares, measured) + "\n\n" + format_statements(context.paper))
    checks = make_rows({size: dict(blocks[f"{size} B"]) for size in SIZES}, shares)
    print()
    print(format_rows(checks))
    context.write_figure(
        x,
        panels[0]["y"],
        blocks,
        plot=draw,
        panels=panels,
        checks=checks,
        shares={str(size): share for size, share in shares.items()},
        simulated_ns={str(size): value for size, value in measured.items()},
    )
