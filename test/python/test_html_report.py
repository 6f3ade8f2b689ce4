# SPDX-License-Identifier: GPL-2.0-only
"""rocelab report: what is on the page; in Chromium, that it fits and asks for nothing."""

import json
import re

import browser
import numpy
import pytest
from synthetic import make_flows, stop_flows, write_nic, write_scenario

from rocelab.__main__ import main
from rocelab.draw.time_plots import break_at_gaps
from rocelab.report import topology
from rocelab.report.charts import thin
from rocelab.report.figure_part import make_figure_charts
from rocelab.report.scenario_words import describe_workload

FABRIC = {"topology": "fat-tree", "servers": 64, "hostRate": "100Gbps", "linkDelay": "1us"}
MEGABYTE = 1_000_000
WIDTHS = (1280, 390)


def write_with_fabric(folder, factors, **more):
    """Write a scenario as write_scenario() does, with a fabric and what else is given."""
    write_scenario(folder, factors)
    scenario = {"name": folder.name, "fabric": FABRIC, "run": {"seed": 3}, **more}
    scenario["nics"] = [{"name": nic, "preset": nic, "hardware": "off"} for nic in factors]
    for nic in factors:
        (folder / nic / "scenario.json").write_text(json.dumps(scenario))
    return folder


@pytest.fixture
def results(tmp_path):
    """RESULTS/<scenario> with three NICs, one of which left a flow."""
    folder = write_with_fabric(tmp_path / "results" / "mine", {"connectx6": 2, "srnic": 1})
    scenario = json.loads((folder / "srnic" / "scenario.json").read_text())
    rows = stop_flows(make_flows(1.1), [200], "stalled")
    write_nic(folder / "irn", rows, scenario)
    return folder


def get_charts(page):
    """Return the charts that the page's script draws."""
    return json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL).group(1))


def test_the_page_has_tables_plots_topology_scenario_warnings_and_limits(results):
    assert main(["report", str(results)]) == 0
    page = (results / "report.html").read_text()
    # The factors of synthetic.make_flows(): mean FCT 201 and 100.5 us.
    assert "<td>201</td>" in page and "<td>100</td>" in page and "<td>2.00\u00d7</td>" in page
    assert "irn: 199 of 200 flows completed, 1 stalled." in page
    assert "Hardware off (connectx6, srnic, irn)" in page and "One seed (3)" in page
    assert page.count("<circle") == 64 and "4 aggregates, 4 ToRs; 64 servers, 16 at each" in page
    assert "&quot;topology&quot;: &quot;fat-tree&quot;" in page
    charts = {chart["title"]: chart for chart in get_charts(page)}
    cdf = {line["label"]: line for line in charts["Flow completion time"]["series"]}
    assert set(cdf) == {"ConnectX-6", "SRNIC", "IRN*"}
    assert (cdf["SRNIC"]["x"][0], cdf["SRNIC"]["y"][0]) == (1, 1 / 200)
    assert (cdf["ConnectX-6"]["x"][-1], cdf["ConnectX-6"]["y"][-1]) == (400, 1)
    assert cdf["IRN*"]["y"][-1] == 199 / 200
    under_way = {line["label"]: line for line in charts["Flows under way"]["series"]}
    # All flows of SRNIC end by 202 us, that of IRN which stalls does not.
    assert (under_way["SRNIC"]["y"][-1], under_way["IRN*"]["y"][-1]) == (0, 1)


COLLECTIVE = {
    **dict.fromkeys(("bytes", "communicators", "ranks", "iterations", "completed", "packets"), 1),
    **{"retransmitted": 7, "timeouts": 3},
}
NO_FLOWS = {
    "fct_us": {"mean": None, "p50": None, "p99": None},
    "slowdown": {"mean": None, "p50": None, "p99": None},
    "goodput_gbps": 0,
    "goodput_to_last_start_gbps": None,
}


