# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 9: an object with a CRC64, not checked, checked by the client, checked by the kernel.

Source: StRoM (EuroSys 2020), section 6.3, "Effect of Object Size".
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

METHODS = ("read", "cpu", "kernel")

OPTIONS = {
    "sizes": Option("64,128,256,512,1024,2048,4096", "64,4096", "bytes of an object"),
    "calls": Option("1000", "100", "objects of each point"),
    "cable": common.CABLE,
    "crcMbps": Option("4784", "4784", "Mb/s of CRC64 on a core"),
}

X_AXIS = {"label": "Object size", "unit": "B", "scale": "log2"}
Y_AXIS = {"label": "Latency, median", "unit": "us"}
MARGINAL = 0.08  # Of the READ: what the paper calls not notable.


def make_checks(series):
    """Return the rows of validation."""
    value = {name: dict(map(tuple, points)) for name, points in series.items()}
    small, large = min(value["read"]), max(value["read"])

    def get_share(method, size):
        return value[method][size] / value["read"][size] - 1

    added = value["kernel"][large] - value["read"][large]
    return [
        compare(f"software over READ, {large} B, %", 100 * get_share("cpu", large), ["StRoM-152"]),
        compare(f"StRoM over READ, {large} B, us", added, ["StRoM-153"]),
        compare(f"StRoM over READ, {large} B, %", 100 * get_share("kernel", large), ["StRoM-154"]),
        check(
            f"software, StRoM over READ, {small} B",
            "marginal",
            f"{get_share('cpu', small):.1%}, {get_share('kernel', small):.1%}",
            max(get_share("cpu", small), get_share("kernel", small)) < MARGINAL,
            ["StRoM-702"],
        ),
    ]


def run(context):
    """Measure all methods and sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 9, 1 << 20)
    calls = read_number(context.options, "calls", 1, 10**6)
    delay = common.read_cable(context)
    rate = read_number(context.options, "crcMbps", 10, 10**6)
    crc = [f"ns3::rdma::SoftwareCosts::CrcRate={rate}Mbps"]
    series, spread = {}, {}
    for method in METHODS:
        series[method], spread[method] = [], []
        for size in sizes:
            row = common.run_offload(
                context,
                "consistency",
                method,
                calls,
                {"size": size},
                settings=crc if method == "cpu" else [],
                delay=delay,
            )
            series[method].append([size, row["latency_p50_us"]])
            spread[method].append(common.get_spread(size, row))
    panel = {"x": X_AXIS, "y": Y_AXIS, "series": series, "spread": spread}
    common.finish(
        context,
        [panel],
        make_checks(series),
        {"nic": "strom10g", "calls": calls, "cable": delay, "crc_mbps": rate},
    )
