# SPDX-License-Identifier: GPL-2.0-only
"""Captures of traffic between simulated NICs, read by tools that others wrote."""

import functools
import json
import subprocess

import pytest

from roce_dissection import (
    BUILD,
    dissect,
    find_complaints,
    find_faults,
    get_expected_numbers,
    get_number,
    get_numbers,
    is_named_rightly,
    read_expected,
    read_pdml,
    read_pdmls,
    write_captures,
)
from roce_icrc import check_icrc

SCENES = ["rc", "uc", "ud", "rnr", "sequence", "access", "invalid"]
PLAIN = [f"connectx6-{ip}-{scene}" for ip in ("ipv4", "ipv6") for scene in [*SCENES, "cnp"]]
EXTENDED = [f"{design}-ipv4-{scene}" for design in ("irn", "srnic") for scene in SCENES]


@pytest.fixture(scope="module")
def captures(tmp_path_factory):
    """A folder with a capture (.pcap) per scene, and what its packets say (.txt)."""
    folder = tmp_path_factory.mktemp("traffic")
    write_captures("TrafficCapture.*", folder)
    assert sorted(path.stem for path in folder.glob("*.pcap")) == sorted(PLAIN + EXTENDED)
    return folder


@pytest.fixture(scope="module")
def shown(captures):
    """{name of a capture: its PDML}. tshark's start takes most of the time of a run: it reads all of them at once."""
    return read_pdmls({name: captures / f"{name}.pcap" for name in PLAIN})


@pytest.fixture(scope="module")
def dissected(shown):
    """A function: name of a capture -> its packets as tshark sees them."""
    return functools.cache(lambda name: dissect(None, shown[name]))


@pytest.mark.parametrize("name", PLAIN)
def test_tshark_finds_what_the_nics_said(captures, dissected, name):
    expected = read_expected(captures / f"{name}.txt")
    packets = dissected(name)
    assert len(packets) == len(expected) > 0
    for number, (packet, wanted) in enumerate(zip(packets, expected), 1):
        assert get_numbers(packet) == get_expected_numbers(wanted), f"packet {number}: {wanted}"
        assert is_named_rightly(packet, wanted), f"packet {number}: {wanted}"


@pytest.mark.parametrize("name", PLAIN)
def test_tshark_has_no_complaint(shown, name):
    assert find_faults(shown[name]) == []
    # The words of tshark for management packets, which queue pairs 0 and 1 have.
    assert "RESERVED" not in shown[name]
    assert "MAD" not in shown[name]


def test_complaints_are_found_where_a_byte_is_wrong(captures, tmp_path):
    data = bytearray((captures / "connectx6-ipv4-rc.pcap").read_bytes())
    # 24 bytes of the file, 16 of the record, 14 of Ethernet; the checksum of IPv4 is at 10.
    data[24 + 16 + 14 + 10] ^= 1
    path = tmp_path / "wrong.pcap"
    path.write_bytes(data)
    assert find_faults(read_pdml(path)) == ["checksum"]
    assert find_complaints(path).count("\n") == 1


@pytest.mark.parametrize("name", PLAIN + EXTENDED)
def test_every_icrc_is_right(captures, name):
    packets = len(read_expected(captures / f"{name}.txt"))
    assert check_icrc(captures / f"{name}.pcap") == (packets, [])


@pytest.mark.parametrize("ip", ["ipv4", "ipv6"])
def test_values_are_those_that_were_asked_for(dissected, ip):
    packets = [get_numbers(packet) for packet in dissected(f"connectx6-{ip}-rc")]
    # A RETH on the first packet of each WRITE, then of each WRITE with immediate.
    writes = [packet["dmalen"] for packet in packets if packet["opcode"] in (6, 10, 11)]
    assert writes == 2 * [0, 1, 2, 3, 1024, 1025, 2500, 3999]
    reads = [packet["dmalen"] for packet in packets if packet["opcode"] == 12]
    assert reads == [1, 2, 3, 1024, 1025, 2500, 3999]
    # SEND with immediate, then WRITE with immediate.
    immediates = [packet["immediate"] for packet in packets if "immediate" in packet]
    assert immediates == 2 * [0xA0B0C0D0 + number for number in range(8)]
    # The first message has PSN 0xfffffe, the third has 0: 24 bits.
    sends = [packet["psn"] for packet in packets if packet["opcode"] in (0, 4)]
    assert sends[:5] == [0xFFFFFE, 0xFFFFFF, 0, 1, 2]
    # Memory holds 0xf5 throughout, so that compare-and-swap finds what it compares with; the
    # addition overflows.
    (swapped,) = [packet for packet in packets if packet["opcode"] == 19]
    assert (swapped["swap"], swapped["compare"]) == (0x0102030405060708, 0xF5F5F5F5F5F5F5F5)
    originals = [packet["original"] for packet in packets if packet["opcode"] == 18]
    assert originals == [0xF5F5F5F5F5F5F5F5, 0x0102030405060708]
    # The padding of the SENDs' last packets: of 0, 1, 2, 3, 1024, 1, 452 and 927 bytes.
    sends = [packet["padcnt"] for packet in packets if packet["opcode"] in (2, 4)]
    assert sends == [0, 3, 2, 1, 0, 3, 0, 1]