def make_page_of(folder, rows, more, **summary):
    """Write a run with more keys in its scenario; returns its report."""
    scenario = {"name": "mine", "nics": [{"name": "irn", "preset": "irn"}], "fabric": FABRIC, "run": {"seed": 3}, **more}
    write_nic(folder / "mine" / "irn", rows, scenario, **summary)
    assert main(["report", str(folder / "mine")]) == 0
    return (folder / "mine" / "report.html").read_text()


def test_a_run_without_flows_has_no_words_and_plots_of_flows(tmp_path):
    page = make_page_of(tmp_path, [], {"workload": {"type": "collective"}}, collective=COLLECTIVE, **NO_FLOWS)
    for word in ("P99 rests on", "Flows are WRITEs", "Distributions and time", "FCT", "empty network"):
        assert word not in page, word
    assert "<td>1/1</td>" in page


@pytest.mark.parametrize(
    "events, line",
    [
        ([{"at": "1us", "link": [0, 1]}], "Routes follow a link that changes at once."),
        ([{"at": "1us", "link": [0, 1], "routesAfter": "200us"}], "follow a link that changes at one time, 200us later"),
    ],
)
def test_what_is_not_modelled_is_true_for_the_link_events_of_the_run(tmp_path, events, line):
    page = make_page_of(tmp_path, make_flows(1), {"linkEvents": events})
    assert line in page
    assert ("at once" in page) == ("at once" in line)


def test_what_is_not_modelled_and_the_warnings_are_true_for_a_fluid_start(tmp_path):
    run = {"seed": 3, "fluidStart": "300us"}
    page = make_page_of(tmp_path, make_flows(1), {"run": run}, fluid={"until_us": 1.005, "flows": 100})
    assert "begins with the flows of a fluid model" in page and "empty network" not in page
    assert "irn: means, tables and plots are without the 100 flows that began as a fluid." in page
    charts = {chart["title"]: chart for chart in get_charts(page)}
    (line,) = charts["Flow completion time"]["series"]
    assert (line["x"][0], line["y"][-1]) == (101, 1)
    assert charts["Flow completion time"]["note"] == "Without the flows that began as a fluid (IRN 100)."


def test_trims_have_a_table_of_their_own(tmp_path):
    page = make_page_of(tmp_path, make_flows(1), {}, trims=9184, last_hop_trims=9000, trimmed_drops=0, drops={}, fabric_drops=0)
    assert "No frame was dropped or discarded." in page
    assert "<td>irn</td><td>9,184</td><td>9,000</td><td>0</td>" in page


def test_the_page_holds_all_that_it_needs_with_its_licence(results):
    main(["report", str(results)])
    page = (results / "report.html").read_text()
    assert not re.findall(r"""(?:src|href)=["']?(?!#)""", page)
    assert "default-src 'none'" in page
    assert "The MIT License" in page and "Leon Sorokin" in page
    assert len(page) < 2 * MEGABYTE


def test_the_same_results_give_the_same_page(results, tmp_path):
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        assert main(["report", str(results), "--out", str(page)]) == 0
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_names_cannot_break_the_page(tmp_path):
    folder = write_with_fabric(tmp_path / "mine", {"srnic": 1}, name="a</script><b>")
    assert main(["report", str(folder)]) == 0
    page = (folder / "report.html").read_text()
    assert "a</script><b>" not in page and "a&lt;/script&gt;&lt;b&gt;" in page


def test_several_scenarios_share_a_page(results, tmp_path, capsys):
    other = write_with_fabric(tmp_path / "results" / "other", {"srnic": 1})
    folders = [str(results), str(other)]
    assert main(["report", *folders]) == 2
    assert "--out: expected the page's file" in capsys.readouterr().err
    out = tmp_path / "both.html"
    assert main(["report", *folders, "--out", str(out)]) == 0
    page = out.read_text()
    assert '<a href="#result-1">other</a>' in page
    assert '<h2 class="scenario" id="result-1">other</h2>' in page


FIGURE = {
    "x": {"label": "Queue pairs", "unit": "", "scale": "log2"},
    "y": {"label": "Throughput", "unit": "Gbit/s"},
    "series": {"srnic": [[128, 97], [256, None], [512, 96]]},
    "paper": [{"where": "Fig 9", "statement": "stays at 97"}],
    "checks": [{"what": "x", "paper": 97, "ours": 96.7, "difference": -0.003, "met": True, "facts": ["SRNIC-074"]}],
    "made": {"version": "0.1.0", "commit": "abc", "quick": False, "options": {"qps": "128,512"}},
}


