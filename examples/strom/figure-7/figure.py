# SPDX-License-Identifier: GPL-2.0-only
"""StRoM Figure 7: a key of a remote linked list by READs, by the traversal kernel and by TCP RPC.

Source: StRoM (EuroSys 2020), section 6.2, "Example: Linked List".
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common

METHODS = ("read", "kernel", "tcp")
VALUE_BYTES = 64  # StRoM-147.

OTHER_VALUE_BYTES = 512  # "We further varied the value size": the paper does not state to what.
MARGINAL = 0.08  # Of the latency: what section 6.3 calls not notable.

OPTIONS = {
    "lengths": Option("4,8,16,32", "4,32", "elements of the list"),
    "calls": Option("2000", "200", "look-ups of each point"),
}

X_AXIS = {"label": "Length of the list", "unit": "elements"}
Y_AXIS = {"label": "Latency, mean", "unit": "us"}


def get_reads(result):
    """Return how many elements and values a look-up read on average."""
    reads = result.get("reads") or result["kernel_host_reads"]
    return reads / result["calls"]


def get_slope(first, last):
    """Return the us that a read more takes."""
    span = last["latency_mean_us"] - first["latency_mean_us"]
    return span / (get_reads(last) - get_reads(first))


def make_checks(results, lengths):
    """Return the rows of validation, from the shortest list and the longest."""
    short, long = lengths[0], lengths[-1]
    mean = {
        (method, length): results[method, length]["latency_mean_us"]
        for method, length in results
    }
    slopes = {
        method: get_slope(results[method, short], results[method, long])
        for method in ("read", "kernel")
    }
    # Of a straight line through the ends, by reads: what the middle is off.
    off = max(
        abs(
            mean["read", short]
            + slopes["read"]
            * (get_reads(results["read", length]) - get_reads(results["read", short]))
            - mean["read", length]
        )
        / mean["read", length]
        for length in lengths
    )
    tcp = mean["tcp", long] / mean["tcp", short] - 1
    share = slopes["kernel"] / slopes["read"]
    return [
        check(
            "READ: rises linearly, a round trip per element",
            "linear",
            f"{slopes['read']:.2f} us per element, at most {off:.1%} off a line",
            off < 0.03,
            ["StRoM-149"],
        ),
        compare("StRoM: time per element, us", slopes["kernel"], ["StRoM-146"]),
        check(
            f"StRoM: {long / short:g} times the length",
            "sublinear",
            f"{mean['kernel', long] / mean['kernel', short]:.1f} times the latency; "
            f"{share:.0%} of READ's rise",
            mean["kernel", long] / mean["kernel", short] < long / short and share < 0.6,
            ["StRoM-149"],
        ),
        check(
            f"TCP RPC: {long} instead of {short} elements",
            "does not vary",
            f"{tcp:+.1%}",
            abs(tcp) < 0.05,
            ["StRoM-149"],
        ),
    ]


def run(context):
    """Measure all methods and lengths, and write the figure."""
    lengths = read_numbers(context.options, "lengths", 1, 4096)
    calls = read_number(context.options, "calls", 1, 10**6)
    results = {}
    for method in METHODS:
        for length in lengths:
            options = {"length": length, "value-size": VALUE_BYTES}
            results[method, length] = common.run_offload(
                context, "traversal", method, calls, options
            )
    large = common.run_offload(
        context, "traversal", "kernel", calls, {"length": lengths[-1], "value-size": OTHER_VALUE_BYTES}
    )["latency_mean_us"]
    panel = {
        "x": X_AXIS,
        "y": Y_AXIS,
        "series": {
            method: [[length, results[method, length]["latency_mean_us"]] for length in lengths]
            for method in METHODS
        },
        "spread": {
            method: [common.get_spread(length, results[method, length]) for length in lengths]
            for method in METHODS
        },
    }
    checks = make_checks(results, lengths) if len(lengths) > 1 else []
    more = large / results["kernel", lengths[-1]]["latency_mean_us"] - 1
    what = f"StRoM, {lengths[-1]} elements: value of {OTHER_VALUE_BYTES} instead of {VALUE_BYTES} B"
    checks.append(check(what, "marginal", f"{more:+.1%}", abs(more) < MARGINAL, ["StRoM-701"]))
    settings = {"nic": "strom10g", "calls": calls, "value-size": VALUE_BYTES}
    common.finish(context, [panel], checks, settings)
