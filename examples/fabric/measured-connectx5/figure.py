# SPDX-License-Identifier: GPL-2.0-only
"""ConnectX-5 adapters as others measured them: goodput by message size and by gaps, beside ours.

Source: openfabric-systems/simllm, paper/mlx5/data (msgsize.csv, gapsweep.csv) and
paper/mlx5/sections (texts), September 2026.
"""

import csv
from random import Random

from rocelab.errors import UserError
from rocelab.runs.engine import make_arguments
from rocelab.terminal.table import MISSING, divide, format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from ...srnic import common as srnic

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
WINDOW_SECONDS = 30  # The text's window of a point of the gap sweep, in which discards count.
FRAME_PAYLOAD = 4096
FRAME_WIRE = 4178  # Bytes of a full packet with preamble and gap.
START_SPREAD = 1_000_000  # ns.
LINE_MEGABYTES = 12_200  # Of payload in a second at line rate.
FIRST_LOSSY = 2**20  # At depth 1 smaller messages stay below the rate that loses frames.
SOLO_GBPS = {1: 81.7, 2: 97.7, 4: 97.7}  # By queue pairs between two servers.

# The preset with one of its values changed each, for two senders. Without cuts by retransmissions and
# with a longer timer they collapse (README.md): such runs take ten times as long.
DCQCN = "ns3::rdma::Dcqcn::"
ABLATIONS = {
    "as it is": {},
    "no CNPs of the receiver": {"ns3::rdma::RdmaNic::CnpOnMissingPsn": "false"},
    "increase of 5 Mb/s": {DCQCN + "AdditiveIncrease": "5Mbps", DCQCN + "HyperIncrease": "5Mbps"},
    "increase of 30 Mb/s": {
        DCQCN + "AdditiveIncrease": "30Mbps",
        DCQCN + "HyperIncrease": "30Mbps",
    },
    "NAKs obeyed at once": {"ns3::rdma::NicHardware::NakDelay": "0us"},
}
ABLATION_QUEUE_PAIRS = 4  # Of each sender.

OPTIONS = {
    "sizes": Option(
        ",".join(str(size) for size, _ in DEPTH_1), "64,8192", "message sizes at depth 1, bytes"
    ),
    "megabytes": Option("600", "100", "approximate payload of each test without losses, MB"),
    "bursts": Option("20", "4", "bursts of each such test with gaps"),
    "seconds": Option("4", "0", "approximate duration of each other test at line rate, s"),
    "queue-pairs": Option("1,4,8", "1", "queue pairs of each of two senders"),
    "offered": Option("52.5,55,60", "60", "load of each of two senders on the wire, Gbit/s"),
    "seeds": Option("3", "1", "runs of each prediction, with seeds from 1 on"),
    "milliseconds": Option("1000", "30", "approximate duration of each run of two senders, ms"),
    "solo": Option("6000", "150", "milliseconds of each run of one queue pair, about"),
    "ablations": Option("on", "off", "on or off: changes of one mechanism each"),
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
    {
        "sources": ["measurement.tex"],
        "where": "simllm, paper/mlx5/sections",
        "statement": "two queue pairs reach 97.7 Gbit/s; two senders of 1 MiB messages into one port "
        "deliver 73.89 Gbit/s and lose 1.65 % of the packets in the fabric",
    },
]

X_SIZE = {"label": "Message size", "unit": "B", "scale": "log2"}
X_GAP = {"label": "Gap between bursts of 128", "unit": "us", "scale": "log0"}
GOODPUT = {"label": "Goodput", "unit": "Gbit/s", "scale": "linear"}


def run_perftest(context, test, **options):
    """Return the one result of `rocelab perftest` with the preset, hardware on."""
    command = ["perftest", test, "--nic", NIC, "--hardware", "on", "--json"]
    command += make_arguments(NETWORK | options)
    return context.run_command(command)["results"][0]


def get_gbps(result):
    """Return the goodput of all messages, first posting to last completion."""
    return result["averageMiBps"] * 2**20 * 8 / 1e9


def get_discards(result):
    """Return the frames that the server's ingress meter discarded, per thousand that came."""
    ingress = result["measured"]["server"]["ingress"]
    return 1000 * ingress["discards"] / max(ingress["frames"], 1)


def measure_depth_1(context, size, megabytes):
    """Return the goodput of one queue pair with one message under way."""
    iterations = srnic.get_iterations(size, megabytes, 20, 20000)
    return get_gbps(
        run_perftest(context, "write_bw", size=size, iters=iterations, tx_depth=1, cq_mod=1)
    )


