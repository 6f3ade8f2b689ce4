# SPDX-License-Identifier: GPL-2.0-only
"""rocelab plot: what its pictures show, their sizes and bytes, and bad input."""

import json
import re

import numpy
import pytest
from pictures import check_picture
from synthetic import write_nic, write_scenario

import rocelab
from rocelab.__main__ import main
from rocelab.draw import heat_map, latency_plots, link_map, plots, style, task_bars
from rocelab.draw.kinds import KINDS
from rocelab.draw.panels import draw_panels
from rocelab.draw.sources import FIGURE, PERFTEST, SCENARIO, SWEEP, load_source
from rocelab.draw.sweep_plots import describe_metric
from rocelab.errors import UserError
from rocelab.results.folders import NicResult, ScenarioResult, load_scenario
from rocelab.results.latency import get_write_path
from rocelab.report.charts import make_charts
from rocelab.report.figure_part import make_figure_charts
from rocelab.report.scenario_words import describe_scenario
from rocelab.results.columns import get_columns
from rocelab.results.series import COLUMNS
from rocelab.validate.examples import load_example

streams = load_example("thesis/common")

OF_RUNS = [kind.name for kind in KINDS if SCENARIO in kind.draws]
FABRIC = {"topology": "star", "servers": 2}

# Of each NIC in both tables: mean and half width of its goodput, by (servers, loss).
GOODPUT = {
    ("16", "0"): {"irn": (80, 2), "srnic": (90, 1)},
    ("16", "0.001"): {"irn": (60, 4), "srnic": (85, 3)},
    ("64", "0"): {"irn": (320, 8), "srnic": (360, 4)},
    ("64", "0.001"): {"irn": (200, 9), "srnic": (340, 5)},
}
SWEEP_KEYS = {
    "format": 1,
    "sweep": {
        "axes": [
            {"path": "fabric.servers", "values": [16, 64]},
            {"path": "fabric.lossRate", "name": "loss", "values": [0, 0.001]},
        ]
    },
}


