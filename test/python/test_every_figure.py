# SPDX-License-Identifier: GPL-2.0-only
"""The quick variant of every figure in examples/, by the command, with the real engine: it ends, and sets what it declares."""

import json

import pytest
from sweeps import BUILD, NEEDS_PROGRAM

from rocelab.__main__ import main
from rocelab.validate.examples import list_figures
from rocelab.validate.ledger import Ledger
from rocelab.validate.settings import check_declared

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
@NEEDS_PROGRAM
@pytest.mark.parametrize("name", list_figures())
def test_the_quick_figure_ends_well_and_leaves_its_numbers_and_a_picture(tmp_path, capsys, name):
    status = main(["figure", name, "--quick", "--out", str(tmp_path), "--build", str(BUILD)])
    assert status == 0, capsys.readouterr().err
    folder = tmp_path / f"{name}-quick"
    data = json.loads((folder / "figure.json").read_text())
    assert data["made"]["quick"] is True
    ledger = Ledger()
    if name in ledger.figures:
        check_declared(name, name, data["made"]["attributes"], ledger.settings)
    picture = (folder / f"{name.replace('/', '-')}.png").read_bytes()
    assert picture.startswith(PNG) and len(picture) > 5000
