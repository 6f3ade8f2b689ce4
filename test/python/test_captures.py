# SPDX-License-Identifier: GPL-2.0-only
"""Captures of the codec, read by tools that others wrote: tshark, scapy, an ICRC checker."""

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "rocelab-test"
SHARED = Path(os.environ.get("ROCELAB_SHARED", ROOT.parent / "shared"))
ICRC_CHECK = SHARED / "tools" / "roce_icrc_check.py"

#: Names in our own description of a packet, and tshark's.
FIELDS = {
    "opcode": "infiniband.bth.opcode",
    "se": "infiniband.bth.se",
    "padcnt": "infiniband.bth.padcnt",
    "destqp": "infiniband.bth.destqp",
    "a": "infiniband.bth.a",
    "psn": "infiniband.bth.psn",
    "va": "infiniband.reth.va",
    "rkey": "infiniband.reth.r_key",
    "dmalen": "infiniband.reth.dmalen",
    "syndrome": "infiniband.aeth.syndrome",
    "msn": "infiniband.aeth.msn",
    "immediate": "infiniband.immdt",
    "swap": "infiniband.atomiceth.swapdt",
    "compare": "infiniband.atomiceth.cmpdt",
    "original": "infiniband.atomicacketh.origremdt",
    "qkey": "infiniband.deth.q_key",
    "srcqp": "infiniband.deth.srcqp",
}

SERVICES = {
    "Reliable Connection (RC)": "RC",
    "Unreliable Connection (UC)": "UC",
    "Unreliable Datagram (UD)": "UD",
}

#: Guesses of tshark at what a payload is: SEND has them, and short ones make these stumble.
GUESSES = ["mellanox_eoib", "rpcrdma_infiniband"]

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}: build it first")


@pytest.fixture(scope="module")
def captures(tmp_path_factory):
    """A folder with a capture per IP version (.pcap), and what its packets say (.txt)."""
    folder = tmp_path_factory.mktemp("captures")
    subprocess.run(
        [PROGRAM, "--gtest_filter=RoceCapture.*"],
        env={**os.environ, "ROCELAB_CAPTURE_DIR": str(folder)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return folder


def read_expected(path):
    """Return [{name: text}] of the packets that were written."""
    lines = path.read_text().splitlines()
    return [dict(part.split(" ", 1) for part in line.split("\t")) for line in lines]


def run_tshark(*arguments):
    """Return what tshark prints; skip the test where there is none."""
    if not shutil.which("tshark"):
        pytest.skip("no tshark (Debian package tshark)")
    command = ["tshark", *map(str, arguments)]
    for guess in GUESSES:
        command += ["--disable-heuristic", guess]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dissect(path):
    """Return [{tshark's field: (value, shown text)}] of the packets of a capture."""
    packets = xml.etree.ElementTree.fromstring(run_tshark("-r", path, "-T", "pdml"))
    return [
        {
            field.get("name"): (field.get("value"), field.get("showname"))
            for field in packet.iter("field")
        }
        for packet in packets.iter("packet")
    ]


def get_number(packet, field):
    """Return the value of a field of a dissected packet."""
    return int(packet[field][0], 16)


def get_opcode_name(packet):
    """Return tshark's name of the opcode, with its name of the service in short."""
    shown = packet["infiniband.bth.opcode"][1]
    service, operation = re.fullmatch(r"Opcode: (.*?) - (.*) \(\d+\)", shown).groups()
    return f"{SERVICES[service]} {operation}"


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_finds_every_field_of_every_opcode(captures, version):
    expected = read_expected(captures / f"{version}.txt")
    packets = dissect(captures / f"{version}.pcap")
    assert len(packets) == len(expected) == 186
    for number, (packet, wanted) in enumerate(zip(packets, expected), 1):
        found = {
            name: get_number(packet, field) for name, field in FIELDS.items() if field in packet
        }
        numbers = {name: int(text) for name, text in wanted.items() if name != "name"}
        assert found == numbers, f"packet {number}: {wanted}"
        if wanted["name"] != "CNP":  # Of which tshark 4.0 shows the BTH only.
            assert "infiniband.invariant.crc" in packet, f"packet {number}"


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_calls_the_opcodes_as_we_do(captures, version):
    expected = read_expected(captures / f"{version}.txt")
    for packet, wanted in zip(dissect(captures / f"{version}.pcap"), expected):
        if wanted["name"] == "CNP":  # tshark 4.0 knows the number only.
            assert "Unknown (129)" in packet["infiniband.bth.opcode"][1]
        else:
            # tshark writes "SEND only" where the specification has "SEND Only".
            assert get_opcode_name(packet).lower() == wanted["name"].lower()


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_tshark_has_no_complaint(captures, version):
    wrong = run_tshark(
        "-r",
        captures / f"{version}.pcap",
        "-o",
        "ip.check_checksum:TRUE",
        "-Y",
        "_ws.malformed or _ws.short or ip.checksum.status == 0 or not infiniband",
    )
    assert wrong == ""


@pytest.mark.parametrize("version", ["ipv4", "ipv6"])
def test_every_icrc_is_right(captures, version):
    if not ICRC_CHECK.exists():
        pytest.skip(f"no {ICRC_CHECK} (set ROCELAB_SHARED)")
    command = ["/usr/bin/python3", ICRC_CHECK, captures / f"{version}.pcap"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.stdout, result.returncode) == ("186 RoCEv2 packets, 0 bad ICRC\n", 0)


def test_scapy_computes_the_same_icrc(captures):
    roce = pytest.importorskip("scapy.contrib.roce")
    from scapy.layers.l2 import Ether
    from scapy.utils import RawPcapReader

    count = 0
    for data, _ in RawPcapReader(str(captures / "ipv4.pcap")):
        packet = Ether(data)
        stored = packet[roce.BTH].icrc
        packet[roce.BTH].icrc = None
        assert Ether(packet.build())[roce.BTH].icrc == stored
        count += 1
    assert count == 186
