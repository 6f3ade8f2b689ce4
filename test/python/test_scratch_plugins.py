# SPDX-License-Identifier: GPL-2.0-only
"""How plug-ins and programs of scratch/ are built, with waf itself in a project that has nothing else."""

import os
import shutil
import subprocess

import pytest

WSCRIPT = """
import os
import sys

from waflib import Configure, Context

sys.path.insert(0, os.path.join(Context.run_dir, 'utils', 'build'))

import build_commands
import build_targets

top = '.'
out = 'build'
Configure.autoconfig = 'clobber'


def options(opt):
    opt.load('compiler_cxx')
    build_commands.add_options(opt)


def configure(conf):
    conf.load('compiler_cxx')


def build(bld):
    build_targets.add_scratch_targets(bld)
"""


class Project:
    """A folder with waf, our build functions and scratch/."""

    def __init__(self, folder, checkout):
        self.folder = folder
        (folder / "scratch").mkdir(parents=True)
        (folder / "build").mkdir()
        (folder / "wscript").write_text(WSCRIPT)
        (folder / "utils").symlink_to(checkout / "utils")
        for name in ("waf", "packages.txt"):
            shutil.copy(checkout / name, folder)
        state = checkout / "build" / ".waf"
        if (state / "waflib").is_dir():
            (folder / "build" / ".waf").mkdir()
            (folder / "build" / ".waf" / "waflib").symlink_to(state / "waflib")
            shutil.copy(checkout / "packages.txt", folder / "build" / ".waf" / "packages.txt.stamp")

    def write(self, name, text="int f() { return 1; }\n"):
        (self.folder / "scratch" / name).write_text(text)

    def build(self, *options):
        """Return (exit status, names of the files that were compiled)."""
        result = subprocess.run(
            [self.folder / "waf", "build", *options],
            cwd=self.folder,
            env=os.environ | {"NOCOLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.output = result.stdout
        words = [line.split() for line in result.stdout.splitlines() if "Compiling" in line]
        return result.returncode, sorted(line[-1].removeprefix("scratch/") for line in words)

    def list_plugins(self):
        return sorted(path.name for path in (self.folder / "build" / "scratch").glob("*.so"))


@pytest.fixture
def project(tmp_path, checkout):
    return Project(tmp_path / "project", checkout)


def test_one_that_does_not_compile_leaves_the_others_built(project):
    for name in ("a.cc", "b.cc", "c.cc", "d.cc"):
        project.write(name)
    project.write("b.cc", "int f() { return; }\n")
    status, compiled = project.build()
    assert status == 1
    assert compiled == ["a.cc", "b.cc", "c.cc", "d.cc"]
    assert project.list_plugins() == ["a.so", "c.so", "d.so"]


def test_only_new_files_are_compiled_and_the_plug_in_of_a_deleted_file_goes(project):
    project.write("b.cc")
    project.write("c.cc")
    assert project.build() == (0, ["b.cc", "c.cc"])
    project.write("a.cc")
    project.write("c.cc", "int f() { return 2; }\n")
    assert project.build() == (0, ["a.cc", "c.cc"])
    (project.folder / "build" / "scratch" / "foreign.so").write_text("")
    (project.folder / "scratch" / "b.cc").unlink()
    assert project.build() == (0, [])
    assert project.list_plugins() == ["a.so", "c.so", "foreign.so"]
    project.write("b.cc")
    assert project.build() == (0, ["b.cc"])
    assert project.list_plugins() == ["a.so", "b.so", "c.so", "foreign.so"]


@pytest.mark.slow
def test_a_file_with_a_main_is_a_program(project):
    project.write("a.cc", '// int main() is elsewhere\nconst char* a = "\\\\";\n/*\nint main() { }\n*/\n')
    project.write("b.cc", "int\nmain(int, char**)\n{\n    return 7;\n}\n")
    assert project.build() == (0, ["a.cc", "b.cc"])
    assert project.list_plugins() == ["a.so"]
    program = project.folder / "build" / "scratch" / "b"
    assert subprocess.call([program]) == 7
    # A file that becomes a plug-in leaves no program, and the other way round.
    project.write("b.cc")
    assert project.build() == (0, ["b.cc"])
    assert project.list_plugins() == ["a.so", "b.so"] and not program.exists()
    project.write("b.cc", "int main() { return 8; }\n")
    assert project.build() == (0, ["b.cc"])
    assert project.list_plugins() == ["a.so"] and subprocess.call([program]) == 8
    (project.folder / "scratch" / "b.cc").unlink()
    assert project.build() == (0, [])
    assert not program.exists()


@pytest.mark.slow
def test_a_warning_stays_a_warning(project):
    wscript = project.folder / "wscript"
    flags = "    conf.env.CXXFLAGS = ['-Wall', '-Werror']\n\n\ndef build"
    wscript.write_text(wscript.read_text().replace("\n\ndef build", flags))
    project.write("a.cc", "int f() { int unused = 1; return 2; }\n")
    project.write("b.cc", "int main() { int unused = 1; return 2; }\n")
    assert project.build() == (0, ["a.cc", "b.cc"])
    assert project.output.count("warning: unused variable") == 2


@pytest.mark.slow
def test_a_file_that_ends_in_test_is_a_program_of_its_own(project):
    (project.folder / "test").mkdir()
    (project.folder / "test" / "test-main.cc").write_text("int f();\nint main() { return f(); }\n")
    project.write("a.cc")
    project.write("a-test.cc", '#include "a.cc"\n')
    project.write("b-test.cc", "int f() { return 2; }\n")
    assert project.build() == (0, ["a-test.cc", "a.cc", "b-test.cc", "test/test-main.cc"])
    assert project.list_plugins() == ["a.so"]
    scratch = project.folder / "build" / "scratch"
    programs = [scratch / "a-test", scratch / "b-test"]
    assert [subprocess.call([program]) for program in programs] == [1, 2]
    project.write("a.cc", "int f() { return 3; }\n")
    assert project.build() == (0, ["a-test.cc", "a.cc"])
    assert subprocess.call([programs[0]]) == 3
    (project.folder / "scratch" / "b-test.cc").unlink()
    assert project.build() == (0, [])
    assert [program.exists() for program in programs] == [True, False]


@pytest.mark.slow
def test_a_test_beside_a_plug_in_leaves_its_flags_as_they_are(project):
    wscript = project.folder / "wscript"
    flags = "    conf.env.TEST_CXXFLAGS = ['-DIS_TEST=1']\n\n\ndef build"
    wscript.write_text(wscript.read_text().replace("\n\ndef build", flags))
    (project.folder / "test").mkdir()
    (project.folder / "test" / "test-main.cc").write_text("int f();\nint main() { return f(); }\n")
    project.write("a.cc", "#if IS_TEST\nint f() { return 1; }\n#else\nint g() { return 2; }\n#endif\n")
    project.write("a-test.cc", '#include "a.cc"\n')
    assert project.build() == (0, ["a-test.cc", "a.cc", "test/test-main.cc"])
    assert subprocess.call([project.folder / "build" / "scratch" / "a-test"]) == 1
    symbols = subprocess.check_output(["nm", "-C", project.folder / "build" / "scratch" / "a.so"], encoding="utf-8")
    assert "g()" in symbols and "f()" not in symbols
    # The plug-in alone, by its name: the same flags, so nothing is compiled again.
    assert project.build("--targets=scratch/a") == (0, [])


@pytest.mark.slow
def test_what_is_for_tests_is_built_by_its_name_only(project):
    wscript = project.folder / "wscript"
    wscript.write_text(wscript.read_text() + "    bld.rdma_plugins(sources=['plugins/*.cc'])\n")
    (project.folder / "plugins").mkdir()
    (project.folder / "plugins" / "b.cc").write_text("int f() { return 1; }\n")
    project.write("a.cc")
    assert project.build() == (0, ["a.cc"])
    project.write("a.cc", "int f() { return 2; }\n")
    # Waf itself would build the group of scratch/ first.
    assert project.build("--targets=test/b") == (0, ["plugins/b.cc"])
    assert project.build("--targets=test/b,scratch/a") == (0, ["a.cc"])
