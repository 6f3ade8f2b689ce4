# SPDX-License-Identifier: GPL-2.0-only
"""Reads captures of RoCE v2 with tools that others wrote: tshark, and a checker beside the project."""

import itertools
import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from program import BUILD, ROOT
from roce_icrc import read_frames

__all__ = ["BUILD", "ROOT"]

PCAP_HEADER = 24  # Bytes of a capture before its first record.

#: Reference data that may lie beside the project, with an ICRC checker of other hands.
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


def write_captures(tests, folder):
    """Run GoogleTests that write captures into a folder."""
    subprocess.run(
        [BUILD / "rocelab-test", f"--gtest_filter={tests}"],
        env={**os.environ, "ROCELAB_CAPTURE_DIR": str(folder)},
        stdout=subprocess.PIPE,
        check=True,
    )


def read_expected(path):
    """Return [{name: text}] of the packets that were written."""
    lines = path.read_text().splitlines()
    return [dict(part.split(" ", 1) for part in line.split("\t")) for line in lines]


def run_tshark(*arguments):
    """Return what tshark prints; it is among the project's packages."""
    command = ["tshark", *map(str, arguments)]
    for guess in GUESSES:
        command += ["--disable-heuristic", guess]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_pdml(path):
    """Return all that tshark shows of a capture, as PDML."""
    return run_tshark("-r", path, "-o", "ip.check_checksum:TRUE", "-T", "pdml")


def read_pdmls(paths):
    """Return {name: PDML} of captures {name: path} with the same header, by one run of tshark."""
    files = {name: path.read_bytes() for name, path in paths.items()}
    with tempfile.TemporaryDirectory() as folder:
        together = Path(folder) / "together.pcap"
        heads = {data[:PCAP_HEADER] for data in files.values()}
        assert len(heads) == 1
        together.write_bytes(heads.pop() + b"".join(data[PCAP_HEADER:] for data in files.values()))
        packets = xml.etree.ElementTree.fromstring(read_pdml(together)).iter("packet")
    shown = {}
    for name, path in paths.items():
        root = xml.etree.ElementTree.Element("pdml")
        root.extend(itertools.islice(packets, len(read_frames(path))))
        shown[name] = xml.etree.ElementTree.tostring(root, encoding="unicode")
    assert next(packets, None) is None
    return shown


def dissect(path, pdml=None):
    """Return [{tshark's field: (value, shown text)}] of the packets of a capture."""
    packets = xml.etree.ElementTree.fromstring(pdml or read_pdml(path))
    return [
        {
            field.get("name"): (field.get("value"), field.get("showname"))
            for field in packet.iter("field")
        }
        for packet in packets.iter("packet")
    ]


def find_faults(pdml):
    """Return what find_complaints() looks for, of a capture's PDML: a word per packet."""
    faults = []
    for packet in xml.etree.ElementTree.fromstring(pdml).iter("packet"):
        found = {node.get("name") for node in packet.iter() if node.tag in ("proto", "field")}
        checksums = [f.get("show") for f in packet.iter("field") if f.get("name") == "ip.checksum.status"]
        if "infiniband" not in found:
            faults.append("not infiniband")
        faults += [name for name in ("_ws.malformed", "_ws.short") if name in found]
        faults += ["checksum" for shown in checksums if shown == "0"]
    return faults


def get_number(packet, field):
    """Return the value of a field of a dissected packet."""
    return int(packet[field][0], 16)


def get_opcode_name(packet):
    """Return tshark's name of the opcode, with its name of the service in short."""
    shown = packet["infiniband.bth.opcode"][1]
    service, operation = re.fullmatch(r"Opcode: (.*?) - (.*) \(\d+\)", shown).groups()
    return f"{SERVICES[service]} {operation}"


def get_numbers(packet):
    """Return {our name: value} of the fields that tshark found in a packet."""
    return {name: get_number(packet, field) for name, field in FIELDS.items() if field in packet}


def get_expected_numbers(wanted):
    """Return the same of a description that was written beside the capture."""
    return {name: int(text) for name, text in wanted.items() if name != "name"}


def is_named_rightly(packet, wanted):
    """Tell whether tshark calls a packet as we do."""
    if wanted["name"] == "CNP":  # tshark 4.0 knows the number only.
        return "Unknown (129)" in packet["infiniband.bth.opcode"][1]
    # tshark writes "SEND only" where the specification has "SEND Only".
    return get_opcode_name(packet).lower() == wanted["name"].lower()


def find_complaints(path):
    """Return tshark's lines of the packets that it finds fault with."""
    return run_tshark(
        "-r",
        path,
        "-o",
        "ip.check_checksum:TRUE",
        "-Y",
        "_ws.malformed or _ws.short or ip.checksum.status == 0 or not infiniband",
    )


def run_reference_check(path):
    """Return what the checker beside the project prints about a capture, and its exit status."""
    result = subprocess.run(["/usr/bin/python3", ICRC_CHECK, path], capture_output=True, text=True)
    return result.stdout, result.returncode