def test_a_figure_has_its_plots_and_its_rows(tmp_path, capsys):
    folder = tmp_path / "my-figure"
    folder.mkdir()
    (folder / "figure.json").write_text(json.dumps(FIGURE))
    assert main(["report", str(folder)]) == 0
    page = (folder / "report.html").read_text()
    (chart,) = get_charts(page)
    assert chart["x"] == {"label": "Queue pairs", "scale": "log2"}
    assert (chart["series"][0]["x"], chart["series"][0]["y"]) == ([128, 512], [97, 96])
    assert "<td>96.7</td><td>-0.3 %</td><td>met</td><td>SRNIC-074</td>" in page
    assert "rocelab 0.1.0, abc, qps=128,512" in page and "Fig 9: stays at 97." in page
    (folder / "figure.json").write_text(json.dumps(FIGURE | {"series": 5}))
    assert main(["report", str(folder), "--out", str(tmp_path / "new.html")]) == 2
    assert "figure.json: expected an object at $.series, got 5" in capsys.readouterr().err
    assert not (tmp_path / "new.html").exists()


def test_plots_have_the_units_scales_and_error_bars_of_the_pictures(results):
    main(["report", str(results)])
    page = (results / "report.html").read_text()
    charts = {chart["title"]: chart for chart in get_charts(page)}
    assert charts["Flow completion time"]["x"] == {"label": "Flow completion time (\u00b5s)", "scale": "log"}
    assert "<th>FCT \u00b5s\nmean</th>" in page and "FCT us" not in page
    # Means from 50.5 to 301 stay on a linear axis, as in slowdown-by-size: it is logarithmic from a factor of 10 on.
    mean, p99 = charts["Mean slowdown by flow size"], charts["P99 slowdown by flow size"]
    assert mean["y"] == {"label": "Mean slowdown (\u00d7 ideal)", "scale": "linear"}
    assert not any("low" in line for line in mean["series"])
    srnic = next(line for line in p99["series"] if line["label"] == "SRNIC")
    # Bins of flows 1 to 100 and 101 to 200, as in test_percentile.py.
    assert (srnic["low"], srnic["y"], srnic["high"]) == ([95, 195], [99, 199], [100, 200])
    assert p99["note"].startswith("Error bars: 95 %")


def test_the_tail_stands_beside_the_distribution(results):
    main(["report", str(results)])
    charts = get_charts((results / "report.html").read_text())
    titles = [chart["title"] for chart in charts]
    tail = charts[titles.index("Slowdown") + 1]
    assert tail["title"] == "Slowdown, tail" and tail["y"] == {"label": "Share above, of flows", "scale": "log"}
    line = next(line for line in tail["series"] if line["label"] == "SRNIC")
    assert (line["y"][0], line["y"][-1]) == (1, 1 / 200)


@pytest.mark.parametrize(
    "axis, xs, expected",
    [
        ({"label": "Loss", "unit": "%", "scale": "log0"}, (0, 0.01), {"label": "Loss (%)", "scale": "log0", "least": 0.01}),
        ({"label": "Loss", "scale": "log0"}, (1, 10), {"label": "Loss", "scale": "log"}),
        ({"label": "Size", "unit": "B", "scale": "log2"}, (64, 4096), {"label": "Size (B)", "scale": "log2", "binary": True}),
        ({"label": "Load"}, (0, 1), {"label": "Load", "scale": "linear"}),
    ],
)
def test_a_figures_axis_has_the_scale_of_its_picture(axis, xs, expected):
    panel = {"x": axis, "y": {"label": "FCT", "unit": "us"}, "series": {"srnic": [[xs[0], 1], [xs[1], 30]]}}
    more = {"intervals": {"srnic": {str(xs[1]): 2}}}
    (chart,) = make_figure_charts({"panels": [panel | more], "incomplete": {"srnic": [xs[1]]}})
    assert chart["x"] == expected
    # 1 to 32 span more than a factor of 20.
    assert chart["y"] == {"label": "FCT (\u00b5s)", "scale": "log"}
    (line,) = chart["series"]
    assert (line["low"], line["high"], line["hollow"]) == ([None, 28], [None, 32], [1])


