# SPDX-License-Identifier: GPL-2.0-only
"""What cores were used for: reading threads.csv, and bars of tasks one on the other."""

from collections import Counter

from rocelab.draw import style
from rocelab.errors import UserError
from rocelab.results.columns import get_columns
from rocelab.results.csv_table import read_table

FILE = "threads.csv"

#: Colour and hatch of each task, in the order from the axis up. Greys are tasks that are short.
TASK_LOOKS = {
    "poll": (style.BLUE, ""),
    "check": (style.GREEN, "////"),
    "search": (style.PURPLE, "...."),
    "list": (style.SKY_BLUE, "----"),
    "post": (style.ORANGE, ""),
    "doorbell": ("#b3b3b3", "++++"),
    "event": (style.VERMILLION, "\\\\\\\\"),
    "ack": ("#4d4d4d", ""),
    "arm": (style.GREY, "||||"),
    "copy": ("#d9d9d9", "xxxx"),
    "sample": ("#8c6d31", "oo"),
    "switch": (style.BLACK, ""),
}
COLUMNS = get_columns(FILE)
#: As the program writes the tasks.
TASKS = tuple(name.removesuffix("_ns") for name, _ in COLUMNS if name.endswith("_ns"))
#: What may be a bar: the columns that its threads have in common.
GROUPS = {"host": ("server",), "core": ("server", "core"), "thread": ("server", "thread")}


def has_threads(nic):
    """Tell whether a run has written what its threads did."""
    return (nic.folder / FILE).is_file()


def read_use(nic, by="host"):
    """Return {role: {place: {task: % of a core}}} of a NicResult, in the measured time.

    A place is (server,), (server, core) or (server, thread), by `by`. Raises UserError if the summary has no
    time that was measured.
    """
    if "streams" not in nic.summary:
        raise UserError(f"{nic.folder / 'summary.json'}: expected the key streams, as there is {FILE}")
    measured_ns = nic.summary["streams"]["measured_ms"] * 1e6
    use = {}
    for row in read_table(nic.folder, FILE):
        place = tuple(int(row[column]) for column in GROUPS[by])
        tasks = use.setdefault(str(row["role"]), {}).setdefault(place, Counter())
        for task in TASKS:
            tasks[task] += 100 * float(row[f"{task}_ns"]) / measured_ns
    return use


def find_tasks(stacks):
    """Return the tasks that any of the stacks has, in the order in which they are drawn."""
    return [task for task in TASK_LOOKS if any(stack.get(task) for stack in stacks)]


def draw_stacks(axes, places, stacks, width=0.7):
    """Draw a bar at each place, of {task: height} one on the other; each task has one label."""
    bottoms = [0.0] * len(stacks)
    for task in find_tasks(stacks):
        color, hatch = TASK_LOOKS[task]
        heights = [stack.get(task, 0) for stack in stacks]
        look = {"color": color, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
        axes.bar(places, heights, bottom=bottoms, width=width, label=task, **look)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights)]
    axes.set_ylim(bottom=0)
