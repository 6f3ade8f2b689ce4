# SPDX-License-Identifier: GPL-2.0-only
"""The default picture of a figure: panels, their scales, and series that have the same values."""

import pytest
from pictures import check_picture, get_tick_labels

from rocelab.draw.panels import draw_panels


def get_texts(figure):
    return [text.get_text() for text in figure.texts]


def get_legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def get_lines(axes):
    """Return {label: (x, y)} of the drawn lines."""
    return {line.get_label(): (line.get_xdata(), line.get_ydata()) for line in axes.get_lines()}


def get_boxes(figure):
    figure.draw_without_rendering()
    return [axes.get_position() for axes in figure.axes]


def make_panel(unit, scale):
    axis = {"label": "Fabric size", "unit": "servers", "scale": "log2"}
    series = {"irn": [[16, 1 * scale], [64, 2 * scale]], "srnic": [[16, 3 * scale], [64, None]]}
    return {"x": axis, "y": {"label": "Mean FCT", "unit": unit}, "series": series}


def test_panels_show_each_series_and_leave_out_points_without_a_value():
    figure = draw_panels({"panels": [make_panel("us", 1), make_panel("x ideal", 10)], "paper": []})
    first, second = figure.axes
    assert [list(part) for part in get_lines(first)["IRN"]] == [[16, 64], [1, 2]]
    assert [list(part) for part in get_lines(second)["SRNIC"]] == [[16], [30]]
    assert [first.get_ylabel(), second.get_ylabel()] == ["Mean FCT (\u00b5s)", "Mean FCT (\u00d7 ideal)"]
    assert list(first.get_xticks()) == [16, 64] and first.get_xscale() == "log"


def test_four_panels_are_two_rows_of_two():
    figure = draw_panels({"panels": [make_panel("us", 1)] * 4, "paper": []})
    corners = {(round(box.x0, 1), round(box.y0, 1)) for box in get_boxes(figure)}
    assert len(figure.axes) == 4
    assert [len({corner[axis] for corner in corners}) for axis in (0, 1)] == [2, 2]


def test_an_axis_of_values_far_apart_is_logarithmic_unless_it_says_linear():
    panel = make_panel("%", 1)
    panel["series"]["irn"] = [[16, 0.01], [64, 100]]
    linear = panel | {"y": panel["y"] | {"scale": "linear"}}
    first, second = draw_panels({"panels": [panel, linear], "paper": []}).axes
    assert [first.get_yscale(), second.get_yscale()] == ["log", "linear"]
    # "10m" would read as a unit.
    labels = [first.yaxis.get_major_formatter()(value) for value in (0.01, 1, 1000)]
    assert labels == ["0.01", "1", "1,000"]


def test_incomplete_points_are_hollow_and_explained():
    figure = draw_panels(make_panel("us", 1) | {"paper": [], "incomplete": {"irn": [64]}})
    hollow = [line for line in figure.axes[0].get_lines() if line.get_markerfacecolor() == "white"]
    assert [list(line.get_xdata()) for line in hollow if len(line.get_xdata())] == [[64]]
    assert any(text.startswith("Hollow:") for text in get_texts(figure))


def make_line_panel(label, scale="linear", unit="", **series):
    """Return a panel whose x are the keys of the series' dicts."""
    return {
        "x": {"label": "Load", "unit": unit, "scale": scale},
        "y": {"label": label, "unit": "us"},
        "series": {name: [[x, y] for x, y in points.items()] for name, points in series.items()},
    }


def test_series_with_the_same_values_share_a_line_and_a_label():
    # 0.05 % apart: what the tables print is the same.
    points = {"connectx5": {1: 10, 2: 20}, "connectx6": {1: 10.005, 2: 20}, "irn": {1: 10, 2: 21}}
    figure = draw_panels({"panels": [make_line_panel("A", **points)]})
    assert get_legend(figure) == ["ConnectX-5 = ConnectX-6", "IRN"]
    assert list(get_lines(figure.axes[0])) == ["ConnectX-5 = ConnectX-6", "_child1", "IRN", "_child3"]
    check_picture(figure)


def test_series_that_are_the_same_in_one_panel_only_are_named_below():
    same = {"irn": {1: 3, 2: 4}, "srnic": {1: 3, 2: 4}, "balboa": {1: 0, 2: 0}}
    other = same | {"srnic": {1: 5, 2: 4}}
    panels = [make_line_panel(label, **series) for label, series in zip("ABC", (same, other, same))]
    figure = draw_panels({"panels": panels})
    assert get_legend(figure) == ["IRN", "SRNIC", "BALBOA"]
    assert get_texts(figure) == ["IRN = SRNIC in: A, C."]
    check_picture(figure)