def write_series(folder, name, rows):
    """Write RESULTS/SCENARIO/NIC/series/NAME.csv."""
    lines = [",".join(column for column, _ in COLUMNS[name])]
    lines += [",".join(map(str, row)) for row in rows]
    (folder / "series").mkdir(exist_ok=True)
    (folder / "series" / f"{name}.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def runs(tmp_path):
    """A star of servers 0 and 1 at switch 2, with two NICs of which irn has series of 2 samples."""
    folder = write_scenario(tmp_path / "star", {"irn": 1, "srnic": 2})
    for nic in ("irn", "srnic"):
        path = folder / nic / "scenario.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"fabric": FABRIC}))
    nic = folder / "irn"
    ends = ((0, 0, 2), (1, 0, 2), (2, 0, 0), (2, 1, 1))
    # kB that waited most: of port 2 > 0 first 40 and then 10, of the others 0, and 1 of 2 > 1.
    most = {(2, 0): (40_000, 10_000), (2, 1): (0, 1000)}
    write_series(
        nic,
        "queue",
        [(t * 1000, *end, 0, most.get(end[:2], (0, 0))[t - 1]) for t in (1, 2) for end in ends],
    )
    # Port 0 > 2 sends 100 of 100 Gb/s in 1 us, then 25 in 3 us; 2 > 1 half; the others nothing.
    sent = {(0, 0): (100, 25), (2, 1): (50, 50)}
    write_series(
        nic,
        "port",
        [
            (at, *end, 100, sent.get(end[:2], (0, 0))[sample], 0, 0, 0, 0)
            for sample, at in enumerate((1000, 4000))
            for end in ends
        ],
    )
    write_series(nic, "goodput", [(t * 1000, 500 * t, 4 * t, 500 * t) for t in (1, 2)])
    write_series(nic, "rate", [(t * 1000, 0, 0, 1, 100, "", 0, 50, 0, 0, 0) for t in (1, 2)])
    for name in ("irn", "srnic"):
        write_threads(folder / name, THREADS)
        write_requests(folder / name, [1000, 2000, 4000, None])
        write_iterations(folder / name, [3000, 5000])
    return folder


def write_iterations(folder, times):
    """Write collectives.csv."""
    lines = [",".join(column for column, _ in get_columns("collectives.csv"))]
    lines += [f"0,{number},0,{time},0,1,1,1,0,0,-" for number, time in enumerate(times)]
    (folder / "collectives.csv").write_text("\n".join(lines) + "\n")


def write_requests(folder, latencies):
    """Write rpcs.csv; a request without a latency is unfinished."""
    lines = [",".join(column for column, _ in get_columns("rpcs.csv"))]
    for number, latency in enumerate(latencies):
        status = "unfinished" if latency is None else "ok"
        lines.append(f"{number},0,1,{number},{'' if latency is None else latency},64,1,{status}")
    (folder / "rpcs.csv").write_text("\n".join(lines) + "\n")


#: (server, thread, core, role, {task: ns}): in 2 us, so 20 ns are 1 %.
THREADS = [
    (0, 0, 0, "sender", {"post": 200, "poll": 100}),
    (1, 0, 0, "receiver", {"poll": 1000, "check": 400}),
    (1, 1, 1, "receiver", {"poll": 600, "event": 200}),
    (1, 2, 1, "receiver", {"poll": 20}),
]


def write_threads(folder, threads):
    """Write threads.csv of a run of streams that was measured for 2 us."""
    names = [column for column, _ in task_bars.COLUMNS]
    lines = [",".join(names)]
    for server, thread, core, role, tasks in threads:
        cells = {"server": server, "thread": thread, "core": core, "role": role, "streams": 1}
        cells |= {f"{task}_ns": time for task, time in tasks.items()}
        lines.append(",".join(str(cells.get(name, 0)) for name in names))
    (folder / "threads.csv").write_text("\n".join(lines) + "\n")
    path = folder / "summary.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"streams": {"measured_ms": 0.002}}))


@pytest.fixture
def sweep(tmp_path):
    """The folder of a sweep over servers and loss."""
    folder = tmp_path / "sizes"
    folder.mkdir()
    (folder / "sweep.json").write_text(json.dumps(SWEEP_KEYS))
    metrics = ("goodput_gbps", "fct_us_mean", "fct_us_p99", "slowdown_mean", "slowdown_p99")
    columns = ["servers", "loss", "nic", "runs", "results", "stalled", "failed"]
    lines = [",".join([*columns, *(f"{m}_{end}" for m in metrics for end in ("mean", "ci95"))])]
    for (servers, loss), nics in GOODPUT.items():
        for nic, (mean, width) in nics.items():
            lines.append(f"{servers},{loss},{nic},3,3,0,0" + f",{mean},{width}" * len(metrics))
    (folder / "sweep-summary.csv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def perftest(tmp_path):
    """Folders of perftests: srnic and balboa with 1, 4 and 16 queue pairs, and their latency."""
    folders = {"bw": [], "lat": []}
    for nic, base in (("srnic", 20), ("balboa", 10)):
        common = {"nic": nic, "rate": "100Gbps", "delay": "1us", "loss": 0.0, "hardware": "on"}
        for queue_pairs in (1, 4, 16):
            folder = tmp_path / f"{nic}-{queue_pairs}"
            folder.mkdir()
            result = {"size": 4096, "measured": {"goodputGbps": base * queue_pairs**0.5}}
            write_perftest(folder, common | {"test": "write_bw", "qp": queue_pairs}, result)
            folders["bw"].append(folder)
        folder = tmp_path / f"{nic}-lat"
        folder.mkdir()
        write_perftest(
            folder,
            common | {"test": "write_lat", "qp": 1, "inline": 0, "fabric": None},
            {"size": 64, "typicalUs": 3.5},
        )
        folders["lat"].append(folder)
    return folders


def write_perftest(folder, keys, result):
    (folder / "perftest.json").write_text(json.dumps(keys | {"results": [result]}))


#: A NIC's account of a frame of 76 bytes: with 24 of overhead 8 ns at 100 Gb/s.
ACCOUNT = {
    "frame_bytes": 76,
    "transmit": [{"name": "engine", "ns": 100}, {"name": "mac", "ns": 50}],
    "receive": [{"name": "mac", "ns": 60}],
    "pcie": [
        {"name": "doorbell", "ns": 300},
        {"name": "work request", "ns": 1000},
        {"name": "payload read", "ns": 900},
        {"name": "payload write", "ns": 400},
    ],
    "host": [{"name": "post", "ns": 40}, {"name": "ring", "ns": 60}, {"name": "poll", "ns": 40}],
}


@pytest.fixture
def account(monkeypatch):
    """Let NICs tell ACCOUNT instead of asking the program."""
    monkeypatch.setattr("rocelab.draw.perftest.run_json_command", lambda build, arguments: ACCOUNT)


@pytest.fixture
def drawn(monkeypatch):
    """The Figures that a command saves, checked, instead of their files."""
    figures = []

    def save(figure, stem, kinds):
        check_picture(figure)
        figures.append(figure)
        return []

    monkeypatch.setattr("rocelab.draw.style.save", save)
    return figures


def get_stacks(axes):
    """Return {task: heights of its bars} of a panel, and where the bars of one task begin."""
    return {
        bars.get_label(): [(round(bar.get_y(), 6), round(bar.get_height(), 6)) for bar in bars]
        for bars in axes.containers
    }


@pytest.mark.parametrize(
    "by, names, receivers",
    [
        ("host", ["1"], {"poll": [(0, 81)], "check": [(81, 20)], "event": [(101, 10)]}),
        (
            "core",
            ["1:0", "1:1"],
            {"poll": [(0, 50), (0, 31)], "check": [(50, 20), (31, 0)], "event": [(70, 0), (31, 10)]},
        ),
        (
            "thread",
            ["1:0", "1:1", "1:2"],
            {
                "poll": [(0, 50), (0, 30), (0, 1)],
                "check": [(50, 20), (30, 0), (1, 0)],
                "event": [(70, 0), (30, 10), (1, 0)],
            },
        ),
    ],
)
def test_bars_of_cores_have_their_tasks_one_on_the_other(runs, drawn, by, names, receivers):
    assert main(["plot", "cpu-use", str(runs / "irn"), "--by", by]) == 0
    of_senders, of_receivers = drawn[0].axes
    assert get_stacks(of_senders) == {"poll": [(0, 5)], "post": [(5, 10)]}
    assert get_stacks(of_receivers) == receivers
    assert [label.get_text() for label in of_receivers.get_xticklabels()] == names
    assert of_receivers.get_ylabel() == "CPU use, receivers (%)"


def test_runs_stand_beside_each_other(runs, drawn):
    assert main(["plot", "cpu-use", str(runs), "--by", "thread"]) == 0
    _, receivers = drawn[0].axes
    assert [label.get_text() for label in receivers.get_xticklabels()] == ["IRN", "SRNIC"]
    places = [bar.get_x() + bar.get_width() / 2 for bar in receivers.containers[0]]
    # Three bars around 0 and three around 1.
    assert places == pytest.approx([-0.8 / 3, 0, 0.8 / 3, 1 - 0.8 / 3, 1, 1 + 0.8 / 3])


def test_what_cpu_use_cannot_draw_is_one_line(runs, capsys):
    many = [(0, number, number, "sender", {"post": 20}) for number in range(65)]
    write_threads(runs / "irn", many)
    assert main(["plot", "cpu-use", str(runs / "irn"), "--by", "core"]) == 2
    assert capsys.readouterr().err == (
        "rocelab: plot cpu-use: expected at most 64 bars for a role of one run, got 65"
        " (--by host draws a bar per server)\n"
    )
    (runs / "srnic" / "threads.csv").unlink()
    assert main(["plot", "cpu-use", str(runs)]) == 2
    error = capsys.readouterr().err
    assert error == (
        f"rocelab: plot cpu-use: expected threads.csv in {runs / 'srnic'}, got none (runs of streams write it)\n"
    )
    assert main(["plot", "cpu-use", str(runs), "--by", "numa"]) == 2


def test_there_is_a_picture_of_each_kind_of_data():
    assert {kind for one in KINDS for kind in one.draws} == {SCENARIO, SWEEP, PERFTEST, FIGURE}
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_all_pictures_of_runs_can_be_read_in_a_column(runs, drawn):
    assert main(["plot", "all", str(runs), "--column", "single"]) == 0
    assert len(drawn) == len(OF_RUNS) == 19
    for figure in drawn:
        assert figure.get_figwidth() == 3.33
        # In points: the picture is printed as large as it is.
        texts = [text for text in figure.findobj(lambda artist: hasattr(artist, "get_fontsize"))]
        assert {text.get_fontsize() for text in texts} <= {7.0, 8.0}


def test_latencies_of_requests_are_shares_of_all_of_them(runs, drawn):
    for kind in ("latency-cdf", "latency-ccdf"):
        assert main(["plot", kind, str(runs)]) == 0
    below, above = (figure.axes[0].get_lines()[0] for figure in drawn)
    assert list(below.get_xdata()) == list(above.get_xdata()) == [1, 2, 4]
    # Of four requests one has no answer: three quarters are reached.
    assert list(below.get_ydata()) == [0.25, 0.5, 0.75]
    # As long as 1 us or longer: all; 2 us: three; 4 us: two, one of them without an end.
    assert list(above.get_ydata()) == [1, 0.75, 0.5]


def test_latencies_need_requests(runs, capsys):
    for nic in ("irn", "srnic"):
        (runs / nic / "rpcs.csv").unlink()
    assert main(["plot", "latency-cdf", str(runs)]) == 2
    assert "expected rpcs.csv in" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["queue-heat-map", "link-utilisation"])
def test_pictures_can_be_as_wide_as_both_columns(runs, drawn, kind):
    assert main(["plot", kind, str(runs), "--column", "double"]) == 0
    assert drawn[0].get_figwidth() == 7


@pytest.mark.parametrize(
    "kind, endings", [("queue-heat-map", "svg,png"), ("link-utilisation", "svg")]
)
def test_the_same_data_give_the_same_bytes(runs, tmp_path, kind, endings):
    for name in ("one", "other"):
        arguments = [str(runs), "--out", str(tmp_path / name), "--format", endings]
        assert main(["plot", kind, *arguments]) == 0
    for ending in endings.split(","):
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"other.{ending}").read_bytes()


