# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures of the Python tests; puts the rocelab package on the path."""

import functools
import json
import shlex
import signal
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "utils"))

# A shell starts jobs in the background with SIGINT ignored, and programs inherit that: Ctrl-C, which
# tests send to them, would be without effect.
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite("pictures", "program", "ranks")
import fake_engine  # noqa: E402
from pictures import check_picture  # noqa: E402
from program import BUILD, PROGRAM  # noqa: E402
from synthetic import write_scenario  # noqa: E402

from rocelab.draw import style  # noqa: E402
from rocelab.runs import engine  # noqa: E402
from rocelab.validate.figure import run_figure  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the tests marked as slow, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds; run by ./waf test --slow and .ci/run")


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups.
def pytest_collection_modifyitems(config, items):
    """Choose the tests, and keep those that share a fixture of their module in one process."""
    leave_out_slow(config, items)
    shared = [item for item in items if shares_fixture(item)]
    for item in shared:
        item.add_marker(pytest.mark.xdist_group(item.module.__name__))
    # First what takes one process long, so that the others have something to do at the end.
    first = set(shared)
    items[:] = shared + [item for item in items if item not in first]


def shares_fixture(item):
    """Tell whether a test needs what is set up once for its module, in this folder."""
    definitions = [found for name in item.fixturenames for found in item._fixtureinfo.name2fixturedefs.get(name, ())]
    return any(one.scope in ("module", "class") for one in definitions)


def leave_out_slow(config, items):
    """Leave out slow tests unless they are asked for, by --slow or by their names."""
    if config.getoption("--slow") or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]


@pytest.fixture
def checkout():
    """The project's own folder."""
    return CHECKOUT


@pytest.fixture
def compare_folder(tmp_path):
    """RESULTS/compare with four complete NICs: connectx6 is 2, balboa 1.5, irn 1.1 times srnic."""
    factors = {"connectx6": 2, "irn": 1.1, "srnic": 1, "balboa": 1.5}
    return write_scenario(tmp_path / "results" / "compare", factors)


@pytest.fixture
def check_pictures(monkeypatch):
    """Let each figure that a test writes be checked by pictures.check_picture().

    Of the kinds of files only SVG is written: that takes a sixth of the time.
    """

    monkeypatch.setattr("rocelab.validate.figure.save", save_checked)


def save_checked(figure, stem):
    """Check a picture and write it as SVG, with the layout that was found for the check."""
    check_picture(figure)
    figure.set_layout_engine("none")
    return style.save(figure, stem, ("svg",))


@pytest.fixture
def no_pictures(monkeypatch):
    """Let figures be drawn and not saved: laying out and writing a picture takes most of a test's time."""
    monkeypatch.setattr("rocelab.validate.figure.save", lambda figure, stem: [])


@pytest.fixture
def empty_pictures(monkeypatch):
    """Let comparisons write empty files as pictures: laying them out takes most of the time."""

    def save(_, stem):
        path = Path(f"{stem}.svg")
        path.parent.mkdir(exist_ok=True)
        path.touch()
        return [path]

    for module in ("across", "compare"):
        monkeypatch.setattr(f"rocelab.report.{module}.save", save)


@pytest.fixture(scope="module")
def quick_figure(tmp_path_factory):
    """A function: a figure of examples/ and its settings -> figure.json of its quick run, made once.

    The pictures are checked as check_pictures does. Skips if the engine is not built.
    """
    if not PROGRAM.exists():
        pytest.skip(f"no {PROGRAM}")

    @functools.cache
    def make(name, *settings):
        out = tmp_path_factory.mktemp(name.replace("/", "-"))
        written = run_figure(name, CHECKOUT / "examples", out, BUILD, True, settings)
        assert [path.suffix for path in written] == [".json", ".svg"]
        assert written[1].stat().st_size > 5000
        return json.loads(written[0].read_text())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocelab.validate.figure.save", save_checked)
        yield make


@pytest.fixture
def fake_build(tmp_path, monkeypatch):
    """A build folder whose rocelab program is fake_engine.py; runs on one rank call it in this process."""
    run = engine.run_scenario

    def run_here(build, scenario_file, out, options, ranks=1):
        if ranks > 1:
            return run(build, scenario_file, out, options, ranks)
        return fake_engine.main(["run", str(scenario_file), "--out", str(out), *options])

    monkeypatch.setattr(engine, "run_scenario", run_here)
    program = tmp_path / "build" / "rocelab"
    program.parent.mkdir()
    script = Path(__file__).with_name("fake_engine.py")
    program.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-S', str(script)])} \"$@\"\n")
    program.chmod(0o755)
    return program.parent
