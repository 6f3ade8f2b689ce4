# SPDX-License-Identifier: GPL-2.0-only
"""
The invariant CRC of RoCE v2 packets in a capture, computed apart from the codec in src/.

IBTA Vol. 1, Annex A17: the CRC-32 of Ethernet over eight bytes of ones in place of a local route header,
then IP, UDP and everything from the BTH on, with ones where a router or a NIC may write: type of
service or traffic class, flow label, TTL or hop limit, the checksums, and the BTH's FECN, BECN and
reserved bits.  It is stored least significant byte first, behind the last byte that it covers.
"""

import struct
import zlib

ETHERNET = 14
VLAN = 4
UDP = 8
ICRC = 4
ROCE_PORT = 4791

#: Bytes with ones, from the IP header on; IPv4 without options and IPv6 without extension headers.
IPV4_MASKED = {1: 0xFF, 8: 0xFF, 10: 0xFF, 11: 0xFF}
IPV6_MASKED = {0: 0x0F, 1: 0xFF, 2: 0xFF, 3: 0xFF, 7: 0xFF}

#: The same from the UDP header on: the checksum, and what follows the partition key in the BTH.
UDP_MASKED = {6: 0xFF, 7: 0xFF, UDP + 4: 0xFF}

#: First four bytes of a pcap file, by byte order; with times in microseconds or nanoseconds.
BYTE_ORDERS = {
    b"\xd4\xc3\xb2\xa1": "<",
    b"\x4d\x3c\xb2\xa1": "<",
    b"\xa1\xb2\xc3\xd4": ">",
    b"\xa1\xb2\x3c\x4d": ">",
}


def read_frames(path):
    """Return the Ethernet frames of a pcap file."""
    data = path.read_bytes()
    order = BYTE_ORDERS[data[:4]]
    frames = []
    offset = 24
    while offset < len(data):
        captured, length = struct.unpack_from(order + "8xII", data, offset)
        offset += 16
        frame = data[offset : offset + captured]
        if not len(frame) == captured == length:
            raise ValueError(f"{path}: frame {len(frames) + 1} is cut")
        frames.append(frame)
        offset += captured
    return frames


def find_ip_packet(frame):
    """Return an IP packet without what Ethernet pads, its masks and its header's length; or None."""
    start = ETHERNET
    (kind,) = struct.unpack_from("!H", frame, 12)
    if kind == 0x8100:
        (kind,) = struct.unpack_from("!H", frame, 16)
        start += VLAN
    if kind == 0x0800:
        (length,) = struct.unpack_from("!H", frame, start + 2)
        header = 4 * (frame[start] & 0xF)
        masked, protocol = IPV4_MASKED, frame[start + 9]
    elif kind == 0x86DD:
        header = 40
        length = header + struct.unpack_from("!H", frame, start + 4)[0]
        masked, protocol = IPV6_MASKED, frame[start + 6]
    else:
        return None
    return (frame[start : start + length], masked, header) if protocol == 17 else None


def find_icrcs(frame):
    """Return the stored and the computed ICRC of a RoCE v2 frame; None if it is another frame."""
    found = find_ip_packet(frame)
    if not found:
        return None
    packet, masked, header = found
    if struct.unpack_from("!H", packet, header + 2) != (ROCE_PORT,):
        return None
    covered = bytearray(packet[:-ICRC])
    for offset, ones in [*masked.items(), *((header + at, ones) for at, ones in UDP_MASKED.items())]:
        covered[offset] |= ones
    return packet[-ICRC:], struct.pack("<I", zlib.crc32(b"\xff" * 8 + covered))


def check_icrc(path):
    """Return how many RoCE v2 packets a capture has, and the numbers (from 1) of those with a wrong ICRC."""
    count = 0
    wrong = []
    for number, frame in enumerate(read_frames(path), 1):
        icrcs = find_icrcs(frame)
        if icrcs:
            count += 1
            if icrcs[0] != icrcs[1]:
                wrong.append(number)
    return count, wrong
