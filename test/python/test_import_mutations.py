# SPDX-License-Identifier: GPL-2.0-only
"""5,000 damaged files of other simulators, imported in this process: each loads or ends with one line."""

import random
import re

import pytest
from imported import write_attribute_of, write_field, write_node, write_trace
from test_import_hostile import GOOD, WORDS, mutate_binary, mutate_text

from rocelab.__main__ import main, make_parser
from rocelab.errors import UserError
from rocelab.importers.chakra_file import COLL, COMP, METADATA, RECV, SEND
from rocelab.importers.command import run_import

FILES = 5000  # Of all formats together.
SEED = 7
LEAST = 10  # That load, and that are refused, of a format.
TYPES = "chakra-types"  # Traces whose attributes have any type.
KINDS = [*GOOD, TYPES]
OPTIONS = {
    "cm": ["--until", "1ms"],
    "msccl": ["--bytes", "1kB"],
    "chakra": ["--peak-tflops", "1", "--memory-bandwidth", "1e-300"],
    TYPES: ["--peak-tflops", "1", "--memory-bandwidth", "1e-300"],
}
#: "FILE: expected ..., got ...", with a line or a byte where there is one.
LINE = re.compile(r"[^\n]+?(:[0-9]+|: byte [0-9]+)?: expected [^\n]+, got:? [^\n]*")
NAMES = ("num_ops", "tensor_size", "comm_size", "comm_dst", "comm_src", "comm_tag", "comm_type", "pg_name", "is_cpu_op", "stream")
VALUES = ("", "x", "7", 0, 1, 3, -1, 2**63 - 1, 0.5, 1e308, float("inf"), float("nan"), True, b"\xff", 2**40)


def damage_text(data, chance):
    """Return a text with words and lines changed, and maybe a letter."""
    for _ in range(chance.randrange(3)):
        data = mutate_text(data, chance) or data
    return mutate_letters(data, chance) if chance.random() < 0.4 else data


def mutate_letters(data, chance):
    """Return bytes with one replaced, inserted or removed."""
    place = chance.randrange(len(data) + 1)
    new = chance.choice((b"\0", b"\xff", b"\n", b" ", b"9", b"-", b".", b"e", b"\t", b"\xc3\xa9"))
    return data[:place] + chance.choice((b"", new)) + data[place + chance.randrange(2) :]


def damage_nodes(chance):
    """Return nodes of a trace of rank 0: one message to rank 1, and others with attributes of any type."""
    nodes = [write_node(100, SEND, comm_size=8, comm_dst=1)]
    for number in range(chance.randrange(1, 5)):
        kind = chance.choice((COMP, COMP, COMP, SEND, COLL, METADATA))
        body = write_field(1, number) + write_field(2, f"node {number}") + write_field(3, kind)
        body += write_field(7, chance.choice((0, 0, 5)))
        if number and chance.random() < 0.5:
            body += write_field(5, number - 1)
        for name in chance.sample(NAMES, chance.randrange(len(NAMES))):
            body += write_attribute_of(name, chance.choice(VALUES))
        nodes.append(body)
    return nodes


def write_damaged(kind, path, good, chance):
    """Replace a good file by a damaged one."""
    if kind == TYPES:
        write_trace(path, damage_nodes(chance))
        write_trace(path.with_name("types.1.et"), [write_node(1, RECV, comm_size=8, comm_src=0)])
    else:
        damage = mutate_binary if kind in ("goal-binary", "chakra") else damage_text
        path.write_bytes(damage(good, chance))


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_loads_or_ends_with_one_line(kind, tmp_path, capsys):
    path = tmp_path / "types.0.et" if kind == TYPES else GOOD[kind](tmp_path)
    good = b"" if kind == TYPES else path.read_bytes()
    target = tmp_path / "out.json"
    words = ["import", str(path), "--to", str(target), "--build", "no-build", *OPTIONS.get(kind, [])]
    options = make_parser().parse_args(words)
    chance = random.Random(f"{SEED} {kind}")
    loaded = 0
    for number in range(FILES // len(KINDS) + (KINDS.index(kind) < FILES % len(KINDS))):
        write_damaged(kind, path, good, chance)
        target.unlink(missing_ok=True)
        try:
            run_import(options)
            assert target.exists()
            loaded += 1
        except UserError as error:
            assert LINE.fullmatch(str(error)), (number, str(error))
            assert str(tmp_path) in str(error), (number, str(error))
            assert not target.exists()
        except Exception as error:
            raise AssertionError(f"file {number} of {kind}: {path.read_bytes()!r}") from error
    capsys.readouterr()
    assert loaded >= LEAST
    assert number + 1 - loaded >= LEAST


def test_words_of_mutations_are_words_that_importers_read_as_numbers():
    # int() and float() of Python accept more than a file of numbers has.
    assert {"1 1", "_", "nan", "0x10", "\u00e9"} <= set(WORDS)


@pytest.mark.parametrize("option, value", [("--memory-bandwidth", "1e-300"), ("--peak-tflops", "1e-300")])
def test_a_roofline_beyond_all_times_is_one_line(tmp_path, capsys, option, value):
    node = write_node(1, 4, num_ops=10**9, tensor_size=10**9)
    for rank in range(2):
        write_trace(tmp_path / f"t.{rank}.et", [node])
    options = {"--peak-tflops": "1", "--memory-bandwidth": "1", option: value}
    words = [word for pair in options.items() for word in pair]
    assert main(["import", str(tmp_path / "t.0.et"), "--to", str(tmp_path / "x.json"), *words]) == 2
    error = capsys.readouterr().err
    assert "expected a computation of at most 1000000 s by --peak-tflops and --memory-bandwidth of node 1, got num_ops 1e+09" in error
    assert error.count("\n") == 1
