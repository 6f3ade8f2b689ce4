# SPDX-License-Identifier: GPL-2.0-only
"""What rocelab list and rocelab facts print of a few names."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build")) / "rocelab"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")


def call(*words):
    """Call the program; return (status, output, errors)."""
    ended = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr


def test_attributes_of_a_class_and_one_of_another_come_in_their_order():
    status, output, _ = call("list", "attributes", "RdmaNic::PathMtu", "UniformLoss", "--json")
    assert status == 0
    names = [one["type"] + "::" + one["name"] for one in json.loads(output)]
    assert names == ["ns3::rdma::RdmaNic::PathMtu", "ns3::rdma::UniformLoss::LossRate"]


def test_the_full_name_of_a_class_is_known_too():
    assert call("list", "attributes", "ns3::rdma::UniformLoss") == call("list", "attributes", "UniformLoss")


def test_an_attribute_is_printed_with_its_bounds():
    _, output, _ = call("list", "attributes", "Dcqcn::Gain")
    assert output.startswith("ns3::rdma::Dcqcn::Gain = 0.00390625 (ns3::DoubleValue, 0 to 1): ")


@pytest.mark.parametrize(
    "words, error",
    [
        (["attributes", "Dcqc"], 'list attributes: expected a class or attribute (nearest: Dcqcn), got "Dcqc"'),
        (["presets", "srnic"], "list: srnic: expected the topic attributes or keys"),
    ],
)
def test_an_unknown_name_is_one_line(words, error):
    assert call("list", *words) == (2, "", f"rocelab: {error}\n")


def test_facts_of_a_figure_have_a_row_each():
    status, output, _ = call("facts", "figure", "srnic/figure-10c")
    lines = output.splitlines()
    assert status == 0
    assert lines[0].startswith("| stated | paper | ours | difference |")
    assert len(lines) == 2 + (ROOT / "validation" / "status.csv").read_text().count(",srnic/figure-10c,")


def test_an_unknown_table_or_paper_is_one_line():
    status, output, errors = call("facts", "al")
    assert (status, output, errors.count("\n")) == (2, "", 1)
    status, output, errors = call("facts", "answered", "SRNC")
    assert (status, output, errors) == (2, "", "rocelab: expected papers of facts.csv, got 'SRNC'\n")
