# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 4: throughput and latency by buffer size, WRITE and READ, of equal and mixed pairs.

Source: RoCE BALBOA, section 6.1, "Basic Performance & Cross-compatibility".
"""

from dataclasses import replace

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, compare, format_rows, format_statements
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import testbed
from ...strom import common as strom

SIZES = [64 << step for step in range(15)]  # 64 B to 1 MiB.
QUICK_SIZES = "64,4096,32768,1048576"
# Client and server. The client starts all operations.
PAIRS = (
    ("balboa", "balboa"),
    ("connectx5", "connectx5"),
    ("connectx5", "balboa"),
    ("balboa", "connectx5"),
)
EQUAL_PAIRS = (("balboa", "balboa"), ("connectx5", "connectx5"))
MIXED_LOOKS = {
    ("connectx5", "balboa"): (style.SKY_BLUE, "X", (0, (4, 1)), ""),
    ("balboa", "connectx5"): (style.BLACK, "P", (0, (1, 1)), ""),
}
LINK = testbed.LINK_GBPS
SATURATION = 0.95  # Of LINK.
MEDIUM = (2048, 16384)  # Sizes between small buffers and those that saturate the link.
BUDGET = "ns3::rdma::AckClockedCredits::Budget"
NEAR = 0.01  # Of a latency: what counts as equal.
# Criterion of "very similarly", stated before the numbers were compared: the larger of both devices' numbers over the
# smaller one, of throughputs at all sizes and of latencies from MEDIUM on, since the paper names another latency
# of small buffers itself. srnic/figure-12 has the same for "about the same".
ALIKE = 1.1

OPTIONS = {
    "sizes": Option(",".join(map(str, SIZES)), QUICK_SIZES, "buffer sizes in bytes"),
    "iters": Option("100", "20", "repetitions of a latency test"),
    "delay": Option(str(testbed.DELAY_NS), str(testbed.DELAY_NS), "delay of each link, ns"),
    # fpga-network-stack: 16 packets of 4096 bytes.
    "budget": Option("64", "64", "KiB that a queue pair of BALBOA may have unacknowledged"),
}

X_AXIS = {"label": "Buffer size", "unit": "B", "scale": "log2"}
PANELS = (
    ("write_bw", {"label": "WRITE throughput", "unit": "Gbit/s"}),
    ("write_lat", {"label": "WRITE latency", "unit": "us"}),
    ("read_bw", {"label": "READ throughput", "unit": "Gbit/s"}),
    ("read_lat", {"label": "READ latency", "unit": "us"}),
)


def get_name(pair):
    """Return how a pair is called in the picture: client, server."""
    return " - ".join(pair)


def get_arguments(pair, options):
    """Return the words of a command line for two NICs, their network and BALBOA's budget."""
    client, server = pair
    words = ["--nic", client, "--peer-nic", server, *testbed.get_network(options["delay"])]
    return [*words, "--set", f"{BUDGET}={1024 * options['budget']}"] if "balboa" in pair else words


def measure_panel(context, test, sizes, options):
    """Return {name: [[size, Gbit/s or us], ...]}, and {name: [[size, P5, P95], ...]} of a latency."""
    series, spread = {}, {}
    for pair in PAIRS:
        arguments = get_arguments(pair, options)
        if test.endswith("_bw"):
            series[get_name(pair)] = [
                [size, testbed.measure_rate(context, test, size, arguments)] for size in sizes
            ]
            continue
        points = [
            (size, *testbed.measure_latency(context, test, size, arguments, options["iters"]))
            for size in sizes
        ]
        series[get_name(pair)] = [[size, mean] for size, mean, _, _ in points]
        spread[get_name(pair)] = [[size, low, high] for size, _, low, high in points]
    return series, spread


def get_two_tiers(operation, size, options):
    """Return the scenario of a batch of buffers between the first and the last server, as one message."""
    nics = [{"preset": name, "name": name, "hardware": "on"} for name, _ in EQUAL_PAIRS]
    nics[0]["attributes"] = {BUDGET: 1024 * options["budget"]}
    flow = {"src": 0, "dst": testbed.TWO_TIERS - 1, "bytes": testbed.BATCH * size, "start": "0s"}
    return {
        "name": f"two-tiers-{operation}",
        "nics": nics,
        "attributes": testbed.SWITCHING,
        "fabric": {
            "topology": "fat-tree",
            "servers": testbed.TWO_TIERS,
            "hostRate": f"{testbed.RATE_GBPS}Gbps",
            "fabricRate": f"{testbed.RATE_GBPS}Gbps",
            "linkDelay": f"{options['delay']}ns",
            "mtu": testbed.MTU,
        },
        "workload": {"type": "flows", "operation": operation, "flows": [flow]},
        "run": {"seed": 1, "drain": True},
    }