def test_a_gap_has_a_time_of_its_own_so_that_the_line_breaks():
    times = numpy.array([0, 10, 20, 200, 210, 220.0])
    broken, values = break_at_gaps(times, numpy.ones(6))
    assert len(set(broken)) == len(broken) == 7  # The plot keeps one value per time.
    assert numpy.isnan(values[3])


def test_thinned_lines_keep_peaks_and_breaks():
    thinned = thin(numpy.array([1, 9, 2, 3, numpy.nan, 4, 5]), 2)
    assert thinned[:2].tolist() == [9, 3]
    assert numpy.isnan(thinned[2])
    assert thinned[3] == 5


def test_one_nic_alone_has_a_page(results):
    assert main(["report", str(results / "srnic")]) == 0
    page = (results / "srnic" / "report.html").read_text()
    assert "<td>srnic</td>" in page and "<td>connectx6</td>" not in page


@pytest.mark.parametrize("damage", ["folder", "flows", "out"])
def test_bad_input_is_one_line_and_leaves_no_page(results, tmp_path, capsys, damage):
    arguments = ["report", str(results)]
    if damage == "folder":
        arguments = ["report", str(tmp_path / "nothing")]
    if damage == "flows":
        (results / "srnic" / "flows.csv").write_text("a,b\n")
    if damage == "out":
        arguments += ["--out", str(tmp_path)]
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "expected" in said.err
    assert not list(tmp_path.rglob("report.html"))


@pytest.mark.parametrize(
    "fabric, switches, servers, links",
    [
        # docs/models/topologies.md, without the servers' own links: 80 - 64, 320 - 256, 1536 - 1024, 6144 - 4096.
        ({"topology": "fat-tree", "servers": 16}, [1], 16, 0),
        ({"topology": "fat-tree", "servers": 64}, [4, 4], 64, 16),
        ({"topology": "fat-tree", "servers": 256}, [8, 8], 256, 64),
        ({"topology": "fat-tree", "servers": 1024}, [16, 64, 64], 1024, 512),
        ({"topology": "fat-tree", "servers": 4096}, [64, 128, 128], 4096, 2048),
        ({"topology": "star", "servers": 33}, [1], 33, 0),
        ({"topology": "dumbbell", "servers": 4}, [2], 8, 1),
    ],
)
def test_the_drawn_fabric_is_that_of_the_topology(fabric, switches, servers, links):
    tiers = topology.get_tiers(fabric)
    assert (tiers.counts, sum(tiers.servers), len(tiers.links)) == (switches, servers, links)
    drawing = topology.draw(tiers)
    assert drawing.count("<circle") == servers and drawing.count("<rect") == sum(switches)


def test_another_topology_is_named(tmp_path):
    folder = write_with_fabric(tmp_path / "mine", {"srnic": 1})
    path = folder / "srnic" / "scenario.json"
    path.write_text(path.read_text().replace("fat-tree", "ring"))
    assert main(["report", str(folder)]) == 0
    assert "ring 64; this kind is not drawn." in (folder / "report.html").read_text()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """A headless Chromium; skips where there is none."""
    if browser.PROGRAM is None:
        pytest.skip("no program chromium (Debian package chromium): the page is not tried in a browser")
    with browser.Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.mark.parametrize("width", WIDTHS)
def test_in_chromium_nothing_overlaps_and_nothing_is_fetched(results, chromium, width):
    main(["report", str(results)])
    page = results / "report.html"
    chromium.requests.clear()
    chromium.open(page, width)
    assert chromium.find_faults() == []
    assert set(chromium.requests) == {page.resolve().as_uri()}
    assert chromium.errors == []
    # Each chart has a picture that is not blank.
    drawn = chromium.evaluate(
        "[...document.querySelectorAll('.plot canvas')].map((c) =>"
        " c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0))"
    )
    assert drawn == [True] * len(get_charts(page.read_text()))


