# SPDX-License-Identifier: GPL-2.0-only
"""What the JSON files of result folders hold: the keys that tables, plots and reports read.

Keys that are not here may be there; docs/reference/results.md describes all of them.
"""

from rocelab.files import read_json_object
from rocelab.results.schema import (
    Any,
    Choice,
    Flag,
    Mapping,
    Number,
    OneOf,
    Pair,
    Record,
    Sequence,
    Text,
    check_value,
)

SHORTEST = 1e-6  # Of a time in us: a picosecond; and of a ratio.
LONGEST = 1e18  # Of a number that is drawn.

COUNT = Number(is_whole=True)
AMOUNT = Number(most=LONGEST)
MAYBE_AMOUNT = Number(most=LONGEST, is_optional=True)
#: Of times and slowdowns, which a log axis has to show; null where there is no sample.
MAYBE_POSITIVE = Number(SHORTEST, LONGEST, is_optional=True)
NAME = Text(is_name=True)
#: A number with its unit, as scenarios have it.
QUANTITY = OneOf("a text or a number", (Text(), Number(-LONGEST, LONGEST)))
STATISTICS = Record(optional=dict.fromkeys(("mean", "p50", "p99"), MAYBE_POSITIVE))

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

HARDWARE = Record(
    {
        "cpu_cores": Record({"mean": AMOUNT, "max": AMOUNT}),
        **dict.fromkeys(("pcie_up_bytes", "pcie_down_bytes", "context_misses", "software_packets"), COUNT),
    }
)
RPC = Record(
    {
        "measured": COUNT,
        "latency_us": Record(dict.fromkeys(("mean", "p50", "p99", "p999"), MAYBE_AMOUNT)),
        "goodput_gbps": MAYBE_AMOUNT,
    }
)
COLLECTIVE = Record(
    {
        **dict.fromkeys(("bytes", "communicators", "ranks", "iterations", "completed"), COUNT),
        **dict.fromkeys(("packets", "retransmitted", "timeouts"), COUNT),
    },
    {
        "time_us": Record(dict.fromkeys(("mean", "p50", "p99", "max"), AMOUNT)),
        **dict.fromkeys(("period_us", "algbw_gbps", "busbw_gbps", "goodput_gbps"), AMOUNT),
        **dict.fromkeys(("empty_network_us", "slowdown"), AMOUNT),
    },
)
#: What workloads other than flows add.
PARTS = {"rpc": RPC, "collective": COLLECTIVE}
FLOWS = {
    "flows": Record(dict.fromkeys(("started", "completed", "failed", "stalled"), COUNT)),
    "fct_us": STATISTICS,
    "slowdown": STATISTICS,
    # None after a fluid start.
    **dict.fromkeys(("goodput_gbps", "goodput_to_last_start_gbps"), MAYBE_AMOUNT),
}
#: Of one workload of a list.
OF_WORKLOAD = Record({**FLOWS, "retransmitted": COUNT, "timeouts": COUNT}, PARTS)
SUMMARY = Record(
    {
        **FLOWS,
        "drops": Mapping(COUNT),
        **dict.fromkeys(COUNTERS, AMOUNT),
    },
    {
        "partial": Flag(),
        "violations": Sequence(Text()),
        "precision": Record({"reached": Flag(), "from_us": AMOUNT}),
        "fluid": Record({"until_us": AMOUNT, "flows": COUNT}),
        **dict.fromkeys(TRIMS, COUNT),
        "resending_timeouts": COUNT,
        "simulated_ms": AMOUNT,
        "events": COUNT,
        **PARTS,
        "workloads": Mapping(OF_WORKLOAD),
        "hardware": HARDWARE,
        "streams": Record({"measured_ms": Number(SHORTEST, LONGEST)}, {"retransmitted": COUNT, "goodput_gbps": AMOUNT}),
    },
)