def test_files_are_of_the_wanted_kinds_and_beside_the_results(runs, capsys):
    assert main(["plot", "fct", str(runs), "--format", "svg"]) == 0
    assert capsys.readouterr().out == f"\nWritten:\n  {runs}/plots/fct.svg\n"
    text = (runs / "plots" / "fct.svg").read_text()
    assert 'width="239.76pt"' in text  # 3.33 inches of 72 points.


def test_notes_can_be_printed_for_the_caption(runs, drawn, capsys):
    assert main(["plot", "slowdown-by-size", str(runs), "--no-notes"]) == 0
    printed = capsys.readouterr().out
    assert "slowdown-by-size: Error bars: 95 % of bootstrap resamples" in printed
    assert f"shifted by {plots.SIDESTEP} points" in printed
    assert not drawn[0].texts


def test_flow_completion_times_by_size_are_those_of_the_bins(runs):
    mean, p99 = plots.draw_fct_by_size(load_scenario(runs)).axes
    lines = {line.get_label(): line.get_ydata() for line in mean.get_lines()}
    # Flow k takes k us, with srnic 2 k us: bins of flows 1 to 100 and 101 to 200.
    assert list(lines["IRN"]) == [50.5, 150.5] and list(lines["SRNIC"]) == [101, 301]
    assert p99.get_ylabel() == "P99 FCT (\u00b5s)"