def test_in_chromium_each_entry_of_a_legend_has_a_value(results, chromium):
    main(["report", str(results)])
    chromium.open(results / "report.html", 1280)
    values = chromium.evaluate("[...document.querySelectorAll('.u-legend .u-value')].map((e) => e.textContent)")
    assert len(values) > 20
    assert [value for value in values if not re.fullmatch(r"-?[\d.,]+(e-\d+)?[MG]?", value)] == []


def test_in_chromium_a_table_scrolls_on_a_phone(results, chromium):
    main(["report", str(results)])
    chromium.open(results / "report.html", 390)
    # The table of results is wider than a phone; its first column stays where it is.
    box, left, before, after = chromium.evaluate(
        "(() => { const box = document.querySelector('.scroll'), cell = box.querySelector('tbody td');"
        " const before = cell.getBoundingClientRect().left; box.scrollLeft = 200;"
        " return [box.scrollWidth - box.clientWidth, box.scrollLeft, before, cell.getBoundingClientRect().left]; })()"
    )
    assert box > 200 and left == 200 and before == after


#: The rows of a plot that have the colour of SRNIC, #009E73.
GREEN_ROWS = """
(() => {
  const canvas = document.querySelector(".plot canvas");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const rows = new Set();
  for (let i = 0; i < data.length; i += 4) {
    const isGreen = data[i] < 60 && Math.abs(data[i + 1] - 158) < 30 && Math.abs(data[i + 2] - 115) < 30;
    if (isGreen && data[i + 3] > 200) rows.add(Math.floor(i / 4 / canvas.width));
  }
  return rows.size;
})()
"""


@pytest.mark.parametrize("scale", ["log0", "log2", "log", "linear"])
def test_in_chromium_a_figure_has_its_error_bars_on_each_scale(tmp_path, chromium, scale):
    xs = (0 if scale == "log0" else 1, 16, 1024)
    series = {"srnic": [[x, 100] for x in xs], "irn": [[16, 5], [1024, 200]]}
    panel = {"x": {"label": "X", "scale": scale}, "y": {"label": "Y"}, "series": series}
    rows = []
    for intervals in ({}, {"srnic": {"16": 50}}):
        figure = panel | {"panels": [panel | {"intervals": intervals}], "incomplete": {"irn": [16]}}
        (tmp_path / "figure.json").write_text(json.dumps(figure))
        assert main(["report", str(tmp_path)]) == 0
        chromium.errors.clear()
        chromium.open(tmp_path / "report.html", 390)
        assert chromium.errors == [] and chromium.find_faults() == []
        rows.append(chromium.evaluate(GREEN_ROWS))
    # A flat line with its markers, then with a bar from 50 to 150 of at most 205 in about 190 pixels.
    assert rows[0] < 15 and rows[1] > rows[0] + 20


