# SPDX-License-Identifier: GPL-2.0-only
"""rocelab new and rocelab plugin: from a name to results, without waf."""

import json
import subprocess

import pytest
from limits import TIME_LIMIT
from program import BUILD, NEEDS_PROGRAM, call, expect_one_line

from rocelab.cli.new import KINDS, make_class, make_stem
from rocelab.errors import UserError

pytestmark = [
    NEEDS_PROGRAM,
    pytest.mark.skipif(not (BUILD / "rocelab.pc").exists(), reason=f"no {BUILD}/rocelab.pc: build first"),
]

GOOD = "int f() { return 1; }\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_files_of_each_kind_compile_and_pass_as_written(tmp_path, kind):
    written = call("new", kind, "own-thing", cwd=tmp_path)
    assert (written.returncode, written.stderr) == (0, "")
    made = call("plugin", "own-thing.cc", "own-thing-test.cc", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")  # No warning either.
    assert "own-thing.so: ns3::rdma::OwnThing (a ns3::rdma::" in made.stdout
    tested = subprocess.run([tmp_path / "own-thing-test"], capture_output=True, timeout=TIME_LIMIT, check=False)
    assert tested.returncode == 0, tested.stdout
    ran = call("run", "own-thing.json", "--quiet", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    results = tmp_path / "results" / "own-thing"
    nics = [json.loads((folder / "summary.json").read_text()) for folder in results.iterdir()]
    assert all(not summary["partial"] for summary in nics)
    scenario = json.loads((tmp_path / "own-thing.json").read_text())
    assert len(nics) == len(scenario["nics"])


def test_printed_commands_call_the_program_as_the_user_did(tmp_path):
    (tmp_path / "build").symlink_to(BUILD.resolve())
    for words, ends in (
        (["new", "cc", "own-cc"], ["plugin own-cc.cc own-cc-test.cc", "compare own-cc.json"]),
        (["init", "own-incast", "--topology", "star", "--nics", "irn"], ["run own-incast.json", "compare results/own-incast"]),
    ):
        called = subprocess.run(["build/rocelab", *words], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
        for end in ends:
            assert f"build/rocelab {end}" in called.stdout


@pytest.mark.parametrize("name", ["my-window", "MyWindow"])
def test_a_name_has_a_stem_and_a_class(name):
    assert (make_stem(name), make_class("my-window")) == ("my-window", "MyWindow")


@pytest.mark.parametrize("name", ["", "9lives", "a b", "a--b", "-a", "a_b", "x" * 61, "a.cc"])
def test_a_name_that_is_no_class_is_one_line(name):
    with pytest.raises(UserError, match="expected a name such as my-window"):
        make_stem(name)


def test_names_that_are_taken_are_one_line(tmp_path):
    expect_one_line(call("new", "cc", "Dcqcn", cwd=tmp_path), "expected a class of a new name, got Dcqcn")
    expect_one_line(call("new", "ballancer", "x", cwd=tmp_path), "expected a kind of plug-in (nearest: balancer), got 'ballancer'")
    (tmp_path / "x.json").write_text("mine")
    expect_one_line(call("new", "cc", "x", cwd=tmp_path), "x.json: expected no file of that name yet")
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


@pytest.mark.slow
def test_a_plug_in_that_does_not_compile_leaves_the_former_one(tmp_path):
    source = tmp_path / "mine.cc"
    assert call("new", "cc", "mine", cwd=tmp_path).returncode == 0
    assert call("plugin", source, "--out", tmp_path / "lib.so").returncode == 0
    before = (tmp_path / "lib.so").read_bytes()
    source.write_text("int f() { return; }\n")
    ended = call("plugin", source, "--out", tmp_path / "lib.so")
    assert ended.returncode == 2
    *compiler, last = ended.stderr.splitlines()
    assert any(line.startswith(f"{source}:1:") for line in compiler)
    assert last == f"rocelab: {source}: expected it to compile, got exit status 1 of g++"
    assert (tmp_path / "lib.so").read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_what_is_no_c_plus_plus_file_is_one_line(tmp_path):
    expect_one_line(call("plugin", "absent.cc", cwd=tmp_path), "absent.cc: expected a C++ file, got nothing of that name")
    expect_one_line(call("plugin", tmp_path), f"{tmp_path}: expected a C++ file, got a folder")
    (tmp_path / "a.cc").write_text(GOOD)
    ended = call("plugin", "a.cc", "a.cc", "--out", "b.so", cwd=tmp_path)
    expect_one_line(ended, "--out: expected one file, got 2")


def test_a_source_in_place_of_a_plug_in_names_the_command(tmp_path):
    (tmp_path / "a.cc").write_text(GOOD)
    ended = call("list", "types", "--plugin", tmp_path / "a.cc")
    expect_one_line(ended, f"expected a shared library, got a C++ file: rocelab plugin {tmp_path}/a.cc makes one")
