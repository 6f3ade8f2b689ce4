# SPDX-License-Identifier: GPL-2.0-only
"""The quick run of examples/fabric/wire-efficiency with the real engine."""

import pytest


@pytest.mark.slow
def test_headers_cost_what_their_bytes_are(quick_figure):
    data = quick_figure("fabric/wire-efficiency")
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