def measure_two_tiers(context, size, options):
    """Return {operation: {pairs' name: Gbit/s}} with leaf and spine switches between the equal pairs."""
    rates = {}
    for operation in ("write", "read"):
        results = context.run_scenario(get_two_tiers(operation, size, options))
        rates[operation] = {
            get_name(pair): testbed.BATCH * size * 8 / results[pair[0]].fct_us("mean") / 1000 for pair in EQUAL_PAIRS
        }
    return rates


def get_saturation_size(points):
    """Return the smallest size from which on a throughput stays near the link's, None if none does."""
    sizes = [size for size, _ in points]
    for index, size in enumerate(sizes):
        if all(value >= SATURATION * LINK for _, value in points[index:]):
            return size
    return None


def make_saturation_row(panel, pair):
    """Return the row of validation that says where WRITEs of an equal pair saturate the link."""
    name = get_name(pair)
    what = f"WRITE of {name} saturates from, KB"
    if panel["saturation"][name]:
        return compare(what, panel["saturation"][name] / 1024, ["BALBOA-191"])
    top = max(value for _, value in panel["series"][name])
    return check(what, "32", f"never; {top:.1f} of {LINK:.1f} Gb/s", False, ["BALBOA-191"])


def format_results(panels):
    """Return the table of all points, a column per pair."""
    names = list(panels[0]["series"])
    rows = []
    for panel in panels:
        unit = f"{panel['y']['label']}, {panel['y']['unit']}"
        for index, (size, _) in enumerate(panel["series"][names[0]]):
            values = [format_number(panel["series"][name][index][1]) for name in names]
            rows.append([unit if index == 0 else "", f"{size:,}", *values])
    headers = ["", "bytes", *[name.replace(" - ", "\n") for name in names]]
    saturation = panels[0]["saturation"]
    at = "; ".join(
        f"{name} {saturation[name]:,}" if saturation[name] else f"{name} never" for name in names
    )
    return "\n".join(
        [
            format_table(headers, rows),
            "",
            f"WRITE saturates ({SATURATION:.0%} of {LINK:.1f} Gb/s) from so many bytes on: {at}",
        ]
    )


def get_equal_pairs(panel, size):
    """Return the numbers of the equal pairs at one size: BALBOA's, the ASIC's."""
    return [dict(map(tuple, panel["series"][get_name(pair)]))[size] for pair in EQUAL_PAIRS]


def is_between(panel):
    """Tell whether each mixed pair lies between the equal ones at each size."""
    return all(
        min(bounds) * (1 - NEAR) <= value <= max(bounds) * (1 + NEAR)
        for pair in MIXED_LOOKS
        for size, value in panel["series"][get_name(pair)]
        for bounds in [get_equal_pairs(panel, size)]
    )


def get_most_ahead(panel):
    """Return (the ASIC's throughput over BALBOA's, size) at the medium size where it is largest."""
    balboa, asic = (dict(map(tuple, panel["series"][get_name(pair)])) for pair in EQUAL_PAIRS)
    low, high = MEDIUM
    return max(((asic[size] / balboa[size], size) for size in balboa if low <= size <= high), default=None)


def make_medium_row(panels):
    """Return the row that compares READ with WRITE at medium sizes; None without such a size."""
    write, read = (get_most_ahead(panels[index]) for index in (0, 2))
    if not read:
        return None
    text = f"READ {read[0]:.2f} ({read[1]:,} B), WRITE {write[0]:.2f} ({write[1]:,} B)"
    what = "throughput of the ASIC over BALBOA's, medium-sized buffers, most"
    return check(what, "READ: more distinct", text, read[0] > write[0], ["BALBOA-720"])


def get_most_apart(throughput, latency):
    """Return (the larger over the smaller number of the equal pairs, unit, size) where they differ most."""
    apart = []
    for panel, least in ((throughput, 0), (latency, MEDIUM[0])):
        unit = panel["y"]["unit"]
        for size, _ in panel["series"][get_name(EQUAL_PAIRS[0])]:
            if size >= least:
                numbers = get_equal_pairs(panel, size)
                apart.append((max(numbers) / min(numbers), unit, size))
    return max(apart)


