# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Table 3: throughput, delay and operations per watt of a server with one NIC.

Source: KV-Direct (SOSP 2017), sections 5.2.2, 5.2.3 and 2.2. Watts, and what other systems have, are
the paper's: inputs.
"""

from rocelab.validate.checks import compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

PAIR = 10  # Bytes: the caption.
MIXES = {"GET": 1, "PUT": 0}
WATTS = get_fact("KV-Direct-442").value  # Of the server at its peak.
IDLE_WATTS = get_fact("KV-Direct-443").value  # Of the server without the NIC.
CORE_MOPS = get_fact("KV-Direct-364").value
# Of Table 3: k operations/s/W of GETs of the best store that runs on processors, HERD'16.
PROCESSOR_EFFICIENCY = 490

OPTIONS = {
    "windows": Option("8,16,24,28,30,32,34,36,38,40,44,48,49,50,52,56,64,96,128", "32,128", "batches under way"),
    "memory": Option("4", "1", "MiB of the store"),
    "duration": Option("200", "60", "us, of which the first half is warm-up"),
}


def measure(context, get, windows, **kernel):
    """Return [[Mops, mean latency in us], ...], a point per window."""
    duration = read_number(context.options, "duration", 20, 10**6)
    points = []
    for window in windows:
        workload = common.make_workload(
            PAIR,
            get,
            common.LONG_TAIL,
            memory=f"{context.options['memory']}MiB",
            batch=common.get_batch(PAIR),
            outstanding=window,
            duration=f"{duration}us",
            warmup=f"{duration // 2}us",
        )
        name = "-".join(map(str, (get, window, *kernel.values())))
        nic = common.run_store(context, common.make_scenario(name, workload, **kernel))
        points.append([common.get_mops(nic), nic.summary["rpc"]["latency_us"]["mean"]])
    return points


def make_checks(curves, is_quick):
    """Return the rows of validation."""
    most = {mix: max(mops for mops, _ in points) for mix, points in curves.items()}
    rows = []
    for mix, rate, delay, watts in (
        ("GET", ["KV-Direct-502"], "KV-Direct-506", "KV-Direct-504"),
        ("PUT", ["KV-Direct-503"], "KV-Direct-507", "KV-Direct-505"),
    ):
        points = curves[mix]
        knee = common.find_knee(lambda point: (point[0], point[1]), points, is_bracketed=not is_quick)
        rows += [
            compare(f"{mix}, Mops", most[mix], rate),
            compare(f"{mix}, mean latency at 90 % of it, us", knee, [delay]),
            compare(f"{mix}, k operations/s/W", most[mix] * 1e3 / WATTS, [watts]),
        ]
    efficiency = most["GET"] * 1e3 / WATTS
    differential = most["GET"] * 1e3 / (WATTS - IDLE_WATTS)
    return [
        *rows,
        compare("GET, M operations/s/W", efficiency / 1e3, ["KV-Direct-722"]),
        compare("GET, without idle power", differential, ["KV-Direct-514"]),
        compare("over HERD'16", efficiency / PROCESSOR_EFFICIENCY, ["KV-Direct-360"]),
        compare("the same, without idle power", differential / PROCESSOR_EFFICIENCY, ["KV-Direct-445"]),
        compare("cores of 5.5 Mops", most["GET"] / CORE_MOPS, ["KV-Direct-357"]),
    ]


def run(context):
    """Measure GETs and PUTs and write the picture: latency over throughput."""
    windows = read_numbers(context.options, "windows", 1, 10**4)
    read_number(context.options, "memory", 1, 16384)
    curves = {mix: measure(context, get, windows) for mix, get in MIXES.items()}
    free = measure(context, 0, windows[-1:], RequestRate=0)[0][0]
    print(f"PUTs without the limit of DMA requests: {free:.1f} Mops\n")
    panel = {
        "x": {"label": "Throughput, long-tail keys, 10 B", "unit": "Mops"},
        "y": {"label": "Mean latency", "unit": "us", "scale": "linear"},
        "series": curves,
    }
    settings = {
        "batch": common.get_batch(PAIR),
        "windows": windows,
        "watts": WATTS,
        "idle watts": IDLE_WATTS,
        "PUTs without the limit of DMA requests, Mops": free,
    }
    checks = make_checks(curves, context.is_quick)
    common.finish(context, [panel], checks, settings)
