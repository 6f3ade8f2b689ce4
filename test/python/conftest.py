# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures of the Python tests; puts the rocelab package on the path."""

import shlex
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "utils"))

pytest.register_assert_rewrite("pictures", "ranks")
from pictures import check_picture  # noqa: E402
from synthetic import write_scenario  # noqa: E402

from rocelab import style  # noqa: E402


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
    """Let each figure that a test writes be checked by pictures.check_picture()."""

    def save(figure, stem):
        check_picture(figure)
        return style.save(figure, stem)

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
