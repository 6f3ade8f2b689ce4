# SPDX-License-Identifier: GPL-2.0-only
"""Result folders: RESULTS/<scenario>/<nic>/{scenario.json,summary.json,flows.csv}."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy

from rocelab.errors import UserError, describe_nearest, describe_value
from rocelab.files import read_json_object
from rocelab.results.csv_table import read_table
from rocelab.results.json_files import COUNTERS, SUMMARY, TRIMS, get_input_files, read_checked
from rocelab.results.percentile import mean, nearest_rank

COMPLETED = "completed"  # Status of a flow.
#: Keys of summary.json of the traffic that is no flow.
TRAFFIC_PARTS = ("rpc", "messages", "collective", "sequence", "streams")
SMALL_FLOW_BYTES = 100_000  # "Small" as in SRNIC section 6.3: 0 to 100 KB.
#: The presets in the order of tables and pictures; draw/style.py has their looks.
WELL_KNOWN_NICS = tuple("connectx5 connectx6 irn srnic balboa strom10g cx5-measured strom100g".split())
#: Reasons of "drops" that are drops in the fabric; all others are discards at servers.
FABRIC_REASONS = ("buffer-full", "link-loss", "link-down", "no-route", "trimmed")


@dataclass(frozen=True)
class NicResult:
    """One run: a scenario with one NIC. Times are in microseconds; None means "no such flow"."""

    name: str
    folder: Path
    scenario: dict
    summary: dict
    flows: numpy.ndarray  # flows.csv as read_table() gives it.
    workload: str = ""  # The one of a list that this is of; empty: all.

    @cached_property
    def measured(self):
        """The flows that started, without those that began as a fluid unless the run ends by its precision."""
        fluid = self.summary.get("fluid")
        if self.precision or not fluid:
            return self.flows
        return self.flows[self.flows["start_ns"] >= fluid["until_us"] * 1e3]

    @cached_property
    def completed(self):
        """The measured flows that completed; all distributions are over these.

        Of a run that ends by its precision, those that completed after its warm-up.
        """
        flows = self.measured[self.measured["status"] == COMPLETED]
        if not self.precision:
            return flows
        return flows[flows["start_ns"] + flows["fct_ns"] >= self.precision["from_us"] * 1e3]

    @property
    def fluid_count(self):
        """How many flows began as a fluid and are not measured."""
        return len(self.flows) - len(self.measured)

    @property
    def measured_count(self):
        """How many flows started that are measured."""
        return self.started_count - self.fluid_count

    @property
    def traffic(self):
        """Summaries of the traffic that is no flow, of all workloads."""
        found = [self.summary[name] for name in TRAFFIC_PARTS if name in self.summary]
        for workload in self.summary.get("workloads", {}).values():
            found += [workload[name] for name in TRAFFIC_PARTS if name in workload]
        return found

    def count(self, key):
        """Return "retransmitted" or "timeouts" of all traffic; None if some of it does not count them."""
        counts = [part.get(key) for part in self.traffic]
        return None if None in counts else self.summary[key] + sum(counts)

    @property
    def goodput_gbps(self):
        """Payload over time, to the last end: of flows, or of another kind of traffic; None of several."""
        traffic = self.traffic
        if not traffic:
            return self.summary["goodput_gbps"]
        return traffic[0].get("goodput_gbps") if len(traffic) == 1 and not self.started_count else None

    @property
    def goodput_to_last_start_gbps(self):
        """The same up to the last start of a flow; None if there is other traffic than flows."""
        return None if self.traffic else self.summary["goodput_to_last_start_gbps"]

    @property
    def precision(self):
        """What the summary says of a run that ends by its precision; None of any other."""
        return self.summary.get("precision")

    @property
    def started_count(self):
        return self.summary["flows"]["started"]

    @property
    def completed_count(self):
        return self.summary["flows"]["completed"]

    @property
    def is_partial(self):
        """True if the run was interrupted before its end."""
        return bool(self.summary.get("partial", False))

    @property
    def workloads(self):
        """Names of the workloads of a list, in its order; empty for a scenario with one workload."""
        return list(self.summary.get("workloads", {}))

    def select(self, workload, name=None):
        """Return the result of one workload of the list, called `name`, which is the NIC's by default.

        Counters that only the whole run has, as drops, are None.
        """
        parts = (*TRAFFIC_PARTS, "hardware", "workloads", "drops", *TRIMS)
        summary = {key: value for key, value in self.summary.items() if key not in parts}
        summary |= dict.fromkeys(COUNTERS) | self.summary["workloads"][workload]
        flows = self.flows[self.flows["workload"] == workload]
        return replace(self, name=name or self.name, summary=summary, flows=flows, workload=workload)

    @property
    def violation_count(self):
        """How many invariants of the model the run found broken."""
        return len(self.summary.get("violations", []))

    @property
    def is_complete(self):
        """True if the run came to its end, every started flow completed and no invariant broke.

        A run that ends by its precision has to reach that, and no flow may fail or stall before.
        """
        if self.precision:
            flows = self.summary["flows"]
            has_ended = self.precision["reached"] and flows["failed"] == flows["stalled"] == 0
        else:
            has_ended = self.completed_count == self.started_count
        return has_ended and not self.is_partial and not self.violation_count

    @property
    def has_means_of_some(self):
        """True if flows that started are not in the means, because they did not complete."""
        return not self.precision and self.completed_count < self.started_count

    @property
    def defect(self):
        """What keeps this from being a complete run, in one phrase; empty for a complete one."""
        if self.is_complete:
            return ""
        words = [f"{self.completed_count:,} of {self.started_count:,} flows completed"]
        if self.precision:  # Flows may be under way at its end.
            words = [] if self.precision["reached"] else ["precision not reached"]
        words += [
            f"{self.summary['flows'][kind]:,} {kind}"
            for kind in ("failed", "stalled")
            if self.summary["flows"][kind]
        ]
        if self.is_partial:
            words.insert(0, "interrupted")
        if self.violation_count:
            words.append(f"{self.violation_count:,} invariants broken")
        return ", ".join(words)

    def fct_us(self, statistic):
        """Return "mean", "p50" or "p99" of the flow completion time in us."""
        return self._statistic("fct_us", statistic, lambda: self.completed["fct_ns"] / 1e3)

    def slowdown(self, statistic):
        """Return "mean", "p50" or "p99" of FCT / ideal FCT."""
        return self._statistic("slowdown", statistic, lambda: self.completed["slowdown"])

    @property
    def small_flow_slowdown(self):
        """Mean slowdown of the completed flows below SMALL_FLOW_BYTES."""
        flows = self.completed
        return mean(flows["slowdown"][flows["bytes"] < SMALL_FLOW_BYTES])

    def _statistic(self, group, statistic, values):
        # The summary's number wins: it is computed from picoseconds, flows.csv is rounded.
        value = self.summary.get(group, {}).get(statistic) if not self.precision else None
        if value is None and self.completed_count:
            samples = values()
            percent = 0 if statistic == "mean" else int(statistic[1:])
            value = nearest_rank(samples, percent) if percent else mean(samples)
        return value


@dataclass(frozen=True)
class ScenarioResult:
    """All NICs of one scenario, in the scenario's order."""

    name: str
    folder: Path
    nics: list
    missing: list = field(default_factory=list)  # Names that the scenario lists without results.

    def __getitem__(self, name):
        for nic in self.nics:
            if nic.name == name:
                return nic
        raise KeyError(name)


