# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 13: HyperLogLog over incoming WRITEs, (a) on the CPU, (b) on the NIC.

Source: StRoM (EuroSys 2020), section 7.2.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.validate.checks import check, compare, format_rows, get_measured
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import common

NIC = "strom100g"
TASK = "hyperloglog"
MTU = 1408  # The default of the measurement: MTU 1500.
HEADERS = 20 + 14 + 4 + 20 + 8 + 12 + 4  # Gap and preamble, Ethernet, FCS, IP, UDP, BTH, ICRC.
IDEAL = 100 * MTU / (MTU + HEADERS)
BATCH_BYTES = 4 * 2**20
MIN_BATCH, MAX_BATCH = 16, 2000  # WRITEs of a point.
CPU_BYTES, CPU_BATCH = 16384, 1024  # Of a WRITE that one thread takes; WRITEs of a point.
LOOKS = {
    "cpu": style.NicStyle("CPU", style.BLUE, "^", (0, (4, 1.2, 1, 1.2)), "...."),
    "write": style.NicStyle("WRITE", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
    "kernel": style.NicStyle("WRITE + HLL", style.GREEN, "o", "-", ""),
}

OPTIONS = {
    "sizes": Option(
        ",".join(str(64 << step) for step in range(0, 15, 2)), "64,4096,65536", "bytes of a WRITE"
    ),
    "threads": Option("1,2,3,4,5,6,7,8", "1,8", "threads of the server's software"),
}

THREADS_AXIS = {"label": "Threads", "unit": "", "scale": "linear"}
SIZE_AXIS = {"label": "Payload", "unit": "B", "scale": "log2"}
RATE_AXIS = {"label": "Throughput", "unit": "Gbit/s", "scale": "linear"}


def draw(data):
    """Return the picture: CPU left, NIC right."""
    return draw_panels(data, LOOKS)


def make_checks(cpu, write, kernel):
    """Return the rows of validation."""
    overhead = max(abs(kernel[size] / write[size] - 1) for size in write)
    large = max(kernel)
    line = kernel[large] / IDEAL
    return [
        compare("CPU, 8 threads: Gbit/s", cpu.get(8), ["StRoM-176"]),
        check(
            "WRITE + HLL against WRITE, worst size",
            "no overhead",
            f"{overhead:.2%}",
            overhead < 0.01,
            ["StRoM-177"],
        ),
        check(
            f"WRITE + HLL, {large:,} B: share of the ideal {IDEAL:.1f} Gbit/s",
            "line rate",
            f"{line:.1%}",
            line > 0.95,
            ["StRoM-177"],
        ),
    ]


def get_batch(size):
    """Return how many WRITEs of a size make a point."""
    return max(MIN_BATCH, min(MAX_BATCH, BATCH_BYTES // size))


def run(context):
    """Measure both parts, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 8, 2**24)
    threads = read_numbers(context.options, "threads", 1, 256)
    cpu = {}
    for number in threads:
        options = {"size": CPU_BYTES, "messages": CPU_BATCH, "threads": number}
        result = common.run_offload(context, TASK, "cpu", 1, options, nic=NIC)
        cpu[number] = result["sketch_gbps"]
    rates = {"write": {}, "kernel": {}}
    for method, points in rates.items():
        for size in sizes:
            options = {"size": size, "messages": get_batch(size)}
            result = common.run_offload(context, TASK, method, 1, options, nic=NIC)
            points[size] = result["write_gbps"]
    panels = [
        {
            "x": THREADS_AXIS,
            "y": RATE_AXIS,
            "series": {"cpu": [[number, cpu[number]] for number in threads]},
        },
        {
            "x": SIZE_AXIS,
            "y": RATE_AXIS,
            "series": {
                method: [[size, points[size]] for size in sizes]
                for method, points in rates.items()
            },
        },
    ]
    checks = get_measured(make_checks(cpu, rates["write"], rates["kernel"]))
    print(common.format_points(panels[:1]))
    print()
    print(common.format_points(panels[1:]))
    print()
    print(format_rows(checks))
    context.write_panels(panels, plot=draw, checks=checks, settings={"nic": NIC, "mtu": MTU})