@pytest.mark.parametrize("factor", [1, 1000])
def test_lines_by_size_lie_within_the_panel_on_a_log_axis_too(tmp_path, factor):
    folder = write_scenario(tmp_path / "far", {"irn": 1, "srnic": factor})
    for axes in plots.draw_fct_by_size(load_scenario(folder)).axes:
        low, high = axes.get_ylim()
        drawn = [y for line in axes.get_lines() for y in line.get_ydata()]
        assert low < min(drawn) and max(drawn) < high


def test_a_heat_map_has_the_most_bytes_of_each_port_and_time(runs):
    figure = heat_map.draw_queue_heat_map(load_scenario(runs))
    (image,) = figure.axes[0].get_images()
    # 2 > 1, with 1 of 40 kB, is below 5 %.
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["2 > 0"]
    assert image.get_array().tolist() == [[40, 10]]
    assert tuple(image.get_extent()[:2]) == (0, 2)  # us


def test_heat_maps_of_several_runs_share_ports_times_and_colours(runs, drawn):
    # irn: 2 > 0 with 40 kB, 2 > 1 with 1 kB, until 2 us. srnic: 2 > 0 with 4 kB, 2 > 1 with 20 kB, until 1 us.
    write_series(runs / "srnic", "queue", [(1000, 2, 0, 0, 0, 4000), (1000, 2, 1, 1, 0, 20_000)])
    assert main(["plot", "queue-heat-map", str(runs)]) == 0
    irn, srnic = drawn[0].axes[:2]
    assert [label.get_text() for label in srnic.get_yticklabels()] == ["2 > 0", "2 > 1"]
    assert irn.get_shared_x_axes().joined(irn, srnic) and irn.get_ylim() == srnic.get_ylim()
    cells = [axes.get_images()[0].get_array() for axes in (irn, srnic)]
    assert cells[0].tolist() == [[40, 10], [0, 1]]
    assert numpy.ma.filled(cells[1], -1).tolist() == [[4, -1], [20, -1]]  # Nothing after the run's end.
    assert {axes.get_images()[0].get_clim() for axes in (irn, srnic)} == {(0, 40)}
    assert (irn.get_xlabel(), srnic.get_xlabel()) == ("", "Time (\u00b5s)")


def test_a_sample_holds_for_the_time_since_the_one_before():
    rows = numpy.array([(2000, 5), (3000, 7)], dtype=[("time_ns", "f8"), ("max_bytes", "i8")])
    edges = numpy.array([0, 1000, 2000, 3000, 4000])
    assert heat_map.spread(rows, edges).tolist() == [5, 5, 7, 0]
    # A coarse grid keeps the largest.
    assert heat_map.spread(rows, numpy.array([0, 4000])).tolist() == [7]


def test_links_have_their_mean_over_time(runs):
    nic = load_scenario(runs)["irn"]
    links = link_map.measure_links(link_map.read_series(nic, "port"))
    # (100 x 1 us + 25 x 3 us) / 4 us = 43.75.
    assert links == {(0, 2): 43.75, (1, 2): 0, (2, 0): 0, (2, 1): 50}


def test_links_have_their_mean_over_the_arrivals_of_flows(runs, drawn):
    nic = load_scenario(runs)["irn"]
    series = link_map.read_series(nic, "port")
    # From 0.5 to 2 us: 100 of 100 Gb/s for 0.5 us, then 25 for 1 us.
    assert link_map.measure_links(series, (500, 2000))[0, 2] == pytest.approx((100 * 0.5 + 25) / 1.5)
    # Starts at 1 and 3.5 us: 25 Gb/s. Samples are 2 us apart on average, so that starts at 1 and 2 us are one time.
    for starts, expected in (((1000, 3500), (1000, 3500)), ((1000, 2000), None)):
        nic.flows["start_ns"] = numpy.resize(starts, len(nic.flows))
        assert link_map.find_arrivals(nic, series) == expected
    assert link_map.measure_links(series, (1000, 3500))[0, 2] == 25


def test_the_caption_has_the_time_over_which_links_are_averaged(runs, drawn):
    assert main(["plot", "link-utilisation", str(runs)]) == 0
    assert "Mean over the run." in " ".join(text.get_text() for text in drawn[0].texts)
    assert link_map.describe_spans([(0, 2e6), (0, 2e6)]) == (
        "Mean from the first to the last start of a flow (2,000 \u00b5s); the rest of the run is left out."
    )
    assert "at one time" in link_map.describe_spans([(0, 2e6), None])


def test_tiers_are_switches_by_their_distance_from_servers():
    pairs = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6)]
    links = dict.fromkeys([*pairs, *((b, a) for a, b in pairs)], 0)
    assert link_map.find_tiers(links, 4) == [[0, 1, 2, 3], [4, 5], [6]]