def make_similar_row(panels):
    """Return the row that tells whether BALBOA and the ASIC perform alike with WRITEs, and more so than with READs."""
    write, read = get_most_apart(*panels[:2]), get_most_apart(*panels[2:])
    words = [
        f"{name} {ratio:.2f} ({unit}, {size:,} B)" for name, (ratio, unit, size) in (("WRITE", write), ("READ", read))
    ]
    what = "throughput, and latency of medium-sized and large buffers: BALBOA and the ASIC differ by, most"
    is_met = write[0] <= ALIKE and write[0] <= read[0]
    return check(what, "very similar, above all WRITE", ", ".join(words), is_met, ["BALBOA-700"])


def make_tier_row(tiers):
    """Return the row of the network with two tiers."""
    rates = [tiers[operation][get_name(EQUAL_PAIRS[0])] for operation in ("write", "read")]
    text = "WRITE {:.1f}, READ {:.1f}".format(*rates)
    what = "two tiers, BALBOA to BALBOA, 64 MiB: Gb/s"
    is_met = min(rates) >= SATURATION * LINK
    return check(what, f"as with one switch, {LINK:.1f}", text, is_met, ["BALBOA-721"])


def make_rows(panels, tiers):
    """Return the rows of validation."""
    write, read = (panels[index] for index in (1, 3))
    small, large = (end(size for size, _ in next(iter(write["series"].values()))) for end in (min, max))
    rows = [make_saturation_row(panels[0], pair) for pair in EQUAL_PAIRS]
    ratios = {
        size: [balboa / asic for balboa, asic in (get_equal_pairs(panel, size) for panel in (write, read))]
        for size in (small, large)
    }
    shrinks = all(1 <= last < first for first, last in zip(ratios[small], ratios[large]))
    words = [f"{size:,} B: WRITE {write:.2f}, READ {read:.2f}" for size, (write, read) in ratios.items()]
    what = "latency of BALBOA over the ASIC's"
    rows.append(check(what, "above 1, shrinking", "; ".join(words), shrinks, ["BALBOA-192"]))
    tops = [max(y for _, y in panels[i]["series"][get_name(p)]) for i in (0, 2) for p in MIXED_LOOKS]
    between = is_between(write) and is_between(read)
    text = f"{'yes' if between else 'no'}; {min(tops):.1f} to {max(tops):.1f} Gb/s"
    what = "mixed pairs: latency between; most of WRITE and READ"
    is_met = between and min(tops) >= SATURATION * LINK
    rows.append(check(what, "yes; 100G saturated", text, is_met, ["BALBOA-193"]))
    tail = max(
        high / dict(map(tuple, panel["series"][name]))[size]
        for panel in (write, read)
        for name, bounds in panel["spread"].items()
        for size, _, high in bounds
    )
    what = "P95 of a latency over its mean, most"
    rows.append(check(what, "negligible tail", f"{tail:.3f}", tail < 1 + NEAR, ["BALBOA-701"]))
    medium = make_medium_row(panels)
    return [*rows, *([medium] if medium else []), make_similar_row(panels), make_tier_row(tiers)]


def get_style(pair):
    """Return the look of a pair: that of its NIC, or one of its own if it is mixed."""
    nics = style.get_styles(pair)
    label = " \u2013 ".join(nics[nic].label for nic in pair)
    if pair in MIXED_LOOKS:
        return style.NicStyle(label, *MIXED_LOOKS[pair])
    return replace(nics[pair[0]], label=label)


def draw(data):
    """Return the picture: WRITE above, READ below, throughput left, latency right."""
    looks = {get_name(pair): get_style(pair) for pair in PAIRS}
    figure = draw_panels(data, looks)
    for axes, panel in zip(figure.axes, data["panels"]):
        if strom.has_spread(panel):
            strom.draw_whiskers(axes, panel, looks)
    return figure


def run(context):
    """Measure all pairs and sizes, print the table and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 2**40)
    least = {"iters": 5, "delay": 0, "budget": 1}
    options = {name: read_number(context.options, name, bound, 2**40) for name, bound in least.items()}
    panels = []
    for test, axis in PANELS:
        series, spread = measure_panel(context, test, sizes, options)
        panel = {"x": X_AXIS, "y": axis, "series": series}
        if spread:
            panel["spread"] = spread
        if test.endswith("_bw"):
            panel["saturation"] = {
                name: get_saturation_size(points) for name, points in series.items()
            }
        panels.append(panel)
    print(format_results(panels) + "\n\n" + format_statements(context.paper))
    tiers = measure_two_tiers(context, max(SIZES), options)
    checks = make_rows(panels, tiers)
    print()
    print(format_rows(checks))
    context.write_panels(panels, plot=draw, checks=checks, two_tiers=tiers)
