# SPDX-License-Identifier: GPL-2.0-only
"""Takes the place of build/rocelab run: the same arguments and files, numbers by formula.

The factor of synthetic.make_flows() is servers / 16 times that of the NIC. FAKE_ENGINE_STALL names
a NIC that leaves its last flow stalled; FAKE_ENGINE_STATUS makes the run fail at once,
FAKE_ENGINE_FAIL_AT that of a number of servers. The file
FAKE_ENGINE_RANKS gets a line per run, its option --ranks.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from synthetic import FLOW_COUNT, make_flows, stop_flows, write_nic

FACTORS = {"connectx6": 2, "irn": 1.1, "srnic": 1, "balboa": 1.5}


def main(words=None):
    """Carry out a command line; returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run"])
    parser.add_argument("scenario", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--nic", action="append")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--ranks")
    options = parser.parse_args(words)
    if "FAKE_ENGINE_RANKS" in os.environ:
        with open(os.environ["FAKE_ENGINE_RANKS"], "a", encoding="utf-8") as file:
            print(options.ranks, file=file)
    if "FAKE_ENGINE_STATUS" in os.environ:
        return int(os.environ["FAKE_ENGINE_STATUS"])
    scenario = json.loads(options.scenario.read_text())
    if os.environ.get("FAKE_ENGINE_FAIL_AT") == str(scenario["fabric"].get("servers")):
        return 1
    workload = scenario["workload"]
    sizes = options.scenario.parent / workload["file" if "file" in workload else "sizes"]
    if sizes.name != "any.cdf" and not sizes.is_file():
        print(f"rocelab: {sizes}: expected a file", file=sys.stderr)
        return 2
    if options.seed is not None:
        scenario["run"]["seed"] = options.seed
    status = 0
    entries = [
        (nic, nic) if isinstance(nic, str) else (nic["name"], nic["preset"])
        for nic in scenario["nics"]
    ]
    presets = dict(entries)
    for nic in options.nic or presets:
        rows = make_flows(FACTORS[presets.get(nic, nic)] * scenario["fabric"]["servers"] / 16)
        if os.environ.get("FAKE_ENGINE_STALL") == nic:
            rows = stop_flows(rows, [FLOW_COUNT], "stalled")
            status = 3
        write_nic(options.out / scenario["name"] / nic, rows, scenario)
    return status


if __name__ == "__main__":
    sys.exit(main())
