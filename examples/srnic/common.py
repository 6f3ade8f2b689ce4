# SPDX-License-Identifier: GPL-2.0-only
"""The testbed of SRNIC's sections 2.2 and 6: two servers back to back, perftest and TCP.

What the figures of these sections share: how the engine is asked, and what they print.
"""

from rocelab.draw.panels import draw_panels
from rocelab.runs.engine import make_arguments
from rocelab.validate.checks import format_rows, format_statements, get_measured
from rocelab.validate.points import format_points

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
    """Return the row of the measurement tcp-bw or tcp-lat; options are its keys."""
    (row,) = context.measure(f"tcp-{test}", **{"rate": RATE} | options)
    return row


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


def get_misses(end):
    """Return how often one end of a test missed its caches of contexts and translations."""
    return sum(end[cache]["misses"] for cache in ("contextCache", "translationCache"))


def finish(context, panels, comparison, settings, plot=draw_panels, **more):
    """Print the points and the comparison, and write the figure.

    Rows of the comparison whose number was not measured are left out.
    """
    comparison = get_measured(comparison)
    parts = [format_points(panels), ""]
    if comparison:
        parts += [format_rows(comparison), ""]
    parts += [format_statements(context.paper)]
    print("\n".join(parts))
    return context.write_panels(panels, plot=plot, comparison=comparison, settings=SETTINGS | settings, **more)
