# SPDX-License-Identifier: GPL-2.0-only
"""Scores of a run: what an ideal design would need, over what this one needed. 1 cannot be exceeded.

A scenario has one score or several, whose geometric mean counts. A flow that failed, or had not ended with the run,
has an efficiency of 0.
"""

import math
from dataclasses import dataclass

import numpy

from rocelab.results.quantities import read_gbps, read_ns

TAIL_PERCENT = 1  # Of flows, the least efficient.
BITS = 8


def get_port_bits(scenario):
    """Return the rate of a server's port, bits per second."""
    return read_gbps(scenario["fabric"]["hostRate"]) * 1e9


def get_number(summary, keys):
    """Return a number of a summary; 0 if the run has none, because nothing was completed."""
    value = summary
    for key in keys:
        value = value.get(key) or {}
    return value if isinstance(value, (int, float)) else 0.0


@dataclass(frozen=True)
class FlowEfficiency:
    """Ideal time over time of flows: the mean, or that of the first of the least efficient hundredth (the tail)."""

    is_tail: bool
    below: float = math.inf  # Bytes.
    without: tuple = ()  # Flows from or to these servers do not count.
    after_us: float = 0.0
    before_us: float = math.inf  # Of the flows' starts.
    workload: str = ""  # One of a list.

    def select(self, flows):
        """Return the rows of a run's flows that count."""
        starts = flows["start_ns"] / 1e3
        counts = (flows["bytes"] < self.below) & (starts >= self.after_us) & (starts < self.before_us)
        counts &= ~flows["src"].isin(self.without) & ~flows["dst"].isin(self.without)
        if self.workload:
            counts &= flows["workload"] == self.workload
        return flows[counts]

    def score(self, run):
        """Return the score of a RunResult."""
        flows = self.select(run.flows)
        if not len(flows):
            return 0.0
        is_completed = (flows["status"] == "completed").to_numpy()
        times = flows["fct_ns"].to_numpy(dtype=float, na_value=numpy.inf)
        found = numpy.where(is_completed, flows["ideal_ns"].to_numpy(dtype=float) / times, 0.0)
        # Ideal times are of one path: several may be faster.
        found = numpy.minimum(found, 1.0)
        if not self.is_tail:
            return float(found.mean())
        rank = math.ceil(TAIL_PERCENT * len(found) / 100)
        return float(numpy.sort(found)[rank - 1])


@dataclass(frozen=True)
class BusiestPort:
    """Time in which the busiest server can send or receive its bytes, headers not counted, over the time of all flows."""

    def score(self, run):
        """Return the score of a RunResult; 0 if a flow has not completed."""
        flows = run.flows
        if not len(flows) or (flows["status"] != "completed").any():
            return 0.0
        most = max(flows.groupby(side)["bytes"].sum().max() for side in ("src", "dst"))
        begin = flows["start_ns"].min()
        taken = ((flows["start_ns"] + flows["fct_ns"]).max() - begin) * 1e-9
        planes = get_planes(run.scenario)
        ideal = find_ideal_time(most * BITS, planes * get_port_bits(run.scenario), list_outages(run.scenario, begin * 1e-9))
        return min(1.0, ideal / taken)


def get_planes(scenario):
    """Return the number of ports of a server."""
    fabric = scenario["fabric"]
    return fabric.get("planes") or fabric.get("portsPerNic") or 1


def list_outages(scenario, begin):
    """Return [(time since `begin` in seconds, share of the planes that are up from then on)].

    Only for a star of planes, in which a switch that fails is a plane.
    """
    down, found = set(), []
    planes = get_planes(scenario)
    for event in sorted(scenario.get("linkEvents", ()), key=lambda event: read_ns(event["at"])):
        (down.discard if event["state"] == "up" else down.add)(event["switch"])
        found.append((read_ns(event["at"]) * 1e-9 - begin, 1 - len(down) / planes))
    return found


def find_ideal_time(bits, rate, outages):
    """Return the seconds in which so many bits are sent at a rate of which outages leave a share."""
    now, share = 0.0, 1.0
    for at, next_share in outages:
        sent = rate * share * (at - now)
        if sent >= bits:
            break
        bits -= sent
        now, share = at, next_share
    return now + bits / (rate * share)


@dataclass(frozen=True)
class Rate:
    """A rate in Gb/s of summary.json over that of the servers' ports that carry it."""

    key: tuple
    ports: int

    def score(self, run):
        """Return the score of a RunResult."""
        return min(1.0, get_number(run.summary, self.key) * 1e9 / (self.ports * get_port_bits(run.scenario)))


@dataclass(frozen=True)
class Ratio:
    """A bound in summary.json over the number that it bounds."""

    of: tuple
    by: tuple

    def score(self, run):
        """Return the score of a RunResult."""
        by = get_number(run.summary, self.by)
        return min(1.0, get_number(run.summary, self.of) / by) if by else 0.0


def make_score(part):
    """Return the score of an entry of suite.json, {"kind": "tail", "below": 100000}."""
    settings = {key: tuple(value) if isinstance(value, list) else value for key, value in part.items()}
    kind = settings.pop("kind")
    if kind in ("tail", "mean"):
        return FlowEfficiency(kind == "tail", **settings)
    return {"busiest-port": BusiestPort, "rate": Rate, "ratio": Ratio}[kind](**settings)


def score_run(parts, run):
    """Return the geometric mean of a run's scores; 0 without results."""
    if not run.has_results:
        return 0.0
    found = [part.score(run) for part in parts]
    return math.prod(found) ** (1 / len(found))
