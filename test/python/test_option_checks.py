# SPDX-License-Identifier: GPL-2.0-only
"""Options of the program: empty texts, numbers that are none, and options without effect are refused."""

import json
import subprocess

import pytest
from limits import TIME_LIMIT
from sweeps import NEEDS_PROGRAM, PROGRAM, ROOT

pytestmark = NEEDS_PROGRAM

EMPTY = "expected a value, got an empty text"
NUMBER = "expected a decimal number, got "
COMPARE = str(ROOT / "examples" / "start" / "compare" / "as-designed.json")

REFUSED = [
    (["perftest", "write_bw", "-s", ""], EMPTY),
    (["perftest", "write_bw", "--out", ""], EMPTY),
    (["perftest", "write_bw", "--gap", ""], EMPTY),
    (["perftest", ""], EMPTY),
    (["perftest", "write_bw", "--loss", ""], NUMBER + "an empty text"),
    (["perftest", "write_bw", "--loss", "nan"], NUMBER + "nan"),
    (["perftest", "write_bw", "--loss", "0x1p-3"], NUMBER + "0x1p-3"),
    (["perftest", "write_bw", "-n", "0x10"], "expected a whole number below 2^32, got 0x10"),
    (["measure", ""], EMPTY),
    (["measure", "kv-dma", ""], EMPTY),
    (["measure", "kv-dma", "--set", ""], EMPTY),
    (["measure", "tcp-bw", "size="], 'tcp-bw.size: expected a number of bytes above zero, such as 1000 or "1MB", got ""'),
    (["measure", "tcp-bw", "threads=0x10"], 'expected a whole number from 1 to 1024, got "0x10"'),
    (["measure", "tcp-bw", "threads= 5"], 'expected a whole number from 1 to 1024, got " 5"'),
    (["measure", "offload-get", "loss=inf"], 'loss: expected a number, got "inf"'),
    (["measure", "kv-dispatch", "throughput=nan"], 'expected a number, got "nan"'),
    (["measure", "kv-dispatch", "memory=0.5,nan"], 'kv-dispatch.memory[1]: expected a number, got "nan"'),
    (["measure", "kv-store", "memory="], "memory: expected a number of bytes above zero"),
    (["measure", "kv-slabs", "slots=64"], "expected a known key"),
    (["run", ""], EMPTY),
    (["run", COMPARE, "--out", ""], EMPTY),
    (["run", COMPARE, "--jobs", "0x2"], NUMBER + "0x2"),
    (["check", COMPARE, "--base", ""], EMPTY),
    (["check", COMPARE, "--nic", ""], EMPTY),
    (["list", "pipeline", "--nic", ""], EMPTY),
]


def run(*words):
    """Run the program; returns what subprocess.run() does."""
    return subprocess.run([PROGRAM, *words], capture_output=True, encoding="utf-8", timeout=TIME_LIMIT, check=False)


@pytest.mark.parametrize("words, expected", REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_what_would_be_accepted_in_silence_is_refused(words, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert (result.returncode, result.stdout) == (2, "")
    assert expected in result.stderr and result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


ACCEPTED = [
    ["kv-dispatch", "throughput=0.5,1e0,2", "memory=6.25e-2"],
    ["tcp-lat", "size=64", "mtu=1500"],
    ["kv-merge", "slots=65536", "merge=bitmap", "threads=1"],
    ["kv-slabs", "memory=1MiB", "slab=64"],
    ["kv-processor", "memory=1MiB", "operations=100", "warmup=0"],
]


@pytest.mark.parametrize("words", ACCEPTED, ids=" ".join)
def test_usual_numbers_are_read(words):
    assert run("measure", *words).returncode == 0


def test_inspection_finds_its_weights_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("measure", "offload-inspection", "nic=balboa", "size=4096", "--json")
    assert result.returncode == 0, result.stderr
    assert "examples/balboa/detection/network.txt" in result.stdout


def test_flows_that_a_precision_cuts_off_are_counted(tmp_path):
    words = [COMPARE, "--nic", "irn", "--set", "run.precision=0.3", "--set", "workload.duration=2ms"]
    words += ["--set", "run.drain=false", "--set", "run.warmup=100us"]
    result = run("run", *words, "--out", str(tmp_path))
    assert result.returncode in (0, 3), result.stderr

    (path,) = tmp_path.glob("as-designed/irn/summary.json")
    flows = json.loads(path.read_text())["flows"]
    left = flows["started"] - flows["completed"] - flows["failed"] - flows["stalled"]
    assert left > 0 and flows["unfinished"] == left
    assert f"{left} unfinished" in result.stdout
