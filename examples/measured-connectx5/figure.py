# SPDX-License-Identifier: GPL-2.0-only
"""ConnectX-5 adapters as others measured them: goodput by message size and by gaps, beside ours.

Source: openfabric-systems/simllm, paper/mlx5/data (msgsize.csv, gapsweep.csv), September 2026.
"""

from rocelab import testbed
from rocelab.errors import UserError
from rocelab.figure import Option
from rocelab.table import MISSING, divide, format_number, format_table

NIC = "cx5-measured"
MEASURED = "measured"

# Four links of a round trip through the one switch have 515 ns each. The engine's fabric of one
# switch is the fat-tree of 16 servers.
LINK_DELAY = "515ns"
NETWORK = {"rate": "100Gbps", "delay": LINK_DELAY, "mtu": 4096, "fabric": 16}
BURST = 128

# (bytes, Gbit/s): RDMA WRITE of one queue pair, depth 1, mean of two directions.
DEPTH_1 = (
    (64, 0.13),
    (128, 0.26),
    (256, 0.515),
    (512, 1.015),
    (1024, 1.955),
    (2048, 3.71),
    (4096, 7.04),
    (8192, 12.965),
    (16384, 21.95),
    (32768, 33.485),
    (65536, 49.63),
    (131072, 65.93),
    (262144, 79.23),
    (524288, 87.355),
    (1048576, 73.955),
    (2097152, 75.59),
    (4194304, 77.025),
    (8388608, 77.06),
)
DEPTH_1024 = ((8192, 77.2378), (65536, 81.4345), (262144, 82.0853), (524288, 81.9497))
# (bytes, gap in us, Gbit/s within bursts, Gbit/s in all, frames discarded by the receiver's port).
GAPS = (
    (8192, 0, 77.2378, 77.1756, 4460.3),
    (8192, 4, 92.197, 88.1606, 0),
    (8192, 100, 92.2664, 43.8992, 0),
    (8192, 368, 92.2225, 18.2707, 0),
    (65536, 0, 81.4345, 81.424, 31562.7),
    (65536, 4, 81.429, 81.0169, 30936.7),
    (65536, 100, 97.3136, 84.9698, 0),
    (65536, 368, 97.3085, 63.4409, 0),
)
# MaxOutstanding was fitted to this size without gaps: its rows show nothing (README.md).
FITTED_SIZE = 65536

# One mechanism of the preset left out at a time: what the two senders and the lone one lose.
ABLATIONS = {
    "as it is": {},
    "timer of 67 ms": {"ns3::rdma::RdmaNic::LossRecovery": "ns3::rdma::GoBackN"},
    "no limit of what is outstanding": {"ns3::rdma::NicHardware::MaxOutstanding": "0"},
    "no CNPs of the receiver": {"ns3::rdma::IngressMeter::CongestedBytes": "0"},
    "no ingress meter": {
        "ns3::rdma::IngressMeter::Capacity": "0",
        "ns3::rdma::IngressMeter::CongestedBytes": "0",
    },
    "no limit, no CNPs": {
        "ns3::rdma::NicHardware::MaxOutstanding": "0",
        "ns3::rdma::IngressMeter::CongestedBytes": "0",
    },
    "none of these three": {
        "ns3::rdma::NicHardware::MaxOutstanding": "0",
        "ns3::rdma::IngressMeter::Capacity": "0",
        "ns3::rdma::IngressMeter::CongestedBytes": "0",
    },
}

ABLATION_MILLISECONDS = 5  # Some take a hundred times as long.

OPTIONS = {
    "sizes": Option(
        ",".join(str(size) for size, _ in DEPTH_1), "64,8192", "message sizes at depth 1, bytes"
    ),
    "megabytes": Option("600", "100", "of payload in each test without gaps, about"),
    "bursts": Option("20", "4", "bursts of each test with gaps"),
    "senders": Option("2,4", "2", "senders into one port, of each run"),
    "milliseconds": Option("20", "2", "that the senders take at line rate, about"),
    "ablations": Option("on", "off", "on or off: two senders without one mechanism each"),
}

PAPER = [
    {
        "sources": ["msgsize.csv"],
        "where": "simllm, paper/mlx5/data",
        "statement": "one queue pair at depth 1: 0.13 Gbit/s at 64 B, 87.4 at 512 KiB, 74 to 77 beyond",
    },
    {
        "sources": ["gapsweep.csv"],
        "where": "simllm, paper/mlx5/data",
        "statement": "without gaps the receiver's port discards and goodput is 77 to 82 Gbit/s; 8 KiB "
        "messages lose nothing from a gap of 4 us on, 64 KiB messages from 100 us on",
    },
]

