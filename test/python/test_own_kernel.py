# SPDX-License-Identifier: GPL-2.0-only
"""examples/start/own-kernel: a user's kernel as a plug-in, chosen in a scenario."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ROCELAB_BUILD", ROOT / "build"))
EXAMPLE = ROOT / "examples" / "start" / "own-kernel"
PLUGIN = BUILD / "test" / "cached-get.so"

pytestmark = pytest.mark.skipif(not PLUGIN.exists(), reason="plug-ins are not built")


def rocelab(*arguments, plugin=PLUGIN):
    options = ["--plugin", plugin] if plugin else []
    return subprocess.run(
        [BUILD / "rocelab", *arguments, *options], capture_output=True, text=True, check=False
    )


def run(out, kernel):
    ended = rocelab(
        "run",
        EXAMPLE / "own-kernel.json",
        "--out",
        out,
        "--set",
        f"workload.kernel={kernel}",
        "--set",
        "workload.duration=1ms",
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads((out / "own-kernel" / "strom100g" / "summary.json").read_text())["rpc"]


def test_its_source_has_less_than_a_hundred_lines():
    assert len((EXAMPLE / "cached-get.cc").read_text().splitlines()) < 100


def test_popular_keys_are_answered_from_the_chip(tmp_path):
    plain = run(tmp_path, "ns3::rdma::GetKernel")
    cached = run(tmp_path, "ns3::rdma::CachedGet")
    assert cached["status"]["ok"] == cached["requests"]
    # Two reads over PCIe take 3 us; about half of the requests are for values on the chip.
    assert cached["latency_us"]["p50"] < plain["latency_us"]["p50"] - 1.5
    assert cached["requests_per_second"] > plain["requests_per_second"]


def test_the_scenario_names_the_plugin(tmp_path):
    run(tmp_path, "ns3::rdma::CachedGet")
    resolved = json.loads((tmp_path / "own-kernel" / "strom100g" / "scenario.json").read_text())
    assert resolved["rocelab"]["plugins"] == ["cached-get.so"]
    assert resolved["kernels"]["stores"][1]["type"] == "ns3::rdma::CachedGet"


def test_without_the_plugin_the_kernel_is_unknown():
    ended = rocelab("check", EXAMPLE / "own-kernel.json", plugin=None)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "$.kernels.stores[1].type: expected a type below ns3::rdma::OffloadKernel" in ended.stderr
    assert ended.stderr.count("\n") == 1
