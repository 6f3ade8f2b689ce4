# SPDX-License-Identifier: GPL-2.0-only
"""The wire format of protobuf: fields of a message as numbers and bytes."""

import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_VARINT = 10  # Bytes.


class WireError(ValueError):
    """A message that is none; `offset` is where in the bytes that were read."""

    def __init__(self, offset, expected):
        super().__init__(expected)
        self.offset = offset


def read_varint(data, offset):
    """Return (value, offset behind it)."""
    value = 0
    for place in range(MAX_VARINT):
        if offset + place >= len(data):
            raise WireError(offset, "a number that ends within its message")
        byte = data[offset + place]
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value & (1 << 64) - 1, offset + place + 1
    raise WireError(offset, f"a number of at most {MAX_VARINT} bytes")


def read_fields(data):
    """Yield (field number, wire type, value) of a message; values are integers or bytes."""
    offset = 0
    while offset < len(data):
        start = offset
        key, offset = read_varint(data, offset)
        kind = key & 7
        if kind == VARINT:
            value, offset = read_varint(data, offset)
        else:
            size = {FIXED64: 8, FIXED32: 4}.get(kind)
            if kind == BYTES:
                size, offset = read_varint(data, offset)
            if size is None or key < 8:
                raise WireError(start, f"a field of protobuf, not one of type {kind}")
            if offset + size > len(data):
                raise WireError(start, "a field that ends within its message")
            value = data[offset : offset + size]
            offset += size
        yield key >> 3, kind, value


def read_messages(data):
    """Yield (offset, bytes) of messages that follow each other, each behind its length."""
    offset = 0
    while offset < len(data):
        start = offset
        size, offset = read_varint(data, offset)
        if offset + size > len(data):
            raise WireError(start, "a message that ends within the file")
        yield start, data[offset : offset + size]
        offset += size


def read_packed(kind, value):
    """Return the numbers of a repeated field, packed or not."""
    if kind == VARINT:
        return [value]
    numbers, offset = [], 0
    while kind == BYTES and offset < len(value):
        number, offset = read_varint(value, offset)
        numbers.append(number)
    return numbers


def to_signed(value):
    """Return an int32 or int64 of a varint."""
    return value - (1 << 64) if value >> 63 else value


def from_zigzag(value):
    """Return a sint32 or sint64 of a varint."""
    return (value >> 1) ^ -(value & 1)


def unpack_fixed(form, value):
    """Return a number of 4 or 8 bytes; raises WireError for another length."""
    if not isinstance(value, bytes) or len(value) != struct.calcsize(form):
        raise WireError(0, f"{struct.calcsize(form)} bytes of a number")
    return struct.unpack(form, value)[0]
