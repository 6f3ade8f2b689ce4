# SPDX-License-Identifier: GPL-2.0-only
"""A capture of StRoM's calls, read by tools that others wrote."""

import pytest

from roce_dissection import (
    ICRC_CHECK,
    dissect,
    find_faults,
    get_expected_numbers,
    get_numbers,
    read_expected,
    read_pdml,
    run_reference_check,
    write_captures,
)
from roce_icrc import check_icrc

RPC_OPCODES = range(0x18, 0x1D)  # StRoM, Table 1.


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    """A capture of calls, their data and an answer; its description has the same name."""
    folder = tmp_path_factory.mktemp("rpc")
    write_captures("RpcCapture.*", folder)
    return folder / "strom10g-rpc.pcap"


def test_tshark_reads_the_packets_as_roce_and_has_no_complaint(capture):
    expected = read_expected(capture.with_suffix(".txt"))
    pdml = read_pdml(capture)
    assert find_faults(pdml) == []
    packets = dissect(None, pdml)
    assert len(packets) == len(expected) > 0
    seen = set()
    for number, (packet, wanted) in enumerate(zip(packets, expected), 1):
        numbers = get_numbers(packet)
        wanted = get_expected_numbers(wanted)
        if wanted["opcode"] in RPC_OPCODES:
            # tshark knows the BTH of any opcode, but not what follows it in these.
            bth = ("opcode", "se", "padcnt", "destqp", "a", "psn")
            assert numbers == {name: wanted[name] for name in bth}, f"packet {number}"
            assert "Unknown" in packet["infiniband.bth.opcode"][1], f"packet {number}"
        else:
            assert numbers == wanted, f"packet {number}"
        seen.add(wanted["opcode"])
    assert seen >= set(RPC_OPCODES)


def test_every_icrc_is_right(capture):
    packets = len(read_expected(capture.with_suffix(".txt")))
    assert check_icrc(capture) == (packets, [])


if ICRC_CHECK.exists():

    def test_the_reference_check_finds_no_wrong_icrc(capture):
        packets = len(read_expected(capture.with_suffix(".txt")))
        assert run_reference_check(capture) == (f"{packets} RoCEv2 packets, 0 bad ICRC\n", 0)
