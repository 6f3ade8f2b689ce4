# SPDX-License-Identifier: GPL-2.0-only
"""Names in README.md and docs/ are those of the program: commands, options, presets, workloads, topologies, folders."""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from rocelab.__main__ import make_parser
from rocelab.cli.commands import list_commands

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOPICS = {"presets": "preset", "workloads": "type", "topologies": "topology"}
CLASS = "ns3::"  # Begins the types of kernels and policies.
TREE = re.compile(r"srnic-(16|64|256|1024|4096)")  # Presets of topology "fat-tree", in fat-tree-kind.cc.
QUOTED = re.compile(r"'[^']*'")  # Options that ./waf passes on.

pytestmark = pytest.mark.skipif(not (BUILD / "rocelab").exists(), reason=f"no {BUILD}/rocelab: build it first")

#: Fenced blocks, indented blocks and words in backticks; prose may say "rocelab is".
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?: {4}.*\n?)+", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
#: A command line ends at the end of its line, a comment, a pipe or a list of commands.
COMMAND = re.compile(r"(?:^|[\s/])rocelab ([a-z][a-z-]*)((?: [^\n#|;]*)?)")
WAF = re.compile(r"\./waf ([^\n#|;]*)")
OPTION = re.compile(r"(?<!\S)\[?(--[a-z][a-z_-]*)")
#: A path of the project: of these folders, without places that the reader fills in.
FOLDERS = ("docs", "examples", "src", "test", "traces", "utils", "validation")
PATH = re.compile(rf"^(?:{'|'.join(FOLDERS)})/[A-Za-z0-9_./{{}},*-]*$")
PLACEHOLDER = re.compile(r"[A-Z]{2}|\.\.\.|[*{]")
#: Paths of other projects: simllm, linux-rdma's perftest, scapy.
FOREIGN = ("docs/design/rnic-cmodel.md", "src/perftest_parameters.h", "test/contrib/roce.uts")
#: Pages that add a command, and the files that they add.
OWN_COMMAND = {"docs/extend/own-command.md": ("rocelab bdp", "src/rdma-experiment/cli/commands/bdp-command.cc")}


def read_code(page):
    """Return the code of a page, a list of texts."""
    text = page.read_text(encoding="utf-8")
    blocks = FENCED.findall(text)
    rest = FENCED.sub("", text)
    blocks += INDENTED.findall(rest)
    return blocks + SPAN.findall(INDENTED.sub("", rest))


@cache
def get_options():
    """Return {command: set of its options}."""
    return {
        command.name: {name for option in command.options for name in option.names} | {"--help"}
        for command in list_commands(BUILD, make_parser())
    }


@cache
def get_names(topic):
    """Return the names that "rocelab list TOPIC" begins its lines with."""
    text = subprocess.check_output([BUILD / "rocelab", "list", topic], encoding="utf-8")
    return {line.split()[0] for line in text.splitlines() if line and not line.startswith(" ")}


HANDED = ("compare", "figure", "validate", "reproduce")


@cache
def get_waf_options():
    """Return (commands, options) of ./waf."""
    text = subprocess.check_output([ROOT / "waf", "--help"], encoding="utf-8", cwd=ROOT)
    return set(re.findall(r"^  ([a-z]+)\s*:", text, re.MULTILINE)), set(re.findall(r"--[a-z][a-z_-]*", text))


def list_wrong_commands(code):
    """Return the commands and options of rocelab in a text that do not exist."""
    wrong = []
    for name, words in COMMAND.findall(code):
        known = get_options().get(name)
        if known is None:
            wrong.append(f"rocelab {name}")
            continue
        wrong += [f"rocelab {name} {option}" for option in OPTION.findall(words) if option not in known]
    return wrong


def list_wrong_waf(code):
    """Return the commands and options of ./waf in a text that do not exist."""
    commands, options = get_waf_options()
    wrong = []
    for line in WAF.findall(code):
        line = QUOTED.sub("", line)
        words = line.split()
        if words and words[0].isalpha() and words[0].islower() and words[0] not in commands:
            wrong.append(f"./waf {words[0]}")
        # The words behind these commands are the program's.
        known = get_options()[words[0]] if words and words[0] in HANDED else options
        wrong += [f"./waf {option}" for option in OPTION.findall(line) if option not in known]
    return wrong


def list_wrong_names(code):
    """Return presets, types of workloads and topologies in JSON that do not exist."""
    wrong = []
    for topic, key in TOPICS.items():
        values = re.findall(rf'"{key}": "([^"]*)"', code)
        for value in values:
            known = get_names("types" if value.startswith(CLASS) else topic)
            if value not in known and not TREE.fullmatch(value):
                wrong.append(f'"{key}": "{value}"')
    for nics in re.findall(r'"nics": \[([^\]{]*)', code):
        wrong += [f"nics: {name}" for name in re.findall(r'"([^"]+)"', nics) if name not in get_names("presets")]
    return wrong


def list_wrong_paths(code):
    """Return paths of the project in a span that do not exist."""
    if not PATH.match(code) or PLACEHOLDER.search(code) or code in FOREIGN:
        return []
    return [] if (ROOT / code).exists() else [code]


def test_the_program_lists_what_the_pages_are_compared_with():
    assert {"run", "compare", "list", "perftest", "sweep"} <= set(get_options())
    assert "--nic" in get_options()["compare"] and "--series" in get_options()["run"]
    assert {"srnic", "uet"} <= get_names("presets")
    assert {"poisson", "incast", "kv"} <= get_names("workloads")
    assert {"fat-tree", "star"} <= get_names("topologies")
    commands, options = get_waf_options()
    assert {"build", "compare", "docs"} <= commands and "--guard" in options


def test_wrong_names_are_found():
    # Each list has one entry of each kind that is wrong, and is empty for what is right.
    assert list_wrong_commands("rocelab compare x.json --nic a --nics b\nbuild/rocelab plots") == [
        "rocelab compare --nics",
        "rocelab plots",
    ]
    assert list_wrong_waf("./waf compare --nic=a --nics=b") == ["./waf --nics"]
    assert list_wrong_waf("./waf compares") == ["./waf compares"]
    assert list_wrong_names('{"type": "ns3::rdma::GetKernel"}, {"type": "ns3::rdma::SetKernel"}') == [
        '"type": "ns3::rdma::SetKernel"'
    ]
    assert list_wrong_names('{"type": "poison", "topology": "star", "preset": "cx6", "nics": ["irn", "irm"]}') == [
        '"preset": "cx6"',
        '"type": "poison"',
        "nics: irm",
    ]
    assert list_wrong_paths("src/rdma-nics/model") == ["src/rdma-nics/model"]
    assert list_wrong_paths("src/rdma-nic/model") == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_names_on_a_page_exist(page):
    checks = (list_wrong_commands, list_wrong_waf, list_wrong_names, list_wrong_paths)
    added = OWN_COMMAND.get(page.relative_to(ROOT).as_posix(), ())
    wrong = [wrong for code in read_code(page) for check in checks for wrong in check(code)]
    assert [name for name in wrong if name not in added] == []
