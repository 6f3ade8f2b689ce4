# SPDX-License-Identifier: GPL-2.0-only
"""The quick run of examples/wire-efficiency with the real engine."""

import json

import pytest

from rocelab.figure import run_figure


def test_headers_cost_what_their_bytes_are(checkout, tmp_path, check_pictures):
    build = checkout / "build"
    if not (build / "rocelab").exists():
        pytest.skip(f"no program in {build}")
    run_figure("wire-efficiency", checkout / "examples", tmp_path, build, True)
    data = json.loads((tmp_path / "wire-efficiency-quick" / "figure.json").read_text())
    goodput = {
        name: {size: 100 - lost for size, lost in points} for name, points in data["series"].items()
    }
    # A packet has 82 bytes beside its payload, and the first one of a WRITE a RETH of 16.
    assert goodput["connectx6, SEND"][1 << 20] == pytest.approx(100 * 1024 / 1106, rel=1e-3)
    assert goodput["connectx6, WRITE, MTU 4096"][4096] == pytest.approx(100 * 4096 / 4194, rel=1e-3)
    # SRNIC: 8 bytes more of a SEND, 20 of a WRITE packet.
    assert goodput["srnic, SEND"][1 << 20] == pytest.approx(100 * 1024 / 1114, rel=1e-3)
    assert goodput["srnic, WRITE"][1 << 20] == pytest.approx(100 * 1024 / 1126, rel=1e-3)
    rows = {fact: row["met"] for row in data["comparison"] for fact in row["facts"]}
    assert rows["SRNIC-055"] and rows["SRNIC-056"]
