# SPDX-License-Identifier: GPL-2.0-only
"""What is wrong with a sweep file is one line that says where, and nothing is written."""

import json
from types import SimpleNamespace

import pytest
from sweeps import INCAST, LOSS, SENDERS, write_sweep

from rocelab.errors import UserError
from rocelab.sweeps.expansion import expand
from rocelab.sweeps.located_json import read_located_json
from rocelab.sweeps.store import Store
from rocelab.sweeps.sweep_file import read_sweep


def get_names(folder, **keys):
    """The names of the points of a sweep."""
    return [point.name for point in expand(read_sweep(write_sweep(folder, **keys)))]


def test_axes_multiply_and_the_last_one_varies_fastest(tmp_path):
    assert get_names(tmp_path, axes=[SENDERS, LOSS]) == [
        "senders=2,loss=0",
        "senders=2,loss=0.01",
        "senders=4,loss=0",
        "senders=4,loss=0.01",
    ]


def test_axes_of_a_zip_advance_together(tmp_path):
    zipped = {"zip": [SENDERS, {"path": "workload.bytes", "values": ["1kB", "2kB"]}]}
    assert get_names(tmp_path, axes=[zipped, LOSS]) == [
        "senders=2,bytes=1kB,loss=0",
        "senders=2,bytes=1kB,loss=0.01",
        "senders=4,bytes=2kB,loss=0",
        "senders=4,bytes=2kB,loss=0.01",
    ]


def test_a_sweep_without_axes_has_one_point(tmp_path):
    assert get_names(tmp_path) == [""]


@pytest.mark.parametrize(
    "axis, name",
    [
        ({"path": "fabric.pfc", "values": [True]}, "pfc=true"),
        ({"path": "$.fabric.lossRate", "values": [1e-6]}, "lossRate=1e-06"),
        ({"path": "fabric.loadBalancer", "values": ["ns3::rdma::EcmpBalancer"]}, "loadBalancer=EcmpBalancer"),
        ({"path": 'fabric.ecn["100Gbps"].kmin', "values": ["4 kB"]}, "kmin=4-kB"),
        ({"path": "nics[0].hardware", "values": ["on"], "name": "hw"}, "hw=on"),
        ({"path": "workload.sizes", "values": ["../a/b.cdf"], "labels": ["b"]}, "sizes=b"),
        ({"path": "fabric.ecn", "values": [{"100Gbps": "off"}], "labels": ["off"]}, "ecn=off"),
        ({"path": 'attributes["ns3::rdma::Dcqcn::Gain"]', "values": [0.5]}, "Gain=0.5"),
    ],
)
def test_names_are_derived_from_paths_and_values(tmp_path, axis, name):
    assert get_names(tmp_path, axes=[axis]) == [name]


def test_values_reach_the_engine_as_json(tmp_path):
    axes = [{"path": "a.b", "values": ["1"]}, {"path": "c", "values": [{"d": 1}], "labels": ["x"]}]
    (point,) = expand(read_sweep(write_sweep(tmp_path, axes=axes)))
    assert point.settings == ['a.b="1"', 'c={"d": 1}']  # "1" stays a text.


def test_ranks_are_the_most_that_a_value_asks_for(tmp_path):
    axes = [{**SENDERS, "ranks": [1, 3]}, {**LOSS, "ranks": [2, 1]}]
    points = expand(read_sweep(write_sweep(tmp_path, axes=axes)))
    assert [point.get_ranks(7) for point in points] == [2, 1, 3, 3]
    (single,) = expand(read_sweep(write_sweep(tmp_path)))
    assert single.get_ranks(7) == 7


def test_seeds_are_a_list_or_a_range(tmp_path):
    assert read_sweep(write_sweep(tmp_path, seeds=[5, 2])).seeds == [5, 2]
    assert read_sweep(write_sweep(tmp_path, seeds={"first": 4, "count": 3})).seeds == [4, 5, 6]


BAD_FILES = {
    "not JSON": ('{\n "name": "a",\n}', ":3:1: expected JSON, got: "),
    "a key twice": ('{"name": "a",\n "name": "b"}', ":2:10: expected JSON, got: the key \"name\" twice"),
    "an infinite number": ('{"name":\n 1e999}', ":2:2: expected JSON, got: a number that is not finite"),
    "a list": ("\n[]", ":2: $: expected an object, got []"),
    "nothing": ("", ":1:1: expected JSON, got: "),
    "no scenario": ('{"name": "a"}', ":1: $: expected the key \"scenario\", got none"),
    "too deep": ("[" * 100_000, ": expected JSON of at most 100 levels, got more"),
}


