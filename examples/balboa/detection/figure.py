# SPDX-License-Identifier: GPL-2.0-only
"""Detection by BALBOA's packet inspection: rates by threshold, and confusion matrices.

Source: RoCE BALBOA, sections 5.1.2 and 6.4.2.
"""

import csv

import numpy as np

from rocelab.draw import style
from rocelab.draw.canvas import Canvas
from rocelab.errors import UserError
from rocelab.terminal.table import format_table
from rocelab.validate.checks import check, compare, format_rows, get_measured
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number

from .. import inspection, inspection_rates
from ...strom import common as strom

NIC = "balboa"
MTU = 4096
SERVICE = "ns3::rdma::InspectionService"
SEED = 7
ROUND_TRIPS = 20  # Of the latency of a verdict.
CHECKED_PACKETS = 64  # Of each kind that go through the simulated NIC.

OPTIONS = {
    "files": Option("40", "4", "files of each kind that are found on this system"),
    "weights": Option("", "", "file of weights; empty: network.txt of this folder"),
}

X_AXIS = {"label": "Threshold", "unit": "log odds", "scale": "linear"}
Y_AXIS = {"label": "Taken for executables", "unit": "%", "scale": "linear"}
LOOKS = {
    "whole": style.NicStyle("executable", style.VERMILLION, "s", "-", ""),
    "embedded": style.NicStyle("embedded", style.ORANGE, "D", (0, (4, 1.5)), ""),
    "benign": style.NicStyle("benign (false positives)", style.BLUE, "o", (0, (1, 1)), ""),
}
STEPS = np.arange(-4, 10.01, 1)
UNIT = 256  # Of a score.


def make_panel(title, scores):
    """Return the rates by threshold of beats or packets."""
    series = {
        name: [[float(step), 100 * scores.get_rates(step * UNIT)[name]] for step in STEPS]
        for name in LOOKS
    }
    return {"x": X_AXIS, "y": {**Y_AXIS, "label": f"{title} taken for bad"}, "series": series}


def draw(data):
    """Return the picture: rates by threshold, and the matrices of packets below them."""
    with style.paper():
        canvas = Canvas(
            style.PAGE_WIDTH,
            1.75 * style.PANEL_HEIGHT,
            2,
            2,
            legend=[look.label for look in LOOKS.values()],
            notes=[],
        )
        for axes, panel in zip(canvas.panels, data["panels"]):
            draw_rates(axes, panel, data["thresholds"])
        for axes, matrix in zip(canvas.panels[2:], data["matrices"]):
            draw_matrix(axes, matrix)
        canvas.add_legend()
        return canvas.figure


def draw_rates(axes, panel, thresholds):
    """Draw the lines of one panel, and where the thresholds are."""
    for order, (name, points) in enumerate(panel["series"].items()):
        look = style.get_line_look(LOOKS[name], order, len(LOOKS))
        axes.plot(*zip(*points), label=LOOKS[name].label, **look)
    for threshold in thresholds:
        axes.axvline(threshold, color=style.GREY, linewidth=0.7, zorder=0)
    axes.set_ylim(-2, 102)
    axes.set_xlabel(style.get_axis_label(panel["x"]))
    axes.set_ylabel(style.get_axis_label(panel["y"]))


def draw_matrix(axes, matrix):
    """Draw one confusion matrix with its counts and shares."""
    counts = np.array(matrix["counts"])
    shares = counts / counts.sum(axis=1, keepdims=True)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
    for row in range(2):
        for column in range(2):
            text = f"{counts[row, column]:,}\n{100 * shares[row, column]:.1f} %"
            axes.text(column, row, text, ha="center", va="center", fontsize=style.FONT)
    axes.set_xticks([0, 1], ["passed", "rejected"])
    axes.set_yticks([0, 1], ["executable", "benign"])
    axes.tick_params(length=0)
    axes.grid(False)
    axes.set_title(matrix["title"], fontsize=style.FONT)


def read_verdicts(path):
    """Return (bad, score) of each packet of a file of verdicts."""
    with open(path, encoding="ascii", newline="") as file:
        return [(row["bad"] == "1", int(row["score"])) for row in csv.DictReader(file)]


def compare_with_nic(context, network, weights, files):
    """Send packets of each kind through the simulated NIC; return those whose verdict differs."""
    context.results.mkdir(parents=True, exist_ok=True)
    different = packets = 0
    for kind, data in files.kinds.items():
        whole = inspection_rates.join_packets(data)[:CHECKED_PACKETS]
        if not len(whole):
            continue
        source, verdicts = context.results / f"{kind}.bytes", context.results / f"{kind}.csv"
        source.write_bytes(whole.tobytes())
        options = {"data": source, "weights": weights, "verdicts": verdicts, "size": MTU}
        strom.run_offload(context, "inspection", "kernel", 1, options, nic=NIC, mtu=MTU)
        worst = inspection_rates.get_worst(network, whole)
        expected = [(bool(score >= network.threshold), int(score)) for score in worst]
        ours = read_verdicts(verdicts)
        different += sum(a != b for a, b in zip(ours, expected)) + abs(len(ours) - len(expected))
        packets += len(expected)
        source.unlink()
        verdicts.unlink()
    return different, packets