def split_workloads(scenario):
    """Return a ScenarioResult with a result per NIC and workload, called NIC: WORKLOAD.

    A scenario with one workload stays as it is.
    """
    nics = []
    for nic in scenario.nics:
        nics += [nic.select(name, f"{nic.name}: {name}") for name in nic.workloads] or [nic]
    return replace(scenario, nics=nics)


def check_workload(nic, workload):
    """Raise UserError unless a NicResult has a workload of that name."""
    if workload not in nic.workloads:
        known = describe_nearest(workload, nic.workloads) if nic.workloads else "the scenario has no list"
        raise UserError(f"--workload: expected a workload of {nic.folder} ({known}), got {workload!r}")


def select_workload(scenario, workload):
    """Return the ScenarioResult of one workload of a list; raises UserError if a NIC does not have it."""
    for nic in scenario.nics:
        check_workload(nic, workload)
    return replace(scenario, nics=[nic.select(workload) for nic in scenario.nics])


def load_nic(folder):
    """Return the NicResult in `folder`; raises UserError naming the file that is amiss."""
    folder = Path(folder)
    summary = read_checked(folder / "summary.json", SUMMARY)
    flows = read_table(folder, "flows.csv")
    scenario = read_json_object(folder / "scenario.json")
    result = NicResult(folder.name, folder, scenario, summary, flows)
    completed_count = numpy.count_nonzero(flows["status"] == COMPLETED)
    if completed_count != result.completed_count:
        raise UserError(
            f"{folder / 'flows.csv'}: expected {result.completed_count} completed flows as in "
            f"summary.json, got {completed_count}"
        )
    return result


