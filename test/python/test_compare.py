# SPDX-License-Identifier: GPL-2.0-only
import csv

import pytest
from synthetic import make_flows, stop_flows, write_nic, write_scenario

from rocelab.compare import format_comparison, format_csv
from rocelab.results import load_scenario
from rocelab.table import format_count, format_number, format_table


def read_table(text):
    """Return {NIC: cells} of the first table and of the ratio table."""
    tables, lines = [], text.splitlines()
    for index, line in enumerate(lines):
        if line.startswith("---"):
            rows = {}
            for row in lines[index + 1 :]:
                if not row.strip():
                    break
                rows[row.split()[0]] = row.split()[1:]
            tables.append(rows)
    return tables


def test_the_table_has_each_nics_numbers_in_the_order_of_the_scenario(compare_folder):
    results, _ = read_table(format_comparison(load_scenario(compare_folder)))
    assert list(results) == ["connectx6", "irn", "srnic", "balboa"]
    # Twice the numbers of synthetic.make_flows(): means 201, P50 200, P99 396, small flows 101.
    assert results["connectx6"] == [
        "200/200", "201", "396", "201", "200", "396", "101", "2,346", "1,234", "4,321", "5",
        "1.23M", "17", "6.25", "4.80",
    ]  # fmt: skip


def test_the_table_fits_a_wide_terminal(compare_folder):
    lines = format_comparison(load_scenario(compare_folder)).splitlines()
    assert 100 <= max(len(line) for line in lines) <= 150


def test_ratios_refer_to_srnic(compare_folder):
    _, ratios = read_table(format_comparison(load_scenario(compare_folder)))
    assert ratios["connectx6"] == ["2.00x", "2.00x", "2.00x"]
    assert ratios["irn"] == ["1.10x", "1.10x", "1.10x"]
    assert ratios["srnic"] == ["1.00x", "1.00x", "1.00x"]


def test_ratios_refer_to_the_first_nic_where_there_is_no_srnic(tmp_path):
    folder = write_scenario(tmp_path / "x", {"irn": 1, "balboa": 3})
    text = format_comparison(load_scenario(folder))
    assert "ratio to irn" in text
    assert read_table(text)[1]["balboa"] == ["3.00x", "3.00x", "3.00x"]


def test_incomplete_and_missing_nics_are_marked(compare_folder):
    scenario = {"name": "compare", "nics": ["connectx6", "irn", "srnic", "balboa", "strom10g"]}
    rows = stop_flows(make_flows(1.1), range(151, 201), "stalled")
    write_nic(compare_folder / "irn", rows, scenario)
    text = format_comparison(load_scenario(compare_folder))
    assert "irn*" in read_table(text)[0] and "srnic" in read_table(text)[0]
    assert "* irn: 150 of 200 flows completed, 50 stalled" in text.splitlines()
    assert "  strom10g: no results" in text.splitlines()


def test_a_nic_that_completed_nothing_has_dashes_and_no_ratio(compare_folder):
    rows = stop_flows(make_flows(1), range(1, 201), "failed")
    write_nic(compare_folder / "balboa", rows, {})
    results, ratios = read_table(format_comparison(load_scenario(compare_folder)))
    assert results["balboa*"][:7] == ["0/200"] + ["-"] * 6
    assert ratios["balboa*"] == ["-", "-", "-"]


def test_the_csv_has_unrounded_numbers(compare_folder):
    rows = list(csv.DictReader(format_csv(load_scenario(compare_folder)).splitlines()))
    assert [row["nic"] for row in rows] == ["connectx6", "irn", "srnic", "balboa"]
    irn = rows[1]
    assert irn["complete"] == "yes" and irn["partial"] == "no"
    assert float(irn["fct_us_mean"]) == pytest.approx(110.55, rel=1e-9)  # 100.5 x 1.1
    assert float(irn["fct_us_p99"]) == pytest.approx(217.8, rel=1e-9)  # 198 x 1.1
    assert float(irn["slowdown_mean_below_100kB"]) == pytest.approx(55.55, rel=1e-6)
    assert irn["drops"] == "1234" and irn["ecn_marks"] == "1234567"
    assert irn["ratio_to"] == "srnic"
    assert float(irn["fct_mean_ratio"]) == pytest.approx(1.1, rel=1e-9)


def test_numbers_are_rounded_to_three_digits():
    numbers = [None, 0, 0.01234, 1.005, 12.345, 123.4, 12345.6]
    texts = ["-", "0", "0.0123", "1.00", "12.3", "123", "12,346"]
    assert [format_number(number) for number in numbers] == texts
    assert [format_count(count) for count in (0, 999_999, 12_345_678)] == ["0", "999,999", "12.3M"]


def test_columns_are_aligned():
    text = format_table(["NIC", "a\nus"], [["irn", "1"], ["connectx6", "1,000"]])
    assert text.splitlines() == [
        "NIC            a",
        "              us",
        "---------  -----",
        "irn            1",
        "connectx6  1,000",
    ]
