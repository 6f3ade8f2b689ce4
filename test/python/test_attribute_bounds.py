# SPDX-License-Identifier: GPL-2.0-only
"""Each attribute at its bounds, beyond them and at zero: a run, or one line."""

import functools

import pytest
from attribute_runs import NOT_RUN, NOT_SET, RUNS, get_command, get_values
from program import NEEDS_PROGRAM, ROOT, ask, call, find_fault

GOOD, BAD_INPUT, STALLED = 0, 2, 3

pytestmark = NEEDS_PROGRAM


def run(*words):
    """Return (status, stderr) of the program."""
    ended = call(*words, cwd=ROOT)
    return ended.returncode, ended.stderr


@functools.cache
def get_attributes():
    """Return all attributes, as the program lists them."""
    return ask("list", "attributes", "--json")


def get_class(attribute):
    """Return "Dcqcn"."""
    return attribute["type"].rsplit("::", 1)[-1]


def describe(attribute):
    """Return "Dcqcn::Gain"."""
    return f"{get_class(attribute)}::{attribute['name']}"


def find_run_fault(attribute, value, folder):
    """Return what is wrong with a run, or None."""
    status, errors = run(*get_command(attribute, value, folder))
    is_refused = status == BAD_INPUT and errors.count("\n") == 1
    if status in (GOOD, STALLED) or is_refused:
        return None
    return f"{describe(attribute)} = {value!r}: status {status}, {errors}"


def test_each_class_has_a_run():
    classes = {get_class(attribute) for attribute in get_attributes()}
    assert classes == set(RUNS) | NOT_RUN


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("BalboaDcqcn::Cycle", "0ps", "(Time 100ps:1us), got"),
        ("BalboaDcqcn::Cycle", "99ps", "(Time 100ps:1us), got"),
        ("Swift::ScalingMaximum", "0.05", "ns3::rdma::Swift::ScalingMaximum: expected more than ScalingMinimum, 0.1, "),
        ("Swift::MinimumWindow", "300", "ns3::rdma::Swift::MaximumWindow: expected at least MinimumWindow, 300, "),
        ("KvDirectKernel::DispatchRatio", "-0.5", "DispatchRatio: expected 0 to 1, or -1 (balanced), got -0.5"),
        ("KvDirectKernel::LinkLanes", "3", "LinkLanes: expected 1, 2, 4, 8 or 16, got 3"),
        ("FabricSwitch::QueueReserve", str(1 << 32), "(uint64_t 0:4294967295), got"),
    ],
)
def test_what_cannot_be_is_refused_when_the_scenario_is_read(tmp_path, name, value, message):
    (attribute,) = (one for one in get_attributes() if describe(one) == name)
    arguments = get_command(attribute, value, tmp_path)
    fault = find_fault(arguments[1])
    assert message in fault and fault.count("\n") == 1


def test_a_balanced_dispatch_ratio_is_minus_one(tmp_path):
    (attribute,) = (one for one in get_attributes() if describe(one) == "KvDirectKernel::DispatchRatio")
    assert run(*get_command(attribute, "-1", tmp_path)) == (GOOD, "")


@pytest.mark.slow
def test_each_attribute_acts_in_its_run(tmp_path):
    # At its default: else the values below would be refused for another reason.
    without = {"AesService::Key", "InspectionService::Weights", "IngressMeter::Capacity", *NOT_SET}
    for attribute in get_attributes():
        if get_class(attribute) in NOT_RUN or describe(attribute) in without:
            continue
        status, errors = run(*get_command(attribute, attribute["default"], tmp_path))
        assert status == GOOD or "GpuPath::BarBytes" in errors, describe(attribute) + ": " + errors


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RUNS))
def test_an_attribute_at_or_beyond_a_bound_runs_or_is_one_line(tmp_path, name):
    faults = []
    for attribute in get_attributes():
        if get_class(attribute) == name and describe(attribute) not in NOT_SET:
            faults += [find_run_fault(attribute, value, tmp_path) for value in get_values(attribute)]
    assert faults and not any(faults), [fault for fault in faults if fault]
