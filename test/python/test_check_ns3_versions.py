# SPDX-License-Identifier: GPL-2.0-only
"""utils/check_ns3_versions.py: what it compares, and what it takes for a failure."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "utils"))

import check_ns3_versions as checker  # noqa: E402

ENGINE = """#!/bin/sh
# rocelab run SCENARIO --out DIR: two NICs; the text of flows.csv of irn is given.
for nic in connectx6 irn; do
    mkdir -p "$4/compare/$nic"
    echo '{"rocelab": {"ns3": "VERSION"}}' > "$4/compare/$nic/scenario.json"
    echo flows > "$4/compare/$nic/flows.csv"
done
echo 'TEXT' > "$4/compare/irn/flows.csv"
exit STATUS
"""


#: Takes the place of an ns-3's script: `build` makes a program of the text of the revision.
NS3_SCRIPT = """#!/bin/sh
echo "$@" >> calls
[ "$1" = build ] || exit 0
mkdir -p build/rocelab
cp engine build/rocelab/ns3.48-rocelab
"""


@pytest.fixture
def make_program(tmp_path):
    """Writes a program that takes the place of rocelab."""

    def make(name, version, text, status=0):
        path = tmp_path / name
        engine = ENGINE.replace("VERSION", version).replace("TEXT", text)
        path.write_text(engine.replace("STATUS", str(status)))
        path.chmod(0o755)
        return path

    return make


def run_check(tmp_path, reference, *programs):
    arguments = ["--reference", str(reference), "--work", str(tmp_path / "work")]
    for program in programs:
        arguments += ["--program", str(program)]
    return checker.main(arguments)


def test_equal_bytes_of_two_versions_pass(tmp_path, make_program, capsys):
    programs = [make_program("a", "3.37", "x"), make_program("b", "3.48", "x")]
    assert run_check(tmp_path, *programs) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "ns-3 3.37" in lines[0] and "ns-3 3.48" in lines[1]
    assert lines[0].split(": ", 1)[1].split()[2:] == lines[1].split(": ", 1)[1].split()[2:]
    assert lines[-1] == "2 builds, 0 failed or differ"


def test_other_bytes_of_one_nic_fail_and_are_named(tmp_path, make_program, capsys):
    programs = [make_program("a", "3.37", "x"), make_program("b", "3.48", "y")]
    assert run_check(tmp_path, *programs) == 1
    assert capsys.readouterr().out.splitlines()[1].endswith("other bytes: irn")


def test_a_program_that_fails_does_not_end_the_check(tmp_path, make_program, capsys):
    programs = [make_program("a", "3.37", "x"), make_program("b", "3.41", "x", status=1)]
    assert run_check(tmp_path, *programs, make_program("c", "3.48", "x")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "failed: " in lines[1] and "exit status 1" in lines[1]
    assert lines[2].endswith("same bytes")
    assert lines[-1] == "3 builds, 1 failed or differ"


def test_a_nic_without_results_differs():
    assert checker.find_differences({"irn": "1", "srnic": "2"}, {"irn": "1"}) == ["srnic"]


def test_a_prefix_without_an_installed_ns3_is_an_error(tmp_path):
    with pytest.raises(checker.CheckError, match="expected an installed ns-3"):
        checker.find_pkg_config(tmp_path)


def test_the_pkg_config_folder_of_debian_and_of_others_is_found(tmp_path):
    for folder in ("a/lib/pkgconfig", "b/lib64/pkgconfig", "c/lib/x86_64-linux-gnu/pkgconfig"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "ns3-core.pc").touch()
        prefix = tmp_path / folder.split("/", maxsplit=1)[0]
        assert checker.find_pkg_config(prefix) == tmp_path / folder


@pytest.fixture
def ns3_repository(tmp_path, make_program):
    """A git repository with the scripts of an ns-3 and two tags; the programs of both print other flows."""
    folder = tmp_path / "ns-3-dev"
    folder.mkdir()

    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)

    git("init", "--quiet")
    for version, text in (("3.41", "x"), ("3.48", "y")):
        make_program("ns-3-dev/engine", version, text)
        for name, script in (("ns3", NS3_SCRIPT), ("test.py", '#!/bin/sh\necho "suite $@" >> calls\n')):
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
        git("add", ".")
        git("commit", "--quiet", "-m", version)
        git("tag", "ns-" + version)
    return folder


def run_sources(tmp_path, reference, *sources, options=()):
    arguments = ["--reference", str(reference), "--work", str(tmp_path / "work"), *options]
    for source in sources:
        arguments += ["--source", str(source)]
    return checker.main(arguments)


def test_a_revision_of_ns3_is_built_with_the_modules_and_its_suites_are_run(
    tmp_path, make_program, ns3_repository, capsys
):
    reference = make_program("a", "3.37", "x")
    assert run_sources(tmp_path, reference, f"{ns3_repository}@ns-3.41") == 0
    assert "ns-3 3.41" in capsys.readouterr().out
    folder = tmp_path / "work" / "contrib-ns-3-41"
    assert (folder / "contrib" / "rdma-nic" / "CMakeLists.txt").exists()
    calls = (folder / "calls").read_text().splitlines()
    modules = "rdma-fabric,rdma-nic,rdma-host,fpga-rnic,rdma-apps,rdma-bench,rdma-experiment"
    assert calls[0].startswith("configure ") and calls[0].endswith(f"--enable-modules={modules}")
    assert "--enable-tests" in calls[0]
    assert calls[1] == "build"
    assert calls[2:] == [f"suite --no-build -s {module}" for module in modules.split(",")]


def test_without_tests_none_are_built_or_run(tmp_path, make_program, ns3_repository):
    reference = make_program("a", "3.37", "x")
    assert run_sources(tmp_path, reference, f"{ns3_repository}@ns-3.41", options=["--no-tests"]) == 0
    calls = (tmp_path / "work" / "contrib-ns-3-41" / "calls").read_text().splitlines()
    assert "--disable-tests" in calls[0] and "--enable-tests" not in calls[0]
    assert calls[1:] == ["build"]


def test_a_revision_of_ns3_with_other_bytes_fails(tmp_path, make_program, ns3_repository, capsys):
    reference = make_program("a", "3.37", "x")
    assert run_sources(tmp_path, reference, ns3_repository) == 1  # The checked out revision, 3.48.
    assert "other bytes: irn" in capsys.readouterr().out


def test_a_folder_that_is_no_repository_is_one_line(tmp_path, make_program, capsys):
    reference = make_program("a", "3.37", "x")
    assert run_sources(tmp_path, reference, tmp_path / "absent") == 1
    assert "contrib, " in capsys.readouterr().out.splitlines()[1]
