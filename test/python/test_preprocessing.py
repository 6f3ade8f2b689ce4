# SPDX-License-Identifier: GPL-2.0-only
"""Preprocessing on the way to a GPU: the simulated NIC against numpy, set-ups, bad input."""

import json
import subprocess

import numpy as np
import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example

Pipeline = load_example("balboa/preprocessing").Pipeline
HAS_GPU = "ns3::rdma::GpuPath::BarBytes=64000000000"
EXTREMES = [0, 1, -1, -2, 2**31 - 1, -(2**31), 8191, 8192, 8193, -8192, 1023, 1024]


@pytest.fixture
def run_offload(checkout):
    """Run `rocelab measure offload-preprocessing`; skips if the engine is not built."""
    program = checkout / "build" / "rocelab"
    if not program.exists():
        pytest.skip(f"no program at {program}")

    def run(*arguments):
        command = [program, "measure", "offload-preprocessing", "nic=balboa", "--json", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def get_row(result):
    """Return the row of a run that subprocess.run() has returned."""
    (row,) = json.loads(result.stdout)["rows"]
    return row


def draw_features(count):
    """Return integers of all magnitudes, and the extremes among them in all columns."""
    random = np.random.default_rng(2)
    bits = random.integers(-(2**31), 2**31, size=count) >> random.integers(0, 31, size=count)
    bits[:: len(EXTREMES) + 1][: len(bits)] = np.resize(EXTREMES, len(bits[:: len(EXTREMES) + 1]))
    return bits.astype(np.int32)


PIPELINES = [
    Pipeline(),
    Pipeline(dense=("logarithm",), sparse=("neg2zero", "modulus"), modulus=1000),
    Pipeline(dense=("modulus", "logarithm"), sparse=(), dense_columns=3, sparse_columns=2),
]


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("method", ["host", "cpu", "gpu"])
@pytest.mark.parametrize("verb", ["read", "write"])
def test_the_bytes_are_those_of_numpy(run_offload, tmp_path, pipeline, method, verb):
    features = draw_features(20_000)
    data, out = tmp_path / "in", tmp_path / "out"
    data.write_bytes(features.astype("<i4").tobytes())
    settings = [f"{name}={text}" for name, text in pipeline.get_settings().items()]
    settings += [HAS_GPU] if method == "gpu" else []
    words = [word for setting in settings for word in ("--set", setting)]
    # Batches that do not end with a row: each begins with one.
    size = 48 * 4 * 50
    words += [f"data={data}", f"out={out}", f"size={size}", f"verb={verb}", f"method={method}"]
    result = run_offload(*words)
    assert result.returncode == 0, result.stderr
    batches = [features[begin : begin + size // 4] for begin in range(0, len(features), size // 4)]
    expected = np.concatenate([pipeline.run(batch) for batch in batches])
    assert out.read_bytes() == expected.astype("<i4").tobytes()


def test_numpy_has_the_values_of_the_definition():
    rows = np.zeros(48, dtype=np.int32)
    rows[:4] = [0, 1, -5, 2**31 - 1]
    rows[16:20] = [8192, -1, 8191, -(2**31)]
    out = Pipeline().run(rows)
    floats = out[:4].view(np.float32)
    assert floats == pytest.approx([0, np.log(2), 0, 31 * np.log(2)])
    assert out[16:20].tolist() == [0, 8191, 8191, 0]


@pytest.mark.parametrize("verb", ["read", "write"])
def test_lost_packets_change_no_feature(run_offload, verb):
    # The rest of a READ that is requested again begins in the middle of a row.
    result = run_offload("loss=0.02", "size=65536", f"verb={verb}", "--seed", "3")
    assert result.returncode == 0, result.stderr
    assert get_row(result)["calls_ok"] == 1


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["--set", "ns3::rdma::PreprocessingService::DenseOperators=square"], "neg2zero, logarithm"),
        (["--set", "ns3::rdma::PreprocessingService::Modulus=0"], "Modulus"),
        (["size=6"], "whole features of 4 bytes"),
        (["verb=send"], 'expected one of read or write'),
        (["data=/no/such/file"], "expected a file with bytes"),
        (["out=/no/such/folder/file"], "expected a file that can be written"),
    ],
)
def test_bad_input_is_one_line(run_offload, arguments, expected):
    result = run_offload(*arguments)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1 and expected in result.stderr


def test_a_file_of_odd_length_is_refused(run_offload, tmp_path):
    path = tmp_path / "odd"
    path.write_bytes(bytes(4099))
    result = run_offload(f"data={path}")
    assert result.returncode == 2
    assert "whole features of 4 bytes" in result.stderr


def test_an_unknown_operator_is_refused_in_python():
    with pytest.raises(UserError, match="nearest: logarithm"):
        Pipeline(dense=("logaritm",))
    with pytest.raises(UserError, match="a logarithm last"):
        Pipeline(dense=("logarithm", "modulus"))
    with pytest.raises(UserError, match="columns"):
        Pipeline(dense_columns=0, sparse_columns=0)


def test_gpu_memory_that_is_not_registered_is_an_access_error(run_offload):
    # A READ is refused at home, a WRITE by the peer.
    for verb, status in (("read", "loc_prot_err"), ("write", "rem_access_err")):
        words = ["method=gpu", "--set", HAS_GPU, "fault=unregistered", f"verb={verb}"]
        result = run_offload(*words)
        assert result.returncode == 0, result.stderr
        assert get_row(result)[f"calls_{status}"] == 1
    result = run_offload("method=gpu")
    assert result.returncode == 2
    assert "ns3::rdma::GpuPath::BarBytes" in result.stderr


def test_the_direct_way_has_the_rate_of_the_path(run_offload):
    settings = [HAS_GPU, "ns3::rdma::GpuPath::Bandwidth=68Gbps", "ns3::rdma::GpuPath::CacheEntries=0"]
    words = [word for setting in settings for word in ("--set", setting)]
    result = run_offload("method=gpu", "mtu=4096", "size=262144", *words)
    rate = get_row(result)["throughput_MBps"]
    assert rate == pytest.approx(8500, rel=0.01)  # BALBOA-247.


def test_a_core_is_the_bottleneck_and_the_nic_is_not(run_offload):
    rates = {}
    for method in ("cpu", "host"):
        result = run_offload(f"method={method}", "mtu=4096", "size=262144")
        rates[method] = get_row(result)["throughput_MBps"]
    # A batch: 262144 B / 777.5 MB/s + 20 us + 262144 B / 7 GB/s = 394.6 us, that is 664 MB/s.
    assert rates["cpu"] == pytest.approx(664, rel=0.02)
    # A copy: 20 us + 37.4 us, that is 4564 MB/s.
    assert rates["host"] == pytest.approx(4564, rel=0.04)
