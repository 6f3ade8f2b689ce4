# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 6: how several queue pairs share the link.

Source: RoCE BALBOA, section 6.3, "Multi-QP Performance Scaling".
"""

from rocelab.draw import scales, style
from rocelab.draw.canvas import Canvas
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import testbed

SIZE = 32768
EVEN = 0.99  # Jain's index from which on the shares count as even.

OPTIONS = {
    "qps": Option("2,4,8", "2,4,8", "numbers of queue pairs"),
    "batches": Option("20", "2", "batches of 64 READs on each queue pair"),
}


def get_jain_index(shares):
    """Return Jain's fairness index: 1 if all are equal, 1 / count if one has all."""
    return sum(shares) ** 2 / (len(shares) * sum(share**2 for share in shares))


def measure(context, queue_pairs, batches):
    """Return the Gbit/s of each queue pair."""
    arguments = ["--nic", "balboa", *testbed.get_network(), "-q", str(queue_pairs), "-Q", "1"]
    arguments += ["-n", str(testbed.BATCH * batches), "-t", str(testbed.BATCH)]
    result = testbed.run_perftest(context, "read_bw", SIZE, arguments)
    return result["measured"]["queuePairGbps"]


def draw(data):
    """Return the picture: a bar per queue pair, a group per number of queue pairs."""
    with style.paper():
        canvas = Canvas(style.COLUMN_WIDTH, style.PANEL_HEIGHT)
        axes = canvas.panels[0]
        place = 0
        ticks = []
        for name, points in data["series"].items():
            places = [place + number for number in range(len(points))]
            axes.bar(places, [value for _, value in points], 0.9, color=style.ORANGE)
            ticks.append((sum(places) / len(places), str(len(points))))
            place += len(points) + 1
        axes.set_xticks([middle for middle, _ in ticks], [name for _, name in ticks])
        scales.fit_scale(axes.yaxis, [y for points in data["series"].values() for _, y in points])
        axes.set_xlabel("Queue pairs")
        axes.set_ylabel("Throughput of each (Gbit/s)")
        return canvas.figure


def run(context):
    """Measure each number of queue pairs, print the table and write the figure."""
    counts = read_numbers(context.options, "qps", 1, 10_000)
    batches = read_number(context.options, "batches", 1, 10**6)
    shares = {count: measure(context, count, batches) for count in counts}
    rows = []
    for count, share in shares.items():
        values = [sum(share), min(share), max(share)]
        index = f"{get_jain_index(share):.4f}"
        rows.append([str(count), *[format_number(value) for value in values], index])
    headers = ["queue pairs", "sum\nGbit/s", "least\nGbit/s", "most\nGbit/s", "Jain index"]
    print("\n".join([format_table(headers, rows), "", format_statements(context.paper)]))
    jain = {count: get_jain_index(share) for count, share in shares.items()}
    text = f"{min(jain.values()):.4f} with " + ", ".join(map(str, jain))
    what = "Jain's index of the queue pairs' throughput"
    checks = [check(what, "evenly", text, min(jain.values()) > EVEN, ["BALBOA-196"])]
    print("\n" + format_rows(checks))
    series = {
        f"{count} queue pairs": [[number + 1, value] for number, value in enumerate(share)]
        for count, share in shares.items()
    }
    context.write_figure(
        {"label": "Queue pair", "unit": ""},
        {"label": "Throughput", "unit": "Gbit/s"},
        series,
        plot=draw,
        checks=checks,
        jain=jain,
        total_gbps={count: sum(share) for count, share in shares.items()},
    )
