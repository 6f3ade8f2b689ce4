# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces (.et): the nodes of one rank (schema/protobuf/et_def.proto of mlcommons/chakra)."""

from dataclasses import dataclass, field

from rocelab.importers.protobuf import (
    BYTES,
    VARINT,
    WireError,
    from_zigzag,
    read_fields,
    read_messages,
    read_packed,
    to_signed,
    unpack_fixed,
)
from rocelab.importers.source import fail_byte, read_binary

METADATA, LOAD, STORE, COMP, SEND, RECV, COLL = 1, 2, 3, 4, 5, 6, 7
KINDS = (METADATA, LOAD, STORE, COMP, SEND, RECV, COLL)

#: Field of a value in AttributeProto -> its reader. Writers use different ones for one attribute.
VALUES = {
    3: lambda value: unpack_fixed("<d", value),
    5: lambda value: unpack_fixed("<f", value),
    **dict.fromkeys((7, 9, 11, 13, 27), to_signed),
    **dict.fromkeys((15, 17), from_zigzag),
    19: lambda value: unpack_fixed("<I", value),
    21: lambda value: unpack_fixed("<Q", value),
    23: lambda value: unpack_fixed("<i", value),
    25: lambda value: unpack_fixed("<q", value),
    29: lambda value: value.decode("utf-8"),
}
INTEGER_FIELDS = (7, 9, 11, 13, 15, 17, 27)
MAX_DURATION_US = 10**12


@dataclass(slots=True)
class Node:
    """A node of a trace."""

    offset: int
    id: int = 0
    name: str = ""
    kind: int = 0
    control: list = field(default_factory=list)
    data: list = field(default_factory=list)
    start_us: int = 0
    duration_us: int = 0
    attributes: dict = field(default_factory=dict)


def read_attribute(data):
    """Return (name, value) of an AttributeProto; the value is None for lists and bytes."""
    name, value = "", None
    for number, kind, content in read_fields(data):
        if number == 1 and kind == BYTES:
            name = content.decode("utf-8")
        elif number in VALUES:
            if (kind == VARINT) != (number in INTEGER_FIELDS):
                raise WireError(0, f"field {number} of an attribute in its type")
            value = VALUES[number](content)
    return name, value


def read_node(offset, data):
    """Return a Node; raises WireError or UnicodeDecodeError."""
    node = Node(offset)
    numbers = {1: "id", 3: "kind", 6: "start_us", 7: "duration_us"}
    for number, kind, value in read_fields(data):
        if number in numbers or number in (4, 5):
            if kind not in ((VARINT, BYTES) if number in (4, 5) else (VARINT,)):
                raise WireError(0, f"a whole number as field {number} of a node")
        elif kind != BYTES and number in (2, 10):
            raise WireError(0, f"bytes as field {number} of a node")
        if number in numbers:
            setattr(node, numbers[number], value)
        elif number in (4, 5):
            (node.control if number == 4 else node.data).extend(read_packed(kind, value))
        elif number == 2:
            node.name = value.decode("utf-8")
        elif number == 10:
            name, content = read_attribute(value)
            node.attributes[name] = content
    return node


def read_nodes(path):
    """Return the Nodes of a file, in its order; the first message is metadata and left out."""
    data = read_binary(path)
    nodes, ids, offset = [], set(), 0
    try:
        for place, (offset, message) in enumerate(read_messages(data)):
            if place == 0:
                for _ in read_fields(message):
                    pass
                continue
            node = read_node(offset, message)
            check_node(path, node, ids)
            ids.add(node.id)
            nodes.append(node)
    except WireError as error:
        fail_byte(path, error.offset + offset, str(error), "other bytes")
    except UnicodeDecodeError:
        fail_byte(path, offset, "names in UTF-8", "other bytes")
    if not nodes:
        fail_byte(path, 0, "a Chakra trace with nodes", "none")
    return nodes


def check_node(path, node, ids):
    """Raise UserError for a node that no trace has."""
    if node.kind not in KINDS:
        fail_byte(path, node.offset, "a type of node from 1 to 7", node.kind)
    if node.id in ids:
        fail_byte(path, node.offset, "an id of its own for each node", f"{node.id} again")
    if node.duration_us > MAX_DURATION_US:
        fail_byte(path, node.offset, f"a duration of at most {MAX_DURATION_US} us", node.duration_us)
