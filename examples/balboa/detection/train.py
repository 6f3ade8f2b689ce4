#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Train the network of packet inspection on files of this system, and write its weights.

    /usr/bin/python3 examples/balboa/detection/train.py       # writes network.txt beside it
    /usr/bin/python3 examples/balboa/detection/train.py --output mine.txt --seed 2

Quantisation-aware training by hand: the forward pass has the integers of inference, the backward
pass goes through the rounding as if it were not there (straight-through estimator).  Adam, logistic
loss.  Less than 2 minutes of one core.  docs/models/balboa.md describes network and data.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "utils"))

from rocelab.validate.examples import load_example  # noqa: E402

inspection = load_example("balboa/inspection")
inspection_data = load_example("balboa/inspection_data")
LAYERS, MAX_ACTIVATION = inspection.LAYERS, inspection.MAX_ACTIVATION
OUTPUT_INPUTS = inspection.OUTPUT_INPUTS

UNIT = 256  # Of the output layer: 8 bits behind the point.
SHIFTS = (1, 3, 3)
TERNARY = 0.33  # A weight below is 0 (QKeras' ternary quantiser).
POINTS = 140_000  # Of executables, and as many of benign data.
FILE_BYTES = 1 << 20
FILE_BEATS = 600  # Of an executable, so that large ones do not outweigh all others.
PACKET_BEATS = 64  # Of a packet of 4096 bytes.
BATCH = 512
EPOCHS = 9
RATE = 5e-3
BENIGN_WEIGHT = 1.0  # Of the loss: as many benign points as others.


class Adam:
    """One parameter array under Adam."""

    def __init__(self, value):
        self.value = value
        self.mean = np.zeros_like(value)
        self.square = np.zeros_like(value)
        self.steps = 0

    def step(self, gradient, rate):
        """Change the value by one step."""
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient * gradient - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        self.value -= rate * mean / (np.sqrt(square) + 1e-8)


class Trainer:
    """The network with the floating-point values behind its integers."""

    def __init__(self, random):
        self.hidden = [
            Adam(random.uniform(-0.6, 0.6, size=shape).astype(np.float32)) for shape in LAYERS
        ]
        self.output = Adam(random.normal(0, 0.1, size=OUTPUT_INPUTS).astype(np.float32))
        self.bias = Adam(np.zeros(1, dtype=np.float32))

    def get_ternary(self):
        """Return the hidden weights as they are used."""
        return [
            np.where(np.abs(one.value) > TERNARY, np.sign(one.value), 0).astype(np.float32)
            for one in self.hidden
        ]

    def get_output(self):
        """Return the output weights as they are used."""
        return np.rint(self.output.value * UNIT) / UNIT

    def train(self, inputs, labels, weights, rate):
        """Take one step; return the loss."""
        ternary, output = self.get_ternary(), self.get_output()
        values, scaled = [inputs], []
        for layer, shift in zip(ternary, SHIFTS):
            scaled.append(values[-1] @ layer * np.float32(2.0**-shift))
            values.append(np.clip(np.floor(scaled[-1] + 0.5), 0, MAX_ACTIVATION))
        logits = values[-1] @ output + np.rint(self.bias.value * UNIT) / UNIT
        error = 1 / (1 + np.exp(-logits)) - labels
        loss = np.mean(weights * (np.logaddexp(0, logits) - labels * logits))
        error = (error * weights / len(labels)).astype(np.float32)
        gradient = error[:, None] * output[None, :]
        self.output.step(values[-1].T @ error, rate)
        self.bias.step(np.array([error.sum()], dtype=np.float32), rate)
        for i in reversed(range(len(LAYERS))):
            passes = (scaled[i] > -0.5) & (scaled[i] < MAX_ACTIVATION + 0.5)
            gradient = gradient * passes * np.float32(2.0 ** -SHIFTS[i])
            own = values[i].T @ gradient
            if i > 0:
                gradient = gradient @ ternary[i].T
            self.hidden[i].step(own, rate)
            np.clip(self.hidden[i].value, -1, 1, out=self.hidden[i].value)
        return loss

    def make_network(self, threshold=0):
        """Return the integers."""
        hidden = [one.astype(np.int8) for one in self.get_ternary()]
        output = np.rint(self.output.value * UNIT).astype(np.int64)
        bias = int(np.rint(self.bias.value[0] * UNIT))
        return inspection.Network(hidden, SHIFTS, output, bias, threshold)


