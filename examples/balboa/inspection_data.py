# SPDX-License-Identifier: GPL-2.0-only
"""Data to train and judge packet inspection with: texts, tables and pictures, and executables.

Benign data are made here from a seed, or found in the folders where a Linux has some; executables
(ELF) are found.  A file is held out from training, or not, by a hash of its path.
"""

import functools
import hashlib
import struct
import zlib
from pathlib import Path

import numpy as np

from .inspection import BEAT_BYTES, get_beats


KINDS = ("csv", "png", "txt")
BENIGN_FOLDERS = ("/usr/share", "/usr/lib/python3", "/usr/lib/python3.11")
ELF_FOLDERS = ("/usr/bin", "/usr/sbin", "/usr/lib/x86_64-linux-gnu", "/usr/lib64")
ELF_MAGIC = b"\x7fELF"
TEXT_SUFFIXES = (".txt", ".rst", ".md")
SHARES = {"test": range(0, 3), "validation": range(3, 4), "train": range(4, 10)}  # Tenths.
MADE_BYTES = 1 << 16  # Of a file that is made.
WORD_BYTES = 8  # Executables are embedded by words (train_fc.py of fpgasystems/AMD-OHC-2024).
SYLLABLES = (
    "an be co da el fa go hi in ja ka lo me no or pa qua re si tu un ver wa xi yo ze tion ing er"
    " al st th en le ra ma ti ch is ro de"
).split()


def get_share(path):
    """Return to which share of the data a file belongs."""
    tenth = hashlib.sha256(str(path).encode()).digest()[0] % 10
    return next(name for name, tenths in SHARES.items() if tenth in tenths)


def make_words(random, count):
    """Return words, a few of them frequent as in a language (Zipf)."""
    vocabulary = [
        "".join(random.choice(SYLLABLES, size=random.integers(1, 5))) for _ in range(2000)
    ]
    ranks = np.minimum(random.zipf(1.3, size=count) - 1, len(vocabulary) - 1)
    return [vocabulary[rank] for rank in ranks]


def make_text(random, size):
    """Return sentences in lines."""
    out, line, begins = [], "", True
    for word in make_words(random, size // 3):
        word = word.capitalize() if begins else word
        begins = random.random() < 0.08
        word += random.choice([".", ".", "!", "?", ":"]) if begins else ""
        word += "," if not begins and random.random() < 0.05 else ""
        if len(line) + len(word) > 78:
            out.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join(out).encode()[:size]


def make_csv(random, size):
    """Return a table: a name, whole numbers, fractions, a date."""
    separator = str(random.choice([",", ";", "\t"]))
    names = make_words(random, 300)
    rows = [separator.join(["name", "count", "value", "share", "date"])]
    for i in range(size // 24):
        cells = [
            names[int(random.integers(len(names)))],
            str(int(random.integers(10 ** int(random.integers(1, 8))))),
            f"{random.normal(0, 1000):.{int(random.integers(1, 7))}f}",
            f"{random.random():.4f}",
            f"20{i % 30:02d}-{1 + i % 12:02d}-{1 + i % 28:02d}",
        ]
        rows.append(separator.join(cells))
    return "\n".join(rows).encode()[:size]


def make_png(random, size):
    """Return a picture: slopes and noise, so that it has about a size when it is compressed."""
    side = int(np.sqrt(size / 2))
    y, x = np.mgrid[0:side, 0:side]
    slopes = random.uniform(-2, 2, size=(3, 2))
    noise = random.integers(0, 64, size=(side, side, 3))
    pixels = np.stack([a * x + b * y for a, b in slopes], axis=2) + noise
    rows = pixels.astype(np.int64).astype(np.uint8).reshape(side, side * 3)
    raw = np.hstack([np.zeros((side, 1), dtype=np.uint8), rows]).tobytes()

    def make_chunk(name, data):
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = make_chunk(b"IHDR", header) + make_chunk(b"IDAT", zlib.compress(raw, 6))
    return b"\x89PNG\r\n\x1a\n" + chunks + make_chunk(b"IEND", b"")


MAKERS = {"csv": make_csv, "png": make_png, "txt": make_text}


def make_benign(kind, number, size=MADE_BYTES):
    """Return the bytes of a made file: the same for the same number."""
    random = np.random.default_rng([KINDS.index(kind), number])
    return MAKERS[kind](random, size)


def get_kind(path):
    """Return the kind of a benign file by its suffix, or None."""
    if path.suffix in TEXT_SUFFIXES:
        return "txt"
    return path.suffix[1:] if path.suffix in (".csv", ".png") else None


@functools.cache
def list_files(folders, recursive):
    """Return the files of folders, links left out, in an order that is the same each time."""
    found = set()
    for folder in map(Path, folders):
        paths = folder.rglob("*") if recursive else folder.glob("*")
        found |= {path for path in paths if path.is_file() and not path.is_symlink()}
    return sorted(found)


def read_file(path, most):
    """Return the first bytes of a file; none if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return b""


def find_executables(share, most, limit=None):
    """Yield path and first bytes of the executables of a share."""
    paths = [path for path in list_files(ELF_FOLDERS, False) if get_share(path) == share]
    count = 0
    for path in sorted(paths, key=lambda path: hashlib.sha256(str(path).encode()).digest()):
        data = read_file(path, most)
        if data[:4] == ELF_MAGIC:
            yield path, data
            count += 1
            if count == limit:
                return


def find_benign(share, kind, most, limit=None):
    """Yield path and first bytes of the benign files of a share and a kind that the system has."""
    paths = [path for path in list_files(BENIGN_FOLDERS, True) if get_kind(path) == kind]
    paths = [path for path in paths if get_share(path) == share]
    paths.sort(key=lambda path: hashlib.sha256(str(path).encode()).digest())
    for path in paths[:limit]:
        data = read_file(path, most)
        if len(data) >= BEAT_BYTES and data[:4] != ELF_MAGIC:
            yield path, data


def drop_trivial(beats):
    """Return beats without doubles, and without those of one byte over and over: no data."""
    beats = np.unique(beats, axis=0)
    return beats[(beats != beats[:, :1]).any(axis=1)]


def find_text(beats):
    """Return for each beat whether it is nothing but printable characters, blanks and zeros.

    An executable has such strings, too; nobody could tell them from a text.
    """
    printable = ((beats >= 32) & (beats < 127)) | np.isin(beats, (0, 9, 10, 13))
    return printable.all(axis=1)


def join_beats(files):
    """Return the beats of all files together."""
    parts = [get_beats(data) for data in files]
    return np.concatenate(parts) if parts else np.zeros((0, BEAT_BYTES), dtype=np.uint8)


def embed_in_beats(random, benign, bad):
    """Return benign beats that have 1 to 7 words of a bad one, at the same places.

    As train_fc.py of fpgasystems/AMD-OHC-2024 makes them, but that pieces of text are left out.
    """
    words = BEAT_BYTES // WORD_BYTES
    length = random.integers(1, words, size=len(benign))
    begin = (random.random(len(benign)) * (words - length + 1)).astype(np.int64)
    word = np.arange(BEAT_BYTES) // WORD_BYTES
    isBad = (word >= begin[:, None]) & (word < (begin + length)[:, None])
    isText = find_text(np.where(isBad, bad, 0))
    return np.where(isBad, bad, benign)[~isText]
