# SPDX-License-Identifier: GPL-2.0-only
"""rocelab plot --style, --where and --bins, and several sweeps: what the artists of the pictures have."""

import json

import numpy
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from pictures import check_picture
from synthetic import write_scenario

import rocelab
from rocelab.__main__ import main
from rocelab.draw import own_style, style
from rocelab.draw.own_style import Bins

LOOKS = {
    "nics": {
        "srnic": {"label": "Our own NIC", "color": "#123456", "marker": "h", "line": "dotted", "hatch": "oo"},
        "irn": {"color": "crimson", "line": [4, 1.5]},
    },
    "order": ["srnic", "irn"],
}


@pytest.fixture
def runs(tmp_path):
    """Results of four NICs."""
    return write_scenario(tmp_path / "four", {"connectx6": 2, "irn": 1.1, "srnic": 1, "my-nic": 1.5})


def write_sweep(folder, values):
    """Write the folder of a sweep over load; values are {nic: {load: goodput}}."""
    folder.mkdir()
    axes = [{"path": "workload.load", "values": [0.3, 0.5]}]
    (folder / "sweep.json").write_text(json.dumps({"format": 1, "sweep": {"axes": axes}}))
    lines = ["load,nic,runs,results,stalled,failed,goodput_gbps_mean,goodput_gbps_ci95"]
    lines += [f"{load},{nic},1,1,0,0,{mean}," for nic, points in values.items() for load, mean in points.items()]
    (folder / "sweep-summary.csv").write_text("\n".join(lines) + "\n")
    return folder


