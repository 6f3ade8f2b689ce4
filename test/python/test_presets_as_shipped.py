# SPDX-License-Identifier: GPL-2.0-only
"""Figures and examples run the presets as they are: which transport settings they change, and why they may.

Figures that answer facts of papers have a line of validation/settings.csv for each setting (test_figure_settings.py).
"""

import ast
import json
import re
from pathlib import Path

import pytest
from rocelab.validate.ledger import Ledger
from rocelab.validate.settings import CHOSEN

CHECKOUT = Path(__file__).resolve().parents[2]
MODEL = CHECKOUT / "src" / "rdma-nic" / "model"
EXAMPLES = CHECKOUT / "examples"

#: Keys of an entry of "nics" that replace a policy or its parameters.
KEYS = {"congestionControl", "lossDetector", "retransmissionTimeout", "parameters"}

#: What a study compares: the preset as it is has a line of its own.
STUDIES = {
    "collectives/nccl-on-a-lossy-fabric/figure.py": {
        "FixedTimeout": "what NCCL's timeout costs without adaptive retransmission",
        "retransmissionTimeout": "what NCCL's timeout costs without adaptive retransmission",
    },
    "collectives/on-128-servers/figure.py": {"lossDetector": "a plug-in that tolerates reordering"},
    "fabric/incast-over-background/figure.py": {
        "Hpcc": "congestion controls on one NIC",
        "Swift": "congestion controls on one NIC",
        "congestionControl": "congestion controls on one NIC",
    },
    "fabric/load-balancing/figure.py": {
        "FixedTimeout": "what InfiniBand's timer contributes",
        "retransmissionTimeout": "what InfiniBand's timer contributes",
        "lossDetector": "a plug-in that tolerates reordering",
    },
    "fabric/lofar/figure.py": {"MaxQueuePairs": "a node has more queue pairs than BALBOA's default"},
    "fabric/measured-connectx5/figure.py": {
        "CnpOnMissingPsn": "ablations of the preset",
        "Dcqcn": "ablations of the preset",
        "PortRateLimit": "the measured sweep paces the sender",
    },
    "fabric/pause-storm/figure.py": {
        "Hpcc": "congestion controls on one NIC",
        "congestionControl": "congestion controls on one NIC",
    },
    "fabric/storage-beside-training/figure.py": {
        "DscpMap": "maps of DSCPs in the switches",
        "Hpcc": "congestion controls on one NIC",
        "congestionControl": "congestion controls on one NIC",
    },
    "fabric/two-planes/two-planes.json": {"FailoverPath": "two ports", "PathSelector": "two ports"},
    "multipath/flap/figure.py": {
        "BackoffTimeout": "a timer for slow links",
        "FailbackPath": "how queue pairs react to a failed port",
        "FailoverPath": "how queue pairs react to a failed port",
        "PathSelector": "how queue pairs react to a failed port",
    },
    "multipath/common.py": {
        "EntropySelector": "entropy selectors of Ultra Ethernet",
        "RepsEntropy": "entropy selectors of Ultra Ethernet",
    },
    "sonic/rocev2-plan/causes.py": {
        "AdaptiveTimeout": "causes of failed checks",
        "BdpFlowControl": "causes of failed checks",
    },
    "sonic/rocev2-plan/endpoints.py": {
        "AckPriority": "the plan's queue of acknowledgments",
        "CnpPriority": "the plan's queue of CNPs",
        "NoCongestionControl": "the plan's DCQCN off",
        "congestionControl": "the plan's DCQCN off",
    },
    "srnic/figure-12-sensitivity/figure.py": {
        "AckPriority": "the figure varies it",
        "parameters": "the figure varies them",
    },
    "start/own-congestion-control/own-congestion-control.json": {"congestionControl": "a plug-in"},
}


def get_transport_names():
    """Return the names of policies' classes and of RdmaNic's attributes, and the keys of "nics"."""
    headers = [path for layer in ("recovery", "congestion", "multipath") for path in (MODEL / layer).glob("*.h")]
    texts = [path.read_text(encoding="utf-8") for path in headers]
    classes = {name for text in texts for name in re.findall(r"^class (\w+)(?: final)? : public", text, re.MULTILINE)}
    source = (MODEL / "nic" / "rdma-nic-attributes.cc").read_text()
    attributes = set(re.findall(r'\.Add(?:Attribute)?\(\s*"(\w+)"', source))
    assert {"FixedTimeout", "Dcqcn"} <= classes and {"RetryCount", "WireFormat"} <= attributes
    return classes | attributes | KEYS


def list_json_texts(value):
    """Yield the keys and texts of a JSON value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from list_json_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from list_json_texts(item)
    elif isinstance(value, str):
        yield value


def list_texts(path):
    """Yield the texts of a scenario or of a script without its docstrings."""
    if path.suffix == ".json":
        yield from list_json_texts(json.loads(path.read_text()))
        return
    nodes = list(ast.walk(ast.parse(path.read_text())))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def find_changes(path, names):
    """Return the transport settings that a file of examples/ names."""
    return {word for text in list_texts(path) for word in re.findall(r"\w+", text)} & names


def test_examples_change_only_the_transport_settings_that_a_study_varies():
    names = get_transport_names()
    # thesis/das6.py has the testbed that figures of settings.csv share; the schema names all keys; simulators/ has the
    # settings of other simulators.
    answering = [EXAMPLES / name for name in Ledger(CHECKOUT / "validation").settings] + [
        EXAMPLES / "thesis" / "das6.py",
        EXAMPLES / "scenario.schema.json",
        EXAMPLES / "simulators",
    ]
    found = {}
    for path in EXAMPLES.rglob("*"):
        if path.suffix in (".py", ".json") and not {path, path.parent} & set(answering):
            words = find_changes(path, names)
            found |= {str(path.relative_to(EXAMPLES)): words} if words else {}
    assert found == {path: set(reasons) for path, reasons in STUDIES.items()}


def test_figures_of_papers_choose_no_transport_setting():
    names = get_transport_names()
    chosen = {
        (figure, attribute)
        for figure, settings in Ledger(CHECKOUT / "validation").settings.items()
        for attribute, setting in settings.items()
        if setting.role == CHOSEN and set(attribute.split("::")) & names and "PortRateBurst" not in attribute
    }
    # That figure has the settings of the authors' simulator instead of the presets'.
    assert chosen == {("srnic/figure-12-authors", "WindowDctcp::Step")}


@pytest.mark.parametrize(
    "text, expected",
    [
        ('A = ["ns3::rdma::BackoffTimeout::RtoLow=34us"]', {"BackoffTimeout"}),
        ('B = {"preset": "srnic", "retransmissionTimeout": PREFIX + "RttTimeout"}', {"retransmissionTimeout", "RttTimeout"}),
        ('C = {NIC + "RetryCount": 15}', {"RetryCount"}),
        ('"""Says what Dcqcn does."""', set()),
        ('D = {"preset": "srnic", "hardware": "on"}', set()),
    ],
)
def test_a_changed_setting_is_found_however_it_is_written(tmp_path, text, expected):
    path = tmp_path / "figure.py"
    path.write_text(text + "\n")
    assert find_changes(path, get_transport_names()) == expected
