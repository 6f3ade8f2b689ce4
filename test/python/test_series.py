# SPDX-License-Identifier: GPL-2.0-only
"""Time series: files as the engine writes them, pictures of them, and bad ones."""

import json
import os
import subprocess
from pathlib import Path

import numpy
import pytest
from pictures import check_picture
from rocelab.draw.time_plots import DRAWINGS, break_at_gaps, draw_queue_depth, draw_sending_rate
from rocelab.errors import UserError
from rocelab.report.compare import write_comparison
from rocelab.results.folders import load_scenario
from rocelab.results.series import COLUMNS, read_series, summarize
from synthetic import write_scenario

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build")) / "rocelab"

INCAST = {
    "name": "incast",
    "fabric": {"topology": "star", "servers": 9, "linkDelay": "1us", "buffer": "4MiB"},
    "nics": ["connectx6", "srnic"],
    "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "256kB"},
}


def run(folder, *arguments):
    """Run the incast into `folder` and return its ScenarioResult."""
    path = folder / "incast.json"
    path.write_text(json.dumps(INCAST))
    command = [PROGRAM, "run", path, "--out", folder / "results", *arguments]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return load_scenario(folder / "results" / "incast")


def write_series(folder, name, rows):
    """Write RESULTS/SCENARIO/NIC/series/NAME.csv."""
    lines = [",".join(column for column, _ in COLUMNS[name])]
    lines += [",".join(str(field) for field in row) for row in rows]
    (folder / "series").mkdir(exist_ok=True)
    (folder / "series" / f"{name}.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def synthetic(tmp_path):
    """Two NICs, one of them with series of three times and two ports or flows each."""
    folder = write_scenario(tmp_path / "synthetic", {"irn": 1, "srnic": 1})
    write_series(
        folder / "irn",
        "queue",
        [[t * 1000, 4, p, p, 0, 1000 * t + 500 * p] for t in (1, 2, 3) for p in (0, 1)],
    )
    write_series(
        folder / "irn",
        "rate",
        [[t * 1000, f, 0, 1, 100, "", 0, 10 * t + f, 0, 0, 0] for t in (1, 2, 3) for f in (0, 2)],
    )
    return load_scenario(folder)


def test_series_are_read_with_gaps_as_nan_and_summarized_by_time(synthetic):
    rate = read_series(synthetic["irn"], "rate")
    assert len(rate) == 6
    assert numpy.isnan(rate["window_bytes"]).all()
    times, means = summarize(rate, "sending_gbps", numpy.mean)
    assert list(times) == [1, 2, 3]  # us
    assert list(means) == [11, 21, 31]
    assert read_series(synthetic["irn"], "port") is None
    assert read_series(synthetic["srnic"], "queue") is None


def test_lines_are_those_of_the_nics_that_have_the_series(synthetic):
    axes = draw_queue_depth(synthetic).axes[0]
    (line,) = axes.get_lines()
    assert line.get_label() == "IRN"
    assert list(line.get_xdata()) == [1, 2, 3]
    assert list(line.get_ydata()) == [1.5, 2.5, 3.5]  # kB of port 1, the deeper one.
    axes = draw_sending_rate(synthetic).axes[0]
    assert list(axes.get_lines()[0].get_ydata()) == [11, 21, 31]
    assert len(axes.collections) == 1  # The band.


def test_a_series_without_rows_makes_a_picture_that_says_so(synthetic):
    write_series(synthetic["irn"].folder, "queue", [])
    texts = [text.get_text() for text in draw_queue_depth(synthetic).axes[0].texts]
    assert texts == ["nothing was sampled"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a,b\n", "queue.csv:1: expected the header time_ns,node,port,peer,bytes,max_bytes"),
        ("HEADER\n1,2,3\n", "queue.csv: expected rows of time_ns,node,port,peer,bytes,max_bytes, got: "),
        ("HEADER\n1,2,3,4,5,x\n", "queue.csv: expected rows of time_ns,node,port,peer,bytes,max_bytes, got: "),
    ],
)
def test_a_bad_series_is_one_line(synthetic, text, expected):
    header = ",".join(column for column, _ in COLUMNS["queue"])
    path = synthetic["irn"].folder / "series" / "queue.csv"
    path.write_text(text.replace("HEADER", header))
    with pytest.raises(UserError) as caught:
        read_series(synthetic["irn"], "queue")
    assert expected in str(caught.value)


@pytest.fixture
def empty_files(monkeypatch):
    """Let comparisons write empty files as pictures: to lay them out takes most of the time."""

    def save(_, stem):
        path = Path(f"{stem}.svg")
        path.parent.mkdir(exist_ok=True)
        path.touch()
        return [path]

    monkeypatch.setattr("rocelab.report.compare.save", save)


