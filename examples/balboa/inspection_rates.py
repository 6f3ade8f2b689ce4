# SPDX-License-Identifier: GPL-2.0-only
"""How often packet inspection is right: beats and packets of files held out from training."""

import struct
from dataclasses import dataclass, field

import numpy as np

from . import inspection, inspection_data


PACKET_BYTES = 4096
FILE_BYTES = 1 << 20
FOUND_FILES = 40  # Of each kind.
MADE_FILES = 8
EMBEDDED_BEATS = 8  # Of an executable, one behind the other, in a packet of 64 beats.
NO_BEAT = -(2**31)
# ELF: sizes of the file's header and of a program header; a class, a type and a flag of segments.
ELF_HEADER, PROGRAM_HEADER, ELF_64, LOADED, EXECUTABLE = 64, 56, 2, 1, 1


@dataclass
class Files:
    """Bytes of files by kind, "elf" among them."""

    kinds: dict = field(default_factory=dict)

    def count(self):
        """Return how many files there are of each kind."""
        return {kind: len(files) for kind, files in self.kinds.items()}


def load_held_out(found=FOUND_FILES, made=MADE_FILES):
    """Return the files that training has not seen: made here, and found on this system."""
    files = Files()
    for kind in inspection_data.KINDS:
        data = [one for _, one in inspection_data.find_benign("test", kind, FILE_BYTES, found)]
        data += [inspection_data.make_benign(kind, 20_000 + i) for i in range(made)]
        files.kinds[kind] = data
    elf = inspection_data.find_executables("test", FILE_BYTES, found)
    files.kinds["elf"] = [data for _, data in elf]
    return files


def split_packets(data):
    """Return the whole packets of a file as rows of bytes."""
    whole = len(data) // PACKET_BYTES * PACKET_BYTES
    return np.frombuffer(data[:whole], dtype=np.uint8).reshape(-1, PACKET_BYTES)


def get_worst(network, packets):
    """Return the highest score of each packet's beats."""
    beats = packets.reshape(-1, inspection.BEAT_BYTES)
    scores = network.get_scores(np.ascontiguousarray(beats))
    return scores.reshape(len(packets), -1).max(axis=1) if len(packets) else scores


def get_code_ranges(data):
    """Return where a 64-bit ELF file has its executable segments, as (begin, end) in bytes.

    Program headers: System V ABI, "Program Loading and Dynamic Linking".
    """
    if len(data) < ELF_HEADER or data[:4] != b"\x7fELF" or data[4] != ELF_64:
        return []
    begin = int.from_bytes(data[32:40], "little")
    count = int.from_bytes(data[56:58], "little")
    ranges = []
    end = min(begin + count * PROGRAM_HEADER, len(data) - PROGRAM_HEADER + 1)
    for at in range(begin, end, PROGRAM_HEADER):
        kind, flags, offset, _, _, size = struct.unpack_from("<IIQQQQ", data, at)
        if kind == LOADED and flags & EXECUTABLE:
            ranges.append((offset, offset + size))
    return ranges


def split_code(files):
    """Return the packets of executables that lie within an executable segment, and the others."""
    code, rest = [], []
    for data in files:
        ranges = get_code_ranges(data)
        for number, packet in enumerate(split_packets(data)):
            begin = number * PACKET_BYTES
            is_code = any(low <= begin and begin + PACKET_BYTES <= high for low, high in ranges)
            (code if is_code else rest).append(packet)
    return tuple(np.array(part, dtype=np.uint8).reshape(-1, PACKET_BYTES) for part in (code, rest))


def join_packets(files):
    """Return the packets of all files."""
    parts = [split_packets(data) for data in files]
    empty = np.zeros((0, PACKET_BYTES), dtype=np.uint8)
    return np.concatenate([empty, *parts])


def embed_in_packets(random, benign, bad):
    """Return benign packets that have some beats of a bad one, one behind the other, at a border."""
    size = EMBEDDED_BEATS * inspection.BEAT_BYTES
    out = benign.copy()
    places = PACKET_BYTES // inspection.BEAT_BYTES - EMBEDDED_BEATS + 1
    for row, source in zip(out, bad):
        to = int(random.integers(places)) * inspection.BEAT_BYTES
        begin = int(random.integers(places)) * inspection.BEAT_BYTES
        row[to : to + size] = source[begin : begin + size]
    return out


@dataclass
class Scores:
    """Scores of what is judged: arrays by name, bad ones and benign ones."""

    bad: dict
    benign: dict

    def get_rates(self, threshold):
        """Return {name: share judged bad}."""
        both = self.bad | self.benign
        return {name: float((scores >= threshold).mean()) for name, scores in both.items()}


def score_beats(network, files, random):
    """Return the scores of beats: of executables, embedded ones, benign ones by kind."""
    elf = inspection_data.drop_trivial(inspection_data.join_beats(files.kinds["elf"]))
    code = elf[~inspection_data.find_text(elf)]
    kinds = {
        kind: inspection_data.drop_trivial(inspection_data.join_beats(files.kinds[kind]))
        for kind in inspection_data.KINDS
    }
    least = min(map(len, kinds.values()))
    even = np.concatenate(
        [beats[random.permutation(len(beats))[:least]] for beats in kinds.values()]
    )
    count = min(len(code), 60_000)
    under = even[random.integers(len(even), size=count)]
    over = code[random.integers(len(code), size=count)]
    embedded = inspection_data.embed_in_beats(random, under, over)
    bad = {"whole": code, "embedded": embedded, "all": elf}
    return Scores(
        {name: network.get_scores(beats) for name, beats in bad.items()},
        {name: network.get_scores(beats) for name, beats in (kinds | {"benign": even}).items()},
    )


def score_packets(network, files, random):
    """Return the same of packets: the highest score of a packet's beats."""
    bad = join_packets(files.kinds["elf"])
    kinds = {kind: join_packets(files.kinds[kind]) for kind in inspection_data.KINDS}
    least = min(map(len, kinds.values()))
    even = np.concatenate(
        [packets[random.permutation(len(packets))[:least]] for packets in kinds.values()]
    )
    source = bad[random.integers(len(bad), size=len(even))]
    embedded = embed_in_packets(random, even, source)
    return Scores(
        {"whole": get_worst(network, bad), "embedded": get_worst(network, embedded)},
        {name: get_worst(network, packets) for name, packets in (kinds | {"benign": even}).items()},
    )


def get_confusion(scores, threshold):
    """Return [[missed, detected], [passed, false alarms]] in counts: bad, then benign."""
    bad = scores.bad["whole"] >= threshold
    benign = scores.benign["benign"] >= threshold
    return [
        [int((~bad).sum()), int(bad.sum())],
        [int((~benign).sum()), int(benign.sum())],
    ]
