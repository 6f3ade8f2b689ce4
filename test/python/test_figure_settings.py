# SPDX-License-Identifier: GPL-2.0-only
"""validation/settings.csv: what figures set beyond presets is the paper's testbed, or listed as chosen."""

import re

import pytest

from rocelab.errors import UserError
from rocelab.validate.facts import read_facts
from rocelab.validate.ledger import Ledger, read_sources
from rocelab.validate.settings import CHOSEN, check_declared, find_attributes, read_settings

FACTS = """id,paper,where,quantity,relation,value,unit,condition,kind
A-001,A,Fig 1,throughput,=,100,Gb/s,,result
A-002,A,Fig 1,latency,=,2,us,,result
A-003,A,abstract,throughput,=,100,Gb/s,,result
"""
STATUS = """fact,figure,class,same_as,chosen,evidence,why
A-001,g/fig-1,selected,,Nic::Delay,the link saturates,
A-002,g/fig-1,predicted,,Nic::Delay,delay of the NIC,
A-003,g/fig-1,,A-001,,,
"""
HEADER = "figure,attribute,role,facts,source\n"


def read(folder, lines):
    """Return the settings of a folder with these facts and lines."""
    for name, text in (("facts.csv", FACTS), ("status.csv", STATUS), ("settings.csv", HEADER + lines)):
        (folder / name).write_text(text)
    sources = read_sources(folder / "status.csv", read_facts(folder / "facts.csv"))
    return read_settings(folder, sources)


def test_attributes_are_found_in_scenarios_and_command_lines():
    scenario = {
        "nics": [
            "srnic",
            {"preset": "irn", "name": "irn", "attributes": {"ns3::rdma::RdmaNic::RetryCount": 3}},
            {"preset": "irn", "congestionControl": "ns3::rdma::Dcqcn"},  # A type, no attribute.
        ],
        "attributes": {"ns3::rdma::GpuPath::BarBytes": 5},
        "fabric": {"loadBalancer": {"type": "ns3::rdma::Ecmp"}},
    }
    found = {"RdmaNic::RetryCount", "GpuPath::BarBytes", "congestionControl"}
    assert find_attributes(scenario) == found
    service = '{"type": "ns3::rdma::AesService", "attributes": {"ns3::rdma::AesService::Key": "00"}}'
    words = ["perftest", "--set", "ns3::rdma::RdmaNic::Timeout=ns3::rdma::AdaptiveTimeout", "--service", service]
    assert find_attributes(words) == {"RdmaNic::Timeout", "AesService::Key"}


def test_all_stands_for_the_facts_that_are_not_counted_with_another(tmp_path):
    settings = read(tmp_path, "g/fig-1,Nic::Delay,chosen,all,our estimate\n")
    assert settings["g/fig-1"]["Nic::Delay"].facts == ("A-001", "A-002")


@pytest.mark.parametrize(
    "lines, expected",
    [
        ("g/fig-2,Nic::Delay,testbed,,section 1\n", "2: expected a figure that answers facts, got 'g/fig-2'"),
        ("g/fig-1,Nic::Delay,mine,,section 1\n", "2: expected one of the roles testbed, chosen, other, got 'mine'"),
        ("g/fig-1,Nic::Delay,testbed,,\n", "2: expected the source, got nothing"),
        ("g/fig-1,Nic::Delay,testbed,A-001,section 1\n", "2: expected facts if the role is chosen, and none else"),
        ("g/fig-1,Nic::Delay,chosen,,ours\n", "2: expected facts if the role is chosen, and none else"),
        ("g/fig-1,Nic::Delay,chosen,A-009,ours\n", "2: expected facts of g/fig-1, got 'A-009'"),
        ("g/fig-1,Nic::Rate,chosen,A-002,ours\n", "2: expected Nic::Rate as chosen of A-002 in status.csv, got none"),
        (
            "g/fig-1,Nic::Delay,testbed,,section 1\ng/fig-1,Nic::Delay,testbed,,section 1\n",
            "3: expected an attribute that no line before has, got 'Nic::Delay'",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path, lines, expected):
    with pytest.raises(UserError) as error:
        read(tmp_path, lines)
    assert str(error.value) == f"{tmp_path}/settings.csv:{expected}"


def test_a_run_that_sets_an_attribute_without_a_line_is_refused(tmp_path):
    settings = read(tmp_path, "g/fig-1,Nic::Delay,testbed,,section 1\n")
    check_declared("figure.json", "g/fig-1", ["Nic::Delay"], settings)
    with pytest.raises(UserError, match="expected lines of settings.csv for what g/fig-1 sets, got none for Nic::Rate"):
        check_declared("figure.json", "g/fig-1", ["Nic::Rate", "Nic::Delay"], settings)


def test_each_attribute_that_the_code_of_a_figure_names_has_a_line(checkout):
    ledger = Ledger(checkout / "validation")
    for figure in ledger.figures:
        code = (checkout / "examples" / figure / "figure.py").read_text()
        check_declared(figure, figure, re.findall(r"ns3::rdma::(\w+::\w+)", code), ledger.settings)


def test_each_line_is_of_an_attribute_that_the_code_of_its_group_names(checkout):
    for figure, settings in Ledger(checkout / "validation").settings.items():
        folder = checkout / "examples" / figure
        code = "".join(path.read_text() for path in [folder / "figure.py", *folder.parent.glob("*.py")])
        for attribute in settings:
            assert attribute.rpartition("::")[2] in code, f"{figure} sets {attribute} no longer"


def test_what_is_chosen_is_listed_with_all_facts_of_its_line(checkout):
    ledger = Ledger(checkout / "validation")
    chosen = [line for settings in ledger.settings.values() for line in settings.values() if line.role == CHOSEN]
    assert chosen
    for line in chosen:
        assert all(line.attribute in ledger.sources[name].constants for name in line.facts)
