# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures of the Python tests; puts the rocelab package on the path."""

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

pytest.register_assert_rewrite("pictures", "ranks")
from pictures import check_picture  # noqa: E402
from synthetic import write_scenario  # noqa: E402

from rocelab import style  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the tests marked as slow, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds; run by ./waf test --slow and .ci/run")


def pytest_collection_modifyitems(config, items):
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

    def save(figure, stem):
        check_picture(figure)
        return style.save(figure, stem, ("svg",))

    monkeypatch.setattr("rocelab.figure.save", save)


@pytest.fixture
def fake_build(tmp_path):
    """A build folder whose rocelab program is fake_engine.py."""
    program = tmp_path / "build" / "rocelab"
    program.parent.mkdir()
    engine = Path(__file__).with_name("fake_engine.py")
    program.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-S', str(engine)])} \"$@\"\n")
    program.chmod(0o755)
    return program.parent
