# SPDX-License-Identifier: GPL-2.0-only
import re

import numpy
import pytest
from matplotlib.colors import to_rgba
from pictures import check_picture
from synthetic import make_flows, stop_flows, write_nic, write_scenario

from rocelab.draw import plots, style
from rocelab.draw.canvas import get_legend_columns
from rocelab.results.folders import load_scenario

ALL_PLOTS = (
    plots.draw_fct_bars,
    plots.draw_slowdown_bars,
    plots.draw_fct_cdf,
    plots.draw_slowdown_by_size,
)


def get_texts(figure):
    return [text.get_text() for text in figure.texts]


def get_lines(axes):
    """Return {label: (x, y)} of the drawn lines."""
    return {line.get_label(): (line.get_xdata(), line.get_ydata()) for line in axes.get_lines()}


@pytest.mark.parametrize(
    "draw, label", [(plots.draw_fct_bars, "FCT (\u00b5s)"), (plots.draw_slowdown_bars, "slowdown (\u00d7 ideal)")]
)
def test_bars_are_as_high_as_mean_and_p99(compare_folder, draw, label):
    figure = draw(load_scenario(compare_folder))
    mean, p99 = figure.axes
    assert [bar.get_height() for bar in mean.patches] == pytest.approx([201, 110.55, 100.5, 150.75])
    assert [bar.get_height() for bar in p99.patches] == pytest.approx([396, 217.8, 198, 297])
    assert [mean.get_ylabel(), p99.get_ylabel()] == [f"Mean {label}", f"P99 {label}"]
    assert [tick.get_text() for tick in mean.get_xticklabels()] == ["ConnectX-6", "IRN", "SRNIC", "BALBOA"]
    assert [text.get_text() for text in mean.texts] == ["201", "111", "100", "151"]
    assert mean.get_ylim()[0] == 0


def test_bars_leave_the_column_when_there_are_many(tmp_path):
    factors = {name: 1 for name in list(style.WELL_KNOWN_NICS)[:5]}
    folder = write_scenario(tmp_path / "x", factors)
    figure = plots.draw_fct_bars(load_scenario(folder))
    assert figure.get_figwidth() == style.PAGE_WIDTH


def test_bars_that_span_three_decades_are_on_a_log_axis(tmp_path):
    folder = write_scenario(tmp_path / "x", {"irn": 1, "srnic": 1000})
    axes = plots.draw_fct_bars(load_scenario(folder)).axes[0]
    assert axes.get_yscale() == "log"
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([100.5, 100500])
    assert axes.get_ylim()[1] > 100500


def test_the_cdf_reaches_one_at_the_slowest_flow(compare_folder):
    axes = plots.draw_fct_cdf(load_scenario(compare_folder)).axes[0]
    times, shares = get_lines(axes)["ConnectX-6"]
    assert (times[0], times[-1]) == (2, 400)
    assert (shares[0], shares[-1]) == (1 / 200, 1)
    assert shares[list(times).index(200)] == 0.5
    assert axes.get_xscale() == "log" and axes.get_xlabel() == "Flow completion time (\u00b5s)"


def test_the_ccdf_of_slowdown_starts_at_one_and_ends_at_the_slowest_flow(compare_folder):
    axes = plots.draw_slowdown_ccdf(load_scenario(compare_folder)).axes[0]
    values, shares = get_lines(axes)["ConnectX-6"]
    # 200 flows with slowdowns 2, 4, ... 400: half of them have 202 or more, one has 400.
    assert (shares[0], shares[-1]) == pytest.approx((1, 1 / 200))
    assert shares[list(values).index(202)] == pytest.approx(0.5)
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "Slowdown (\u00d7 ideal)"
    check_picture(axes.figure)


def test_a_thinned_cdf_keeps_its_ends_and_its_values():
    values = numpy.arange(100_000, 0, -1)
    times, shares = plots.get_cdf(values, 100_000)
    assert len(times) == plots.MAX_CDF_POINTS
    assert (times[0], times[-1], shares[-1]) == (1, 100_000, 1)
    assert numpy.array_equal(times / 100_000, shares)


def test_slowdown_by_size_has_bins_of_equal_numbers_of_flows():
    sizes = numpy.arange(1, 3201)
    edges = plots.get_size_edges([sizes, sizes])
    # 3200 flows per NIC make 16 bins of 200.
    assert len(edges) == 17
    assert list(numpy.histogram(sizes, edges)[0]) == [200] * 16


def test_slowdown_by_size_shows_mean_and_p99_of_each_bin(compare_folder):
    mean, p99 = plots.draw_slowdown_by_size(load_scenario(compare_folder)).axes
    # Two sizes only, so two bins: flows 1 to 100 of 50 kB, flows 101 to 200 of 200 kB.
    sizes, values = get_lines(mean)["SRNIC"]
    assert list(sizes) == [50_000, 200_000] and list(values) == [50.5, 150.5]
    assert list(get_lines(p99)["SRNIC"][1]) == [99, 199]
    assert p99.get_xlabel() == "Flow size (bytes)" and p99.get_xscale() == "log"


