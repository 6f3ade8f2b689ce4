# SPDX-License-Identifier: GPL-2.0-only
"""Random runs of every preset with several planes, losses and failures: the same bytes on one and two ranks."""

import random

import pytest
from ranks import NEEDS, compare, write_scenario

pytestmark = [*NEEDS, pytest.mark.slow]

MULTIPATH = ["uet", "uet-rccc", "mrc", "connectx7-ar", "dcp"]
PLAIN = ["connectx5", "connectx6", "connectx7", "irn", "srnic", "balboa", "strom10g", "strom100g"]
LEAVES = 4
SERVERS_PER_LEAF = 2
SERVERS = LEAVES * SERVERS_PER_LEAF


def draw_fabric(draw, planes):
    """Return a leaf-spine of four leaves: up to four parts."""
    impairment = "ns3::rdma::LinkImpairment"
    return {
        "topology": "leaf-spine",
        "leaves": LEAVES,
        "spines": 2,
        "serversPerLeaf": SERVERS_PER_LEAF,
        "hostRate": "100Gbps",
        "spineRate": "200Gbps",
        "linkDelay": "500ns",
        "mtu": draw.choice([1024, 4096]),
        "planes": planes,
        "lossRate": draw.choice([0, 0.001, 0.01]),
        "losses": [
            {
                "model": impairment,
                "attributes": {
                    f"{impairment}::DuplicateRate": draw.choice([0, 0.01]),
                    f"{impairment}::ReorderRate": draw.choice([0, 0.02]),
                },
            }
        ],
    }


def draw_flows(draw):
    flows = []
    for number in range(draw.randint(4, 24)):
        src, dst = draw.sample(range(SERVERS), 2)
        size = 2 ** draw.randint(0, 18) + draw.randint(0, 5000)
        flows.append({"src": src, "dst": dst, "bytes": size, "start": f"{number * draw.randint(0, 3000)}ns"})
    return flows


def draw_events(draw, planes):
    """Return a link of a plane that fails and comes up again."""
    if planes == 1:
        return []
    server, port, at = draw.randrange(SERVERS), draw.randrange(planes), draw.randint(1, 40)
    leaf = SERVERS + port * (LEAVES + 2) + server // SERVERS_PER_LEAF
    link = {"link": [server, leaf], "port": port}
    return [{"at": f"{at}us", **link, "state": "down"}, {"at": f"{at + 20}us", **link, "state": "up"}]


@pytest.mark.parametrize("number", range(24))
def test_a_random_run_has_the_same_bytes_on_two_ranks(tmp_path, number):
    draw = random.Random(number)
    is_multipath = number % 2 == 0
    presets = MULTIPATH if is_multipath else PLAIN
    planes = draw.choice([1, 2, 4]) if is_multipath else 1
    path = write_scenario(
        tmp_path,
        fabric=draw_fabric(draw, planes),
        nics=[{"preset": presets[number // 2 % len(presets)], "hardware": draw.choice(["off", "on"])}],
        workload={"type": "flows", "flows": draw_flows(draw)},
        linkEvents=draw_events(draw, planes),
        run={"seed": number},
    )
    compare(tmp_path, path, [2])