def get_listed_nics(scenario):
    """Return the NIC names that a scenario.json lists, in order; empty if it lists none."""
    names = []
    # The file of one NIC says under "rocelab" with whom it ran, in the order of the scenario.
    listed = (scenario.get("rocelab") or {}).get("nics") or scenario.get("nics") or []
    for entry in listed:
        if isinstance(entry, dict):
            entry = entry.get("name") or entry.get("preset")
        if isinstance(entry, str):
            names.append(entry)
    return names


def get_common_part(scenario):
    """Return what the NICs of one scenario share, of a scenario.json."""
    own = ("nics", "rocelab", "series")  # Series change no result.
    common = {key: value for key, value in scenario.items() if key not in own}
    if isinstance(common.get("fabric"), dict):
        common["fabric"] = dict(common["fabric"])
        common["fabric"].pop("pfc", None)  # As the NIC asks for; what the scenario says is below.
    said = (scenario.get("rocelab") or {}).get("scenario") or {}
    for key, place in (("attributes", common), ("pfc", common.get("fabric"))):
        if key in said and isinstance(place, dict):
            place[key] = said[key]
    for key, value in (said.get("fabric") or {}).items():  # In place of what the preset sets; None: nothing.
        common["fabric"].pop(key, None)
        common["fabric"].update({} if value is None else {key: value})
    common["files"] = get_input_files(scenario)
    return common


def find_difference(one, other, path="$"):
    """Return (JSON path, value, value) of the first place where two documents differ, or None."""
    if isinstance(one, dict) and isinstance(other, dict):
        places = [(f"{path}.{key}", one.get(key), other.get(key)) for key in {**one, **other}]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        places = [(f"{path}[{i}]", *both) for i, both in enumerate(zip(one, other))]
    else:
        return None if one == other else (path, one, other)
    found = (find_difference(left, right, place) for place, left, right in places)
    return next((difference for difference in found if difference), None)


def check_same_scenario(folder, nics):
    """Raise UserError that says what differs, unless all runs were of one scenario but the NIC."""

    def get_hash(nic):
        return ((nic.scenario.get("rocelab") or {}).get("scenario") or {}).get("hash")

    first = nics[0]
    for nic in nics[1:]:
        if get_hash(nic) is not None and get_hash(nic) == get_hash(first):
            continue
        difference = find_difference(get_common_part(first.scenario), get_common_part(nic.scenario))
        if difference is None and get_hash(nic) == get_hash(first):
            continue  # Of a version that wrote no hash.
        if difference is None:
            difference = ("$.rocelab.scenario.hash", get_hash(first), get_hash(nic))
        path, one, other = difference
        if path.startswith("$.files."):
            path = f"the content of {path[len('$.files.'):]}, by its hash"
        raise UserError(
            f"{folder}: expected runs of one scenario, got {path}: {describe_value(one)} in"
            f" {first.name}, {describe_value(other)} in {nic.name} (run all of them again, or use"
            " another folder)"
        )


def list_nics(folder):
    """Return the folders of a scenario's NICs, RESULTS/<scenario>/<nic>; raises UserError if there is none."""
    if not folder.is_dir():
        raise UserError(f"{folder}: expected a folder RESULTS/<scenario name>, got no folder")
    found = sorted(path for path in folder.iterdir() if (path / "summary.json").exists())
    if not found:
        raise UserError(f"{folder}: expected results of a NIC, <nic>/summary.json, got none")
    return found


def load_scenario(folder, only=None):
    """Return the ScenarioResult of RESULTS/<scenario>; `only` names the NICs wanted, in order.

    A sub-folder counts as a NIC if it holds a summary.json. A NIC that the scenario lists and that
    has no summary.json is reported in `missing`. Raises UserError if the runs were of scenarios
    that differ in more than the NIC.
    """
    folder = Path(folder)
    found = {child.name: load_nic(child) for child in list_nics(folder) if only is None or child.name in only}
    if not found:
        raise UserError(f"{folder}: expected results of {', '.join(only)}, got none")
    nics, missing = order_nics(folder, found, only)
    name = nics[0].scenario.get("name") or folder.resolve().name
    return ScenarioResult(name, folder, nics, missing)


def order_nics(folder, found, only=None):
    """Return ({name: result} in the order of the scenario as a list, names that it lists without results).

    Raises UserError if the runs were of scenarios that differ in more than the NIC.
    """
    if only is None:
        # A NIC that was run alone may list only itself, so the longest list gives the order.
        only = max((get_listed_nics(nic.scenario) for nic in found.values()), key=len)
    rest = [name for name in WELL_KNOWN_NICS if name in found] + sorted(found)
    order = list(dict.fromkeys([name for name in only if name in found] + rest))
    nics = [found[name] for name in order]
    check_same_scenario(folder, nics)
    return nics, [name for name in only if name not in found]
