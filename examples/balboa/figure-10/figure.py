# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 10: throughput of preprocessing in three set-ups, by batch size.

Source: RoCE BALBOA, section 8.2.
"""

from rocelab.validate.checks import compare, format_rows, get_measured
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from .. import gpu_ingest
from ...strom import common as strom

BATCHES = 64  # BALBOA section 6.1.

OPTIONS = {
    "sizes": Option(
        ",".join(str(1024 << step) for step in range(0, 11, 2)), "4096,262144", "bytes of a batch"
    ),
    "verb": Option("read", "read", "read: the server READs, as in the paper; write: storage WRITEs"),
}

RATE_AXIS = {"label": "Throughput", "unit": "MB/s"}


def make_checks(rates):
    """Return the rows of validation."""
    best = {method: max(values.values()) for method, values in rates.items()}
    return [
        compare("NIC to GPU, largest throughput: MB/s", best["gpu"], ["BALBOA-247"]),
        compare("NIC to GPU: Gbit/s", best["gpu"] * 8 / 1e3, ["BALBOA-245"]),
        compare("one core, largest throughput: MB/s", best["cpu"], ["BALBOA-246"]),
    ]


def run(context):
    """Measure all sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 4, 2**22)
    rates = {method: {} for method in gpu_ingest.LOOKS}
    for method, values in rates.items():
        for size in sizes:
            result = gpu_ingest.run(
                context, method, 1, size, BATCHES, context.options["verb"]
            )
            values[size] = result["throughput_MBps"]
    panel = {
        "x": gpu_ingest.SIZE_AXIS,
        "y": RATE_AXIS,
        "series": {
            method: [[size, values[size]] for size in sizes] for method, values in rates.items()
        },
    }
    checks = get_measured(make_checks(rates))
    print(strom.format_points([panel]))
    print()
    print(format_rows(checks))
    context.write_panels([panel], plot=gpu_ingest.draw, checks=checks, settings=gpu_ingest.SETTINGS)
