# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 8: GET from a remote hash table by two READs, by the traversal kernel, by TCP RPC.

Source: StRoM (EuroSys 2020), section 6.2, "Example: Hash Table".
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

#: Lines: how, and bytes of an item of the array that an RPC returns (0: opaque data).
METHODS = {
    "read": ("read", None),
    "kernel": ("kernel", None),
    "tcp": ("tcp", 0),
    "tcp-int": ("tcp", 4),
    "tcp-char": ("tcp", 1),
}
RDMA = ("read", "kernel")
ITEM_BYTES = "ns3::rdma::SoftwareCosts::XdrItemBytes"
KNEE = get_fact("StRoM-151").value  # Bytes.

OPTIONS = {
    "sizes": Option("64,128,256,512,1024,2048,4096", "64,256,4096", "bytes of a value"),
    "calls": Option("1000", "100", "look-ups of each point"),
    "cable": common.CABLE,
}

X_AXIS = {"label": "Value size", "unit": "B", "scale": "log2"}
Y_AXIS = {"label": "Latency, median", "unit": "us"}


def make_checks(series):
    """Return the rows of validation."""
    sizes = [size for size, _ in series["read"]]
    value = {name: dict(map(tuple, points)) for name, points in series.items()}
    saved = [value["read"][size] - value["kernel"][size] for size in sizes]
    rows = [
        compare(f"two READs less StRoM, {what}, us", choose(saved), ["StRoM-150"])
        for what, choose in (("least", min), ("most", max))
    ]
    if KNEE in sizes and sizes[-1] > KNEE:
        rise = {name: value[name][sizes[-1]] - value[name][KNEE] for name in METHODS}
        arrays = [rise["tcp-int"], rise["tcp-char"]]
        rows.append(
            check(
                f"TCP RPC of an array, {KNEE:g} to {sizes[-1]} B",
                "suffers, more than StRoM",
                f"int {arrays[0]:+.1f} us, char {arrays[1]:+.1f}; opaque {rise['tcp']:+.1f}, "
                f"StRoM {rise['kernel']:+.1f}, READ {rise['read']:+.1f}",
                min(arrays) > 1.2 * rise["kernel"],
                ["StRoM-151"],
            )
        )
    return rows


def run(context):
    """Measure all methods and sizes, and write the figure."""
    sizes = read_numbers(context.options, "sizes", 1, 65536)
    calls = read_number(context.options, "calls", 1, 10**6)
    delay = common.read_cable(context)
    series, spread = {}, {}
    for name, (method, item) in METHODS.items():
        series[name], spread[name] = [], []
        settings = [f"{ITEM_BYTES}={item}"] if item is not None else []
        for size in sizes:
            row = common.run_offload(
                context, "get", method, calls, {"value-size": size}, settings=settings, delay=delay
            )
            series[name].append([size, row["latency_p50_us"]])
            spread[name].append(common.get_spread(size, row))
    panel = {"x": X_AXIS, "y": Y_AXIS, "series": series, "spread": spread}
    # The same without TCP, whose latency hides the difference of the others.
    rdma = {
        part: {name: values for name, values in panel[part].items() if name in RDMA}
        for part in ("series", "spread")
    }
    settings = {"nic": "strom10g", "calls": calls, "kernel": "traversal", "cable": delay}
    common.finish(
        context, [panel, panel | rdma], make_checks(series), settings
    )