def get_bars(axes):
    """Return [(place, height)] of the bars of a panel."""
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axes.patches]


def test_bars_over_scale_are_means_with_their_intervals(sweep, drawn):
    options = ["--where", "loss=0", "--y", "goodput_gbps"]
    assert main(["plot", "scale", str(sweep), *options]) == 0
    (axes,) = drawn[0].axes
    assert axes.get_xlabel() == "Servers" and axes.get_ylabel() == "Goodput to the last end (Gb/s)"
    assert [text.get_text() for text in axes.get_xticklabels()] == ["16", "64"]
    # Two bars of 0.4 beside each other at 0 and 1, all irn's first.
    bars = get_bars(axes)
    assert [height for _, height in bars] == [80, 320, 90, 360]
    assert [place for place, _ in bars] == pytest.approx([-0.2, 0.8, 0.2, 1.2])
    segments = [list(map(tuple, s)) for c in axes.collections for s in c.get_segments()]
    ends = [(low, high) for (_, low), (_, high) in segments]
    assert ends == [(78, 82), (312, 328), (89, 91), (356, 364)]
    notes = " ".join(reversed([text.get_text() for text in drawn[0].texts]))
    assert "Error bars: 95 % confidence interval of the mean of up to 3 runs" in notes


def test_goodput_against_loss_finds_its_axis(sweep, drawn):
    assert main(["plot", "goodput-loss", str(sweep), "--where", "servers=16"]) == 0
    (axes,) = drawn[0].axes
    lines = {line.get_label(): line for line in axes.get_lines() if line.get_xdata().size}
    # As the user named it, in its own numbers.
    assert axes.get_xlabel() == "loss"
    assert lines["IRN"].get_xdata().tolist() == [0, 0.001]
    assert lines["IRN"].get_ydata().tolist() == [80, 60]


def test_an_axis_without_a_name_of_the_users_has_that_of_its_key(sweep, drawn):
    axes = [{"path": "fabric.servers", "values": [16, 64]}, {"path": "fabric.lossRate", "values": [0, 0.001]}]
    (sweep / "sweep.json").write_text(json.dumps({"format": 1, "sweep": {"axes": axes}}))
    table = sweep / "sweep-summary.csv"
    table.write_text(table.read_text().replace("loss", "lossRate", 1))
    assert main(["plot", "goodput-loss", str(sweep), "--where", "servers=16"]) == 0
    (axes,) = drawn[0].axes
    assert axes.get_xlabel() == "Loss rate of each link (%)"
    assert axes.get_lines()[0].get_xdata().tolist() == [0, 0.1]


def test_goodput_against_loss_is_over_nothing_else(sweep, perftest, capsys):
    assert main(["plot", "goodput-loss", str(sweep), "--x", "servers", "--where", "loss=0"]) == 2
    assert f"--x: expected an axis of loss of {sweep}, got 'servers'" in capsys.readouterr().err
    folders = list(map(str, perftest["bw"]))
    assert main(["plot", "goodput-loss", folders[0], "--out", "x"]) == 2
    assert "expected tests of several loss rates, got one" in capsys.readouterr().err
    assert main(["plot", "goodput-loss", *folders[:2], "--out", "x"]) == 2
    assert "expected one test of srnic for each loss rate, got two" in capsys.readouterr().err
    table = sweep / "sweep-summary.csv"
    table.write_text(table.read_text().replace("loss", "delay", 1))
    (sweep / "sweep.json").write_text('{"format": 1}')
    assert main(["plot", "goodput-loss", str(sweep)]) == 2
    assert f"{sweep}: expected an axis of loss, got servers, delay" in capsys.readouterr().err


@pytest.fixture
def pooled(sweep):
    """The sweep with runs: 16 servers, no loss, two seeds of srnic; flow k of a seed takes seed x k us."""
    lines = ["run,servers,loss,nic,seed,ranks,status,error"]
    for seed in (1, 2):
        run = f"servers=16,loss=0,seed={seed}"
        write_scenario(sweep / "runs" / run, {"srnic": seed})
        lines.append(f'"{run}/srnic",16,0,srnic,{seed},1,done,')
    lines.append('"servers=64,loss=0,seed=1/srnic",64,0,srnic,1,1,failed,no memory')
    (sweep / "sweep.csv").write_text("\n".join(lines) + "\n")
    return sweep


def test_slowdown_by_size_of_a_sweep_is_that_of_all_seeds_together(pooled, drawn):
    assert main(["plot", "slowdown-by-size", str(pooled)]) == 0
    mean, p99 = drawn[0].axes
    (line,) = [line for line in mean.get_lines() if len(line.get_xdata())][:1]
    assert line.get_label() == "SRNIC"
    # Flows 1 to 100 and 101 to 200 of two seeds, of k and 2 k: means (50.5 + 101) / 2, (150.5 + 301) / 2.
    assert list(line.get_ydata()) == [75.75, 225.75]
    # P99 of the 200 values k and 2 k, k up to 100: the 198th, and 2 x 98 = 196 is the third from above.
    assert p99.get_lines()[0].get_ydata()[0] == 196
    # The seeds' own means 50.5 and 101: half width t(0.975, 1) x s / sqrt(2) = 12.706 x 50.5 / 2 = 321.
    low, high = (end for _, end in mean.collections[0].get_segments()[0])
    assert high - 75.75 == pytest.approx(12.7062 * 50.5 / 2, rel=1e-4)
    assert low == 1  # No slowdown is smaller.
    assert "Flows of up to 2 seeds pooled." in " ".join(text.get_text() for text in drawn[0].texts)


