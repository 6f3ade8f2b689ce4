# SPDX-License-Identifier: GPL-2.0-only
"""The Debian packages of ./waf deb and the archive of ./waf contrib: what they hold, without building them."""

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from binding import BUILD, ROOT, needs_module

sys.path.insert(0, str(ROOT / "utils" / "build"))

import project_files  # noqa: E402

DEBIAN = ROOT / "debian"
MODULES = sorted(path.parent.name for path in (ROOT / "src").glob("*/wscript"))


def read_packages(name):
    """Return the names in a list of Debian packages."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {line.partition("#")[0].strip() for line in lines} - {""}


def read_control():
    """Return the paragraphs of debian/control, {field: text} each."""
    text = (DEBIAN / "control").read_text(encoding="utf-8").partition("\n")[2]
    fields = [re.findall(r"^([\w-]+):((?:.*\n?)(?: .*\n?)*)", part, re.MULTILINE) for part in text.split("\n\n")]
    return [{name: value.strip() for name, value in part} for part in fields]


def list_installed():
    """Return the (file, source pattern) of each line of debian/*.install, *.manpages and *.examples."""
    found = []
    for path in sorted(DEBIAN.glob("*.*")):
        if path.suffix in (".install", ".manpages", ".examples"):
            found += [(path.name, line.split()[0]) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


@pytest.fixture(scope="module")
def installed_files(tmp_path_factory):
    """The files that debian/rules makes of a build: the manual page, the completion, headers and rocelab.pc."""
    if not shutil.which("make") or not Path("/usr/share/dpkg/architecture.mk").exists():
        pytest.skip("Debian packages make and dpkg-dev are not installed")
    if not (BUILD / "rocelab").exists():
        pytest.skip(f"no {BUILD}/rocelab: build first")
    folder = tmp_path_factory.mktemp("debian")
    command = ["make", "-s", "-f", "debian/rules", "installed-files", f"BUILD={BUILD}", f"OUT={folder}"]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.mark.slow
@needs_module
def test_each_file_that_a_debian_package_installs_exists_after_a_build(installed_files):
    listed = list_installed()
    assert {name for name, _ in listed} >= {f"{part['Package']}.install" for part in read_control()[1:]}
    for name, pattern in listed:
        top, rest = ROOT, pattern
        for prefix, folder in (("build/debian/", installed_files), ("build/", BUILD)):
            if pattern.startswith(prefix):
                top, rest = folder, pattern[len(prefix) :]
                break
        assert list(top.glob(rest)), f"debian/{name}: {pattern}"


@pytest.mark.slow
def test_the_manual_page_and_the_completion_of_the_package_are_of_this_program(installed_files):
    assert (installed_files / "rocelab.1").read_text(encoding="utf-8").startswith(".TH ROCELAB 1 ")
    assert "complete " in (installed_files / "completions" / "rocelab").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_development_package_has_each_header_of_each_module_as_a_file(installed_files):
    headers = list((installed_files / "include" / "ns3").iterdir())
    assert not [path for path in headers if path.is_symlink()]
    expected = {path.name for kind in ("model", "helper") for path in (ROOT / "src").glob(f"*/{kind}/**/*.h")}
    assert {path.name for path in headers} == expected


@pytest.mark.slow
def test_the_pkg_config_file_of_the_package_names_no_folder_of_the_build(installed_files):
    text = (installed_files / "rocelab.pc").read_text(encoding="utf-8")
    assert "-I/usr/include/rocelab" in text
    prefix = re.search("^prefix=(.*)$", text, re.MULTILINE).group(1)
    assert re.fullmatch("/usr/lib/[^/]+/rocelab", prefix)
    assert str(ROOT) not in text


def test_debian_builds_with_packages_that_waf_installs():
    needed = re.sub(r"\(.*?\)", "", read_control()[0]["Build-Depends"])
    names = {name.strip() for name in needed.split(",")} - {"debhelper-compat"}
    assert names <= read_packages("packages.txt") | read_packages("packages-dist.txt")


def test_the_python_package_depends_on_what_pip_requires():
    required = re.search(r"^dependencies = \[(.*)\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE).group(1)
    depends = next(part for part in read_control()[1:] if part["Package"] == "python3-rocelab")["Depends"]
    for name in re.findall('"(.*?)"', required):
        assert f"python3-{name}" in depends


@pytest.fixture(scope="module")
def archive():
    """The members of the archive for contrib/, {name: text}."""
    # waf's own modules are not needed to write an archive.
    code = (
        "import sys, types; sys.modules['build_commands'] = types.ModuleType('build_commands'); import build_dist;"
        "import project_files as p; top = sys.argv[1];"
        "build_dist.write_contrib(sys.stdout.buffer, top, '9.8.7', sys.argv[2:], p.list_files(top), 1)"
    )
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = [sys.executable, "-c", code, str(ROOT), *MODULES]
    process = subprocess.Popen(command, cwd=ROOT / "utils" / "build", stdout=subprocess.PIPE)
    with tarfile.open(fileobj=process.stdout, mode="r|gz") as file:
        members = {entry.name: file.extractfile(entry).read().decode() for entry in file}
    assert process.wait() == 0
    return members


@pytest.mark.parametrize("module", MODULES)
def test_the_cmake_file_of_each_module_in_the_archive_lists_files_of_the_archive(archive, module):
    text = archive[f"{module}/CMakeLists.txt"]
    patterns = re.findall(r"\bfile\((GLOB\w*) \w+ RELATIVE \$\{folder\} CONFIGURE_DEPENDS ([^)]*)\)", text)
    assert patterns
    taken = set()
    for kind, words in patterns:
        for word in words.split():
            # GLOB_RECURSE enters the folders below that of the pattern.
            folder, _, name = word.partition("/")
            between = "(.*/)?" if kind == "GLOB_RECURSE" else ""
            regex = re.compile(re.escape(f"{module}/{folder}/") + between + name.replace(".", r"\.").replace("*", "[^/]*"))
            found = {member for member in archive if regex.fullmatch(member)}
            assert found or folder == "helper", word  # Some modules have no helpers.
            taken |= found
    sources = {f"{path.relative_to(ROOT / 'src')}" for path in (ROOT / "src" / module / "model").rglob("*.cc")}
    assert sources <= taken


def test_the_examples_that_cmake_builds_are_in_the_archive(archive):
    text = archive["rdma-nic/examples/CMakeLists.txt"]
    names = re.search(r"foreach\(name (.*?)\)", text).group(1).split()
    assert names and all(f"rdma-nic/examples/{name}.cc" in archive for name in names)


def test_the_page_of_the_archive_names_its_modules_and_version(archive):
    page = archive["README.md"]
    assert "tar -xzf rocelab-contrib-9.8.7.tar.gz -C contrib" in page
    assert "--enable-modules=" + ",".join(MODULES) in page
    assert {name.partition("/")[0] for name in archive} == {"README.md", "LICENSE", *MODULES}


def test_a_copy_of_the_project_loses_removed_files_and_keeps_its_build_folder(tmp_path):
    top, copy = tmp_path / "top", tmp_path / "copy"
    for path in (top / "src" / "a.cc", top / "b", copy / "build" / "kept", copy / "src" / "gone.cc", copy / "gone"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    project_files.copy_files(top, copy, ["src/a.cc", "b"])
    files = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert files == {"src/a.cc", "b", "build/kept"}