def test_comparison_draws_what_there_is(synthetic, empty_files):
    written = [path.name for path in write_comparison(synthetic.folder)]
    assert {"queue-depth.svg", "sending-rate.svg"} <= set(written)
    assert "port-throughput.svg" not in written


@pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")
class TestOfARun:
    @pytest.fixture(scope="class")
    def scenario(self, tmp_path_factory):
        return run(tmp_path_factory.mktemp("series"), "--series", "--set", "series.interval=2us")

    def test_every_file_can_be_read_and_its_numbers_hang_together(self, scenario):
        for nic in scenario.nics:
            series = {name: read_series(nic, name) for name in COLUMNS if name not in ("spray", "class")}
            assert all(len(rows) for rows in series.values())
            times = [sorted(set(series[name]["time_ns"])) for name in ("queue", "port", "buffer")]
            assert times[0] == times[1] == times[2] == [2000 * (i + 1) for i in range(len(times[0]))]
            # All that waits in the switch, which is node 9, is in its buffer.
            at_switch = series["queue"][series["queue"]["node"] == 9]
            waiting = summarize(at_switch, "bytes", numpy.sum)[1]
            held = summarize(series["buffer"], "bytes", numpy.sum)[1]
            assert list(waiting) == list(held)
            assert max(held) > 100_000
            assert (series["queue"]["max_bytes"] >= series["queue"]["bytes"]).all()
            # A frame counts where it begins: one of 1,106 bytes more than 2 us carry, 4.4 %.
            assert (series["port"]["gbps"] <= 105).all()
            assert set(series["rate"]["dst"]) == {0}
            assert sum(series["port"]["marks"]) == nic.summary["ecn_marks"]

    def test_runs_with_and_without_series_can_be_compared(self, tmp_path):
        run(tmp_path, "--nic", "srnic")
        scenario = run(tmp_path, "--nic", "connectx6", "--series")
        assert sorted(nic.name for nic in scenario.nics) == ["connectx6", "srnic"]

    @pytest.mark.parametrize("draw", [draw for _, _, draw in DRAWINGS])
    def test_every_picture_can_be_read(self, scenario, draw):
        check_picture(draw(scenario))

    def test_a_run_without_them_removes_those_of_before(self, scenario, empty_files):
        write_comparison(scenario.folder)
        plots = scenario.folder / "plots"
        assert (plots / "queue-depth.svg").exists()
        run(scenario.folder.parents[1])
        assert not (plots / "queue-depth.svg").exists()
        assert not list(scenario.folder.glob("*/series"))


def test_a_line_breaks_where_nothing_was_sampled():
    # Samples each 10, a gap, then each 20: the new interval is no gap.
    times = numpy.array([0, 10, 20, 200, 210, 230, 250.0])
    broken, values = break_at_gaps(times, numpy.ones(7))
    assert broken.tolist() == [0, 10, 20, 110, 200, 210, 230, 250]
    assert numpy.flatnonzero(numpy.isnan(values)).tolist() == [3]
    assert break_at_gaps(times[:1], numpy.ones(1))[0].tolist() == [0]


@pytest.mark.parametrize("storm_us", [0, 300])
def test_series_have_the_packets_that_leave_after_the_senders_of_streams_have_stopped(tmp_path, storm_us):
    stream = {"sender": 0, "receiver": 1, "messageBytes": "4096B", "rate": "40Gbps"}
    scenario = {
        "name": "late",
        "fabric": {
            "topology": "star", "servers": 2, "hostRate": "100Gbps", "linkDelay": "20us", "mtu": 4096, "pfc": True,
            "classes": {"3": {"lossless": True}},
        },
        "nics": [{"name": "tester", "preset": "fpga-sender", "hardware": "off"}],
        "workload": {"type": "streams", "priority": 3, "service": "UC", "duration": "100us", "streams": [stream]},
        "series": {"interval": "10us", "what": ["class"], "ports": [[2, 1]]},
    }  # fmt: skip
    if storm_us:
        scenario["pauseStorms"] = [{"server": 1, "class": 3, "at": "0us", "until": f"{storm_us}us"}]
    path = tmp_path / "late.json"
    path.write_text(json.dumps(scenario))
    subprocess.run([str(PROGRAM), "run", str(path), "--out", str(tmp_path)], check=True, capture_output=True)
    (nic,) = load_scenario(tmp_path / "late").nics
    rows = read_series(nic, "class")
    # Gb/s x ns = bits. The first row is since the start of the run.
    sent = float(numpy.sum(rows["gbps"] * numpy.diff(rows["time_ns"], prepend=0))) / 8
    streams = nic.summary["streams"]
    # A packet: 4096 of payload, Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, immediate data 4, ICRC 4, FCS 4, preamble and
    # gap 20. Rates have three decimals.
    assert sent == pytest.approx(streams["received"] * 4198, rel=1e-4)
    assert streams["received"] > 90