def test_points_of_a_sweep_are_series_of_their_own_by_size(pooled, drawn, capsys):
    write_scenario(pooled / "runs" / "servers=64,loss=0,seed=1", {"srnic": 3})
    table = pooled / "sweep.csv"
    table.write_text(table.read_text().replace("failed,no memory", "done,"))
    assert main(["plot", "fct-by-size", str(pooled)]) == 0
    assert [text.get_text() for text in drawn[0].legends[0].get_texts()] == ["SRNIC: servers 16", "SRNIC: servers 64"]
    assert main(["plot", "fct-by-size", str(pooled), "--x", "servers"]) == 2
    assert "--x: expected a picture over an axis of a sweep, got fct-by-size" in capsys.readouterr().err
    table.write_text("run\n")
    assert main(["plot", "fct-by-size", str(pooled)]) == 2
    assert f"{table}:1: expected the column servers, got none" in capsys.readouterr().err


def test_a_further_axis_makes_series_of_its_own(sweep, drawn):
    assert main(["plot", "lines", str(sweep), "--x", "servers", "--y", "goodput_gbps"]) == 0
    labels = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert sorted(labels) == ["IRN, loss 0", "IRN, loss 0.001", "SRNIC, loss 0", "SRNIC, loss 0.001"]


def test_error_bars_of_slowdown_end_at_1():
    # Means 2 and 3 with half widths 5 and 1: from 1 to 7, and from 2 to 4. Another quantity has no such end.
    panel = {"x": {"label": "Load", "unit": ""}, "series": {"irn": [[0.1, 2], [0.2, 3]]}, "intervals": {"irn": {0.1: 5, 0.2: 1}}}
    for metric, ends in (("slowdown_mean", [(1, 7), (2, 4)]), ("fct_us_mean", [(-3, 7), (2, 4)])):
        figure = draw_panels({"panels": [{**panel, "y": describe_metric(metric)}]})
        (bars,) = figure.axes[0].collections
        assert [(low, high) for (_, low), (_, high) in bars.get_segments()] == ends
        texts = {"intervals": {"irn": {"0.1": 5, "0.2": 1}}}
        (chart,) = make_figure_charts({"panels": [{**panel, **texts, "y": describe_metric(metric)}]})
        (line,) = chart["series"]
        assert list(zip(line["low"], line["high"])) == ends


def test_a_workload_without_flows_has_no_bar():
    def make(name, started, summary):
        counts = {"started": started, "completed": started, "failed": 0, "stalled": 0}
        stats = {key: {"mean": 2, "p99": 3} for key in ("fct_us", "slowdown")}
        return NicResult(name, None, {}, {"flows": counts, **stats, **summary}, numpy.empty(0))

    nics = [make("irn: web", 5, {}), make("irn: ring", 0, {"collective": {}})]
    figure = plots.draw_fct_bars(ScenarioResult("x", None, nics))
    assert [[text.get_text() for text in axes.get_xticklabels()] for axes in figure.axes] == [["IRN: web"]] * 2


def test_presets_have_their_names_in_legends():
    assert [style.get_styles([name])[name].label for name in ("uet", "mrc", "uet-rccc", "dcp")] == ["UET", "MRC", "UET RCCC", "DCP"]


def test_error_bars_lie_within_the_panel(sweep, drawn):
    assert main(["plot", "lines", str(sweep), "--x", "servers", "--where", "loss=0"]) == 0
    for axes in drawn[0].axes:
        assert axes.get_ylim()[1] > 364  # The largest mean with its half width.


def test_throughput_against_queue_pairs(perftest, drawn):
    folders = list(map(str, perftest["bw"]))
    assert main(["plot", "throughput-queue-pairs", *folders, "--out", "x"]) == 0
    (axes,) = drawn[0].axes
    lines = {line.get_label(): line for line in axes.get_lines() if len(line.get_xdata())}
    assert list(lines["SRNIC"].get_xdata()) == [1, 4, 16]
    assert list(lines["SRNIC"].get_ydata()) == [20, 40, 80]
    assert "4,096 B messages" in drawn[0].texts[0].get_text()


def test_the_parts_of_a_latency_are_the_nics_own_account(perftest, account, drawn):
    parts = get_write_path(ACCOUNT, 100, [1000])
    assert list(parts.values()) == [100, 1300, 900, 150, 1008, 60, 400]  # Sum: 3918 ns.
    folders = list(map(str, perftest["lat"]))
    assert main(["plot", "latency-split", *folders, "--out", "x"]) == 0
    (axes,) = drawn[0].axes
    ends = [bar.get_x() + bar.get_width() for bar in axes.patches]
    assert max(ends) == 3918
    assert list(axes.get_lines()[0].get_xdata()) == [3500, 3500]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["SRNIC", "BALBOA"]