@pytest.mark.parametrize("ip", ["ipv4", "ipv6"])
def test_datagrams_carry_the_queue_key(dissected, ip):
    packets = dissected(f"connectx6-{ip}-ud")
    assert {get_number(packet, "infiniband.deth.q_key") for packet in packets} == {0x11223344}


@pytest.mark.parametrize("ip", ["ipv4", "ipv6"])
@pytest.mark.parametrize(
    "scene, syndrome",
    [("rnr", 0x21), ("sequence", 0x60), ("access", 0x62), ("invalid", 0x61)],
)
def test_one_negative_acknowledgment_is_there(dissected, ip, scene, syndrome):
    packets = [get_numbers(packet) for packet in dissected(f"connectx6-{ip}-{scene}")]
    naks = [packet for packet in packets if packet.get("syndrome", 0x1F) != 0x1F]
    assert [packet["syndrome"] for packet in naks] == [syndrome]
    # It names the packet that was refused, or the one that was lost.
    assert naks[0]["psn"] == (0xFFFFFF if scene == "sequence" else 0xFFFFFE)


@pytest.mark.parametrize("ip, field", [("ipv4", "ip.dsfield.ecn"), ("ipv6", "ipv6.tclass.ecn")])
def test_marked_packets_are_answered_by_cnps(dissected, ip, field):
    packets = [
        (get_number(packet, "infiniband.bth.opcode"), get_number(packet, field)) for packet in dissected(f"connectx6-{ip}-cnp")
    ]
    # The first CNP comes behind the first WRITE packet that says CE; what answers is not marked.
    assert [opcode for opcode, ecn in packets if ecn == 3][0] in (6, 7)
    first_mark = [ecn for _, ecn in packets].index(3)
    first_cnp = [opcode for opcode, _ in packets].index(129)
    assert first_mark < first_cnp
    assert {ecn for opcode, ecn in packets if opcode in (17, 129)} == {0}


SCENARIO = {
    "name": "tapped",
    "fabric": {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"},
    "workload": {
        "type": "flows",
        "flows": [
            {"src": 0, "dst": 1, "bytes": 1000},
            {"src": 2, "dst": 3, "bytes": "100kB", "start": "1us"},
        ],
    },
}


@pytest.fixture(scope="module")
def tapped_run(tmp_path_factory):
    """The result folder of a tiny run of two designs, captured at servers 0 and 3."""
    folder = tmp_path_factory.mktemp("run")
    scenario = SCENARIO | {"nics": ["connectx6", "srnic"]}
    (folder / "tapped.json").write_text(json.dumps(scenario))
    command = [BUILD / "rocelab", "run", "tapped.json", "--quiet", "--pcap", "--pcap-hosts", "0,3"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "results" / "tapped"


@pytest.mark.parametrize("design", ["connectx6", "srnic"])
def test_captures_of_a_run_have_all_packets_with_right_icrc(tapped_run, design):
    assert sorted(path.name for path in (tapped_run / design).glob("*pcap*")) == [
        "host-0.pcap",
        "host-3.pcap",
    ]
    # One packet of 1000 bytes; 98 of 1024 for 100 kB; an acknowledgment each.
    for host, packets in ((0, 2), (3, 2 * 98)):
        assert check_icrc(tapped_run / design / f"host-{host}.pcap") == (packets, [])


def test_tshark_reads_the_captures_of_a_run(tapped_run):
    path = tapped_run / "connectx6" / "host-3.pcap"
    assert find_complaints(path) == ""
    opcodes = [get_number(packet, "infiniband.bth.opcode") for packet in dissect(path)]
    # WRITE first, middle and last, acknowledgments.
    assert {code: opcodes.count(code) for code in opcodes} == {6: 1, 7: 96, 8: 1, 17: 98}
