# SPDX-License-Identifier: GPL-2.0-only
"""Thesis Figure 5.9: goodput and use of cores over time, GPU memory, one to one.

Source: TU Delft thesis on RoCE for radio-astronomy data transport (with ASTRON), section 5.2.4.
"""

from rocelab.validate.checks import check, compare, format_rows, get_measured
from rocelab.validate.facts import get_fact
from rocelab.validate.figure import Option

from .. import common, das6

#: Table 5.7: queue pairs, KiB; Figures 5.9a and 5.9b.
CONFIGURATIONS = {"2": (1, 16), "6": (100, 16)}
LARGE_DROP, SMALL_DROP = (1.1 * get_fact(name).value for name in ("ASTRON-thesis-318", "ASTRON-thesis-721"))  # Gb/s.

OPTIONS = {
    "configurations": Option("2,6", "2,6", "numbers of Table 5.7"),
    "measured": Option("300", "20", "ms that are measured of each run, a multiple of 10"),
}


def make_rows(results):
    """Return the rows of validation."""
    lowest = das6.get_goodput(results, "2", "min")
    most = max(das6.get_goodput(results, number, "max") for number in results)
    rows = [
        compare("most, Gb/s", most, ["ASTRON-thesis-319"]),
        compare("1 queue pair, 16 KiB, 10 % quantile, Gb/s", das6.get_goodput(results, "2"), ["ASTRON-thesis-612"]),
        compare("1 queue pair, 16 KiB, 90 % quantile, % of a core", das6.get_use(results, "2", "p90"), ["ASTRON-thesis-722"]),
    ]
    if lowest is not None:
        text = f"lowest sample {lowest:.1f} Gb/s"
        rows.append(check("drops to 65 Gb/s each 1.2 s", "yes", text, lowest <= LARGE_DROP, ["ASTRON-thesis-318"]))
        rows.append(check("drops to 88 Gb/s each 0.1 s", "yes", text, lowest <= SMALL_DROP, ["ASTRON-thesis-721"]))
    return rows


def run(context):
    """Run both configurations, print the table and write the figure."""
    labels, results = das6.measure(context, CONFIGURATIONS, das6.make_one_to_one, gpu=True, sharedReceiveQueue=True, has_noise=True)
    print(common.format_configurations(labels))
    rows = get_measured(make_rows(results))
    print("\n" + format_rows(rows))
    context.write_panels(
        common.make_time_panels(labels, columns=("measured", "use")),
        plot=common.draw_over_time,
        checks=rows,
        settings={"measured": context.options["measured"], "attributes": das6.NIC | das6.GPU | common.NOISE},
        notes=["Samples of 10 ms, from the start of the run."],
    )