def test_the_links_of_a_path_store_a_frame_or_forward_it_when_its_head_has_arrived():
    account = ACCOUNT | {"frame_bytes": 1000}
    # With framing 1024 B take 81.92 ns, the first 64 B 88 x 0.08 = 7.04; two links of 400 ns.
    assert get_write_path(account, 100, [400, 400])["links"] == pytest.approx(2 * 81.92 + 800)
    assert get_write_path(account, 100, [400, 400], 64)["links"] == pytest.approx(81.92 + 7.04 + 800)
    # A frame shorter than the head.
    assert get_write_path(ACCOUNT, 100, [400, 400], 128)["links"] == pytest.approx(2 * 8 + 800)


def test_a_figure_is_drawn_again_in_another_width(tmp_path, drawn):
    points = {"irn": [[1, 10], [1024, 90]], "srnic": [[1, 11], [1024, 97]]}
    panel = {
        "x": {"label": "Queue pairs", "unit": "", "scale": "log2"},
        "y": {"label": "Throughput", "unit": "Gbit/s"},
        "series": points,
    }
    misses = panel | {"y": {"label": "Misses", "unit": "M/s"}}
    (tmp_path / "figure.json").write_text(json.dumps(panel | {"panels": [panel, misses], "paper": []}))
    for column, width in (("single", 3.33), ("double", 7)):
        assert main(["plot", "throughput-queue-pairs", str(tmp_path), "--column", column]) == 0
        assert drawn[-1].get_figwidth() == width and len(drawn[-1].axes) == 2


def test_runs_of_two_folders_stand_in_one_picture(tmp_path, drawn):
    one = write_scenario(tmp_path / "one", {"irn": 1, "srnic": 2})
    other = write_scenario(tmp_path / "other", {"srnic": 3})
    assert main(["plot", "fct-cdf", str(one), str(other / "srnic"), "--out", "x"]) == 0
    labels = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert sorted(labels) == ["IRN", "one/srnic", "other/srnic"]


