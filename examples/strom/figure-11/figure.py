# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 11: time to partition and transmit values: on the NIC, in software, not at all.

Source: StRoM (EuroSys 2020), section 6.4; at 100 Gbit/s: section 7.
"""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.validate.checks import check, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

MIB = 2**20
LOOKS = {
    "cpu": style.NicStyle(
        "Software, then WRITE", style.BLUE, "^", (0, (4, 1.2, 1, 1.2)), "...."
    ),
    "kernel": style.NicStyle("StRoM", style.GREEN, "o", "-", ""),
    "write": style.NicStyle("WRITE alone", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
}

KEEPS_UP = 0.95  # Of a plain WRITE's rate.
# The data path at 100G has 64 bytes (section 7): eight values.
FAST_KERNEL = ("ns3::rdma::ShuffleKernel::ValuesPerCycle=8",)

OPTIONS = {
    "sizes": Option("128,256,512", "1,2", "MiB of values"),
    "fast-sizes": Option("16,32,64", "2,4", "MiB of values at 100 Gbit/s"),
    "bits": Option("10", "10", "least significant bits that name a value's partition"),
}

X_AXIS = {"label": "Values", "unit": "MiB"}
Y_AXIS = {"label": "Execution time", "unit": "ms", "scale": "linear"}


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)


def make_checks(times, sizes):
    """Return the rows of validation."""
    small, large = sizes[0], sizes[-1]
    over = times["kernel", large] / times["write", large] - 1
    slower = [times["cpu", size] / times["write", size] for size in sizes]
    # The paper's sizes follow if time is proportional to size.
    growth = (times["kernel", large] / large) / (times["kernel", small] / small) - 1
    return [
        check(
            f"StRoM over a plain WRITE, {large} MiB",
            "close to the same",
            f"{over:+.1%}",
            abs(over) < 0.05,
            ["StRoM-161"],
        ),
        check(
            "Software, then WRITE: times a plain WRITE",
            "slower",
            f"{min(slower):.2f} to {max(slower):.2f}",
            min(slower) > 1.1,
            ["StRoM-161"],
        ),
        check(
            f"StRoM: ms per MiB, {large} against {small} MiB",
            "proportional to the size (so read from Figure 11)",
            f"{growth:+.1%}",
            abs(growth) < 0.05,
            ["StRoM-161"],
        ),
    ]


def make_fast_check(times, size):
    """Return the row of the rates at 100 Gbit/s."""
    kernel, write = (8 * size * MIB / 1e6 / times[method, size] for method in ("kernel", "write"))
    return check(
        f"StRoM at 100G, {size} MiB",
        "cannot keep up with the network",
        f"{kernel:.1f} Gbit/s; a plain WRITE {write:.1f}",
        kernel < KEEPS_UP * write,
        ["StRoM-703"],
    )


def measure(context, nic, methods, sizes, bits):
    """Return {(method, MiB): milliseconds} on a NIC."""
    times = {}
    for method in methods:
        settings = FAST_KERNEL if nic == "strom100g" and method == "kernel" else ()
        for size in sizes:
            options = {"size": size * MIB, "bits": bits}
            result = common.run_offload(context, "shuffle", method, 1, options, nic, settings)
            times[method, size] = result["latency_mean_us"] / 1e3
    return times


def make_panel(title, times, methods, sizes):
    """Return the panel of a NIC's times."""
    series = {method: [[size, times[method, size]] for size in sizes] for method in methods}
    return {"x": X_AXIS, "y": Y_AXIS | {"label": f"{Y_AXIS['label']}, {title}"}, "series": series}


def run(context):
    """Measure all sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 1024)
    fast_sizes = read_numbers(context.options, "fast-sizes", 1, 1024)
    bits = read_number(context.options, "bits", 0, 10)
    times = measure(context, "strom10g", LOOKS, sizes, bits)
    fast = measure(context, "strom100g", ("kernel", "write"), fast_sizes, bits)
    panel = make_panel("10G", times, LOOKS, sizes)
    panels = [panel, make_panel("100G", fast, ("kernel", "write"), fast_sizes)]
    checks = make_checks(times, sizes) if len(sizes) > 1 else []
    checks.append(make_fast_check(fast, fast_sizes[-1]))
    print(common.format_points(panels))
    print()
    print(format_rows(checks))
    context.write_figure(
        X_AXIS,
        Y_AXIS,
        panel["series"],
        plot=draw,
        panels=panels,
        checks=checks,
        settings={"nic": "strom10g", "bits": bits},
    )