@pytest.fixture
def interrupted_folder(compare_folder):
    """compare_folder with irn interrupted after half of its flows."""
    rows = stop_flows(make_flows(1.1), range(101, 201), "unfinished")
    write_nic(compare_folder / "irn", rows, {}, partial=True)
    return compare_folder


@pytest.mark.parametrize("draw", ALL_PLOTS)
def test_every_picture_marks_an_interrupted_run(interrupted_folder, draw):
    figure = draw(load_scenario(interrupted_folder))
    labels = [tick.get_text() for axes in figure.axes for tick in axes.get_xticklabels()]
    labels += [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert "IRN*" in labels and "SRNIC" in labels and "SRNIC*" not in labels
    assert "* IRN: interrupted, 100 of 200 flows completed." in get_texts(figure)
    check_picture(figure)


def test_an_interrupted_run_is_hollow_and_its_cdf_ends_at_its_share(interrupted_folder):
    scenario = load_scenario(interrupted_folder)
    bars = plots.draw_fct_bars(scenario).axes[0].patches
    assert bars[1].get_facecolor() == to_rgba("white")
    assert bars[2].get_facecolor() == to_rgba(style.WELL_KNOWN_NICS["srnic"].color)
    assert get_lines(plots.draw_fct_cdf(scenario).axes[0])["IRN*"][1][-1] == 0.5


@pytest.mark.parametrize("draw", ALL_PLOTS)
def test_a_nic_that_completed_nothing_still_makes_a_picture(compare_folder, draw):
    rows = stop_flows(make_flows(1), range(1, 201), "stalled")
    write_nic(compare_folder / "srnic", rows, {})
    figure = draw(load_scenario(compare_folder))
    assert "* SRNIC: 0 of 200 flows completed, 200 stalled." in get_texts(figure)
    check_picture(figure)


@pytest.mark.parametrize("draw", ALL_PLOTS)
def test_a_scenario_without_a_single_completed_flow_makes_pictures_that_say_so(tmp_path, draw):
    write_nic(tmp_path / "srnic", stop_flows(make_flows(1), range(1, 201), "stalled"), {})
    write_nic(tmp_path / "irn", [], {})
    figure = draw(load_scenario(tmp_path))
    check_picture(figure)
    for axes in figure.axes:
        assert {text.get_text() for text in axes.texts} in ({"none"}, {"no flow completed"})


def test_bar_labels_that_would_touch_stand_upright(tmp_path):
    # P99 of 198 x factor: four digits above each of four bars.
    names = ["connectx6", "irn", "srnic", "balboa"]
    folder = write_scenario(tmp_path / "x", {name: 40 + n for n, name in enumerate(names)})
    figure = plots.draw_fct_bars(load_scenario(folder))
    check_picture(figure)
    assert {text.get_rotation() for axes in figure.axes for text in axes.texts} == {90}


@pytest.mark.parametrize("factors", [(0.001, 900), (1, 90), (1, 1)])
def test_labels_above_bars_stay_within_the_panel(tmp_path, factors):
    folder = write_scenario(tmp_path / "x", dict(zip(("irn", "srnic"), factors)))
    figure = plots.draw_fct_bars(load_scenario(folder))
    check_picture(figure)
    for axes in figure.axes:
        top = axes.get_window_extent().y1
        assert max(text.get_window_extent().y1 for text in axes.texts) <= top + 1


def test_nics_with_the_same_times_share_a_line_and_a_label(tmp_path):
    folder = write_scenario(tmp_path / "x", {"connectx5": 2, "connectx6": 2, "srnic": 1})
    scenario = load_scenario(folder)
    for draw in (plots.draw_fct_cdf, plots.draw_slowdown_by_size):
        figure = draw(scenario)
        assert list(get_lines(figure.axes[0])) == ["ConnectX-5 = ConnectX-6", "SRNIC"]
        check_picture(figure)
    # Bars do not hide each other.
    labels = plots.draw_fct_bars(scenario).axes[0].get_xticklabels()
    assert [label.get_text() for label in labels] == ["ConnectX-5", "ConnectX-6", "SRNIC"]


def test_the_p99_of_a_bin_has_error_bars_around_it(compare_folder):
    mean, p99 = plots.draw_slowdown_by_size(load_scenario(compare_folder)).axes
    assert not mean.collections
    bars = p99.collections[2].get_segments()  # connectx6, irn, srnic, balboa.
    # Bins of 1 to 100 and of 101 to 200, as in test_percentile.py: 95 to 100, 195 to 200.
    ends = [[tuple(end) for end in segment] for segment in bars]
    assert ends == [[(50_000, 95), (50_000, 100)], [(200_000, 195), (200_000, 200)]]


def test_the_same_results_make_the_same_bytes(compare_folder, tmp_path):
    scenario = load_scenario(compare_folder)
    first = style.save(plots.draw_fct_bars(scenario), tmp_path / "first")
    second = style.save(plots.draw_fct_bars(scenario), tmp_path / "second")
    for one, other in zip(first, second):
        assert one.read_bytes() == other.read_bytes()
    assert [path.suffix for path in first] == [".png", ".svg", ".pdf"]
    assert b"<dc:date>" not in first[1].read_bytes()
    assert b"CreationDate" not in first[2].read_bytes()


def test_text_stays_text(compare_folder, tmp_path):
    figure = plots.draw_slowdown_by_size(load_scenario(compare_folder))
    svg, pdf = style.save(figure, tmp_path / "x", ("svg", "pdf"))
    written = re.findall(r"<text[^>]*>([^<]*)</text>", svg.read_text())
    assert {"ConnectX-6", "Flow size (bytes)", "Mean slowdown (\u00d7 ideal)"} <= set(written)
    assert b"/FontFile2" in pdf.read_bytes() and b"/Type3" not in pdf.read_bytes()


def test_pictures_have_print_size_and_resolution(compare_folder, tmp_path):
    figure = plots.draw_slowdown_bars(load_scenario(compare_folder))
    png, svg = style.save(figure, tmp_path / "x", ("png", "svg"))
    width, height = (int.from_bytes(png.read_bytes()[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (666, 459)  # 3.33 x 2.3 inches at 200 dpi, whole pixels.
    assert b'width="239.76pt" height="165.6pt"' in svg.read_bytes()  # 72 points per inch.


def test_well_known_nics_differ_in_colour_marker_dashes_and_hatch():
    looks = list(style.WELL_KNOWN_NICS.values())
    for field in ("color", "marker", "hatch", "label"):
        assert len({getattr(look, field) for look in looks}) == len(looks)
    assert len({str(look.dashes) for look in looks}) == len(looks)


def test_tcp_looks_like_no_nic():
    tcp = style.get_styles(["srnic", "tcp"])["tcp"]
    assert tcp.label == "TCP"
    nics = {look.marker for look in style.WELL_KNOWN_NICS.values()}
    assert tcp.marker not in nics | {look[1] for look in style.OTHER_LOOKS}


def test_other_nics_get_a_look_of_their_own_that_does_not_change():
    names = [f"mine-{number}" for number in range(8)]
    styles = style.get_styles(names + ["srnic"])
    assert len({(look.color, look.marker) for look in styles.values()}) == 9
    assert style.get_styles(list(reversed(names)) + ["srnic"]) == styles
    well_known = {look.marker for look in style.WELL_KNOWN_NICS.values()}
    assert not well_known & {styles[name].marker for name in names}


def test_a_preset_looks_the_same_beside_any_other_nics():
    names = list(style.FIXED_LOOKS)
    together = style.get_styles([*names, "mine"])
    assert all(style.get_styles([name, "irn"])[name] == together[name] for name in names)
    assert len({(look.color, look.marker) for look in together.values()}) == len(together)


def test_a_name_of_ones_own_has_the_same_colour_beside_any_preset_and_no_presets_colour():
    for name in ("mine", "my-window", "srnic-dcqcn", "ecmp"):
        colors = {style.get_styles([name, preset])[name].color for preset in style.FIXED_LOOKS}
        assert len(colors) == 1
    assert not {look[0] for look in style.OTHER_LOOKS} & {look.color for look in style.FIXED_LOOKS.values()}


def test_workloads_of_a_list_have_their_nics_name_and_colour():
    names = ["irn: background", "irn: ring", "mine: background", "mine: ring"]
    styles = style.get_styles(names)
    assert [styles[name].label for name in names] == ["IRN: background", "IRN: ring", "mine: background", "mine: ring"]
    irn = style.WELL_KNOWN_NICS["irn"]
    assert {styles[name].color for name in names[:2]} == {irn.color}
    assert styles["irn: background"].marker == irn.marker
    assert len({(look.color, look.marker) for look in styles.values()}) == 4
    assert len({(look.color, str(look.dashes)) for look in styles.values()}) == 4
    assert styles["mine: background"].color == style.get_styles(["mine"])["mine"].color


def test_presets_without_a_colour_of_their_own_have_their_products_names():
    styles = style.get_styles(["connectx7", "bluefield3"])
    assert [styles[name].label for name in ("connectx7", "bluefield3")] == ["ConnectX-7", "BlueField-3"]


def test_a_name_that_begins_with_a_nic_has_that_nics_spelling():
    names = ["connectx6, UC", "connectx7, load 0.3", "mine, UC", "SRNIC, one path"]
    styles = style.get_styles(names)
    assert [styles[name].label for name in names] == [
        "ConnectX-6, UC", "ConnectX-7, load 0.3", "mine, UC", "SRNIC, one path"
    ]  # fmt: skip


def test_a_legend_takes_as_many_rows_as_it_needs():
    assert get_legend_columns(3.4, ["ConnectX-6", "IRN", "SRNIC", "BALBOA"]) == 4
    assert get_legend_columns(3.4, ["a-nic-with-a-long-name"] * 4) == 1