def test_an_incomplete_series_does_not_share_the_line_of_a_complete_one():
    points = {"irn": {1: 3, 2: 4}, "srnic": {1: 3, 2: 4}}
    figure = draw_panels({"panels": [make_line_panel("A", **points)], "incomplete": {"irn": [2]}})
    assert get_legend(figure) == ["IRN", "SRNIC"]
    assert get_texts(figure)[-1] == "IRN = SRNIC in: A."


@pytest.mark.parametrize("count", [5, 7, 8])
def test_a_legend_of_many_series_stays_within_the_picture(count):
    names = [f"a-set-of-parameters-{number}" for number in range(count)]
    panel = make_line_panel("A", **{name: {1: n + 1, 2: 10} for n, name in enumerate(names)})
    figure = draw_panels({"panels": [panel] * 2})
    assert get_legend(figure) == names
    check_picture(figure)


def test_panels_with_nothing_in_them_are_left_out_with_the_reason():
    full = make_line_panel("Goodput", irn={1: 3, 2: 4}, srnic={1: 2, 2: 0}, balboa={1: None, 2: None})
    zero = make_line_panel("Software", irn={1: 0, 2: 0})
    none = make_line_panel("Extra PCIe", irn={1: None}, srnic={})
    figure = draw_panels({"panels": [zero, full, none]})
    assert [axes.get_ylabel() for axes in figure.axes] == ["Goodput (\u00b5s)"]
    assert get_legend(figure) == ["IRN", "SRNIC"]
    text = " ".join(get_texts(figure)[::-1])
    assert "Not drawn: Software, 0 throughout." in text
    assert "Not drawn: Extra PCIe, no values." in text and "BALBOA: no values." in text
    check_picture(figure)


@pytest.mark.parametrize(
    "low, spans",
    [
        (4.7, (1.1, 1.3, 2.5)),
        (4.7, (1e5, 1e8, 1e13)),
        *(pytest.param(low, spans, marks=pytest.mark.slow) for low, spans in ((0.0123, (9, 25, 60)), (4.7, (99, 140, 1e3)))),
    ],
)
def test_a_log_axis_has_three_labels_and_room_for_them(low, spans):
    # Three panels: the narrowest x axes.
    panels = [make_line_panel("A", "log", irn={low: 1, low * s: 20.1 * s}) for s in spans]
    figure = draw_panels({"panels": panels})
    check_picture(figure)
    for axes in figure.axes:
        assert axes.get_xscale() == axes.get_yscale() == "log"
        assert len(get_tick_labels(axes.xaxis)) >= 3 and len(get_tick_labels(axes.yaxis)) >= 3


def test_an_axis_of_powers_of_two_has_a_tick_at_each_point_and_labels_where_they_fit():
    points = {2**power: power for power in range(6, 21)}
    panel = make_line_panel("A", "log2", "B", irn=points)
    figure = draw_panels({"panels": [panel, panel, panel]})
    check_picture(figure)
    axis = figure.axes[0].xaxis
    assert {*axis.get_majorticklocs(), *axis.get_minorticklocs()} == set(points)
    texts = [label.get_text() for label in get_tick_labels(axis)]
    assert 3 <= len(texts) < 8 and texts[0] == "64" and texts[-1].endswith("i")


def test_points_near_zero_are_apart_from_zero_on_an_axis_that_is_broken_there():
    points = {0: 92, 0.01: 91, 0.1: 80, 0.5: 50, 3: 10}
    figure = draw_panels({"panels": [make_line_panel("A", "log0", "%", irn=points)] * 4})
    check_picture(figure)
    axes = figure.axes[0]
    labels = [label.get_text() for label in get_tick_labels(axes.xaxis)]
    assert labels == ["0", "0.01", "0.1", "1"]
    pixels = [axes.transData.transform((x, 50))[0] for x in points]
    width = axes.get_window_extent().width
    assert min(b - a for a, b in zip(pixels, pixels[1:])) > 0.1 * width
    assert [text.get_text() for text in axes.texts] == ["//"]
    # Beyond the break it is a log axis: decades are equally far apart.
    decade = [axes.transData.transform((x, 50))[0] for x in (0.01, 0.1, 1)]
    assert decade[2] - decade[1] == pytest.approx(decade[1] - decade[0], rel=0.01)


def test_without_a_zero_that_axis_is_a_log_axis():
    figure = draw_panels(make_line_panel("A", "log0", irn={0.01: 1, 1: 2}))
    assert figure.axes[0].get_xscale() == "log" and not figure.axes[0].texts


def test_a_label_longer_than_its_panel_is_broken_into_lines():
    panel = make_panel("x ideal", 1)
    panel["y"]["label"] = "Slowdown of the background"
    panel["y"]["unit"] = "at the last percentile"
    [axes] = draw_panels(panel).axes
    assert "\n" in axes.get_ylabel()
    [axes] = draw_panels(make_panel("us", 1)).axes
    assert "\n" not in axes.get_ylabel()