def test_all_says_what_it_leaves_out(sweep, drawn, capsys):
    assert main(["plot", "all", str(sweep)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^lines: not drawn: .*expected --x with one of its axes", printed, re.MULTILINE)
    assert len(drawn) == 2  # scale and goodput-loss find theirs.


BAD = [
    (["fct-cd", "RUNS"], "plot: expected a kind of picture (nearest: fct-cdf), got 'fct-cd'"),
    (["fct", "SWEEP"], "plot fct: expected results of runs"),
    (["scale", "RUNS"], "plot scale: expected results of a sweep"),
    (["fct", "nowhere"], "nowhere: expected a folder"),
    (["fct", "RUNS", "--format", "pgn"], "--format: expected pdf, svg, png (nearest: png), got 'pgn'"),
    (["fct", "RUNS", "RUNS/irn", "--out", "x"], "expected runs of different names, got star/irn twice"),
    (["fct", "RUNS/irn", "RUNS/srnic"], "--out: expected the stem of the files"),
    (["scale", "SWEEP", "--x", "server"], "(nearest: servers), got 'server'"),
    (["scale", "SWEEP", "--y", "goodput"], "(nearest: goodput_gbps), got 'goodput'"),
    (["scale", "SWEEP", "--where", "los=0"], "--where: expected an axis (nearest: loss), got 'los'"),
    (["scale", "SWEEP", "--where", "loss=1"], "expected one of 0, 0.001 of"),
    (["scale", "SWEEP", "--where", "loss"], "--where: expected AXIS=VALUE, got 'loss'"),
    (["lines", "SWEEP"], "expected --x with one of its axes (servers, loss), got none"),
    (["fct", "RUNS", "SWEEP"], "expected results of one kind in all folders"),
]


@pytest.mark.parametrize("arguments, expected", BAD)
def test_bad_input_is_one_line_and_nothing_is_written(runs, sweep, capsys, arguments, expected):
    before = sorted(runs.parent.rglob("*"))
    given = [word.replace("RUNS", str(runs)).replace("SWEEP", str(sweep)) for word in arguments]
    assert main(["plot", *given]) == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1 and expected in output.err
    assert output.out == "" and sorted(runs.parent.rglob("*")) == before


def test_series_that_are_not_there_are_named(tmp_path, capsys):
    folder = write_scenario(tmp_path / "plain", {"irn": 1})
    assert main(["plot", "queue-heat-map", str(folder)]) == 2
    assert "expected series/queue.csv in" in capsys.readouterr().err


def test_latencies_that_no_account_explains_are_refused(perftest, account):
    folder = perftest["lat"][0]
    data = json.loads((folder / "perftest.json").read_text())
    for change, expected in (
        ({"inline": 220}, "expected a payload that the NIC reads"),
        ({"hardware": "off"}, "expected write_lat --hardware on"),
        ({"fabric": 64}, "back to back"),
    ):
        (folder / "perftest.json").write_text(json.dumps(data | change))
        with pytest.raises(UserError, match=expected):
            kind = next(kind for kind in KINDS if kind.name == "latency-split")
            source = load_source([folder])
            options = type("Options", (), {"build": "build"})
            kind.draws[PERFTEST](source, options, style.Page())


def test_figures_of_streams_draw_the_same_stacks():
    panel = {"x": {"label": "Configuration", "unit": ""}, "y": {"label": "CPU", "unit": "%"}, "labels": ["a", "b"]}
    series = {"check": [[0, 20], [1, 0]], "poll": [[0, 50], [1, 31]]}
    figure = streams.draw({"panels": [panel | {"stacked": True, "series": series}]})
    assert get_stacks(figure.axes[0]) == {"poll": [(0, 50), (0, 31)], "check": [(50, 20), (31, 0)]}
    check_picture(figure)


COLLECTIVE = dict.fromkeys(
    ("bytes", "communicators", "ranks", "iterations", "completed", "packets", "retransmitted", "timeouts"), 1
)


@pytest.fixture
def collective(tmp_path):
    """The folder of a run of a collective with one iteration of 3 us."""
    none = {"mean": None, "p50": None, "p99": None}
    folder = tmp_path / "alone"
    write_nic(folder / "irn", [], {"name": "alone", "nics": ["irn"]}, collective=COLLECTIVE, fct_us=none, slowdown=none)
    write_iterations(folder / "irn", [3000])
    return folder


def test_all_draws_no_pictures_of_flows_of_a_run_without_flows(collective, capsys):
    assert main(["plot", "all", str(collective), "--format", "svg"]) == 0
    assert {path.stem for path in (collective / "plots").iterdir()} == {"iteration-cdf", "iteration-ccdf"}
    capsys.readouterr()
    assert main(["plot", "fct-cdf", str(collective)]) == 2
    assert "plot fct-cdf: expected flows in" in capsys.readouterr().err


def set_workload(folder, **keys):
    """Set "workload" of a run's scenario.json."""
    path = folder / "scenario.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"workload": keys}))


def test_iterations_of_the_warm_up_are_not_drawn(collective):
    # 9 and 8 us warm up; of the two measured iterations one takes 3 us, one 5 us.
    write_iterations(collective / "irn", [9000, 8000, 3000, 5000])
    set_workload(collective / "irn", type="collective", iterations=4, warmup=2)
    (line,) = latency_plots.draw_iteration_cdf(load_scenario(collective)).axes[0].lines
    assert list(line.get_xdata()) == [3, 5] and list(line.get_ydata()) == [0.5, 1]


def test_requests_of_the_warm_up_are_not_drawn(runs):
    # write_requests() lets request n arrive after n ns; those from 2 ns on are measured, the last has no answer.
    write_requests(runs / "irn", [9000, 8000, 2000, 4000, None])
    set_workload(runs / "irn", type="rpc", warmup="2ns")
    lines = latency_plots.draw_latency_cdf(load_scenario(runs, only=["irn"])).axes[0].lines
    assert [list(line.get_xdata()) for line in lines] == [[2, 4]]
    assert list(lines[0].get_ydata()) == pytest.approx([1 / 3, 2 / 3])


def test_one_iteration_is_a_point_with_a_line_below(collective):
    figure = latency_plots.draw_iteration_cdf(load_scenario(collective))
    (axes,) = figure.axes
    (line,) = axes.lines
    assert (line.get_xydata().tolist(), line.get_marker() not in ("", "None", None)) == ([[3, 1]], True)
    assert line.get_markevery() is None
    (below,) = axes.collections
    assert below.get_segments()[0].tolist() == [[3, 0], [3, 1]]


EVENTS = [
    {"at": "2us", "switch": 2, "state": "down"},
    {"at": "0.0035ms", "link": [0, 2], "nic": 1, "state": "up"},
    {"at": "9s", "switch": 3, "state": "down"},
    {"at": "soon", "switch": 4, "state": "down"},
]


def add_events(runs):
    for nic in ("irn", "srnic"):
        path = runs / nic / "scenario.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"linkEvents": EVENTS}))


@pytest.mark.parametrize("kind", ["port-throughput", "queue-heat-map"])
def test_links_that_go_down_or_come_up_are_vertical_lines(runs, kind):
    add_events(runs)
    figure = rocelab.plot(kind, runs)
    axes = figure.axes[0]
    vertical = [line for line in axes.get_lines() if len(set(line.get_xdata())) == 1 and list(line.get_ydata()) == [0, 1]]
    ends = [2, 3.5] if axes.get_xlim()[1] >= 3.5 else [2]  # Within the times that were sampled.
    assert [line.get_xdata()[0] for line in vertical] == ends
    notes = [text.get_text() for text in figure.texts]
    text = " ".join(reversed(notes))
    assert "switch 2 down at 2 \u00b5s; link 0-2 nic 1 up at 3.5 \u00b5s; switch 3 down at 9000 ms" in text.replace("\n", " ")
    check_picture(figure)


def test_a_report_draws_and_lists_link_events(runs):
    add_events(runs)
    charts = make_charts(load_scenario(runs))
    assert [chart["events"] for chart in charts if chart["title"] == "Throughput of all ports"] == [[2, 3.5, 9_000_000]]
    facts = dict(describe_scenario(load_scenario(runs).nics))
    assert facts["Links"].startswith("switch 2 down at 2 us; link 0-2 nic 1 up at 3.5 us")
