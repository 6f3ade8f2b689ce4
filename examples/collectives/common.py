# SPDX-License-Identifier: GPL-2.0-only
"""What figures of collectives share: the fat-tree of 64 servers, NIC designs and their looks."""

from rocelab.draw import style

SERVERS = 64
FABRIC = {
    "topology": "fat-tree",
    "servers": SERVERS,
    "hostRate": "100Gbps",
    "fabricRate": "400Gbps",
    "linkDelay": "1us",
}

#: Presets by their names in pictures.
NICS = {"ConnectX-6": "connectx6", "ConnectX-7": "connectx7", "IRN": "irn", "BALBOA": "balboa", "SRNIC": "srnic"}

LOOKS = {name: style.get_styles(NICS.values())[preset] for name, preset in NICS.items()}


def select(names):
    """Return the looks of some NICs."""
    return {name: LOOKS[name] for name in names}


def make_nics(names, **keys):
    """Return entries of "nics" with more keys."""
    return [{"preset": NICS[name], "name": NICS[name], **keys} for name in names]


def get_results(result, names):
    """Return the results of a scenario by the names of pictures."""
    by_name = {nic.name: nic for nic in result.nics}
    return {name: by_name[NICS[name]] for name in names}
