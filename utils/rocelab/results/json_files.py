# SPDX-License-Identifier: GPL-2.0-only
"""JSON files of results: the keys that tables, plots and reports rely on (docs/reference/results.md has all keys)."""

from rocelab.errors import UserError, describe_value
from rocelab.files import read_json_object

NUMBER = (int, float)
#: Of the whole run.
COUNTERS = (
    "fabric_drops",
    "nic_discards",
    "ecn_marks",
    "pfc_pauses",
    "cnps",
    "retransmitted",
    "timeouts",
    "packet_hops",
    "wall_seconds",
    "packet_hops_per_second",
    "peak_rss_bytes",
)
#: Of packets whose payload a switch removed; older results do not have them.
TRIMS = ("trims", "last_hop_trims", "trimmed_drops")

# {key: kind of its value, or its keys}
SUMMARY = {
    "flows": dict.fromkeys(("started", "completed", "failed", "stalled"), int),
    "fct_us": dict,
    "slowdown": dict,
    "drops": dict,
    **dict.fromkeys(COUNTERS, NUMBER),
}
FIGURE = {"x": {"label": str}, "y": {"label": str}, "series": dict}
#: The same, as validate reads it.
ANSWERED = {"made": {"version": str, "commit": str, "options": dict}}
PERFTEST = {"test": str, "nic": str, "rate": str, "delay": str, "qp": int, "loss": NUMBER, "results": list}
RUN_RECORD = {"hash": str, "status": str, "error": str}

KINDS = {int: "a whole number", NUMBER: "a number", str: "a text", dict: "an object", list: "a list"}


def read_checked(path, keys):
    """Return the object in a JSON file of results; raises UserError if it is damaged or lacks a key."""
    return check_keys(path, read_json_object(path), keys)


def check_keys(path, value, keys, place="$"):
    """Return an object that has the keys, with values of their kinds; raises UserError that names the first other."""
    for key, kind in keys.items():
        found = value.get(key)
        expected = dict if isinstance(kind, dict) else kind
        if not isinstance(found, expected):
            got = describe_value(found)
            raise UserError(f"{path}: expected {KINDS[expected]} at {place}.{key}, got {got}")
        if isinstance(kind, dict):
            check_keys(path, found, kind, f"{place}.{key}")
    return value


def get_input_files(scenario):
    """Return {path or shipped name: content hash} of the files that made the results of a scenario.json."""
    said = (scenario.get("rocelab") or {}).get("scenario") or {}
    return {**(said.get("files") or {}), **(said.get("shipped") or {})}
