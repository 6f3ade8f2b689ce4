# SPDX-License-Identifier: GPL-2.0-only
"""The testbed of SRNIC's sections 2.2 and 6: two servers back to back, perftest and TCP.

What the figures of these sections share: how the engine is asked, and what they print.
"""

from rocelab.checks import format_rows, get_measured
from rocelab.errors import UserError
from rocelab.panels import draw_panels
from rocelab.table import format_number, format_table

TCP = "tcp"  # Stands among the NICs for the kernel's TCP over a plain NIC.

RATE = "100Gbps"  # SRNIC-066: one port of each NIC.
MTU = 1024  # SRNIC-071.
DELAY = "10ns"  # A cable of 2 m at 5 ns/m: our estimate.
NETWORK = {"rate": RATE, "delay": DELAY, "mtu": MTU}

DEPTH = 16  # Messages that a queue pair has posted, where many share the link.
INTERVAL = 4  # Messages per completion, there.

SETTINGS = {"rate": RATE, "delay": DELAY, "mtu": MTU, "hardware": "on"}


def run_perftest(context, test, nic, **options):
    """Return the result of one `rocelab perftest`; options are its long ones, tx_depth=8.

    A list value repeats its option.
    """
    command = ["perftest", test, "--nic", nic, "--hardware", "on", "--json"]
    command += make_arguments(NETWORK | options)
    return context.run_command(command)["results"][0]


def run_tcp(context, test, **options):
    """Return the result of one `rocelab tcp bw` or `rocelab tcp lat`."""
    return context.run_command(["tcp", test, "--json"] + make_arguments({"rate": RATE} | options))


def make_arguments(options):
    """Return the words of {"tx_depth": 8}: "--tx-depth", "8"."""
    words = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            words += ["--" + name.replace("_", "-"), str(one)]
    return words


def get_load(queue_pairs, messages):
    """Return iterations, depth and completions of a test of so many messages in all, or more.

    The depth is the same for any number of queue pairs, since a NIC does less per message when a
    queue runs dry. perftest's 128 would take 4 million messages to show 16,384 queue pairs in a
    steady state, and 16 gives the same throughput. There is a completion for four messages: with
    perftest's one for a hundred, queue pairs that begin together run dry together.
    """
    iterations = max(messages // queue_pairs // INTERVAL * INTERVAL, 2 * DEPTH)
    return {"qp": queue_pairs, "iters": iterations, "tx_depth": DEPTH, "cq_mod": INTERVAL}


def get_iterations(size, megabytes, least, most):
    """Return how many messages of a size make so many megabytes, within bounds."""
    return min(max(megabytes * 10**6 // size, least), most)


def read_numbers(options, name, least, most):
    """Return the whole numbers of an option's text, "128,256", rising."""
    numbers = options[name].split(",")
    if not all(number.isdigit() and least <= int(number) <= most for number in numbers):
        raise UserError(
            f"option {name}: expected whole numbers from {least} to {most} with commas between,"
            f" got {options[name]!r}"
        )
    return sorted({int(number) for number in numbers})


def read_number(options, name, least, most):
    """Return the one whole number of an option's text."""
    numbers = read_numbers(options, name, least, most)
    if len(numbers) != 1:
        raise UserError(f"option {name}: expected one number, got {options[name]!r}")
    return numbers[0]


def read_names(options, name="nics"):
    """Return the names of an option's text, each once, in its order."""
    return list(dict.fromkeys(options[name].split(",")))


def get_misses(end):
    """Return how often one end of a test missed its caches of contexts and translations."""
    return sum(end[cache]["misses"] for cache in ("contextCache", "translationCache"))


def find_last(points, is_kept):
    """Return the last x of [[x, y], ...] before the first y that is_kept(y, first y) denies.

    None if all are kept, or none: then the limit lies beyond what was measured.
    """
    lost = [index for index, (_, y) in enumerate(points) if not is_kept(y, points[0][1])]
    return points[lost[0] - 1][0] if lost and lost[0] else None


def find(series, name, x):
    """Return y of a series at x; None if it was not measured."""
    return dict(map(tuple, series.get(name, []))).get(x)


def format_points(panels):
    """Return the table of all points: a line per x, a column per panel and series."""
    headers = [panels[0]["x"]["label"]]
    columns = []
    for panel in panels:
        for name, points in panel["series"].items():
            headers.append(f"{panel['y']['label']}\n{name}\n{panel['y']['unit']}")
            columns.append(dict(map(tuple, points)))
    places = sorted({x for column in columns for x in column})
    rows = [[f"{x:,}"] + [format_number(column.get(x)) for column in columns] for x in places]
    return format_table(headers, rows)


def finish(context, panels, comparison, paper, settings, plot=draw_panels, **more):
    """Print the points and the comparison, and write the figure.

    Rows of the comparison whose number was not measured are left out.
    """
    comparison = get_measured(comparison)
    parts = [format_points(panels), ""]
    if comparison:
        parts += [format_rows(comparison), ""]
    parts += ["The paper states:"]
    parts += [f"  {entry['statement']} ({', '.join(entry['sources'])})" for entry in paper]
    print("\n".join(parts))
    first = panels[0]
    return context.write_figure(
        first["x"],
        first["y"],
        first["series"],
        paper,
        plot=plot,
        panels=panels,
        comparison=comparison,
        settings=SETTINGS | settings,
        **more,
    )