X_SIZE = {"label": "Message size", "unit": "B", "scale": "log2"}
X_GAP = {"label": "Gap between bursts of 128", "unit": "us", "scale": "log0"}
GOODPUT = {"label": "Goodput", "unit": "Gbit/s", "scale": "linear"}


def run_perftest(context, test, **options):
    """Return the one result of `rocelab perftest` with the preset, hardware on."""
    command = ["perftest", test, "--nic", NIC, "--hardware", "on", "--json"]
    command += testbed.make_arguments(NETWORK | options)
    return context.run_command(command)["results"][0]


def get_gbps(result):
    """Return the goodput of all messages, first posting to last completion."""
    return result["averageMiBps"] * 2**20 * 8 / 1e9


def get_discards(result):
    """Return the frames that the server's ingress meter discarded, per thousand that came."""
    ingress = result["measured"]["server"]["ingress"]
    return 1000 * ingress["discards"] / max(ingress["frames"], 1)


def measure_depth(context, size, depth, megabytes):
    """Return the goodput of one queue pair with so many messages under way."""
    least = 20 if depth == 1 else 2 * depth
    iterations = testbed.get_iterations(size, megabytes, least, 20000)
    depth = min(depth, iterations)
    return get_gbps(
        run_perftest(context, "write_bw", size=size, iters=iterations, tx_depth=depth, cq_mod=1)
    )


