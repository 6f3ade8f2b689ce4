# SPDX-License-Identifier: GPL-2.0-only
"""Packet inspection: the simulated NIC against numpy, files of weights, rates, training."""

import csv
import functools
import io
import json
import re
import struct
import subprocess
import sys

import numpy as np
import pytest

from rocelab.errors import UserError
from rocelab.validate.examples import load_example

inspection, inspection_data, inspection_rates = (
    load_example(f"balboa/{name}") for name in ("inspection", "inspection_data", "inspection_rates")
)

BEATS = 4000


@pytest.fixture
def run_offload(checkout):
    """Run `rocelab measure offload-inspection` in the checkout; skips if the engine is not built."""
    program = checkout / "build" / "rocelab"
    if not program.exists():
        pytest.skip(f"no program at {program}")

    def run(*arguments):
        command = [program, "measure", "offload-inspection", "nic=balboa", "--json", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=checkout, check=False)

    return run


@pytest.fixture(scope="module")
def network():
    """The network of the repository."""
    return inspection.read_network()


def draw_beats(checkout):
    """Return beats of many kinds: random, sparse, dense, text, and of an executable."""
    random = np.random.default_rng(3)
    bits = random.integers(0, 256, size=(3, BEATS // 8, 64), dtype=np.uint8)
    parts = [bits[0], bits[0] & bits[1] & bits[2], bits[0] | bits[1] | bits[2]]
    text = inspection_data.make_benign("txt", 1) + inspection_data.make_benign("csv", 1)
    parts.append(inspection.get_beats(text)[: BEATS // 8])
    parts.append(inspection.get_beats(inspection_data.make_benign("png", 1))[: BEATS // 4])
    elf = inspection.get_beats((checkout / "build" / "rocelab").read_bytes()[: 1 << 22])
    parts.append(elf[random.permutation(len(elf))[: BEATS // 4]])
    return np.concatenate(parts)


def read_scores(path):
    with open(path, encoding="ascii", newline="") as file:
        return np.array([int(row["score"]) for row in csv.DictReader(file)])


@pytest.mark.parametrize("seed", [0, 1])
def test_beats_through_the_nic_have_the_scores_of_numpy(checkout, run_offload, tmp_path, seed):
    network = inspection.read_network()
    if seed:  # Random weights use all of the arithmetic.
        random = np.random.default_rng(seed)
        hidden = [random.integers(-1, 2, size=shape, dtype=np.int8) for shape in inspection.LAYERS]
        output = random.integers(-3000, 3000, size=64)
        network = inspection.Network(hidden, [0, 2, 5], output, -70, 5)
    weights, data, verdicts = tmp_path / "n.txt", tmp_path / "beats", tmp_path / "v.csv"
    inspection.write_network(weights, network)
    beats = draw_beats(checkout)
    data.write_bytes(beats.tobytes())
    options = {"data": data, "weights": weights, "verdicts": verdicts, "size": 64}
    result = run_offload(*(f"{name}={value}" for name, value in options.items()))
    assert result.returncode == 0, result.stderr
    expected = network.get_scores(beats)
    assert len(expected) > 3000
    np.testing.assert_array_equal(read_scores(verdicts), expected)
    (row,) = json.loads(result.stdout)["rows"]
    bad = int((expected >= network.threshold).sum())
    assert (row["beats"], row["bad_beats"], row["interrupts"]) == (len(beats), bad, bad)


def test_scores_follow_from_the_definition(network):
    beats = np.random.default_rng(5).integers(0, 256, size=(50, 64), dtype=np.uint8)
    for beat, score in zip(beats, network.get_scores(beats)):
        values = [int(byte) >> (7 - bit) & 1 for byte in beat for bit in range(8)]
        for weights, shift in zip(network.hidden, network.shifts):
            sums = [sum(w * v for w, v in zip(row, values)) for row in weights.T.tolist()]
            half = 2**shift // 2
            values = [min(max((one + half) >> shift, 0), 7) for one in sums]
        assert score == sum(w * v for w, v in zip(network.output.tolist(), values)) + network.bias


BAD_FILES = {
    "version": (lambda text: text.replace("inspection 1", "inspection 2"), "line 4"),
    "shape": (lambda text: text.replace("layer 32 64", "layer 32 63"), "layer 32 64 and a shift"),
    "short row": (lambda text: text.replace("\nlayer 32", "+\nlayer 32"), "512 weights"),
    "symbol": (lambda text: re.sub(".\nlayer 32", "x\nlayer 32", text), "512 weights"),
    "word": (lambda text: text.replace("bias ", "bias x"), "bias"),
    "cut": (lambda text: text[: text.index("bias")], "bias"),
    "more": (lambda text: text + "0\n", "the end of the file"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_of_weights_is_one_line_in_python_and_in_the_program(
    run_offload, tmp_path, name
):
    change, expected = BAD_FILES[name]
    path = tmp_path / "weights.txt"
    path.write_text(change(inspection.NETWORK.read_text()))
    result = run_offload(f"weights={path}", "messages=1")
    with pytest.raises(UserError, match=expected) as error:
        inspection.read_network(path)
    assert str(path) in str(error.value)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1 and f"{path}:" in result.stderr


def test_a_scenario_without_weights_is_refused(checkout, tmp_path):
    program = checkout / "build" / "rocelab"
    if not program.exists():
        pytest.skip(f"no program at {program}")
    scenario = {
        "name": "x",
        "fabric": {"topology": "star", "servers": 2},
        "groups": {"a": [0]},
        "nics": ["strom100g"],
        "kernels": {"a": ["ns3::rdma::InspectionService"]},
        "workload": {"type": "list", "flows": [[0, 1, 4096, "0us"]]},
    }
    path = tmp_path / "x.json"
    path.write_text(json.dumps(scenario))
    result = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "expected a file of weights" in result.stderr and "$.kernels.a[0]" in result.stderr


def test_executables_are_found_and_data_made_here_pass(checkout, network):
    # The build's own programs: compiled by this machine's compiler, in no training.
    built = [path for path in (checkout / "build").glob("*") if path.is_file()]
    built = [path.read_bytes()[: 1 << 20] for path in sorted(built)]
    built = [data for data in built if data[:4] == inspection_data.ELF_MAGIC]
    if not built:
        pytest.skip("nothing is built")
    packets = inspection_rates.join_packets(built)[::4]  # Enough for a share.
    detected = inspection_rates.get_worst(network, packets) >= network.threshold
    assert detected.mean() > 0.6
    for kind in inspection_data.KINDS:
        made = [inspection_data.make_benign(kind, 30_000 + i, 1 << 14) for i in range(3)]
        worst = inspection_rates.get_worst(network, inspection_rates.join_packets(made))
        assert (worst >= network.threshold).mean() < 0.06


def test_packets_of_code_lie_within_an_executable_segment():
    # Two program headers at byte 64: data from 0 on, code from 4096 to 12,288 of 16,384 bytes.
    head = bytearray(16_384)
    head[:5] = b"\x7fELF\x02"
    head[32:40] = (64).to_bytes(8, "little")
    head[56:58] = (2).to_bytes(2, "little")
    struct.pack_into("<IIQQQQ", head, 64, 1, 4, 0, 0, 0, 4096)
    struct.pack_into("<IIQQQQ", head, 64 + 56, 1, 5, 4096, 0, 0, 8192)
    for number in range(4):
        head[4096 * number + 200] = number
    code, rest = inspection_rates.split_code([bytes(head)])
    assert [packet[200] for packet in code] == [1, 2]
    assert [packet[200] for packet in rest] == [0, 3]
    # No ELF file, and one whose program headers are cut off.
    code, rest = inspection_rates.split_code([bytes(4096), bytes(head[:100]) + bytes(3996)])
    assert len(code) == 0 and len(rest) == 2


def test_data_are_the_same_each_time_and_of_their_kind():
    make = functools.partial(inspection_data.make_benign, size=1 << 13)
    for kind in inspection_data.KINDS:
        assert make(kind, 4) == make(kind, 4)
        assert make(kind, 4) != make(kind, 5)
    assert make("png", 1).startswith(b"\x89PNG")
    matplotlib_image = pytest.importorskip("matplotlib.image")
    pixels = matplotlib_image.imread(io.BytesIO(make("png", 1)))
    assert pixels.shape[0] == pixels.shape[1]
    rows = list(csv.reader(make("csv", 2).decode().splitlines()))
    assert len(rows) > 100


def test_training_learns_and_depends_on_its_seed_alone():
    training = load_example("balboa/detection/train")

    def train(seed):
        random = np.random.default_rng(seed)
        trainer = training.Trainer(random)
        bits = random.integers(0, 2, size=(64, 512))
        labels = bits[:, 0].astype(np.float32)
        step = (bits.astype(np.float32), labels, np.ones(64, dtype=np.float32), np.float32(0.01))
        losses = [trainer.train(*step) for _ in range(60)]
        return losses, trainer.make_network(), bits

    losses, network, bits = train(1)
    assert losses[-1] < 0.3 * losses[0]
    again = train(1)[1]
    assert all((a == b).all() for a, b in zip(network.hidden, again.hidden))
    assert (network.output == again.output).all()
    # The integers are those that training used: what it has learned, they know.
    right = (network.get_scores(np.packbits(bits, axis=1)) > 0) == (bits[:, 0] > 0)
    assert right.mean() > 0.95


def test_the_training_script_says_how_it_is_used(checkout):
    script = checkout / "examples" / "balboa" / "detection" / "train.py"
    result = subprocess.run(
        [sys.executable, script, "--help"], capture_output=True, text=True, check=True
    )
    assert "--seed" in result.stdout
