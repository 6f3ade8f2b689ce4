# SPDX-License-Identifier: GPL-2.0-only
"""The program, and what many tests do with it: command lines, and scenarios that it runs, reads or refuses."""

import contextlib
import csv
import json
import os
import resource
import subprocess
import time
from pathlib import Path

import pytest
from limits import TIME_LIMIT

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))  # ./waf test names it.
PROGRAM = BUILD / "rocelab"

NEEDS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")

#: Puts tests aside where the module that runs scenarios in this process cannot be loaded.
HAS_MODULE = BUILD.name != "sanitize" and any((BUILD / "python").glob("rocelab/_core.*.so"))
needs_module = pytest.mark.skipif(
    not HAS_MODULE, reason="rocelab._core is not built, or with the address sanitizer, which Python is not"
)


def get_plugin(name):
    """Return the shared library of a file in test/plugins/."""
    return BUILD / "test" / f"{name}.so"


def needs_plugins(*names):
    """Put tests aside whose plug-ins are not built."""
    missing = [name for name in names if not get_plugin(name).is_file()]
    return pytest.mark.skipif(bool(missing), reason=f"not built: {', '.join(missing)}")


def call(*words, plugins=(), **settings):
    """Call the program; returns what subprocess.run() does, with texts."""
    options = [word for name in plugins for word in ("--plugin", get_plugin(name))]
    usual = {"capture_output": True, "encoding": "utf-8", "timeout": TIME_LIMIT, "check": False}
    return subprocess.run([PROGRAM, *map(str, words), *options], **usual | settings)


def ask(*words):
    """Return the JSON that a command prints."""
    ended = call(*words)
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def expect_one_line(ended, message, status=2):
    """Expect the end of a program that says in one line what is wrong."""
    assert (ended.returncode, ended.stdout) == (status, ""), ended
    assert ended.stderr.startswith("rocelab: ") and ended.stderr.count("\n") == 1, ended.stderr
    assert message in ended.stderr


def wait_for(condition, process=None):
    """Wait until a condition holds, as long as a process that is to fulfil it runs; returns what it has returned.

    Tests wait for what they need, and not for a time: on a busy machine all takes longer.
    """
    end = time.monotonic() + TIME_LIMIT
    while not (found := condition()):
        assert process is None or process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def find_children(number):
    """Return the process ids of all descendants of a process."""
    found = []
    for task in Path(f"/proc/{number}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *find_children(child)]
    return found


def get_memory(number):
    """Return the bytes of memory that a process and its descendants have."""
    pages = 0
    for one in [number, *find_children(number)]:
        with contextlib.suppress(OSError):
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def end_by_signal(process, number):
    """Send a signal and wait; returns (status, stdout, stderr), all of which come before the end.

    The processes of these tests do not end by themselves: that they end at all is due to the signal.
    """
    process.send_signal(number)
    try:
        output, errors = process.communicate(timeout=TIME_LIMIT)
    finally:
        process.kill()
    return process.returncode, output, errors


def write_json(path, value):
    """Write a JSON file; returns its path."""
    path.write_text(json.dumps(value))
    return path


def read_json(path):
    return json.loads(path.read_text())


def read_rows(path):
    """Return the rows of a table as dicts."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run_scenario(folder, scenario, *options, plugins=()):
    """Run a scenario into FOLDER/out, quietly and to a good end; returns the results of its one NIC."""
    path = write_json(folder / "scenario.json", scenario)
    ended = call("run", path, "--out", folder / "out", "--quiet", *options, plugins=plugins)
    assert (ended.returncode, ended.stderr) == (0, "")
    (nic,) = (folder / "out" / scenario["name"]).iterdir()
    return nic


def find_run_error(scenario, out, plugins=()):
    """Run a scenario; returns the line that says why it has failed, or "": in this process as find_fault() does."""
    if not HAS_MODULE:
        return call("run", write_json(out.with_suffix(".json"), scenario), "--out", out, "--quiet", plugins=plugins).stderr
    import rocelab

    try:
        rocelab.run(scenario, plugins=[get_plugin(name) for name in plugins], out=out)
    except rocelab.RunError as error:
        return f"rocelab: {error}\n"
    return ""


def find_fault(path, *sets):
    """Return the line that refuses a scenario file, or "": by the module in this process, where there is one.

    The module says what the program says (test_python_run.py), without a program's start.
    """
    if not HAS_MODULE:
        return call("check", path, *(word for one in sets for word in ("--set", one))).stderr
    import rocelab

    try:
        rocelab.check(path, sets=sets)
    except rocelab.InputError as error:
        return f"rocelab: {error}\n"
    return ""
