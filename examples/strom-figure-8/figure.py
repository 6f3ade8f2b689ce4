# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 8: GET from a remote hash table by two READs, by the traversal kernel, by TCP RPC.

Source: StRoM (EuroSys 2020), section 6.2, "Example: Hash Table".
"""

from rocelab import offload, testbed
from rocelab.figure import Option

METHODS = ("read", "kernel", "tcp")
KNEE = 256  # Bytes, StRoM-151.

OPTIONS = {
    "sizes": Option("64,128,256,512,1024,2048,4096", "64,256,4096", "bytes of a value"),
    "calls": Option("1000", "100", "look-ups of each point"),
}

PAPER = [
    {
        "sources": ["StRoM-150"],
        "where": "Section 6.2, Figure 8",
        "statement": "StRoM takes around 5 us less per look-up than two READs",
    },
    {
        "sources": ["StRoM-151"],
        "where": "Section 6.2, Figure 8",
        "statement": "TCP RPC suffers from long message passing latency for values larger than 256 B",
    },
]

X_AXIS = {"label": "Value size", "unit": "B", "scale": "log2"}
Y_AXIS = {"label": "Latency, median", "unit": "us"}


def make_checks(series):
    """Return the rows of validation."""
    sizes = [size for size, _ in series["read"]]
    value = {name: dict(map(tuple, points)) for name, points in series.items()}
    saved = [value["read"][size] - value["kernel"][size] for size in sizes]
    rows = [
        offload.check(
            "two READs less StRoM, us",
            "about 5",
            f"{min(saved):.2f} to {max(saved):.2f}",
            4 <= sum(saved) / len(saved) <= 6,
            ["StRoM-150"],
        )
    ]
    if KNEE in sizes and sizes[-1] > KNEE:
        rise = {name: value[name][sizes[-1]] - value[name][KNEE] for name in METHODS}
        rows.append(
            offload.check(
                f"TCP RPC from {KNEE} to {sizes[-1]} B",
                "suffers, more than StRoM",
                f"{rise['tcp']:+.1f} us; StRoM {rise['kernel']:+.1f}, READ {rise['read']:+.1f}",
                rise["tcp"] > 1.2 * rise["kernel"],
                ["StRoM-151"],
            )
        )
    return rows


def run(context):
    """Measure all methods and sizes, and write the figure."""
    sizes = testbed.read_numbers(context.options, "sizes", 1, 65536)
    calls = testbed.read_number(context.options, "calls", 1, 10**6)
    series, spread = {}, {}
    for method in METHODS:
        series[method], spread[method] = [], []
        for size in sizes:
            result = offload.run_offload(context, "get", method, calls, {"value-size": size})
            latency = result["latency_us"]
            series[method].append([size, latency["p50"]])
            spread[method].append([size, latency["p1"], latency["p99"]])
    panel = {"x": X_AXIS, "y": Y_AXIS, "series": series, "spread": spread}
    # The same without TCP, whose latency hides the difference of the others.
    rdma = {
        part: {name: values for name, values in panel[part].items() if name != "tcp"}
        for part in ("series", "spread")
    }
    settings = {"nic": "strom10g", "calls": calls, "kernel": "traversal"}
    offload.finish(
        context, [panel, panel | rdma], make_checks(series), PAPER, settings
    )
