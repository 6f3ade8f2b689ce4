# SPDX-License-Identifier: GPL-2.0-only
"""What tests of importers share: the command, its scenario, its graph without a network."""

import json
import re
import struct

from rocelab.__main__ import main

PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}


def run_import(file, *options, build="no-build"):
    """Import a file beside itself; returns the scenario."""
    target = file.parent / "scenario.json"
    assert main(["import", str(file), "--to", str(target), "--build", str(build), *options]) == 0
    return json.loads(target.read_text())


def read_time(text):
    """Return the picoseconds of a scenario's time."""
    value, unit = re.fullmatch(r"([0-9]+)([a-z]+)", text).groups()
    return int(value) * PS[unit]


def run_graph(operations, get_duration):
    """Return {id: end} of a graph's operations, whose messages take get_duration(bytes) picoseconds."""
    ends = {}
    left = list(operations)
    while left:
        ready = [one for one in left if all(before in ends for before in one.get("after", []))]
        assert ready, "operations that wait for themselves"
        for one in ready:
            begin = max([ends[before] for before in one.get("after", [])] or [0]) + read_time(one.get("delay", "0ps"))
            ends[one["id"]] = begin + get_duration(one["bytes"])
        left = [one for one in left if one["id"] not in ends]
    return ends


def write_varint(value):
    """Return a varint of protobuf."""
    value &= (1 << 64) - 1
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data + bytes([value]))


def write_field(number, value):
    """Return a field: a varint of a whole number, else bytes."""
    if isinstance(value, int):
        return write_varint(number << 3) + write_varint(value)
    value = value.encode() if isinstance(value, str) else value
    return write_varint(number << 3 | 2) + write_varint(len(value)) + value


def write_attribute(name, value):
    """Return an attribute of a Chakra node: a string, a bool, an int64."""
    field = 29 if isinstance(value, str) else 27 if isinstance(value, bool) else 9
    return write_field(10, write_field(1, name) + write_field(field, int(value) if field == 27 else value))


def write_attribute_of(name, value):
    """Return an attribute as write_attribute(), also of a float (double) and of bytes as a string, which need not be UTF-8."""
    if isinstance(value, float):
        content = write_varint(3 << 3 | 1) + struct.pack("<d", value)
    elif isinstance(value, bytes):
        content = write_field(29, value)
    else:
        return write_attribute(name, value)
    return write_field(10, write_field(1, name) + content)


def write_node(number, kind, data=(), control=(), duration=0, start=0, name="", **attributes):
    """Return a Chakra node."""
    body = write_field(1, number) + write_field(2, name or f"node {number}") + write_field(3, kind)
    body += write_field(4, b"".join(map(write_varint, control))) + write_field(5, b"".join(map(write_varint, data)))
    body += write_field(6, start) + write_field(7, duration)
    return body + b"".join(write_attribute(name, value) for name, value in attributes.items())


def write_trace(path, nodes):
    """Write a Chakra trace of one rank."""
    messages = [write_field(1, "0.0.4"), *nodes]
    path.write_bytes(b"".join(write_varint(len(one)) + one for one in messages))
    return path


def write_binary_goal(path, programs, max_nic=0):
    """Write binary GOAL of [[(kind, peer, size, tag, cpu, nic, places that wait for it)]]."""
    body, spans = b"", []
    first = 6 + 16 * len(programs)
    for program in programs:
        begin = first + len(body)
        waited = [0] * len(program)
        for *_, later in program:
            for place in later:
                waited[place] += 1
        roots = [place for place, count in enumerate(waited) if not count]
        body += struct.pack(f"<II{len(roots)}I", len(program), len(roots), *roots)
        appendix = []
        for place, (kind, peer, size, tag, cpu, nic, later) in enumerate(program):
            links = (len(later), len(appendix), 0, len(appendix) + len(later))
            body += struct.pack("<IBIQIBBIIII", waited[place], kind, peer, size, tag, cpu, nic, *links)
            appendix += later
        body += struct.pack(f"<{len(appendix)}I", *appendix)
        spans += [begin, first + len(body)]
    path.write_bytes(struct.pack(f"<QIBB{len(spans)}Q", 4223, len(programs), 0, max_nic, *spans) + body)
    return path
