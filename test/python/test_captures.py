# SPDX-License-Identifier: GPL-2.0-only
"""Captures of the codec, read by tools that others wrote (tshark, scapy) and by an ICRC check of our own."""

import functools

import pytest
from scapy.contrib import roce
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader

from roce_dissection import (
    ICRC_CHECK,
    dissect,
    find_faults,
    get_expected_numbers,
    get_numbers,
    is_named_rightly,
    read_expected,
    read_pdmls,
    run_reference_check,
    write_captures,
)
from roce_icrc import check_icrc


@pytest.fixture(scope="module")
def captures(tmp_path_factory):
    """A folder with a capture per IP version (.pcap), and what its packets say (.txt)."""
    folder = tmp_path_factory.mktemp("captures")
    write_captures("RoceCapture.*", folder)
    return folder


@pytest.fixture(scope="module")
def shown(captures):
    """{IP version: PDML}."""
    return read_pdmls({version: captures / f"{version}.pcap" for version in ("ipv4", "ipv6")})


@pytest.fixture(scope="module")
def dissected(shown):
    """A function: IP version -> the packets as tshark sees them."""
    return functools.cache(lambda version: dissect(None, shown[version]))


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_finds_every_field_of_every_opcode(captures, dissected, version):
    expected = read_expected(captures / f"{version}.txt")
    packets = dissected(version)
    assert len(packets) == len(expected) == 186
    for number, (packet, wanted) in enumerate(zip(packets, expected), 1):
        assert get_numbers(packet) == get_expected_numbers(wanted), f"packet {number}: {wanted}"
        if wanted["name"] != "CNP":  # Of which tshark 4.0 shows the BTH only.
            assert "infiniband.invariant.crc" in packet, f"packet {number}"


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_calls_the_opcodes_as_we_do(captures, dissected, version):
    expected = read_expected(captures / f"{version}.txt")
    for packet, wanted in zip(dissected(version), expected):
        assert is_named_rightly(packet, wanted), wanted


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_has_no_complaint(shown, version):
    assert find_faults(shown[version]) == []


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_every_icrc_is_right(captures, version):
    assert check_icrc(captures / f"{version}.pcap") == (186, [])


if ICRC_CHECK.exists():

    @pytest.mark.parametrize("version", ["ipv4", "ipv6"])
    def test_the_reference_check_finds_no_wrong_icrc(captures, version):
        found = run_reference_check(captures / f"{version}.pcap")
        assert found == ("186 RoCEv2 packets, 0 bad ICRC\n", 0)


def test_scapy_computes_the_same_icrc(captures):
    count = 0
    for data, _ in RawPcapReader(str(captures / "ipv4.pcap")):
        packet = Ether(data)
        stored = packet[roce.BTH].icrc
        packet[roce.BTH].icrc = None
        assert Ether(packet.build())[roce.BTH].icrc == stored
        count += 1
    assert count == 186
