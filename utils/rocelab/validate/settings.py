# SPDX-License-Identifier: GPL-2.0-only
"""Attributes that a figure sets, and why it may: validation/settings.csv has a line for each of them.

A preset is compared with a paper as it is shipped. What a figure sets beyond that is the paper's
testbed, or enters facts and is then among their choices in status.csv, or enters no fact.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from rocelab.errors import UserError
from rocelab.validate.facts import read_rows

FILE = "settings.csv"
COLUMNS = "figure,attribute,role,facts,source".split(",")
TESTBED, CHOSEN, OTHER = "testbed", "chosen", "other"
ROLES = (TESTBED, CHOSEN, OTHER)
ALL = "all"

ATTRIBUTE = re.compile(r"ns3::rdma::(\w+::\w+)(?:=.*)?", re.DOTALL)
# Keys of a NIC in a scenario that are no attributes of it.
NIC_KEYS = {"preset", "name", "hardware", "groups", "attributes"}


@dataclass(frozen=True)
class Setting:
    """A line of settings.csv.

    role: "testbed" if the paper states the value, or the program that its authors ran; "chosen" if
        it is ours and enters the facts; "other" if it enters no fact, or changes nothing.
    facts: the facts that a chosen value enters, each of which lists the attribute as chosen; "all"
        are those of the figure that are not counted with another.
    source: where the paper states it, or why it enters no fact, or where our value comes from.
    """

    figure: str
    attribute: str
    role: str
    facts: tuple
    source: str


def find_attributes(value):
    """Return the set of attributes, "RdmaNic::RetryCount", that a scenario or a command line sets."""
    if isinstance(value, str):
        found = ATTRIBUTE.fullmatch(value)
        if value.startswith("{"):
            return find_attributes(json.loads(value))
        # The value of an attribute that is a type has one name, not two.
        return {found[1]} if found else set()
    if isinstance(value, (list, tuple)):
        return set().union(*map(find_attributes, value))
    if isinstance(value, dict):
        found = find_attributes(list(value.values())) | find_attributes(list(value))
        return found | find_nic_keys(value.get("nics"))
    return set()


def find_nic_keys(nics):
    """Return the keys by which entries of `nics` change a preset, congestionControl."""
    entries = [entry for entry in nics or [] if isinstance(entry, dict)]
    return {key for entry in entries for key in entry if key not in NIC_KEYS}


def read_settings(folder, sources):
    """Return {figure: {attribute: Setting}} of a folder's settings.csv; empty if it has none."""
    path = Path(folder) / FILE
    settings = {}
    if not path.exists():
        return settings
    for line, row in read_rows(path, COLUMNS):
        setting = Setting(**(row | {"facts": expand_facts(row["facts"].split(), row["figure"], sources)}))
        check_setting(f"{path}:{line}", setting, sources, settings)
        settings.setdefault(setting.figure, {})[setting.attribute] = setting
    return settings


def expand_facts(names, figure, sources):
    """Return the facts that the names of a line stand for."""
    if names != [ALL]:
        return tuple(names)
    return tuple(name for name, source in sources.items() if source.figure == figure and not source.same_as)


def check_setting(place, setting, sources, before):
    """Raise UserError unless the fields of a line agree with its role and with status.csv."""
    if setting.figure not in {source.figure for source in sources.values()}:
        raise UserError(f"{place}: expected a figure that answers facts, got {setting.figure!r}")
    if setting.attribute in before.get(setting.figure, {}):
        raise UserError(f"{place}: expected an attribute that no line before has, got {setting.attribute!r}")
    if setting.role not in ROLES:
        raise UserError(f"{place}: expected one of the roles {', '.join(ROLES)}, got {setting.role!r}")
    if not setting.source:
        raise UserError(f"{place}: expected the source, got nothing")
    if (setting.role == CHOSEN) != bool(setting.facts):
        raise UserError(f"{place}: expected facts if the role is {CHOSEN}, and none else")
    for name in setting.facts:
        if name not in sources or sources[name].figure != setting.figure:
            raise UserError(f"{place}: expected facts of {setting.figure}, got {name!r}")
        if setting.attribute not in sources[name].constants:
            raise UserError(f"{place}: expected {setting.attribute} as chosen of {name} in status.csv, got none")


def check_declared(path, figure, attributes, settings):
    """Raise UserError unless each attribute that a run of a figure has set has a line."""
    unknown = sorted(set(attributes) - set(settings.get(figure, {})))
    if unknown:
        raise UserError(f"{path}: expected lines of {FILE} for what {figure} sets, got none for {', '.join(unknown)}")
