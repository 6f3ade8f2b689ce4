# SPDX-License-Identifier: GPL-2.0-only
"""Captures of MRC: tshark shows BTH and payload, our dissector the headers between them, as the codec wrote them."""

import pytest

from roce_dissection import ROOT, dissect, find_faults, get_number, read_pdml, run_tshark, write_captures
from roce_icrc import check_icrc

DISSECTOR = ROOT / "utils" / "wireshark" / "mrc.lua"

#: Of MakeReport() in mrc-format-test.cc: cumulative PSN 16, answered packet 14, 17 and 20 held.
REPORT = {
    "packet": "SACK",
    "rtx": 1,
    "m": 1,
    "ack_psn_offset": 0xFFFE,
    "entropy": 0xDEADBEEF,
    "spdcid": 0xB2C3,
    "dpdcid": 0xE5F6,
    "cack_psn": 16,
    "sack_offset": 1,
    "sack_bitmap": 9,
    "tx_time": 0xBEEF,
    "ooo_count": 2,
    "rcvd_bytes": 0xABCDEF,
    "payload": 0,
    **dict.fromkeys(("pr", "cc_type", "cc_flags", "mpr", "restore_cwnd", "rcv_cwnd_pen"), 0),
}
NOTICE = {
    "packet": "NACK",
    "rtx": 0,
    "entropy": 0xDEADBEEF,
    "spdcid": 0xB2C3,
    "dpdcid": 0xE5F6,
    "nack_psn": 0x123456,
    "tx_time": 0xBEEF,
    "payload": 0,
    **dict.fromkeys(("vendor", "cc_type", "cc_flags"), 0),
}
WRITE = {
    "rtx": 1,
    "rqmsn": 0x0102,
    "msn": 0,
    "va": 0x1122334455667788,
    "rkey": 0x99AABBCC,
    "dmalen": 0x10000,
    "payload": 1001,
}
IMMEDIATE = {"immediate": 0x31323334}
EXPECTED = [
    REPORT,
    {**NOTICE, "reason": 1},
    {**NOTICE, "reason": 2},
    {**WRITE, "packet": "WRITE First"},
    {**WRITE, "packet": "WRITE Middle"},
    {**WRITE, "packet": "WRITE Last"},
    {**WRITE, "packet": "WRITE Last with Immediate", **IMMEDIATE},
    {**WRITE, "packet": "WRITE Only"},
    {**WRITE, "packet": "WRITE Only with Immediate", **IMMEDIATE},
    {"packet": "ACK", "rtx": 0, "syndrome": 0x1F, "aeth_msn": 0x777, "payload": 0},
]
OPCODES = [0xDC, 0xDD, 0xDD, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xD1]


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    """A capture with each kind of packet that a NIC with MrcFormat sends."""
    folder = tmp_path_factory.mktemp("captures")
    write_captures("MrcPackets.HoldEachKindForOtherTools", folder)
    return folder / "mrc.pcap"


def dissect_mrc(path):
    """Return [{name: value}] of what the dissector shows; texts as they are, numbers as numbers."""
    names = sorted({f"mrc.{name}" for wanted in EXPECTED for name in wanted})
    options = [part for name in names for part in ("-e", name)]
    text = run_tshark("-X", f"lua_script:{DISSECTOR}", "-r", path, "-T", "fields", *options)
    packets = []
    for line in text.splitlines():
        values = zip(names, line.split("\t"))
        shown = {name.removeprefix("mrc."): value for name, value in values if value}
        packets.append({name: value if name == "packet" else int(value, 0) for name, value in shown.items()})
    return packets


def test_the_dissector_shows_every_field_of_every_packet(capture):
    assert dissect_mrc(capture) == EXPECTED


def test_tshark_shows_the_bth_and_the_payload_and_has_no_complaint(capture):
    pdml = read_pdml(capture)
    assert find_faults(pdml) == []
    assert pdml.count("f5" * 1001) >= 6  # Each WRITE; behind the headers, as data.
    packets = dissect(None, pdml)
    assert [get_number(packet, "infiniband.bth.opcode") for packet in packets] == OPCODES
    assert {get_number(packet, "infiniband.bth.destqp") for packet in packets} == {5, 0xA1B2C3}
    psns = [get_number(packet, "infiniband.bth.psn") for packet in packets]
    assert psns == [16, 0x123456, 0x123456, *[0xFFFFFE] * 6, 16]


def test_every_icrc_is_right(capture):
    assert check_icrc(capture) == (len(EXPECTED), [])
