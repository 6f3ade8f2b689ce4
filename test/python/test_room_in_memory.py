# SPDX-License-Identifier: GPL-2.0-only
"""What this machine has no room for is refused before it is built."""

import json
import os

import pytest
from program import NEEDS_PROGRAM, call, expect_one_line

pytestmark = NEEDS_PROGRAM

MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
STORES = {
    "fabric": {"topology": "star", "servers": 9, "nicsPerServer": 8},
    "groups": {"clients": [0, 0], "stores": [1, 8]},
    "nics": ["kv-direct"],
    "kernels": {"stores": [{"type": "ns3::rdma::KvDirectKernel"}]},
    "workload": {
        **{"type": "kv", "clients": "clients", "servers": "stores", "get": 0.5, "keyBytes": 8, "valueBytes": 54},
        **{"memory": "16GiB", "duration": "20us"},
    },
}

def test_stores_that_have_no_room_end_with_one_line(tmp_path):
    if MACHINE > 1000 << 30:
        pytest.skip("this machine has room")
    path = tmp_path / "huge.json"
    path.write_text(json.dumps({"name": "huge", **STORES}))
    ended = call("run", path, "--out", tmp_path / "out")
    expect_one_line(ended, f" stores of this memory, for which this machine's {MACHINE >> 30} GiB have room, got 64")
