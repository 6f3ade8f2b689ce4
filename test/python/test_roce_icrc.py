# SPDX-License-Identifier: GPL-2.0-only
"""roce_icrc.py against published packets, and that it finds what is wrong."""

import re
import struct

import pytest

from roce_icrc import check_icrc, find_icrcs

ETHERNET = 14

#: Offsets from the IP header on that the ICRC leaves out (IBTA Vol. 1, Annex A17).  IPv4: type of
#: service, TTL, header checksum, UDP checksum, BTH byte 4.
IPV4_MASKED = {1, 8, 10, 11, 26, 27, 32}


@pytest.fixture
def published(checkout):
    """Function: name of a packet that others published, in public-captures.h -> its bytes."""
    text = (checkout / "test" / "rdma-nic" / "public-captures.h").read_text()

    def read(name):
        digits = re.search(name + r"\{(.*?)\};", text, re.DOTALL).group(1)
        return bytes.fromhex("".join(re.findall(r"0x(\w\w)", re.sub("//.*", "", digits))))

    return read


def write_pcap(path, frames, order="<"):
    """Write a capture in the given byte order."""
    data = struct.pack(order + "IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for frame in frames:
        data += struct.pack(order + "IIII", 0, 0, len(frame), len(frame)) + frame
    path.write_bytes(data)
    return path


def flip(frame, offset):
    """Return a frame with the bits of one byte inverted."""
    return frame[:offset] + bytes([frame[offset] ^ 0xFF]) + frame[offset + 1 :]


@pytest.mark.parametrize(
    "name, icrc", [("SCAPY_UC_SEND_ONLY", "78f353f3"), ("CONNECTX4_CNP", "82fd002a")]
)
def test_published_packets_are_right(published, name, icrc):
    assert find_icrcs(published(name)) == (bytes.fromhex(icrc), bytes.fromhex(icrc))


def test_each_byte_counts_that_no_router_may_change(published):
    frame = published("SCAPY_UC_SEND_ONLY")
    # Version and header length, total length and protocol decide where the rest is.
    layout = {0, 2, 3, 9}
    for offset in set(range(len(frame) - ETHERNET)) - layout:
        icrcs = find_icrcs(flip(frame, ETHERNET + offset))
        is_right = icrcs is not None and icrcs[0] == icrcs[1]
        assert is_right == (offset in IPV4_MASKED), offset


def test_ipv6_leaves_out_traffic_class_flow_label_and_hop_limit():
    # An acknowledgment: IPv6 40, UDP 8, BTH 12, AETH 4, ICRC 4.
    frame = bytearray(ETHERNET + 40 + 8 + 12 + 4 + 4)
    frame[12:14] = 0x86, 0xDD
    frame[ETHERNET : ETHERNET + 7] = 0x60, 0, 0, 0, 0, 28, 17
    frame[ETHERNET + 40 + 2 : ETHERNET + 40 + 4] = struct.pack("!H", 4791)
    computed = find_icrcs(bytes(frame))[1]
    masked = {1, 2, 3, 7, 46, 47, 52}
    for offset in set(range(64)) - {4, 5, 6}:
        icrcs = find_icrcs(flip(bytes(frame), ETHERNET + offset))
        # Without its port it is no RoCE; the version is half of byte 0.
        is_same = icrcs is not None and icrcs[1] == computed
        assert is_same == (offset in masked), offset
    frame[ETHERNET] = 0x6F  # The other half: traffic class.
    assert find_icrcs(bytes(frame))[1] == computed


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_capture_is_told_by_frame(tmp_path, published, order):
    good = published("CONNECTX4_CNP")
    arp = bytes(12) + b"\x08\x06" + bytes(46)
    frames = [good, arp, flip(good, len(good) - 1), good + bytes(6)]
    capture = write_pcap(tmp_path / "some.pcap", frames, order)
    # Ethernet's padding behind the last frame is not part of it.
    assert check_icrc(capture) == (3, [3])


def test_a_cut_capture_is_an_error(tmp_path, published):
    capture = write_pcap(tmp_path / "cut.pcap", [published("CONNECTX4_CNP")])
    capture.write_bytes(capture.read_bytes()[:-1])
    with pytest.raises(ValueError, match="frame 1 is cut"):
        check_icrc(capture)


def test_a_frame_behind_a_vlan_tag_is_found(published):
    frame = published("SCAPY_UC_SEND_ONLY")
    tagged = frame[:12] + b"\x81\x00\x00\x05" + frame[12:]
    assert find_icrcs(tagged) == find_icrcs(frame)
