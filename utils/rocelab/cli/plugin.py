# SPDX-License-Identifier: GPL-2.0-only
"""rocelab plugin: compiles a C++ file into a plug-in, or a test of one into a program."""

import os
import shlex
import subprocess
from pathlib import Path

from rocelab.errors import UserError
from rocelab.places import find_checkout
from rocelab.runs.engine import read_output

TEST = "-test"  # At the end of the stem of a test.
PLUGIN_FLAGS = ("-O2", "-fPIC", "-shared")
TEST_FLAGS = ("-O1",)
WARNINGS = ("-Wall", "-Wextra")
TEST_LIBRARIES = ("-lgmock", "-lgtest", "-pthread")


class CompilerError(UserError):
    """The compiler has printed why."""


def find_flags(build):
    """Return pkg-config's words for code on the modules of the program; raises UserError."""
    path = os.pathsep.join(filter(None, [os.path.abspath(build), os.environ.get("PKG_CONFIG_PATH")]))
    command = ["pkg-config", "--cflags", "--libs", "rocelab"]
    try:
        result = subprocess.run(
            command, env={**os.environ, "PKG_CONFIG_PATH": path}, capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise UserError(f"pkg-config: expected the program (Debian package pkg-config), got: {error.strerror}") from None
    if result.returncode != 0:
        raise UserError(
            f"{build}/rocelab.pc: expected the file that ./waf build or the Debian package librdma-ns3-dev brings, got none"
        )
    return shlex.split(result.stdout)


def find_test_main():
    """Return the file with main() of tests; raises UserError."""
    checkout = find_checkout()
    if checkout is None:
        raise UserError("test/test-main.cc: expected a clone for tests of plug-ins, got an installed package")
    return str(checkout / "test" / "test-main.cc")


def compile_file(source, build, out=None):
    """Make the plug-in or the test program of a file and return its path; raises UserError."""
    source = Path(source)
    if not source.is_file():
        raise UserError(f"{source}: expected a C++ file, got {'a folder' if source.is_dir() else 'nothing of that name'}")
    is_test = source.stem.endswith(TEST)
    target = Path(out) if out else source.with_suffix("" if is_test else ".so")
    # A plug-in that a run has loaded stays as it is: the file is replaced.
    made = target.with_name(f".{target.name}.{os.getpid()}")
    command = [os.environ.get("CXX", "g++"), *WARNINGS, *(TEST_FLAGS if is_test else PLUGIN_FLAGS), str(source)]
    command += [find_test_main()] * is_test + ["-o", str(made), *find_flags(build), *TEST_LIBRARIES * is_test]
    try:
        status = subprocess.run(command, check=False).returncode
        if status != 0:
            raise CompilerError(f"{source}: expected it to compile, got exit status {status} of {command[0]}")
        os.replace(made, target)
    except OSError as error:
        raise UserError(f"{error.filename or command[0]}: cannot be used: {error.strerror}") from None
    finally:
        made.unlink(missing_ok=True)
    return target


def describe_types(plugin, build):
    """Return the lines of `rocelab list types` that a plug-in adds; raises UserError if it cannot be loaded."""
    before = set(read_output(build, ["list", "types"]).splitlines())
    return [line for line in read_output(build, ["list", "types", "--plugin", plugin.absolute()]).splitlines() if line not in before]


def make_plugins(options):
    """Carry out the command; returns the paths written."""
    if options.out and len(options.files) > 1:
        raise UserError(f"--out: expected one file, got {len(options.files)}")
    written = []
    for source in options.files:
        target = compile_file(source, options.build, options.out)
        if target.suffix == ".so":
            for line in describe_types(target, options.build):
                print(f"{target}: {line}")
        written.append(target)
    return written
