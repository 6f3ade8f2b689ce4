# SPDX-License-Identifier: GPL-2.0-only
"""examples/start/own-kernel: a user's kernel as a plug-in, chosen in a scenario."""

import pytest
from program import ROOT, call, expect_one_line, needs_plugins, read_json

EXAMPLE = ROOT / "examples" / "start" / "own-kernel"
KERNELS = ["GetKernel", "CachedGet"]

pytestmark = needs_plugins("cached-get")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """{kernel: results of the example with it}."""
    folders = {}
    for kernel in KERNELS:
        out = tmp_path_factory.mktemp(kernel)
        settings = ["--set", f"workload.kernel=ns3::rdma::{kernel}", "--set", "workload.duration=1ms"]
        ended = call("run", EXAMPLE / "own-kernel.json", "--out", out, *settings, plugins=["cached-get"])
        assert ended.returncode == 0, ended.stderr
        folders[kernel] = out / "own-kernel" / "strom100g"
    return folders


def test_its_source_has_less_than_a_hundred_lines():
    assert len((EXAMPLE / "cached-get.cc").read_text().splitlines()) < 100


def test_popular_keys_are_answered_from_the_chip(results):
    plain, cached = (read_json(results[kernel] / "summary.json")["rpc"] for kernel in KERNELS)
    assert cached["status"]["ok"] == cached["requests"]
    # Two reads over PCIe take 3 us; about half of the requests are for values on the chip.
    assert cached["latency_us"]["p50"] < plain["latency_us"]["p50"] - 1.5
    assert cached["requests_per_second"] > plain["requests_per_second"]


def test_the_scenario_names_the_plugin(results):
    resolved = read_json(results["CachedGet"] / "scenario.json")
    assert resolved["rocelab"]["plugins"] == ["cached-get.so"]
    assert resolved["kernels"]["stores"][1]["type"] == "ns3::rdma::CachedGet"


def test_without_the_plugin_the_kernel_is_unknown():
    line = "$.kernels.stores[1].type: expected a type below ns3::rdma::OffloadKernel"
    expect_one_line(call("check", EXAMPLE / "own-kernel.json"), line)
