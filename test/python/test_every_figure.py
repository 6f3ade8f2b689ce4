# SPDX-License-Identifier: GPL-2.0-only
"""The quick variant of every figure in examples/, by the command, with the real engine."""

import json
from pathlib import Path

import pytest
from sweeps import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# Found by their scripts, as the command finds them: a new folder needs no line here.
FIGURES = sorted(script.parent.name for script in EXAMPLES.glob("*/figure.py"))
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
@NEEDS_PROGRAM
@pytest.mark.parametrize("name", FIGURES)
def test_the_quick_figure_ends_well_and_leaves_its_numbers_and_a_picture(tmp_path, capsys, name):
    status = main(["figure", name, "--quick", "--out", str(tmp_path), "--build", str(BUILD)])
    assert status == 0, capsys.readouterr().err
    folder = tmp_path / f"{name}-quick"
    data = json.loads((folder / "figure.json").read_text())
    assert data["made"]["quick"] is True
    picture = (folder / f"{name}.png").read_bytes()
    assert picture.startswith(PNG) and len(picture) > 5000