def measure_gap(context, size, gap, bursts):
    """Return (goodput within bursts, in all, discards per thousand frames)."""
    result = run_perftest(
        context,
        "write_bw",
        size=size,
        iters=bursts * BURST,
        tx_depth=min(bursts * BURST, 1024),
        burst=BURST,
        gap=f"{gap}us",
        cq_mod=1,
    )
    overall = get_gbps(result)
    return result.get("burstGbps", overall), overall, get_discards(result)


def make_writes(senders, queue_pairs, milliseconds, name, settings=None, seed=1):
    """Return the scenario of senders that write to one server through a switch.

    Each queue pair has one flow, and all flows together take so long at 95 Gbit/s. Flows start within
    the first millisecond, as the seed says. An alpha of 1000 leaves the whole buffer to the one
    congested port of the switch.
    """
    random = Random(seed)
    size = int(milliseconds * 95e9 / 8000 / senders / queue_pairs) // FRAME_PAYLOAD * FRAME_PAYLOAD
    flows = [
        {
            "src": sender,
            "dst": senders,
            "bytes": f"{size}B",
            "start": f"{random.randrange(START_SPREAD)}ns",
        }
        for _ in range(queue_pairs)
        for sender in range(senders)
    ]
    return {
        "name": name,
        "fabric": {
            "topology": "star",
            "servers": senders + 1,
            "hostRate": "100Gbps",
            "linkDelay": LINK_DELAY,
            "buffer": "5.2MB",
            "bufferAlpha": {"100Gbps": 1000},
            "mtu": FRAME_PAYLOAD,
            "pfc": False,
            "ecn": "off",
        },
        "nics": [{"preset": NIC, "name": NIC, "hardware": "on", "attributes": settings or {}}],
        "workload": {"type": "flows", "flows": sorted(flows, key=get_start)},
        "run": {"seed": seed},
        "series": {
            "interval": f"{max(milliseconds // 100, 1)}ms",
            "what": ["rate", "port"],
            "ports": [senders + 1],  # The switch: its drops count where a frame came in.
            "flows": list(range(senders * queue_pairs)),
        },
    }


def get_start(flow):
    """Return when a flow of make_writes() starts, ns."""
    return int(flow["start"].removesuffix("ns"))


