# SPDX-License-Identifier: GPL-2.0-only
"""The parts of an idle WRITE's latency, from what `rocelab list pipeline --json` says of a NIC."""

WIRE_OVERHEAD = 24  # Bytes: preamble 8, FCS 4, inter-packet gap 12.


def sum_parts(parts):
    """Return {name: ns} of a list of the account."""
    return {part["name"]: part["ns"] for part in parts}


def get_write_path(account, gbps, delays, head_bytes=None):
    """Return {part: ns} of one WRITE from the host's post to the peer's memory.

    `account` is what the program prints; `delays` are those of the links, ns. A node between two
    links forwards a frame when so many bytes of it have arrived (None: all), and takes their time.
    """
    host, pcie = sum_parts(account["host"]), sum_parts(account["pcie"])
    frame_bytes = account["frame_bytes"]
    frame = (frame_bytes + WIRE_OVERHEAD) * 8 / gbps
    head = (min(frame_bytes, head_bytes or frame_bytes) + WIRE_OVERHEAD) * 8 / gbps
    return {
        "post and ring": host["post"] + host["ring"],
        "doorbell": pcie["doorbell"] + pcie["work request"],
        "payload read": pcie["payload read"],
        "transmit pipeline": sum(sum_parts(account["transmit"]).values()),
        "links": frame + head * (len(delays) - 1) + sum(delays),
        "receive pipeline": sum(sum_parts(account["receive"]).values()),
        "payload write": pcie["payload write"],
    }
