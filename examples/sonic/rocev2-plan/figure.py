# SPDX-License-Identifier: GPL-2.0-only
"""SONiC's RoCEv2 test plan and its snappi plans of ECN, PFC and the watchdog: PASS or FAIL by NIC design."""

from dataclasses import asdict

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_names, read_number, read_numbers

from ..common import FAIL, MEASURED, OPEN, PASS
from . import causes, endpoints, forwarding, marking, pauses

OPTIONS = {
    "nics": Option(
        "connectx7,connectx6,connectx7-ar,irn,srnic,balboa,uet,mrc", "connectx7,srnic", "NIC designs of the endpoints"
    ),
    "megabytes": Option("80", "20", "MB that each rank sends"),
    "fairness": Option("640", "80", "MB that each rank sends in test case 6"),
    "pairs": Option("32", "4", "pairs of ports of the marking accuracy"),
    "bursts": Option("1,2,3,4,5,6,7,8", "1", "seeds of the marking accuracy"),
    "congestion": Option("2000", "1500", "us for which both streams of the ECN cases send"),
    "detection": Option("200000", "2000", "detection and restoration time of the watchdog, us"),
    "payloads": Option("64,128,256,512,1024,4096,8192", "1024", "payloads of the drop threshold, bytes"),
    "seed": Option("1", "1", "random seed"),
}

COLORS = {PASS: "#4c9f70", FAIL: "#c8553d", MEASURED: "#b0b7bf", OPEN: "#e6c229"}


def judge_all(context):
    """Return the verdicts of all cases."""
    options = context.options
    presets = read_names(options)
    size = read_number(options, "megabytes", 1, 10_000) * 1_000_000
    fair_size = read_number(options, "fairness", 1, 100_000) * 1_000_000
    seed = read_number(options, "seed", 1, 1_000_000)
    congestion = read_number(options, "congestion", 1000, 100_000)
    detection = read_number(options, "detection", 100, 400_000)
    pairs = read_number(options, "pairs", 1, 200)
    return [
        *endpoints.judge_no_congestion(context, presets, size, seed),
        *endpoints.judge_pfc(context, presets, size, seed),
        *endpoints.judge_dcqcn(context, presets, size, seed),
        *endpoints.judge_storage(context, presets, size, seed),
        *endpoints.judge_fairness(context, presets, fair_size, seed),
        *marking.judge_accuracy(context, pairs, read_numbers(options, "bursts", 1, 1_000_000)),
        *marking.judge_congestion(context, congestion, seed),
        *marking.judge_interference(context, congestion, seed),
        *forwarding.judge_threshold(context, read_numbers(options, "payloads", 64, 8192), seed),
        *forwarding.judge_latency(context, seed),
        *pauses.judge_pause(context, 3, seed),
        *pauses.judge_pause(context, 1, seed),
        *pauses.judge_response(context, seed),
        *pauses.judge_watchdog(context, detection, seed),
        *pauses.judge_receivers(context, detection, seed),
    ]


def format_switch(verdicts):
    """Return the table of the cases that need the tester only."""
    rows = [[one.case, one.scenario, one.check, one.criterion, one.value, one.verdict] for one in verdicts]
    return format_table(["case", "scenario", "check", "criterion", "measured", "verdict"], rows)


def get_worst(verdicts):
    """Return the verdict that fails, or the first."""
    return next((one for one in verdicts if one.verdict == FAIL), verdicts[0])


def format_endpoints(verdicts, presets):
    """Return the table of the cases with NICs: a row per check of a case, a cell per design for its worst scenario."""
    keys = list(dict.fromkeys((one.case, one.check, one.criterion) for one in verdicts))
    rows = []
    for key in keys:
        cells = []
        for preset in presets:
            found = [one for one in verdicts if (one.case, one.check, one.criterion) == key and one.nic == preset]
            worst = get_worst(found)
            failed = "" if worst.verdict != FAIL else f"FAIL {sum(one.verdict == FAIL for one in found)}/{len(found)}: "
            cells.append(f"{failed}{worst.value}")
        rows.append([*key, *cells])
    return format_table(["case", "check", "criterion", *presets], rows)


def draw(data):
    """Return the picture: a row per case, a cell per design with the checks that passed."""
    verdicts = data["verdicts"]
    cases = list(dict.fromkeys(one["case"] for one in verdicts))
    nics = list(dict.fromkeys(one["nic"] for one in verdicts))
    figure = Figure(figsize=(3.6 + 0.85 * len(nics), 0.9 + 0.28 * len(cases)), layout="constrained")
    axes = figure.subplots()
    for row, case in enumerate(cases):
        for column, nic in enumerate(nics):
            found = [one["verdict"] for one in verdicts if one["case"] == case and one["nic"] == nic]
            if found:
                draw_cell(axes, row, column, found)
    axes.set_xlim(-0.5, len(nics) - 0.5)
    axes.set_ylim(len(cases) - 0.5, -0.5)
    axes.set_xticks(range(len(nics)), nics)
    axes.set_yticks(range(len(cases)), cases)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def draw_cell(axes, row, column, found):
    """Draw a cell: green if all checks of the case passed, red if one failed, grey if there is no criterion."""
    kind = FAIL if FAIL in found else PASS if PASS in found else MEASURED
    judged = [verdict for verdict in found if verdict in (PASS, FAIL)]
    text = f"{judged.count(PASS)}/{len(judged)}" if judged else "measured"
    axes.add_patch(Rectangle((column - 0.47, row - 0.45), 0.94, 0.9, color=COLORS[kind]))
    axes.text(column, row, text, ha="center", va="center", fontsize=7, color="white")


def run(context):
    """Run all cases, print both tables and draw the verdicts."""
    verdicts = judge_all(context)
    presets = read_names(context.options)
    print(format_endpoints([one for one in verdicts if one.nic != "tester"], presets))
    print(format_switch([one for one in verdicts if one.nic == "tester"]))
    shown = causes.show_all(context)
    print(format_table(["design", "case", "changed", "measured", "as it is", "changed"], shown))
    failed = [one for one in verdicts if one.verdict == FAIL]
    print(f"{sum(one.verdict == PASS for one in verdicts)} checks passed, {len(failed)} failed")
    passed = {
        nic: [[0, sum(one.verdict == PASS for one in verdicts if one.nic == nic)], [1, sum(one.nic == nic for one in failed)]]
        for nic in dict.fromkeys(one.nic for one in verdicts)
    }
    context.write_figure(
        {"label": "Passed (0) or failed (1)", "unit": "", "scale": "linear"},
        {"label": "Checks", "unit": "", "scale": "linear"},
        passed,
        plot=draw,
        verdicts=[asdict(one) for one in verdicts],
        causes=shown,
    )
