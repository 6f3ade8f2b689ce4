# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of KV-Direct's store share: the measurements kv-store and kv-slabs, looks."""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.validate.checks import format_rows, get_measured
from rocelab.validate.points import format_points

MIXED_SIZES = "5-30"  # Bytes of key and value, all equally likely; ours.
THRESHOLDS = (10, 15, 20, 25)  # Of Figure 6.
MEMORY = "16MiB"  # For the paper's 64 GiB: accesses hang on ratios alone.

_DASHES = ["-", (0, (4, 1.5)), (0, (4, 1.2, 1, 1.2)), (0, (1, 1.2))]
_MARKERS = ["o", "s", "^", "D"]
_COLORS = [style.BLUE, style.GREEN, style.VERMILLION, style.BLACK]


def make_looks(labels):
    """Return {name: NicStyle} of {name: label}, up to four."""
    return {
        name: style.NicStyle(label, color, marker, dashes, "")
        for (name, label), color, marker, dashes in zip(
            labels.items(), _COLORS, _MARKERS, _DASHES
        )
    }


THRESHOLD_LOOKS = make_looks({f"threshold-{t}": f"inline up to {t} B" for t in THRESHOLDS})
TABLE_LOOKS = make_looks(
    {"kv-direct": "KV-Direct", "cuckoo": "MemC3 (cuckoo)", "hopscotch": "FaRM (hopscotch)"}
)


def run_store(context, **keys):
    """Return the rows of the measurement kv-store."""
    return context.measure("kv-store", **{"memory": MEMORY} | keys)


def list_points(rows):
    """Return the rows that have accesses: all but the end of a store that was filled."""
    return [row for row in rows if row.get("get_mean") is not None]


def get_points(rows, kind):
    """Return {utilization: mean accesses} of "get", "put" or "update"."""
    return {row["utilization"]: row[f"{kind}_mean"] for row in list_points(rows)}


def read_shares(options, name):
    """Return the shares of an option's text, "0.1,0.5", rising."""
    try:
        shares = sorted({float(word) for word in options[name].split(",")})
    except ValueError:
        shares = []
    if not shares or shares[0] <= 0 or shares[-1] >= 1:
        raise UserError(
            f"option {name}: expected shares between 0 and 1 with commas between,"
            f" got {options[name]!r}"
        )
    return shares


def finish(context, panels, checks, looks, settings):
    """Print points and checks, and write the figure."""
    checks = get_measured(checks)
    for panel in panels:
        print(format_points([panel]) + "\n")
    if checks:
        print(format_rows(checks))
    return context.write_panels(
        panels,
        plot=lambda data: draw_panels(data, looks),
        checks=checks,
        settings={"memory": MEMORY} | settings,
    )