def load_benign(share, most):
    """Return the beats of benign data of a share, made and found, by kind."""
    beats = {}
    base = {"train": 0, "validation": 10_000, "test": 20_000}[share]
    for kind in inspection_data.KINDS:
        found = [data for _, data in inspection_data.find_benign(share, kind, FILE_BYTES)]
        made = [inspection_data.make_benign(kind, base + i) for i in range(most // 2048)]
        beats[kind] = inspection_data.join_beats(found + made)
    return beats


def pick(random, beats, count):
    """Return so many of the beats at random, or all."""
    return beats[random.permutation(len(beats))[:count]]


def load_points(random):
    """Return beats, labels and weights of training."""
    found = [
        pick(random, inspection.get_beats(data), FILE_BEATS)
        for _, data in inspection_data.find_executables("train", FILE_BYTES)
    ]
    bad = inspection_data.drop_trivial(np.concatenate(found))
    bad = bad[~inspection_data.find_text(bad)]
    kinds = load_benign("train", POINTS // 3)
    benign = [pick(random, inspection_data.drop_trivial(one), POINTS // 3) for one in kinds.values()]
    benign = np.concatenate(benign)
    print(f"{len(found)} executables, {len(bad)} beats; {len(benign)} benign beats")
    whole = pick(random, bad, POINTS // 2)
    under = benign[random.integers(len(benign), size=POINTS * 5 // 8)]
    over = bad[random.integers(len(bad), size=len(under))]
    embedded = inspection_data.embed_in_beats(random, under, over)
    # No data at all is no executable either: beats of one byte over and over.
    plain = np.repeat(np.arange(256, dtype=np.uint8), 4)[:, None].repeat(64, axis=1)
    plain = np.concatenate([plain, np.zeros((256, 64), dtype=np.uint8)])
    beats = np.concatenate([whole, embedded, benign, plain])
    labels = np.zeros(len(beats), dtype=np.float32)
    labels[: len(whole) + len(embedded)] = 1
    return beats, labels, np.where(labels > 0, 1, BENIGN_WEIGHT).astype(np.float32)


def choose_threshold(network, share):
    """Return the score from which 1 % of the benign packets have a bad beat, each kind alike."""
    worst = []
    for beats in load_benign("validation", POINTS // 3).values():
        scores = network.get_scores(beats)
        packets = len(scores) // PACKET_BEATS
        highest = scores[: packets * PACKET_BEATS].reshape(packets, PACKET_BEATS).max(axis=1)
        worst.append(np.quantile(highest, 1 - share))
    return int(max(worst)) + 1


def run(arguments):
    """Train, print how it goes, and write the file."""
    begun = time.process_time()
    random = np.random.default_rng(arguments.seed)
    beats, labels, weights = load_points(random)
    bits = np.unpackbits(beats, axis=1)
    trainer = Trainer(random)
    steps = 0
    total = arguments.epochs * (len(bits) // BATCH)
    for epoch in range(arguments.epochs):
        order = random.permutation(len(bits))
        losses = []
        for begin in range(0, len(bits) - BATCH + 1, BATCH):
            batch = order[begin : begin + BATCH]
            rate = RATE * 0.5 * (1 + np.cos(np.pi * steps / total)) + 1e-5
            inputs = bits[batch].astype(np.float32)
            losses.append(trainer.train(inputs, labels[batch], weights[batch], np.float32(rate)))
            steps += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, {time.process_time() - begun:.0f} s")
    network = trainer.make_network()
    network.threshold = choose_threshold(network, 0.01)
    notes = [
        "Weights of packet inspection (docs/models/balboa.md), made by examples/balboa/detection/train.py",
        f"with seed {arguments.seed} on the files of a Debian 12 (x86-64).",
    ]
    inspection.write_network(arguments.output, network, notes)
    zeros = [int((layer == 0).mean() * 100) for layer in network.hidden]
    print(f"{arguments.output}: threshold {network.threshold}, zeros of each layer in %: {zeros}")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", default=str(inspection.NETWORK), help="file to write")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="passes over the points")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
