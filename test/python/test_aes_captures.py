# SPDX-License-Identifier: GPL-2.0-only
"""A capture of encrypted payload, read by tools that others wrote and decrypted apart from the engine."""

import struct

import pytest

from roce_dissection import dissect, find_faults, read_pdml, write_captures
from roce_icrc import check_icrc, read_frames

WRITE_ONLY, READ_RESPONSE_ONLY = 0x0A, 0x10
HEADERS = {WRITE_ONLY: 14 + 20 + 8 + 12 + 16, READ_RESPONSE_ONLY: 14 + 20 + 8 + 12 + 4}
ICRC = 4


def multiply(a, b):
    """Multiply in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2)."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def make_sbox():
    """Return the S-box: inverse, then the affine map of FIPS 197, section 5.1.1."""
    inverse = {a: b for a in range(1, 256) for b in range(1, 256) if multiply(a, b) == 1}
    box = []
    for value in range(256):
        x = inverse.get(value, 0)
        rotated = [(x << turn | x >> (8 - turn)) & 0xFF for turn in range(5)]
        box.append(rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ rotated[4] ^ 0x63)
    return box


SBOX = make_sbox()


def expand_key(key):
    """Return the 11 round keys (FIPS 197, section 5.2)."""
    words = [list(key[i : i + 4]) for i in range(0, 16, 4)]
    constant = 1
    for i in range(4, 44):
        word = list(words[-1])
        if i % 4 == 0:
            word = [SBOX[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = multiply(constant, 2)
        words.append([a ^ b for a, b in zip(words[i - 4], word)])
    return [sum(words[i : i + 4], []) for i in range(0, 44, 4)]


def encrypt_block(block, keys):
    """Encrypt 16 bytes (FIPS 197, section 5.1)."""
    state = [a ^ b for a, b in zip(block, keys[0])]
    for number, key in enumerate(keys[1:], 1):
        state = [SBOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if number < 10:
            columns = [state[i : i + 4] for i in range(0, 16, 4)]
            state = [
                multiply(c[r], 2) ^ multiply(c[(r + 1) % 4], 3) ^ c[(r + 2) % 4] ^ c[(r + 3) % 4]
                for c in columns
                for r in range(4)
            ]
        state = [a ^ b for a, b in zip(state, key)]
    return bytes(state)


def encrypt(plain, key):
    """Encrypt whole blocks in electronic codebook mode."""
    keys = expand_key(key)
    return b"".join(encrypt_block(plain[i : i + 16], keys) for i in range(0, len(plain), 16))


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aes")
    write_captures("AesCapture.*", folder)
    return folder / "balboa-aes.pcap"


def get_payloads(capture):
    """Return the payloads of a capture's WRITEs and READ responses."""
    payloads = []
    for frame in read_frames(capture):
        opcode = frame[14 + 20 + 8]
        if opcode in HEADERS:
            length = struct.unpack_from("!H", frame, 16)[0] + 14
            payloads.append(frame[HEADERS[opcode] : length - ICRC])
    return payloads


def test_our_own_cipher_has_the_vector_of_fips_197():
    plain = bytes.fromhex("00112233445566778899aabbccddeeff")
    key = bytes(range(16))
    assert encrypt(plain, key).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"


def test_the_wire_has_the_ciphertext_of_what_was_written(capture):
    key, *plain = capture.with_suffix(".txt").read_text().splitlines()
    expected = [encrypt(bytes.fromhex(text), bytes.fromhex(key)) for text in plain]
    assert get_payloads(capture) == expected
    assert len(expected) == 4


def test_tshark_sees_ciphertext_and_has_no_complaint(capture):
    plain = [bytes.fromhex(text) for text in capture.with_suffix(".txt").read_text().splitlines()[1:]]
    pdml = read_pdml(capture)
    packets = [packet for packet in dissect(None, pdml) if "data.data" in packet]
    shown = [bytes.fromhex(packet["data.data"][0].replace(":", "")) for packet in packets]
    assert len(shown) == len(plain)
    assert not set(shown) & set(plain)
    assert find_faults(pdml) == []


def test_the_icrc_covers_the_ciphertext(capture):
    assert check_icrc(capture) == (len(read_frames(capture)), [])