def measure_gap(context, size, gap, bursts, megabytes):
    """Return (goodput within bursts, in all, discards per thousand frames)."""
    if gap == 0:
        bursts = -(-max(megabytes * 10**6 // size, 8 * BURST) // BURST)
    result = run_perftest(
        context,
        "write_bw",
        size=size,
        iters=bursts * BURST,
        tx_depth=1024 if bursts * BURST > 1024 else bursts * BURST,
        burst=BURST,
        gap=f"{gap}us",
        cq_mod=1,
    )
    overall = get_gbps(result)
    return result.get("burstGbps", overall), overall, get_discards(result)


def make_incast(senders, milliseconds, name, settings):
    """Return the scenario of senders that each write to one server for so long."""
    return {
        "name": name,
        "fabric": {
            "topology": "star",
            "servers": senders + 1,
            "hostRate": "100Gbps",
            "linkDelay": LINK_DELAY,
            "buffer": "5.2MB",
            "mtu": 4096,
            "pfc": False,
            "ecn": {"100Gbps": {"kmin": "1TB", "kmax": "2TB", "pmax": 0}},
        },
        "nics": [{"preset": NIC, "name": NIC, "hardware": "on", "attributes": settings}],
        "workload": {
            "type": "incast",
            "senders": senders,
            "receiver": senders,
            "bytes": f"{int(milliseconds * 12.5e6 / senders) >> 20 << 20}B",
            "at": "0s",
        },
        "run": {"seed": 1},
    }


def measure_incast(context, senders, milliseconds, name, settings):
    """Return (goodput of all in Gbit/s, summary) of senders into one port."""
    result = context.run_scenario(make_incast(senders, milliseconds, name, settings))
    summary = result[NIC].summary
    return summary["goodput_gbps"], summary


def make_row(what, ours, measured, kind):
    """Return a row of the comparison.

    kind: "fitted", "file" (of the two files, not fitted), "prediction" or "ablation".
    """
    row = {"what": what, "ours": ours, "measured": measured, "kind": kind}
    if measured is not None:
        row["difference"] = divide(ours - measured, measured)
    return row


def format_rows(rows):
    """Return the table of the comparison."""
    lines = []
    for row in rows:
        difference = row.get("difference")
        lines.append(
            [
                row["what"],
                format_number(row["ours"]),
                MISSING if row["measured"] is None else format_number(row["measured"]),
                MISSING if difference is None else f"{100 * difference:+.1f} %",
                row["kind"],
            ]
        )
    return format_table(["", "ours", "measured", "difference", ""], lines)


def compare_sizes(context, sizes, megabytes):
    """Return (series, rows) of the curves over the message size."""
    known = dict(DEPTH_1)
    ours = [[size, measure_depth(context, size, 1, megabytes)] for size in sizes]
    rows = [
        make_row(f"depth 1, {size:,} B, Gbit/s", gbps, known.get(size), "file")
        for size, gbps in ours
    ]
    deep = [point for point in DEPTH_1024 if not context.is_quick or point[0] == 8192]
    ours_deep = [[size, measure_depth(context, size, 1024, megabytes)] for size, _ in deep]
    rows += [
        make_row(
            f"depth 1,024, {size:,} B, Gbit/s",
            gbps,
            known_gbps,
            "fitted" if size == FITTED_SIZE else "file",
        )
        for (size, gbps), (_, known_gbps) in zip(ours_deep, deep)
    ]
    shallow = dict(map(tuple, ours)).get(8192)
    if shallow:
        ratio = ours_deep[0][1] / shallow
        rows.append(make_row("8,192 B, depth 1,024 over depth 1", ratio, 77.2378 / 12.965, "file"))
    series = {
        f"{MEASURED}, depth 1": [list(point) for point in DEPTH_1],
        f"{NIC}, depth 1": ours,
        f"{MEASURED}, depth 1024": [list(point) for point in DEPTH_1024],
        f"{NIC}, depth 1024": ours_deep,
    }
    return series, rows


def compare_gaps(context, bursts, megabytes):
    """Return (series, rows) of the sweep of gaps."""
    series = {}
    rows = []
    for size, gap, within, overall, discards in GAPS:
        if context.is_quick and (size != 8192 or gap > 4):
            continue
        burst, wall, lost = measure_gap(context, size, gap, bursts, megabytes)
        name = f"{size >> 10} KiB"
        series.setdefault(f"{MEASURED}, {name}", []).append([gap, overall])
        series.setdefault(f"{NIC}, {name}", []).append([gap, wall])
        kind = "fitted" if (size, gap) == (FITTED_SIZE, 0) else "file"
        what = f"{name}, gap {gap} us"
        rows.append(make_row(f"{what}, Gbit/s in all", wall, overall, kind))
        rows.append(make_row(f"{what}, Gbit/s in bursts", burst, within, kind))
        row = make_row(f"{what}, discards per 1,000 frames", lost, None, "file")
        row["measured_discards"] = discards
        rows.append(row)
    return series, rows


def predict(context, senders, milliseconds):
    """Return rows of what no constant was fitted to and no file of the project holds."""
    rows = []
    for test, measured in (("write_lat", 2.10), ("read_lat", 3.99)):
        result = run_perftest(context, test, size=2, iters=200)
        rows.append(make_row(f"{test}, 2 B, us", result["typicalUs"], measured, "prediction"))
    for count in senders:
        gbps, summary = measure_incast(context, count, milliseconds, f"incast-{count}", {})
        rows.append(make_row(f"{count} senders, Gbit/s in all", gbps, None, "prediction"))
        lost = summary["drops"].get("ingress-full", 0)
        rows.append(make_row(f"{count} senders, discards", lost, None, "prediction"))
        dropped = summary["drops"].get("buffer-full", 0)
        rows.append(make_row(f"{count} senders, drops of the switch", dropped, None, "prediction"))
    return rows


def ablate(context):
    """Return rows of two senders without one mechanism each."""
    rows = []
    for number, (name, settings) in enumerate(ABLATIONS.items()):
        gbps, _ = measure_incast(
            context, 2, ABLATION_MILLISECONDS, f"ablation-{number}", settings
        )
        rows.append(make_row(f"2 senders, {name}, Gbit/s in all", gbps, None, "ablation"))
    return rows


def run(context):
    """Measure everything, print the table and write the figure."""
    options = context.options
    sizes = testbed.read_numbers(options, "sizes", 1, 2**31)
    megabytes = testbed.read_number(options, "megabytes", 1, 10**5)
    bursts = testbed.read_number(options, "bursts", 1, 10**4)
    senders = testbed.read_numbers(options, "senders", 1, 64)
    milliseconds = testbed.read_number(options, "milliseconds", 1, 10**4)
    if options["ablations"] not in ("on", "off"):
        raise UserError(f"option ablations: expected on or off, got {options['ablations']!r}")
    by_size, rows = compare_sizes(context, sizes, megabytes)
    by_gap, more = compare_gaps(context, bursts, megabytes)
    rows += more + predict(context, senders, milliseconds)
    if options["ablations"] == "on":
        rows += ablate(context)
    print(format_rows(rows))
    panels = [
        {"x": X_SIZE, "y": GOODPUT, "series": by_size},
        {"x": X_GAP, "y": GOODPUT, "series": by_gap},
    ]
    context.write_figure(
        X_SIZE, GOODPUT, by_size, PAPER, panels=panels, comparison=rows, settings=dict(options)
    )
