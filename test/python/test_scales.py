# SPDX-License-Identifier: GPL-2.0-only
"""How numbers of axes and bars are written."""

import pytest
from matplotlib.figure import Figure
from pictures import check_picture, find_other_numbers, find_small_markers

from rocelab.draw import scales, style
from rocelab.draw.bars import format_bar_value
from rocelab.draw.canvas import Canvas
from rocelab.draw.sweep_plots import format_place


@pytest.mark.parametrize(
    "value, expected",
    [
        (0, "0"),
        (0.00003, "3e-5"),
        (0.01, "0.01"),
        (999, "999"),
        (2500, "2,500"),
        (-2500, "-2,500"),
        (100_000, "100,000"),
        (1_000_000, "1M"),
        (2_500_000, "2.5M"),
        (4_000_000_000, "4G"),
    ],
)
def test_thousands_have_a_comma_and_millions_a_prefix(value, expected):
    assert scales.format_plain(value) == expected


@pytest.mark.parametrize(
    "value, expected",
    [(None, "none"), (0.1234, "0.123"), (99.94, "99.9"), (2067.4, "2,067"), (12345, "12,345"), (1234567, "1.23M")],
)
def test_a_bar_has_three_digits_or_all_before_the_point(value, expected):
    assert format_bar_value(value) == expected


@pytest.mark.parametrize("text, expected", [("1024", "1,024"), ("16", "16"), ("0.5", "0.5"), ("1kB", "1kB")])
def test_a_place_of_a_sweep_is_written_as_numbers_are(text, expected):
    assert format_place(text) == expected


def test_an_axis_that_nothing_scales_writes_the_same_numbers():
    (axes,) = Canvas(style.COLUMN_WIDTH, style.PANEL_HEIGHT).panels
    axes.plot([0, 4000], [0, 3000])
    axes.figure.draw_without_rendering()
    assert find_other_numbers(axes.figure) == []
    assert "3,000" in [label.get_text() for label in axes.get_yticklabels()]


def test_labels_of_a_short_log_axis_leave_out_what_has_no_room():
    # Below a panel of a third of a page 200,000 and 250,000 would touch.
    canvas = Canvas(style.PAGE_WIDTH, style.PANEL_HEIGHT, columns=2)
    for axes in canvas.panels:
        axes.plot([65_536, 262_144], [1, 2])
        scales.set_log_x(axes)
    check_picture(canvas.figure)


def test_the_check_of_pictures_finds_other_numbers_and_small_markers():
    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 4000], [0, 3], marker="o", markersize=2, label="small")
    axes.text(1, 1, "10k")
    figure.draw_without_rendering()
    assert {"10k", "4000"} <= set(find_other_numbers(figure))
    assert find_small_markers(figure) == ["small"]