def get_labels(figure):
    """Return the labels of the legend."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_two_of_four_nics_in_own_colours_with_own_labels_and_order(runs):
    figure = rocelab.plot("slowdown-cdf", runs, where={"nic": ["irn", "srnic"]}, style=LOOKS)
    check_picture(figure)
    assert get_labels(figure) == ["Our own NIC", "IRN"]
    first, second = figure.axes[0].get_lines()
    assert (first.get_color(), first.get_marker(), first.get_linestyle()) == ("#123456", "h", ":")
    assert (to_hex(second.get_color()), second.get_marker()) == ("#dc143c", "^")  # The preset's marker.


def test_a_notebook_shows_a_picture(runs):
    figure = rocelab.plot("fct", runs)
    assert isinstance(figure, Figure)
    png = figure._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 666  # 3.33 inches at 200 dpi.


def test_bars_have_own_colours_and_hatches_and_the_panels_that_are_chosen(runs):
    figure = rocelab.plot("fct", runs, style={**LOOKS, "panels": ["P99"], "height": 1.5, "width": 4.0})
    (axes,) = figure.axes
    assert axes.get_ylabel().startswith("P99 FCT")
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["Our own NIC", "IRN", "ConnectX-6", "my-nic"]
    assert (to_hex(axes.patches[0].get_facecolor()), axes.patches[0].get_hatch()) == ("#123456", "oo")
    assert figure.get_figwidth() == 4.0
    usual = rocelab.plot("fct", runs, style={"width": 4.0})
    assert figure.get_figheight() < usual.get_figheight()


def test_ranges_scales_and_labels_of_axes(runs):
    own = {"x": {"range": [100, 1e6], "label": "Size (B)"}, "y": [{"range": [1, 9], "scale": "linear"}, {"scale": "log"}]}
    upper, lower = rocelab.plot("slowdown-by-size", runs, style=own).axes
    assert (upper.get_ylim(), upper.get_yscale(), lower.get_yscale()) == ((1, 9), "linear", "log")
    assert lower.get_xlim() == (100, 1e6) and lower.get_xlabel() == "Size (B)"
    assert all(line.get_clip_on() for line in upper.get_lines())


def test_a_name_with_the_value_of_an_axis_has_its_nics_colour_and_label(tmp_path):
    own = own_style.make(LOOKS)
    with own_style.use(own):
        look = style.get_styles(["srnic, load 0.3", "srnic: ring"])
    assert [look[name].label for name in look] == ["Our own NIC, load 0.3", "Our own NIC: ring"]
    assert {one.color for one in look.values()} == {"#123456"}
    assert own_style.get_current() == own_style.OwnStyle()


@pytest.mark.parametrize(
    "text, sizes, edges",
    [
        ("2", [1, 2, 3, 4], [1, 3, 5]),
        ("1kB,1MB", [10, 5000, 2_000_000], [10, 1000, 1_000_000, 2_000_001]),
        ("50B", [100, 200], [100, 201]),
        ("1/decade", [15, 150, 1000], [10, 100, 1000, 10000]),
        ("2/decade", [100, 900], [100, 316.23, 1000]),
    ],
)
def test_bins_of_sizes(text, sizes, edges):
    found = own_style.make(None, text).bins.find_edges(numpy.array(sizes))
    assert found == pytest.approx(edges, rel=1e-4)
    assert found[0] <= sizes[0] and found[-1] > sizes[-1]


def test_bins_are_drawn(runs):
    upper, _ = rocelab.plot("slowdown-by-size", runs, where={"nic": "srnic"}, bins="1/decade").axes
    (line,) = upper.get_lines()[:1]
    sizes = line.get_xdata()
    decades = [int(numpy.log10(size) + 1e-9) for size in sizes]
    assert len(set(decades)) == len(decades) > 1


def test_comparisons_and_reports_have_own_colours_and_labels(runs):
    path = runs.parent / "mine.json"
    path.write_text(json.dumps(LOOKS))
    assert main(["report", str(runs), "--style", str(path)]) == 0
    page = (runs / "report.html").read_text(encoding="utf-8")
    assert '"label":"Our own NIC"' in page and "#123456" in page
    assert main(["compare", str(runs), "--style", str(path)]) == 0
    assert "Our own NIC" in (runs / "plots" / "fct.svg").read_text(encoding="utf-8")


def test_where_given_again_adds_values(runs, capsys):
    words = ["plot", "fct-cdf", str(runs), "--format", "svg", "--out", str(runs / "x")]
    assert main([*words, "--where", "nic=irn", "--where", "nic=my-nic,srnic"]) == 0
    text = (runs / "x.svg").read_text()
    assert all(name in text for name in ("IRN", "my-nic", "SRNIC")) and "ConnectX-6" not in text
    capsys.readouterr()
    assert main([*words, "--where", "nic=irn,snic"]) == 2
    assert "--where nic: expected one of connectx6, irn, srnic, my-nic of" in capsys.readouterr().err
    assert main([*words, "--where", "load=1"]) == 2
    assert "--where: expected results of a sweep" in capsys.readouterr().err


def test_several_sweeps_are_one_picture(tmp_path):
    one = write_sweep(tmp_path / "one", {"irn": {"0.3": 10, "0.5": 20}, "srnic": {"0.3": 11, "0.5": 21}})
    two = write_sweep(tmp_path / "two", {"uet": {"0.3": 12, "0.5": 22}})
    figure = rocelab.plot("lines", one, two, y="goodput_gbps")
    assert get_labels(figure) == ["IRN", "SRNIC", "UET"]  # No NIC is in both.
    three = write_sweep(tmp_path / "three", {"irn": {"0.3": 5, "0.5": 6}})
    figure = rocelab.plot("lines", one, three, y="goodput_gbps", where={"nic": "irn"})
    assert get_labels(figure) == ["IRN, sweep one", "IRN, sweep three"]
    assert [list(line.get_ydata()) for line in figure.axes[0].get_lines() if len(line.get_ydata())] == [[10, 20], [5, 6]]
    check_picture(figure)
    # The first series of a NIC has its colour; a style can name each.
    first, _, third, *_ = figure.axes[0].get_lines()
    assert first.get_color() == style.WELL_KNOWN_NICS["irn"].color != third.get_color()
    own = {"nics": {"irn, sweep one": {"label": "A", "color": "red"}, "irn": {"label": "B"}}}
    figure = rocelab.plot("lines", one, three, y="goodput_gbps", where={"nic": "irn"}, style=own)
    assert get_labels(figure) == ["A", "B, sweep three"]
    assert figure.axes[0].get_lines()[0].get_color() == "#ff0000"
    figure = rocelab.plot("lines", one, y="goodput_gbps", where={"nic": "irn", "load": [0.30, "0.5"]})
    assert list(figure.axes[0].get_lines()[0].get_xdata()) == [0.3, 0.5]


def test_sweeps_of_other_axes_are_one_line(tmp_path):
    one = write_sweep(tmp_path / "one", {"irn": {"0.3": 10, "0.5": 20}})
    two = write_sweep(tmp_path / "two", {"irn": {"0.3": 10, "0.5": 20}})
    table = two / "sweep-summary.csv"
    table.write_text(table.read_text().replace("load,", "servers,"))
    with pytest.raises(rocelab.InputError, match="two: expected the axes of .*one .load., got servers"):
        rocelab.plot("lines", one, two, y="goodput_gbps")


@pytest.mark.parametrize(
    "value, line",
    [
        ({"colour": {}}, "style: expected a known key \\(.*\\), got 'colour'"),
        ({"nics": {"irn": {"color": "bluish"}}}, "nics.irn.color: expected a colour as .*, got \"bluish\""),
        ({"nics": {"irn": {"colr": "red"}}}, "nics.irn: expected a known key \\(nearest: color\\), got 'colr'"),
        ({"nics": {"irn": {"marker": "oo"}}}, "nics.irn.marker: expected none or a marker"),
        ({"nics": {"irn": {"line": [1]}}}, "nics.irn.line: expected solid, dashed"),
        ({"nics": {"irn": {"label": "a\nb"}}}, "nics.irn.label: expected a text of one line"),
        ({"nics": {"irn": {"hatch": "q"}}}, "nics.irn.hatch: expected a text of"),
        ({"nics": []}, "nics: expected an object"),
        ({"order": "irn"}, "order: expected a list of texts"),
        ({"height": 0}, "height: expected a number from 0.5 to 50, got 0"),
        ({"x": {"range": [2, 1]}}, "x.range: expected a rising pair of numbers"),
        ({"y": {"scale": "cubic"}}, "y.scale: expected linear or log"),
        ({"bins": [3, 2]}, "bins: expected rising edges"),
        ({"bins": "0/decade"}, "bins: expected a number of bins, edges"),
        ({"panels": ["p98"]}, "panels: expected a panel of the picture \\(mean, p99\\), got 'p98'"),
    ],
)
def test_a_wrong_style_is_one_line(runs, value, line):
    with pytest.raises(rocelab.InputError, match=line):
        rocelab.plot("fct", runs, style=value)


def test_files_of_json_and_toml_are_the_same(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"nics": {"irn": {"label": "A b"}}, "bins": 7, "order": ["irn"]}))
    (tmp_path / "a.toml").write_text('bins = 7\norder = ["irn"]\n[nics.irn]\nlabel = "A b"\n')
    assert own_style.make(tmp_path / "a.json") == own_style.make(str(tmp_path / "a.toml"))
    assert own_style.make(tmp_path / "a.json").bins == Bins(count=7)
    (tmp_path / "bad.toml").write_text("bins = \n")
    with pytest.raises(rocelab.UserError, match="bad.toml: expected TOML, got: "):
        own_style.make(tmp_path / "bad.toml")
