# SPDX-License-Identifier: GPL-2.0-only
"""What rocelab list and rocelab facts print of a few names."""

import pytest
from program import NEEDS_PROGRAM, ROOT, ask, call, expect_one_line

pytestmark = NEEDS_PROGRAM


def test_attributes_of_a_class_and_one_of_another_come_in_their_order():
    listed = ask("list", "attributes", "RdmaNic::PathMtu", "UniformLoss", "--json")
    names = [one["type"] + "::" + one["name"] for one in listed]
    assert names == ["ns3::rdma::RdmaNic::PathMtu", "ns3::rdma::UniformLoss::LossRate"]


def test_the_full_name_of_a_class_is_known_too():
    full, short = (call("list", "attributes", name).stdout for name in ("ns3::rdma::UniformLoss", "UniformLoss"))
    assert full == short


def test_an_attribute_is_printed_with_its_bounds():
    assert call("list", "attributes", "Dcqcn::Gain").stdout.startswith("ns3::rdma::Dcqcn::Gain = 0.00390625 (ns3::DoubleValue, 0 to 1): ")


def test_columns_of_named_files_come_in_the_order_of_the_names():
    listed = ask("list", "columns", "hosts.csv", "flows.csv", "--json")
    assert list(listed) == ["hosts.csv", "flows.csv"]
    assert listed["flows.csv"] == ask("list", "columns", "--json")["flows.csv"]


@pytest.mark.parametrize(
    "words, error",
    [
        (["attributes", "Dcqc"], 'list attributes: expected a class or attribute (nearest: Dcqcn), got "Dcqc"'),
        (["presets", "srnic"], "list: srnic: expected the topic attributes, columns, keys or measurements"),
        (["columns", "flow.csv"], "list columns: flow.csv: expected a result file (nearest: flows.csv)"),
    ],
)
def test_an_unknown_name_is_one_line(words, error):
    expect_one_line(call("list", *words), f"rocelab: {error}\n")


def test_keys_of_a_file_and_of_the_objects_in_it_are_listed():
    keys = ask("list", "keys", "scenario", "nics", "--json")
    names = [key["name"] for key in keys["scenario"]["keys"]]
    assert names[:5] == ["$schema", "name", "plugins", "fabric", "groups"]
    assert {"workload", "workloads", "series", "attributes", "kernels"} < set(names)
    nics = {key["name"]: key for key in keys["nics"]["keys"]}
    assert nics["preset"]["required"] == nics["groups"]["required"] == "one of several"
    assert [key["name"] for key in nics["fabric"]["keys"]][:3] == ["buffer", "ecn", "pfc"]


def test_keys_of_each_workload_include_those_of_all_workloads():
    listed = ask("list", "keys", "poisson", "incast", "collective", "rpc", "streams", "--json")
    for section in listed.values():
        assert {"priority", "dscp"} <= {key["name"] for key in section["keys"]}


def test_distributions_of_sizes_are_those_of_traces():
    lines = call("list", "sizes").stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(path.stem for path in (ROOT / "traces").glob("*.cdf"))
    assert "mean 712570 B" in lines[1]  # traces/README.md: 712,569.90 B.


def test_facts_of_a_figure_have_a_row_each():
    lines = call("facts", "figure", "srnic/figure-10c").stdout.splitlines()
    assert lines[0].startswith("| stated | paper | ours | difference |")
    assert len(lines) == 2 + (ROOT / "validation" / "status.csv").read_text().count(",srnic/figure-10c,")


def test_an_unknown_table_or_paper_is_one_line():
    expect_one_line(call("facts", "al"), "rocelab: ")
    expect_one_line(call("facts", "answered", "SRNC"), "rocelab: expected papers of facts.csv, got 'SRNC'\n")
