# SPDX-License-Identifier: GPL-2.0-only
"""rocelab.measure(): rows as a frame, errors of the program, and the same measurements as the command's."""

import json
import subprocess

import pytest
from limits import TIME_LIMIT
from sweeps import NEEDS_PROGRAM, PROGRAM

import rocelab

pandas = pytest.importorskip("pandas")

DOCUMENT = {
    "measurement": "any",
    "settings": {"bytes": 64},
    "set": [],
    "columns": [{"name": name, "unit": "", "meaning": ""} for name in ("x", "y")],
    "rows": [{"x": 1, "y": 0.5}, {"x": 2, "y": None}],
    "notes": ["A note."],
}


@pytest.fixture
def set_program(tmp_path, monkeypatch):
    """A function that puts a shell script in the place of the program."""

    def write(text):
        program = tmp_path / "rocelab"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        monkeypatch.setenv("ROCELAB_BUILD", str(tmp_path))

    return write


def test_rows_are_a_frame_with_the_keys_that_made_them(set_program, tmp_path):
    set_program(f'echo "$@" > {tmp_path}/words\necho \'{json.dumps(DOCUMENT)}\'')
    frame = rocelab.measure("any", bytes=64, request_rate=0, fill=True, utilization=[0.1, 0.5], sets={"A::B": 1}, plugins=["p.so"])
    assert list(frame.columns) == ["x", "y"]
    assert frame["x"].tolist() == [1, 2] and frame["y"].isna().tolist() == [False, True]
    assert frame.attrs == {key: DOCUMENT[key] for key in ("settings", "columns", "notes")}
    words = "measure any --json bytes=64 request-rate=0 fill=true utilization=0.1,0.5 --set A::B=1 --plugin p.so"
    assert (tmp_path / "words").read_text() == words + "\n"


@pytest.mark.parametrize(
    "script, error, line",
    [
        ("echo 'rocelab: measure: bad' >&2; exit 2", rocelab.InputError, "measure: bad"),
        ("echo 'rocelab: measure: any: call 3: no answer' >&2; exit 3", rocelab.RunError, "measure: any: call 3: no answer"),
    ],
)
def test_an_error_has_the_line_of_the_program(set_program, script, error, line):
    set_program(script)
    with pytest.raises(error) as caught:
        rocelab.measure("any")
    assert str(caught.value) == line


def test_a_missing_program_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("ROCELAB_BUILD", str(tmp_path))
    with pytest.raises(rocelab.UserError, match="expected the program that ./waf build makes"):
        rocelab.measure("any")


@NEEDS_PROGRAM
def test_a_frame_has_the_rows_of_the_command(monkeypatch):
    monkeypatch.setenv("ROCELAB_BUILD", str(PROGRAM.parent))
    frame = rocelab.measure("kv-dispatch", throughput=[1, 2], memory=[0.5, 0.25])
    words = [PROGRAM, "measure", "kv-dispatch", "throughput=1,2", "memory=0.5,0.25", "--json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, timeout=TIME_LIMIT)
    assert frame.to_dict("records") == json.loads(done.stdout)["rows"]
    with pytest.raises(rocelab.InputError, match="measure: kv-dma.byte: expected a known key .nearest: bytes"):
        rocelab.measure("kv-dma", byte=1)
    with pytest.raises(rocelab.InputError, match="--plugin no.so: expected a plug-in"):
        rocelab.measure("kv-dma", plugins=["no.so"])