def read_rows(result, name):
    """Return the rows of one of a result's series."""
    with open(result.folder / "series" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def get_acknowledged(rows, flows):
    """Return {time in ns: payload bytes acknowledged} while all flows are under way."""
    times = {}
    for row in rows:
        times.setdefault(float(row["time_ns"]), []).append(int(row["acked_bytes"]))
    return {time: sum(acked) for time, acked in times.items() if len(acked) == flows}


def measure_writes(context, scenario):
    """Return what a run of make_writes() shows until its first flow ends.

    gbps: goodput since the start; steady: of the last third; window: of WINDOW_SECONDS, if the rest
    of them is like the last third; fabric: packets that the switch drops
    in that third, per thousand; port: frames that receivers' ports discard in the whole run, per
    thousand packets sent; cnps: per second and queue pair in the whole run
    """
    flows = len(scenario["workload"]["flows"])
    result = context.run_scenario(scenario)[NIC]
    summary = result.summary
    acked = get_acknowledged(read_rows(result, "rate"), flows)
    end = max(acked)
    begin = min(acked, key=lambda time: abs(time - end * 2 / 3))
    receiver = scenario["workload"]["flows"][0]["dst"]
    forwarded = drops = 0
    before = 0.0
    for row in read_rows(result, "port"):
        time = float(row["time_ns"])
        is_counted = begin < time <= end
        drops += is_counted * int(row["drops"])
        if int(row["peer"]) == receiver:
            forwarded += is_counted * float(row["gbps"]) * (time - before) / 8 / FRAME_WIRE
            before = time
    with open(result.folder / "flows.csv", encoding="utf-8", newline="") as file:
        sent = sum(int(row["packets"]) + int(row["retransmitted"]) for row in csv.DictReader(file))
    steady = 8 * (acked[end] - acked[begin]) / (end - begin)
    rest = max(WINDOW_SECONDS * 1e9 - end, 0)
    return {
        "gbps": 8 * acked[end] / end,
        "steady": steady,
        "window": (8 * acked[end] + steady * rest) / (end + rest),
        "fabric": 1000 * drops / max(forwarded + drops, 1),
        "port": 1000 * summary["drops"].get("ingress-full", 0) / sent,
        "cnps": 1000 * summary["cnps"] / summary["simulated_ms"] / flows,
    }


def make_row(what, ours, measured, kind):
    """Return a row of the comparison.

    kind: "file" (of the two files), "text" (stated in the texts), "prediction" or "ablation"; the
    README has the class of each row's evidence.
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


def compare_sizes(context, sizes, megabytes, seconds):
    """Return (series, rows) of the curve over the message size at depth 1."""
    known = dict(DEPTH_1)
    long = max(megabytes, seconds * LINE_MEGABYTES)
    ours = [
        [size, measure_depth_1(context, size, megabytes if size < FIRST_LOSSY else long)]
        for size in sizes
    ]
    rows = [
        make_row(f"depth 1, {size:,} B, Gbit/s", gbps, known.get(size), "file")
        for size, gbps in ours
    ]
    series = {f"{MEASURED}, depth 1": [list(point) for point in DEPTH_1], f"{NIC}, depth 1": ours}
    return series, rows


def compare_depth(alone, shallow):
    """Return (series, rows) of the curve at depth 1,024.

    A queue pair that has 1,024 messages under way never runs dry, so the size of a message adds
    nothing but its RETH: `alone`, the runs of one queue pair, stands for all sizes.
    shallow: goodput of 8,192 B at depth 1
    """
    ours = get_mean(alone, "window")
    rows = [
        make_row(f"depth 1,024, {size:,} B, Gbit/s", ours, gbps, "file") for size, gbps in DEPTH_1024
    ]
    if shallow:
        row = make_row(
            "8,192 B, depth 1,024 over depth 1", ours / shallow, 77.2378 / 12.965, "file"
        )
        rows.append(row)
    series = {
        f"{MEASURED}, depth 1024": [list(point) for point in DEPTH_1024],
        f"{NIC}, depth 1024": [[size, ours] for size, _ in DEPTH_1024],
    }
    return series, rows


def get_mean(runs, key):
    """Return the mean of one number over runs."""
    return sum(run[key] for run in runs) / len(runs)


def compare_gaps(context, alone, bursts, megabytes, seconds):
    """Return (series, rows) of the sweep of gaps; `alone` stands for a gap of 0."""
    series = {}
    rows = []
    for size, gap, within, overall, discards in GAPS:
        if context.is_quick and (size != 8192 or gap > 4):
            continue
        if gap == 0:
            burst = wall = get_mean(alone, "window")
            lost = get_mean(alone, "port")
        else:
            long = max(megabytes, seconds * LINE_MEGABYTES) * 10**6 // size // BURST
            burst, wall, lost = measure_gap(context, size, gap, long if discards else bursts)
        name = f"{size >> 10} KiB"
        series.setdefault(f"{MEASURED}, {name}", []).append([gap, overall])
        series.setdefault(f"{NIC}, {name}", []).append([gap, wall])
        what = f"{name}, gap {gap} us"
        rows.append(make_row(f"{what}, Gbit/s in all", wall, overall, "file"))
        rows.append(make_row(f"{what}, Gbit/s in bursts", burst, within, "file"))
        frames = overall * 1e9 * WINDOW_SECONDS / 8 / FRAME_PAYLOAD
        measured = 1000 * discards / frames
        rows.append(make_row(f"{what}, discards per 1,000 frames", lost, measured, "file"))
    return series, rows


def predict_latency(context):
    """Return rows of the latency of 2 B, which no file of the project holds."""
    rows = []
    for test, measured in (("write_lat", 2.10), ("read_lat", 3.99)):
        result = run_perftest(context, test, size=2, iters=200)
        rows.append(make_row(f"{test}, 2 B, us", result["typicalUs"], measured, "text"))
    return rows


def measure_point(context, senders, queue_pairs, milliseconds, seeds):
    """Return the runs of one number of senders and queue pairs, one per seed."""
    runs = []
    for seed in range(1, seeds + 1):
        name = f"writes-{senders}-{queue_pairs}-{seed}"
        scenario = make_writes(senders, queue_pairs, milliseconds, name, seed=seed)
        runs.append(measure_writes(context, scenario))
    return runs


def make_point_rows(senders, queue_pairs, runs, measured):
    """Return rows of the means and ranges of one point's runs; measured: of WINDOW_SECONDS."""
    what = f"{senders} x {queue_pairs} queue pairs"
    rows = []
    for key, text in (
        ("window", f"Gbit/s in {WINDOW_SECONDS} s"),
        ("gbps", "Gbit/s in the run"),
        ("steady", "Gbit/s, last third"),
        ("fabric", "dropped by the switch per 1,000, last third"),
        ("port", "discarded by the receiver's port per 1,000"),
        ("cnps", "CNPs per second and queue pair"),
    ):
        values = [run[key] for run in runs]
        row = make_row(
            f"{what}, {text}",
            get_mean(runs, key),
            measured if key == "window" else None,
            "prediction",
        )
        rows.append(row | {"least": min(values), "most": max(values), "seeds": len(runs)})
    return rows


def predict_first_drop(context, offered, seeds):
    """Return rows of the time to the first drop of two paced senders, by their load on the wire."""
    rows = []
    for load in offered:
        times = []
        for seed in range(1, seeds + 1):
            scenario = make_writes(
                2,
                1,
                int(5.2 * 8 / (2 * load - 100)) + 2,
                f"offered-{load:g}-{seed}",
                {"ns3::rdma::RdmaNic::PortRateLimit": f"{load}Gbps"},
                seed,
            )
            scenario["series"] = {"interval": "10us", "what": ["port"], "ports": [3]}
            result = context.run_scenario(scenario)[NIC]
            both = get_start(scenario["workload"]["flows"][1]) / 1e6  # Both senders send from here.
            rows_of_port = read_rows(result, "port")
            drops = [float(row["time_ns"]) / 1e6 for row in rows_of_port if int(row["drops"])]
            times += [drop - both for drop in drops[:1]]
        what = f"2 x {load:g} Gbit/s on the wire, first drop after ms"
        mean = sum(times) / len(times) if times else None
        row = make_row(what, mean, None, "prediction")
        rows.append(
            row
            | {"least": min(times, default=None), "most": max(times, default=None)}
            | {"seeds": seeds, "runs_with_drops": len(times)}
        )
    return rows


def ablate(context, milliseconds):
    """Return rows of two senders with one mechanism changed each."""
    rows = []
    for number, (name, settings) in enumerate(ABLATIONS.items()):
        scenario = make_writes(
            2, ABLATION_QUEUE_PAIRS, milliseconds, f"ablation-{number}", settings
        )
        run = measure_writes(context, scenario)
        for key, text in (
            ("steady", "Gbit/s, last third"),
            ("fabric", "dropped by the switch per 1,000, last third"),
        ):
            rows.append(make_row(f"2 senders, {name}, {text}", run[key], None, "ablation"))
    return rows


def read_offered(options):
    """Return the loads of the option `offered`, Gbit/s."""
    try:
        loads = [float(text) for text in options["offered"].split(",")]
    except ValueError:
        loads = []
    if not loads or not all(50 < load <= 100 for load in loads):
        raise UserError(
            f"option offered: expected numbers above 50 and up to 100, got {options['offered']!r}"
        )
    return loads


def run(context):
    """Measure everything, print the table and write the figure."""
    options = context.options
    sizes = read_numbers(options, "sizes", 1, 2**31)
    megabytes = read_number(options, "megabytes", 1, 10**5)
    bursts = read_number(options, "bursts", 1, 10**4)
    seconds = read_number(options, "seconds", 0, 100)
    queue_pairs = read_numbers(options, "queue-pairs", 1, 64)
    offered = read_offered(options)
    seeds = read_number(options, "seeds", 1, 100)
    milliseconds = read_number(options, "milliseconds", 30, 10**5)
    solo = read_number(options, "solo", 30, 10**5)
    if options["ablations"] not in ("on", "off"):
        raise UserError(f"option ablations: expected on or off, got {options['ablations']!r}")
    by_size, rows = compare_sizes(context, sizes, megabytes, seconds)
    alone = measure_point(context, 1, 1, solo, seeds)
    deep, more = compare_depth(alone, dict(map(tuple, by_size[f"{NIC}, depth 1"])).get(8192))
    by_size |= deep
    rows += more
    by_gap, more = compare_gaps(context, alone, bursts, megabytes, seconds)
    rows += more + predict_latency(context)
    for count, gbps in SOLO_GBPS.items():
        length = max(milliseconds // 10, 30)
        runs = measure_point(context, 1, count, length, 1) if count > 1 else alone
        rows += make_point_rows(1, count, runs, gbps)
    for count in queue_pairs:
        runs = measure_point(context, 2, count, milliseconds, seeds)
        rows += make_point_rows(2, count, runs, None)
    rows += predict_first_drop(context, offered, seeds)
    if options["ablations"] == "on":
        rows += ablate(context, milliseconds * 2 // 3)
    print(format_rows(rows))
    panels = [
        {"x": X_SIZE, "y": GOODPUT, "series": by_size},
        {"x": X_GAP, "y": GOODPUT, "series": by_gap},
    ]
    context.write_figure(
        X_SIZE, GOODPUT, by_size, PAPER, panels=panels, comparison=rows, settings=dict(options)
    )
