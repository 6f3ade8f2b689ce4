# SPDX-License-Identifier: GPL-2.0-only
"""A ring of switches that deadlocks with PFC: the run ends, and the ports of the cycle are named."""

import ranks
from program import read_json, write_json

pytestmark = ranks.NEEDS

SWITCHES = 5


def write_ring(folder):
    """Write ring.json: five servers, each at a switch of a ring, send to the second one clockwise."""
    links = [f"{one} {SWITCHES + one} 100Gbps 1us 0" for one in range(SWITCHES)]
    links += [f"{SWITCHES + one} {SWITCHES + (one + 1) % SWITCHES} 100Gbps 1us 0" for one in range(SWITCHES)]
    switches = " ".join(str(SWITCHES + one) for one in range(SWITCHES))
    text = "\n".join([f"{2 * SWITCHES} {SWITCHES} {2 * SWITCHES}", switches, *links]) + "\n"
    (folder / "ring.txt").write_text(text, encoding="utf-8")
    flows = [{"src": one, "dst": (one + 2) % SWITCHES, "bytes": "4MB", "start": "0us"} for one in range(SWITCHES)]
    scenario = {
        "name": "ring",
        "fabric": {
            "topology": "hpcc-file",
            "file": "ring.txt",
            "buffer": "1MiB",
            "bufferAlpha": {"100Gbps": 0.0625},
        },
        "nics": [{"preset": "connectx6", "name": "no-cc", "congestionControl": "ns3::rdma::NoCongestionControl"}],
        "workload": {"type": "flows", "flows": flows},
    }
    return write_json(folder / "ring.json", scenario)


def run(folder, *options, processes=1):
    """Run the ring; returns (exit status, stderr, summary, flows.csv)."""
    ended = ranks.run(processes, "run", write_ring(folder), "--out", folder / "results", *options)
    results = folder / "results" / "ring" / "no-cc"
    return ended[0], ended[2], read_json(results / "summary.json"), (results / "flows.csv").read_text(encoding="utf-8")


def test_a_deadlocked_ring_ends_and_names_its_ports_also_if_all_flows_have_failed(tmp_path):
    status, errors, summary, _ = run(tmp_path)
    assert status == 3
    # The retries are over after 8 x 67 ms; the limit is 1 s.
    assert summary["flows"]["failed"] == SWITCHES
    assert [port["switch"] for port in summary["pause_cycle"]] == [5, 6, 7, 8, 9]
    assert [port["to"] for port in summary["pause_cycle"]] == [6, 7, 8, 9, 5]
    # Port 0 leads to the server; switch 5 has the links to 6 and 9, in this order.
    line = next(line for line in errors.splitlines() if "deadlock" in line)
    assert line == (
        "rocelab: no-cc: deadlock: 5 ports pause each other in a cycle (PFC, priority 3): "
        "port 1 of switch 5 to switch 6, port 2 of switch 6 to switch 7, port 2 of switch 7 to switch 8, "
        "port 2 of switch 8 to switch 9, port 2 of switch 9 to switch 5, and again the first"
    )


def test_a_ring_with_credits_deadlocks_as_with_pfc(tmp_path):
    credits = 'fabric.links=[{"credits": "8KiB", "retry": true}]'
    status, errors, summary, _ = run(tmp_path, "--set", "fabric.pfc=false", "--set", credits)
    assert status == 3
    assert [port["switch"] for port in summary["pause_cycle"]] == [5, 6, 7, 8, 9]
    assert "5 ports pause each other in a cycle (credits, priority 3): port 1 of switch 5" in errors
    assert summary["fabric_drops"] == summary["pfc_pauses"] == 0


def test_a_deadlock_before_the_last_retry_ends_within_the_stall_limit(tmp_path):
    status, errors, summary, _ = run(tmp_path, "--set", "run.stallLimit=20ms")
    assert status == 3
    assert summary["flows"]["stalled"] == SWITCHES
    # The ring stands still within the first millisecond.
    assert 15 <= summary["simulated_ms"] <= 21
    assert "a port on its path is paused by PFC" in errors
    assert len(summary["pause_cycle"]) == SWITCHES


def test_two_ranks_find_the_same_cycle(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for more in ((), ("--set", "run.stallLimit=20ms")):
        _, errors, summary, flows = run(tmp_path / "one", *more)
        _, other_errors, other, other_flows = run(tmp_path / "two", *more, processes=2)
        assert other["ranks"]["count"] == 2
        assert other["pause_cycle"] == summary["pause_cycle"]
        assert other_flows == flows
        assert [line for line in other_errors.splitlines() if "deadlock" in line] == [
            line for line in errors.splitlines() if "deadlock" in line
        ]


def test_without_pfc_the_ring_does_not_deadlock(tmp_path):
    status, errors, summary, _ = run(tmp_path, "--set", "fabric.pfc=false")
    assert status == 0, errors
    assert "pause_cycle" not in summary
