# SPDX-License-Identifier: GPL-2.0-only
"""The ternary network of packet inspection: its file, and integer inference with numpy.

The same integers as InspectionNetwork (src/fpga-rnic/model/balboa); docs/models/balboa.md has the form
of the file and the arithmetic.
"""

from pathlib import Path

import numpy as np

from rocelab.errors import UserError

BEAT_BYTES = 64
LAYERS = ((512, 32), (32, 64), (64, 64))  # Inputs, neurons (BALBOA section 5.1.2).
OUTPUT_INPUTS = 64
MAX_ACTIVATION = 7  # 3 bits.
MAX_SHIFT = 9  # A sum of 512 ones has no more bits.
MAX_WEIGHT = 2**15 - 1  # Of the output layer: 16 bits, 8 of them behind the point.
MAX_SUM = 2**24  # Bound of bias and threshold.
MAGIC = "rocelab-inspection 1"
SYMBOLS = "-0+"
NETWORK = Path(__file__).resolve().with_name("detection") / "network.txt"
CHUNK = 1 << 15  # Beats at a time.


class Network:
    """Weights: hidden layers as arrays of -1, 0, 1 by input and neuron; 1/256 are the units after."""

    def __init__(self, hidden, shifts, output, bias, threshold):
        self.hidden = hidden
        self.shifts = shifts
        self.output = output
        self.bias = bias
        self.threshold = threshold

    def get_scores(self, beats):
        """Return an integer for each beat, an array of rows of 64 bytes; the more, the worse."""
        parts = [
            self._get_scores(np.unpackbits(beats[begin : begin + CHUNK], axis=1))
            for begin in range(0, len(beats), CHUNK)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def _get_scores(self, bits):
        values = bits.astype(np.float32)  # Exact: no sum has more than 24 bits.
        for weights, shift in zip(self.hidden, self.shifts):
            sums = np.rint(values @ weights.astype(np.float32)).astype(np.int32)
            values = activate(sums, shift).astype(np.float32)
        return values.astype(np.int64) @ self.output.astype(np.int64) + self.bias

    def find_bad(self, beats, margin=0):
        """Return for each beat whether it is taken for a piece of an executable."""
        return self.get_scores(beats) >= self.threshold + margin


def activate(sums, shift):
    """Return sums shifted, rounded and bounded to 3 bits."""
    half = (1 << shift) >> 1
    return np.clip((sums + half) >> shift, 0, MAX_ACTIVATION)


def get_beats(data):
    """Return the full beats of bytes: the rest is not inspected."""
    whole = len(data) // BEAT_BYTES * BEAT_BYTES
    return np.frombuffer(data[:whole], dtype=np.uint8).reshape(-1, BEAT_BYTES)


def write_network(path, network, notes=()):
    """Write a network's file."""
    lines = ["# SPDX-License-Identifier: GPL-2.0-only"] + [f"# {note}" for note in notes] + [MAGIC]
    for (inputs, neurons), weights, shift in zip(LAYERS, network.hidden, network.shifts):
        lines.append(f"layer {inputs} {neurons} {shift}")
        lines += ["".join(SYMBOLS[weight + 1] for weight in neuron) for neuron in weights.T]
    lines.append(f"output {OUTPUT_INPUTS}")
    lines.append(" ".join(str(weight) for weight in network.output))
    lines += [f"bias {network.bias}", f"threshold {network.threshold}"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="ascii")


class _Lines:
    """The lines of a file that are neither empty nor comments."""

    def __init__(self, path):
        self.path = path
        try:
            text = Path(path).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: expected a file of weights: {error}") from None
        numbered = enumerate(text.splitlines(), 1)
        self.lines = [(number, line) for number, line in numbered if line and line[0] != "#"]
        self.next = 0

    def take(self, expected):
        """Return the next line."""
        if self.next == len(self.lines):
            raise UserError(f"{self.path}: expected {expected}, got the end of the file")
        self.next += 1
        return self.lines[self.next - 1][1]

    def fail(self, expected):
        """Refuse the line taken last."""
        number, line = self.lines[self.next - 1]
        shown = line if len(line) <= 40 else f"{len(line)} characters {line[:20]}..."
        raise UserError(f"{self.path}: line {number}: expected {expected}, got {shown}")

    def take_numbers(self, word, count, low, high):
        """Return the whole numbers behind a word."""
        expected = f"{word} and {count} whole numbers from {low} to {high}".lstrip()
        words = self.take(expected).split(" ")
        if word:
            if words.pop(0) != word:
                self.fail(expected)
        try:
            numbers = [int(one) for one in words]
        except ValueError:
            self.fail(expected)
        if len(numbers) != count or not all(low <= number <= high for number in numbers):
            self.fail(expected)
        return numbers


def read_network(path=NETWORK):
    """Return the network of a file."""
    lines = _Lines(path)
    if lines.take(MAGIC) != MAGIC:
        lines.fail(MAGIC)
    hidden, shifts = [], []
    for inputs, neurons in LAYERS:
        numbers = lines.take_numbers("layer", 3, 0, 512)
        if tuple(numbers[:2]) != (inputs, neurons) or numbers[2] > MAX_SHIFT:
            lines.fail(f"layer {inputs} {neurons} and a shift from 0 to {MAX_SHIFT}")
        expected = f"{inputs} weights, each -, 0 or +"
        rows = []
        for _ in range(neurons):
            row = lines.take(expected)
            if len(row) != inputs or set(row) - set(SYMBOLS):
                lines.fail(expected)
            rows.append([SYMBOLS.index(symbol) - 1 for symbol in row])
        hidden.append(np.array(rows, dtype=np.int8).T)
        shifts.append(numbers[2])
    if lines.take_numbers("output", 1, 0, 512) != [OUTPUT_INPUTS]:
        lines.fail(f"output {OUTPUT_INPUTS}")
    output = np.array(lines.take_numbers("", OUTPUT_INPUTS, -MAX_WEIGHT - 1, MAX_WEIGHT))
    bias = lines.take_numbers("bias", 1, -MAX_SUM, MAX_SUM)[0]
    threshold = lines.take_numbers("threshold", 1, -MAX_SUM, MAX_SUM)[0]
    if lines.next < len(lines.lines):
        lines.take("")
        lines.fail("the end of the file")
    return Network(hidden, shifts, output, bias, threshold)
