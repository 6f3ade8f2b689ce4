# SPDX-License-Identifier: GPL-2.0-only
"""A user's program against the modules, as docs/extend/own-program.md builds it."""

import os
import shlex
import shutil
import subprocess

import pytest
from program import BUILD, ROOT, call

SOURCE = ROOT / "src" / "rdma-nic" / "examples" / "own-fabric.cc"

pytestmark = pytest.mark.skipif(not (BUILD / "rocelab.pc").exists(), reason=f"no {BUILD}/rocelab.pc: build first")


def ask_pkg_config(*words):
    """Return the words that pkg-config prints."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(BUILD)}
    command = ["pkg-config", *words, "rocelab"]
    return shlex.split(subprocess.check_output(command, env=environment, encoding="utf-8"))


def test_pkg_config_names_all_modules():
    libraries = {word for word in ask_pkg_config("--libs") if word.startswith("-lrdma-") or word.startswith("-lfpga-")}
    modules = {path.parent.name for path in (ROOT / "src").glob("*/wscript")}
    assert libraries == {f"-l{module}" for module in modules}


@pytest.mark.slow
def test_a_program_built_by_pkg_config_prints_what_the_projects_own_prints(tmp_path):
    program = tmp_path / "my-fabric"
    flags = ask_pkg_config("--cflags", "--libs")
    subprocess.run(["g++", "-O0", str(SOURCE), "-o", str(program), *flags], check=True, cwd=tmp_path)
    printed = subprocess.check_output([program], encoding="utf-8", cwd=tmp_path)
    assert printed and printed == subprocess.check_output([BUILD / "own-fabric"], encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_the_cmake_file_builds_a_program_and_a_plug_in(tmp_path):
    shutil.copy(ROOT / "examples" / "start" / "own-program" / "CMakeLists.txt", tmp_path)
    # A header of a further module of ns-3, whose library the file links.
    (tmp_path / "my-fabric.cc").write_text('#include "ns3/bulk-send-helper.h"\n' + SOURCE.read_text())
    shutil.copy(ROOT / "test" / "plugins" / "own-entropy.cc", tmp_path / "my-policy.cc")
    made = tmp_path / "build"
    environment = {**os.environ, "PKG_CONFIG_PATH": str(BUILD.resolve())}
    for words in (["-S", tmp_path, "-B", made], ["--build", made]):
        ended = subprocess.run(["cmake", *words], env=environment, capture_output=True, encoding="utf-8", check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert b"SUCCESS" in subprocess.check_output([made / "my-fabric"])
    assert "ns3::rdma::OwnEntropy" in call("list", "types", "--plugin", made / "my-policy.so").stdout