@pytest.mark.parametrize("text, expected", BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_file_that_is_no_sweep_is_refused(tmp_path, text, expected):
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(UserError) as raised:
        read_sweep(path)
    assert str(raised.value).startswith(f"{path}{expected}")


# Keys of a sweep file, and the end of the line that says what is wrong; lines are those of indent=1.
BAD_KEYS = {
    "unknown key": ({"axis": []}, ': $.axis: expected a known key (nearest: axes), got the unknown key "axis"'),
    "name with a slash": ({"name": "a/b"}, ":2: $.name: expected a name of letters"),
    "hidden name": ({"name": ".a"}, ":2: $.name: expected a name of letters"),
    "no such scenario": ({"scenario": "no.json"}, ":3: $.scenario: "),
    "empty list of axes": ({"axes": []}, "$.axes: expected a list of axes, got an empty list"),
    "empty axis": ({"axes": [{"path": "a", "values": []}]}, "$.axes[0].values: expected a list of values, got an empty list"),
    "values that are no list": ({"axes": [{"path": "a", "values": 3}]}, "$.axes[0].values: expected a list of values, got 3"),
    "axis without path": ({"axes": [{"values": [1]}]}, '$.axes[0]: expected the key "path", got none'),
    "unknown key of an axis": ({"axes": [{"path": "a", "value": [1]}]}, "$.axes[0].value: expected a known key (nearest: values)"),
    "two values alike": ({"axes": [{"path": "a", "values": [1, 2, 1]}]}, "$.axes[0].values[2]: expected run names of their own, and $.axes[0].values[0] makes the same (labels help), got a=1"),
    "two labels alike": ({"axes": [{"path": "a", "values": [1, 2], "labels": ["x", "x"]}]}, "$.axes[0].values[1]: expected run names of their own"),
    "two values named alike": ({"axes": [{"path": "a", "values": ["x/y", "x:y"]}]}, "$.axes[0].values[1]: expected run names of their own"),
    "two steps of a zip alike": ({"axes": [{"zip": [{"path": "a", "values": [1, 1]}, {"path": "b", "values": [2, 2]}]}]}, "$.axes[0].zip[0].values[1]: expected run names of their own"),
    "two axes of one name": ({"axes": [{"path": "a.x", "values": [1]}, {"path": "b.x", "values": [1]}]}, "$.axes[1].path: expected an axis with a name of its own, got the name of $.axes[0]"),
    "two axes of one path": ({"axes": [{"path": "a", "values": [1]}, {"path": "a", "values": [1], "name": "b"}]}, "$.axes[1].path: expected an axis with a path of its own"),
    "a zip of two lengths": ({"axes": [{"zip": [{"path": "a", "values": [1, 2]}, {"path": "b", "values": [2]}]}]}, "$.axes[0].zip[1].values: expected as many values as the first axis of the zip has, 2, got 1"),
    "labels of another number": ({"axes": [{"path": "a", "values": [1, 2], "labels": ["x"]}]}, "$.axes[0].labels: expected as many labels as values, 2, got 1"),
    "a label with a comma": ({"axes": [{"path": "a", "values": [1], "labels": ["x,y"]}]}, "$.axes[0].labels[0]: expected a name of letters"),
    "an object without label": ({"axes": [{"path": "a", "values": [{}]}]}, '$.axes[0].values[0]: expected "labels" beside values that are objects or lists, got {}'),
    "an axis over seeds": ({"axes": [{"path": "run.seed", "values": [1]}]}, '$.axes[0].path: expected a path other than that of the key "seeds"'),
    "an axis over nics": ({"axes": [{"path": "$.nics", "values": [1]}]}, '$.axes[0].path: expected a path other than that of the key "nics"'),
    "an axis named like a column": ({"axes": [{"path": "a.fabric_drops", "values": [1]}]}, '$.axes[0].path: expected a name that is no column of the table (key "name"), got "fabric_drops"'),
    "an axis named as a mean": ({"axes": [{"path": "a", "name": "x_mean", "values": [1]}]}, "$.axes[0].name: expected a name that is no column"),
    "an axis whose name is no column": ({"axes": [{"path": "a", "name": "x-y", "values": [1]}]}, "$.axes[0].name: expected a name of letters, digits and _"),
    "a path without key": ({"axes": [{"path": "[0]", "values": [1]}]}, "$.axes[0].path: expected a path that ends in a key"),
    "ranks of a value": ({"axes": [{"path": "a", "values": [1], "ranks": [0]}]}, "$.axes[0].ranks[0]: expected a whole number from 1 to 65536, got 0"),
    "ranks": ({"ranks": 1.5}, "$.ranks: expected a whole number from 1 to 65536, got 1.5"),
    "a seed twice": ({"seeds": [1, 2, 1]}, "$.seeds[2]: expected each seed once: two runs would have one name, got 1"),
    "negative seed": ({"seeds": [-1]}, "$.seeds[0]: expected a whole number from 0 to 18446744073709551615, got -1"),
    "seed true": ({"seeds": [True]}, "$.seeds[0]: expected a whole number"),
    "no seeds": ({"seeds": []}, "$.seeds: expected a list of seeds"),
    "count of seeds": ({"seeds": {"first": 1, "count": 0}}, "$.seeds.count: expected a whole number from 1"),
    "no NICs": ({"nics": []}, "$.nics: expected a list of NICs, got an empty list"),
    "no such plug-in": ({"plugins": ["no.so"]}, "$.plugins[0]: expected a shared library, got no file at "),
    "long names": ({"axes": [{"path": "a", "values": ["x" * 250]}]}, "$.axes: expected run names of at most 200 characters"),
    "too many": ({"axes": [{"path": f"a{i}", "values": list(range(1000))} for i in range(2)]}, "expected at most 100,000 combinations of values, got more"),
}  # fmt: skip


@pytest.mark.parametrize("keys, expected", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_bad_keys_are_named_with_line_and_path(tmp_path, keys, expected):
    path = write_sweep(tmp_path, **keys)
    with pytest.raises(UserError) as raised:
        expand(read_sweep(path))
    line = str(raised.value)
    assert line.startswith(f"{path}:")
    assert expected in line
    assert "\n" not in line
    number = int(line[len(f"{path}:") :].partition(":")[0])
    # The last key of the path that is said stands in that line, or begins there.
    key = line.split(": ")[1].rpartition(".")[2].partition("[")[0]
    assert f'"{key}"' in path.read_text().split("\n")[number - 1] or "[" in line or key == "$"


def test_values_know_their_lines(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('\n{"a": [1,\n  2],\n "b": {"c":\n null}}')
    root = read_located_json(path)
    assert [node.line for node in root.get("a").content] == [2, 3]
    assert root.get("b").get("c").line == 5
    assert root.get("b").get("c").path == "$.b.c"
    assert root.get_plain() == json.loads(path.read_text())


def test_a_scenario_file_is_read_from_the_folder_of_the_sweep(tmp_path):
    (tmp_path / "base.json").write_text(json.dumps(INCAST))
    sweep = read_sweep(write_sweep(tmp_path, scenario="base.json"))
    assert json.loads(sweep.scenario_text) == INCAST
    assert sweep.base == tmp_path


def test_another_scenario_leaves_the_one_that_submitted_runs_will_read(tmp_path):
    root = SimpleNamespace(get_plain=lambda: {})
    paths = []
    for text in ("{}", '{"fabric": {}}', "{}"):
        store = Store(tmp_path, "tiny")
        store.open(SimpleNamespace(root=root, scenario_text=text))
        paths.append(store.scenario)
        del store  # And with it the lock of the folder.
        assert paths[-1].read_text() == text
    assert paths[0] == paths[2] != paths[1]
    assert all(path.exists() for path in paths)


def test_a_seed_of_5000_digits_and_a_plug_in_of_no_name_are_one_line(tmp_path):
    path = write_sweep(tmp_path, seeds=[1, 2])
    path.write_text(path.read_text().replace(" 2", " " + "9" * 5000))
    with pytest.raises(UserError, match="a number of more than 300 digits, 9999"):
        read_sweep(path)
    with pytest.raises(UserError, match="expected a shared library"):
        read_sweep(write_sweep(tmp_path, plugins=["x" * 3000]))


BAD_AXES = {
    "the same number": ([LOSS | {"values": [0, 0.0], "labels": ["a", "b"]}], "$.axes[0].values[1]: expected values of their own: those of $.axes[0].values[0] are the same"),
    "the same text": ([{"path": "fabric.buffer", "values": ["1MB", "1MB"], "labels": ["a", "b"]}], "expected values of their own"),
    "one path in two ways": ([LOSS, LOSS | {"path": "$.fabric.lossRate", "name": "other"}], "expected an axis with a path of its own"),
    "one path with brackets": ([LOSS, LOSS | {"path": 'fabric["lossRate"]', "name": "other"}], "expected an axis with a path of its own"),
    "a column of streams": ([LOSS | {"name": "streams_received"}], "expected a name that is no column of the table"),
    "the seed in another way": ([LOSS | {"path": '$["run"].seed'}], 'expected a path other than that of the key "seeds"'),
}


@pytest.mark.parametrize("axes, expected", BAD_AXES.values(), ids=BAD_AXES.keys())
def test_axes_whose_points_or_columns_would_be_the_same_are_refused(tmp_path, axes, expected):
    with pytest.raises(UserError) as raised:
        read_sweep(write_sweep(tmp_path, axes=axes))
    assert expected in str(raised.value)