def measure_verdict(context, weights):
    """Return ns from a beat to its verdict: what a round trip of 64 bytes has more for two of them.

    The verdicts are not hidden behind the packet pipeline here.
    """
    options = {"size": 64, "messages": 1, "echo": "true", "weights": weights}
    settings = [f"{SERVICE}::PipelineCycles=0", f"{SERVICE}::Drop=false"]
    run = strom.run_offload
    plain = {"size": 64, "messages": 1, "echo": "true"}
    with_it = run(context, "inspection", "kernel", ROUND_TRIPS, options, NIC, settings, MTU)
    without = run(context, "inspection", "write", ROUND_TRIPS, plain, NIC, (), MTU)
    return (with_it["latency_p50_us"] - without["latency_p50_us"]) * 1e3 / 2


def format_rates(title, scores, thresholds):
    """Return the table of rates at the thresholds."""
    rates = [scores.get_rates(threshold) for threshold in thresholds]
    rows = [
        [name, f"{len((scores.bad | scores.benign)[name]):,}"]
        + [f"{100 * one[name]:.2f}" for one in rates]
        for name in rates[0]
    ]
    headers = [title, "number"] + [f"% at {threshold / UNIT:+.2f}" for threshold in thresholds]
    return format_table(headers, rows)


def make_beat_rows(rates):
    """Return rows on beats, which answer no fact: the paper's rates are those of packets."""
    return [
        check(
            f"beats of executables, threshold 0, false positives {100 * rates['benign']:.1f} %",
            "none printed",
            f"{100 * rates[name]:.1f} %{where}",
            True,
            [],
        )
        for name, where in (("whole", ""), ("embedded", " embedded in benign ones"))
    ]


def make_code_row(network, files):
    """Return the row on packets of executables by what they hold, which answers no fact."""
    shares = [
        f"{100 * (inspection_rates.get_worst(network, part) >= network.threshold).mean():.1f} % of {len(part):,} {name}"
        for part, name in zip(
            inspection_rates.split_code(files.kinds["elf"]), ("within executable segments", "others")
        )
        if len(part)
    ]
    what = "packets of executables by what they hold, threshold of the service"
    return check(what, "none printed", "; ".join(shares), True, [])


def make_checks(verdict, beats, packets, threshold, different, checked):
    """Return the rows of validation."""
    loose, strict = packets.get_rates(0), packets.get_rates(threshold)
    stated = get_fact("BALBOA-202").value
    return [
        compare("verdict after a beat, ns", verdict, ["BALBOA-186"]),
        compare(
            f"packets of executables, threshold 0, false positives {100 * loose['benign']:.1f} %: %",
            100 * loose["whole"],
            ["BALBOA-202"],
        ),
        compare(
            "packets of executables, threshold of the service, false positives "
            f"{100 * strict['benign']:.1f} %: %",
            100 * strict["whole"],
            ["BALBOA-202"],
        ),
        # 10 % of a rate near 100 % says little: so many packets pass.
        check(
            "packets of executables that pass, threshold of the service",
            f"{100 - stated:.2f} %",
            f"{100 - 100 * strict['whole']:.2f} %",
            1 - strict["whole"] <= 1.1 * (1 - stated / 100),
            ["BALBOA-202"],
        ),
        compare(
            "pieces of 512 B embedded in benign packets, threshold of the service: %",
            100 * strict["embedded"],
            ["BALBOA-203"],
        ),
        *make_beat_rows(beats.get_rates(0)),
        check(
            "packets whose verdict in the simulated NIC differs from numpy's",
            "none",
            f"{different} of {checked}",
            different == 0,
            ["BALBOA-202"],
        ),
    ]


def run(context):
    """Judge the files held out, and write the figure."""
    found = read_number(context.options, "files", 1, 10_000)
    weights = context.options["weights"] or str(context.folder.resolve() / "network.txt")
    network = inspection.read_network(weights)
    files = inspection_rates.load_held_out(found)
    if not files.kinds["elf"]:
        raise UserError("expected executables (ELF) in /usr/bin or /usr/lib, got none")
    random = np.random.default_rng(SEED)
    beats = inspection_rates.score_beats(network, files, random)
    packets = inspection_rates.score_packets(network, files, random)
    thresholds = [0, network.threshold]
    different, checked = compare_with_nic(context, network, weights, files)
    verdict = measure_verdict(context, weights)
    checks = make_checks(verdict, beats, packets, network.threshold, different, checked)
    checks.append(make_code_row(network, files))
    print(f"Files: {files.count()}\n")
    print(format_rates("beats", beats, thresholds) + "\n")
    print(format_rates("packets", packets, thresholds) + "\n")
    print(format_rows(get_measured(checks)))
    matrices = [
        {
            "title": f"packets, threshold {threshold / UNIT:.2f}",
            "counts": inspection_rates.get_confusion(packets, threshold),
        }
        for threshold in thresholds
    ]
    panels = [make_panel("beats", beats), make_panel("packets", packets)]
    context.write_figure(
        X_AXIS,
        Y_AXIS,
        panels[0]["series"],
        plot=draw,
        panels=panels,
        matrices=matrices,
        thresholds=[threshold / UNIT for threshold in thresholds],
        checks=get_measured(checks),
        files=files.count(),
        settings={"nic": NIC, "mtu": MTU},
    )
