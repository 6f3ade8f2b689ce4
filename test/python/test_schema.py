# SPDX-License-Identifier: GPL-2.0-only
"""The JSON Schema of scenarios: what editors accept and refuse, and that the program does the same."""

import copy
import json
import random
import subprocess

import pytest
from limits import TIME_LIMIT
from ranks import PROGRAM, ROOT

jsonschema = pytest.importorskip("jsonschema")

SCHEMA_FILE = ROOT / "examples" / "scenario.schema.json"
FOLDERS = (ROOT / "examples", ROOT / "test")


def find_scenarios():
    """Return {path: document} of the scenario files of the repository."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("**/*.json")):
            document = json.loads(path.read_text())
            if isinstance(document, dict) and {"name", "fabric", "nics"} <= set(document):
                found[path] = document
    return found


SCENARIOS = find_scenarios()


def run_rocelab(*words):
    return subprocess.run(
        [PROGRAM, *words], capture_output=True, text=True, check=False, timeout=TIME_LIMIT
    )


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(SCHEMA_FILE.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def test_the_file_is_what_the_program_prints():
    assert SCHEMA_FILE.read_text() == run_rocelab("list", "schema").stdout


def test_there_are_scenarios_of_many_kinds():
    kinds = {document.get("workload", {}).get("type") for document in SCENARIOS.values()}
    assert {"poisson", "incast", "rpc", "kv", "streams", "graph", "collective", "sequence"} <= kinds


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_scenario_of_the_repository_is_accepted(validator, path):
    assert [error.message for error in validator.iter_errors(SCENARIOS[path])] == []


@pytest.mark.parametrize("path", [p for p in SCENARIOS if ROOT / "examples" in p.parents], ids=str)
def test_each_example_names_the_schema(path):
    assert (path.parent / SCENARIOS[path]["$schema"]).resolve() == SCHEMA_FILE


def visit(value, path=()):
    """Yield (path, value) of each value of a document."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from visit(member, (*path, key))


def change(document, path, value):
    """Return a copy with another value at a path."""
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


#: Objects that have no keys but those of the schema, and values of which each is wrong wherever it is.
CLOSED = {("fabric",), ("workload",), ("run",), ("series",)}
OPEN = {"attributes", "groups", "ecn", "kernels", "costs", "nicsPerServer", "headroom", "bufferAlpha"}
#: Entries of "nics" and of "groups" that are wrong in each scenario.
WRONG_NICS = (
    7,
    "srnik",
    {},
    {"preset": "srnik"},
    {"preset": "irn", "name": "other", "hardwear": "on"},
    {"preset": "irn", "name": "other", "hardware": True},
    {"preset": "irn", "name": "other", "groups": {"other": "irn"}},
    {"name": "other", "groups": {}, "default": "irn"},
    {"name": "other", "groups": {"other": {"preset": "irn", "name": "none"}}, "default": "irn"},
    {"preset": "irn", "name": "other", "loadBalancer": 3},
    {"preset": "irn", "name": "other", "fabric": {"pfc": "on"}},
    {"preset": "irn", "name": "other", "fabric": {"mtu": 1024}},
)
WRONG_GROUPS = (0, [], ["0"], [-1], [[0, 1, 2]])


def break_value(value):
    """Return wrong values in place of a right one."""
    if isinstance(value, bool):
        return ["true", 1]
    if isinstance(value, (int, float)):
        return [-1, [value]]
    if isinstance(value, str) and value[0].isdigit():
        return [value[:-1] + "x", value + " ", [value]]
    return [7.5]


def make_wrong(document):
    """Yield scenarios that each have one fault."""
    for path in ((), *CLOSED):
        if not path or path[0] in document:
            yield change(document, (*path, "unknwon"), 1)
    for key in ("name", "fabric", "nics", "workload"):
        yield {name: value for name, value in document.items() if name != key}
    for kind, key in (("fabric", "topology"), ("workload", "type")):
        yield change(document, (kind, key), "no such kind")
    for wrong in WRONG_NICS:
        yield change(document, ("nics",), [*document["nics"], wrong])
    for wrong in WRONG_GROUPS:
        yield {**document, "groups": {**document.get("groups", {}), "other": wrong}}
    for path, value in visit(document):
        is_free = set(path) & OPEN or path[:1] in (("nics",), ("$schema",), ("plugins",))
        if len(path) == 2 and not is_free and not isinstance(value, (dict, list)):
            for wrong in break_value(value):
                yield change(document, path, wrong)


def list_wrong():
    plain = [d for d in SCENARIOS.values() if "plugins" not in d and "workload" in d]
    return [wrong for document in plain for wrong in make_wrong(document)]


def test_wrong_scenarios_are_refused(validator):
    wrong = list_wrong()
    assert len(wrong) >= 200
    accepted = [document for document in wrong if validator.is_valid(document)]
    assert accepted == []


def test_the_program_refuses_what_the_schema_refuses(tmp_path):
    for number, document in enumerate(random.Random(48).sample(list_wrong(), 20)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(document))
        run = run_rocelab("check", str(path))
        assert run.returncode == 2, document
        assert run.stderr.count("\n") == 1
