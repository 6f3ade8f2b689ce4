# SPDX-License-Identifier: GPL-2.0-only
"""Causes of failed checks: the same run with one setting changed."""

from dataclasses import dataclass, field
from typing import Callable

from . import endpoints

NS = "ns3::rdma::"
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Cause:
    """One changed setting, and the number that it changes."""

    nic: str
    case: str
    changed: str
    measured: str
    read: Callable  # Takes a NicResult, returns text.
    queues: tuple = (3, 3)
    changed_queues: tuple = ()
    has_lossy: bool = True
    has_control: bool = True
    has_wred: bool = True
    attributes: dict = field(default_factory=dict)
    switch: dict = field(default_factory=dict)
    sizes: tuple = (80, 80)  # MB.


def read_again(nic):
    """Return the packets that lossless queues carried again."""
    return f"{sum(part['retransmitted'] for part in endpoints.get_lossless(nic).values()):,}"


def read_marks(nic):
    """Return marks and CNPs."""
    return f"{nic.summary['ecn_marks']:,}, {nic.summary['cnps']:,}"


def read_idle(nic):
    """Return how often queue 0 was empty."""
    return f"{endpoints.get_idle_share(nic, 0, endpoints.get_end(nic)):.0f} %"


def read_spread(nic):
    """Return the spread of the ranks' rates."""
    return f"{endpoints.get_spread(nic):.0f} %"


def read_trims(nic):
    """Return trimmed packets, and packets that were sent again."""
    return f"{nic.summary['trims']:,}, {read_again(nic)}"


CAUSES = (
    Cause(
        "connectx7", "2, Q3 and Q4", "shortest timeouts of 128 us instead of 0.5 ms, as connectx6", "queue 0 empty", read_idle,
        queues=(3, 4), has_control=False, has_wred=False,
        attributes={f"{NS}AdaptiveTimeout::RangeLowBound": 5, f"{NS}AdaptiveTimeout::RangeSize": 10},
    ),
    Cause(
        "connectx7", "6, Q3", "640 MB per rank instead of 80", "spread of rates", read_spread,
        queues=(3, 3, 3), has_lossy=False, sizes=(80, 640),
    ),
    Cause(
        "connectx7", "6, Q3 and Q4", "four ranks, two in each queue", "spread of rates", read_spread,
        queues=(3, 4, 3), changed_queues=(3, 4, 3, 4), has_lossy=False, sizes=(640, 640),
    ),
    Cause(
        "connectx7-ar", "2, Q3", "shortest timeouts of 16.8 ms instead of 0.5 ms", "packets again", read_again,
        has_control=False, has_wred=False,
        attributes={f"{NS}AdaptiveTimeout::InitialLowBound": 12, f"{NS}AdaptiveTimeout::RangeLowBound": 12},
    ),
    Cause(
        "irn", "3, Q3", "no limit of one bandwidth-delay product", "marks, CNPs", read_marks,
        attributes={f"{NS}RdmaNic::BdpFlowControl": "false"},
    ),
    Cause(
        "srnic", "3, Q3", "kmin 20 kB, kmax 80 kB", "marks, CNPs", read_marks,
        switch={"kmin": "20kB", "kmax": "80kB", "pmax": 0.05},
    ),
    Cause(
        "uet", "2, Q3", "a trimming switch, its own", "trims, packets again", read_trims,
        has_control=False, has_wred=False,
        switch={"admissionPolicy": f"{NS}TrimmingAdmission"},
    ),
)


def make_scenario(cause, order, is_changed, seed):
    """Return the scenario of a cause, as it is or changed."""
    queues = cause.changed_queues if is_changed and cause.changed_queues else cause.queues
    scenario = endpoints.make_incast(
        f"cause-{order}-{int(is_changed)}", [cause.nic], queues, cause.has_lossy, cause.has_control, cause.has_wred,
        cause.sizes[is_changed] * MEGABYTE, seed,
    )
    if not is_changed:
        return scenario
    (design,) = scenario["nics"]
    design["groups"] = {
        name: group | {"attributes": group["attributes"] | cause.attributes} for name, group in design["groups"].items()
    }
    if "kmin" in cause.switch:
        scenario["fabric"]["classes"]["3"]["ecn"] = {"100Gbps": cause.switch}
    else:
        design["fabric"] = design["fabric"] | cause.switch
    return scenario


def show_all(context):
    """Return the rows of the table of causes."""
    seed = int(context.options["seed"])
    chosen = context.options["nics"].split(",")
    causes = [(order, cause) for order, cause in enumerate(CAUSES) if cause.nic in chosen]
    if context.is_quick:
        causes = [(order, cause) for order, cause in causes if max(cause.sizes) <= 80]
    keys = {(order, is_changed): make_scenario(cause, order, is_changed, seed) for order, cause in causes for is_changed in (False, True)}
    results = context.sweep(keys)
    rows = []
    for order, cause in causes:
        values = [cause.read(results[order, is_changed].nics[0]) for is_changed in (False, True)]
        rows.append([cause.nic, f"RoCEv2 test case {cause.case}", cause.changed, cause.measured, *values])
    return rows