def test_the_search_for_overlaps_finds_one(chromium, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text(
        "<!doctype html><meta name='viewport' content='width=device-width'><html data-drawn='yes'><body><p style='position:absolute;top:10px'>one</p>"
        "<p style='position:absolute;top:14px'>two</p><p style='width:900px'>wide</p></body></html>"
    )
    chromium.open(page, 390)
    faults = chromium.find_faults()
    assert any("overlaps" in fault for fault in faults) and any("wide" in fault for fault in faults)


def test_a_page_that_asks_for_more_is_seen(chromium, results):
    main(["report", str(results)])
    page = results / "report.html"
    page.write_text(page.read_text().replace("<main>", "<main><img src='https://example.org/x.png'>"))
    chromium.errors.clear()
    chromium.open(page, 1280)
    # The page's own policy refuses the request before it leaves.
    assert any("example.org" in error for error in chromium.errors)
    chromium.errors.clear()


def test_load_workload_and_duration_stand_above_the_numbers(tmp_path):
    workload = {"type": "poisson", "sizes": "big.cdf", "load": 0.7, "duration": "2ms"}
    folder = write_with_fabric(tmp_path / "words", {"irn": 1, "srnic": 2}, workload=workload)
    summary = folder / "srnic" / "summary.json"
    summary.write_text(json.dumps(json.loads(summary.read_text()) | {"simulated_ms": 13.75}))
    assert main(["report", str(folder)]) == 0
    page = (folder / "report.html").read_text()
    facts = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert facts == {
        "Workload": "poisson: sizes big.cdf",
        "Load": "0.7 of the servers&#x27; links (100Gbps)",
        "Arrivals": "2ms",
        "Simulated": "12.5 to 13.75 ms",
        "Fabric": "fat-tree, 64 servers",
        "End": "when all flows have ended",
        "Seed": "3",
    }
    assert page.index('class="facts"') < page.index("<table>")


@pytest.mark.parametrize(
    "workload, expected",
    [
        ({"type": "flows", "flows": [{"src": 0}, {"src": 1}]}, "flows: 2 flows"),
        ({"type": "incast", "senders": 8, "bytes": "1kB"}, "incast: senders 8, bytes 1kB"),
        ({"type": "rpc", "keys": 9, "name": "gets"}, "rpc: keys 9"),
        ({}, ""),
    ],
)
def test_workloads_in_words(workload, expected):
    assert describe_workload(workload) == expected


SWEEP = """\
loss,senders,nic,runs,results,stalled,failed,slowdown_mean_mean,slowdown_mean_ci95,fabric_drops_mean,fabric_drops_ci95
0,2,irn,3,3,0,0,1.5,0.25,0,0
0.01,2,irn,3,2,1,0,2.5,,7,1
0,4,irn,3,3,0,0,3.5,0.5,0,0
"""


def write_table(folder, text):
    axes = [{"path": "fabric.lossRate", "name": "loss", "values": [0, 0.01]}, {"path": "workload.senders", "values": [2, 4]}]
    (folder / "sweep.json").write_text(json.dumps({"format": 1, "sweep": {"axes": axes}}))
    (folder / "sweep-summary.csv").write_text(text)


def test_the_page_of_a_sweep_has_its_means_and_their_lines_over_the_first_axis(tmp_path):
    write_table(tmp_path, SWEEP)
    assert main(["report", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text()
    cells = "<tr><td>0.01</td><td>2</td><td>irn</td><td>2/3</td><td>2.50</td><td>7.00 \u00b1 1.00</td></tr>"
    assert cells in page
    assert "<td>1.50 \u00b1 0.25</td>" in page or "<td>1.50 \u00b1 0.250</td>" in page
    charts = json.loads(page.partition('id="charts">')[2].partition("</script>")[0])
    assert [chart["title"] for chart in charts] == ["Mean slowdown"]
    # A line for each number of senders; the mean of three runs, 1.5, has a bar of half width 0.25.
    lines = {line["label"]: (line["x"], line["y"]) for line in charts[0]["series"]}
    assert lines == {"IRN, senders 2": ([0, 0.01], [1.5, 2.5]), "IRN, senders 4": ([0], [3.5])}
    first = charts[0]["series"][0]
    assert (first["low"][0], first["high"][0]) == (1.25, 1.75)
    assert "1 runs have no results." in page and "1 runs ended with incomplete flows" in page


def test_the_page_of_a_sweep_without_numbers_on_its_axes_has_a_table_alone(tmp_path):
    text = "loss,nic,runs,results,stalled,failed,x_mean,x_ci95\nlow,irn,1,1,0,0,2,\nhigh,irn,1,1,0,0,3,\n"
    write_table(tmp_path, text)
    assert main(["report", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "<td>high</td>" in page and 'id="charts">[]<' in page


def test_a_sweep_is_answered_with_its_runs(tmp_path, capsys):
    (tmp_path / "runs" / "load=0.3").mkdir(parents=True)
    (tmp_path / "sweep.json").write_text("{}")
    assert main(["report", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert f"name folders of {tmp_path / 'runs'}, as {tmp_path / 'runs' / 'load=0.3'}" in error
    assert error.count("\n") == 1