#: For all servers, or by group.
EACH = OneOf("a number or an object of numbers", (Number(is_whole=True), Mapping(Number(is_whole=True))))
#: Numbers of switches and servers that a fabric's picture needs.
SHAPE_KEYS = (
    *("k", "racks", "serversPerRack", "pods", "aggregation", "core"),
    *("leaves", "spines", "serversPerLeaf"),
)
#: Of a fabric, as its picture and its words need it.
FABRIC = Record(
    optional={
        "topology": NAME,
        "servers": Number(1, 1 << 20, is_whole=True),
        **dict.fromkeys(("hostRate", "fabricRate", "spineRate", "bottleneckRate", "linkDelay"), QUANTITY),
        **dict.fromkeys(SHAPE_KEYS, Number(0, 1 << 20, is_whole=True)),
        "preset": NAME,
        **dict.fromkeys(("nicsPerServer", "portsPerNic"), EACH),
        "framing": Text(),
        "file": Text(),
    }
)
DESIGN = Record(optional={"name": NAME, "preset": NAME, "hardware": Text()})
NIC = OneOf(
    "the name of a NIC or its design",
    (
        NAME,
        Record(
            optional={
                "name": NAME,
                "preset": NAME,
                "hardware": Text(),
                "groups": Mapping(OneOf("the name of a NIC or its design", (NAME, DESIGN))),
            }
        ),
    ),
)
WORKLOAD = Record(
    optional={
        "type": Text(),
        "load": QUANTITY,
        "duration": QUANTITY,
        "name": NAME,
    }
)
RUN = Record(
    optional={
        "seed": Number(most=2**64 - 1, is_whole=True),
        "drain": Flag(),
        "precision": Number(0, 1),
    }
)
ORIGIN = Record(
    optional={
        "version": Text(),
        "ns3": Text(),
        "compiler": Text(),
        "nics": Sequence(NAME),
        "plugins": Sequence(OneOf("a plug-in", (Text(), Record()))),
        "scenario": Record(optional={"hash": Text(), "files": Mapping(Text())}),
    }
)
SCENARIO = Record(
    optional={
        "name": NAME,
        "fabric": FABRIC,
        "nics": Sequence(NIC),
        "workload": WORKLOAD,
        "workloads": Sequence(WORKLOAD),
        "run": RUN,
        "rocelab": ORIGIN,
        "linkEvents": Sequence(Any()),
    }
)

#: RESULTS/<figure>/figure.json.
POINT = Pair(
    OneOf("a number or a text", (Number(-LONGEST, LONGEST), Text())),
    OneOf("a number, a text or null", (Number(-LONGEST, LONGEST, is_optional=True), Text())),
)
AXIS = Record({"label": Text()}, {"unit": Text(), "scale": Text()})
SERIES = Mapping(Sequence(POINT))
PANEL = Record({"x": AXIS, "y": AXIS, "series": SERIES}, {"intervals": Mapping(Mapping(AMOUNT))})
SHOWN = OneOf("a number or a text", (Number(-LONGEST, LONGEST), Text()))
ROW = Record(
    optional={
        "what": Text(),
        "ours": SHOWN,
        "paper": OneOf("a number, a text or null", (Number(-LONGEST, LONGEST, is_optional=True), Text())),
        "facts": Sequence(NAME),
        "relation": Text(),
        "difference": Number(-LONGEST, LONGEST, is_optional=True),
        "met": Flag(),
    }
)
MADE = Record(
    optional={
        "version": Text(),
        "commit": Text(),
        "quick": Flag(),
        "figure": Text(),
        "options": Mapping(OneOf("a text or a number", (Text(), Number(-LONGEST, LONGEST)))),
    }
)
#: The same, as validate reads it.
ANSWERED = Record(
    {
        "made": Record(
            {"version": Text(), "commit": Text(), "options": Mapping(SHOWN)},
            {"quick": Flag(), "figure": Text(), "attributes": Sequence(Text())},
        )
    },
    dict.fromkeys(("comparison", "checks"), Sequence(Record({"what": Text(), "ours": SHOWN}, ROW.optional))),
)
FIGURE = Record(
    {"x": AXIS, "y": AXIS, "series": SERIES},
    {
        "panels": Sequence(PANEL),
        "comparison": Sequence(ROW),
        "checks": Sequence(ROW),
        "notes": Sequence(Text()),
        "incomplete": Mapping(Sequence(Any())),
        "paper": Sequence(Record({"statement": Text()}, {"where": Text(), "sources": Sequence(Text())})),
        "made": MADE,
    },
)

#: RESULTS/perftest.json, as rocelab perftest --out writes it.
MEASURED = Record(optional={"goodputGbps": AMOUNT})
PERFTEST = Record(
    {
        "test": NAME,
        "nic": NAME,
        "rate": NAME,
        "delay": NAME,
        "qp": Number(1, is_whole=True),
        "loss": Number(0, 1),
        "results": Sequence(
            Record({"size": COUNT}, {"measured": MEASURED, "typicalUs": AMOUNT}), least=1
        ),
    },
    {"hardware": Choice(("on", "off")), "inline": COUNT},
)

#: sweep.json, and run.json of a run of a sweep.
AXIS_OF_SWEEP = Record(optional={"zip": Sequence(Record())})
SWEEP = Record({"format": COUNT}, {"sweep": Record(optional={"axes": Sequence(AXIS_OF_SWEEP)})})
RUN_RECORD = Record(
    {"hash": NAME, "status": Choice(("done", "stalled", "failed")), "error": Text()}
)


def read_checked(path, rule):
    """Return the object in a JSON file of results; raises UserError that names path and place."""
    return check_value(path, read_json_object(path), rule)
