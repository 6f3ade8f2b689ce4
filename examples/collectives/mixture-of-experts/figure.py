# SPDX-License-Identifier: GPL-2.0-only
"""Mixture of experts: tokens per second of decoding and prefill, with experts of equal and unequal popularity.

256 experts are divided among the GPUs, each on a server of its own. Decode sends a message per token and expert, prefill
a message per pair of GPUs and queue pair.
"""

from statistics import mean

from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers

from ..common import FABRIC, SERVERS, get_results, make_nics, select

NIC_NAMES = ("ConnectX-6", "IRN", "BALBOA", "SRNIC")
EXPERTS = 256

#: Tokens of a GPU in a layer, and the form of the messages.
STAGES = {"decode": {"tokens": 128, "messages": "token"}, "prefill": {"tokens": 512, "messages": "rank-pair"}}

OPTIONS = {
    "stages": Option("decode", "decode,prefill", "of decode and prefill"),
    "gpus": Option("16,64", "16", "numbers of GPUs"),
    "skews": Option("0,50", "0,50", "exponents of the experts' popularity, in hundredths"),
    "seeds": Option("1,2,3", "1", "seeds"),
}


def make_scenario(stage, gpus, skew, seed):
    """Return the scenario of one point."""
    workload = {
        "type": "moe",
        "group": "gpus",
        "expertsPerRank": EXPERTS // gpus,
        "queuePairs": EXPERTS // gpus if stage == "decode" else 1,
        "iterations": 2,
        "warmup": 1,
        **STAGES[stage],
    }
    if skew:
        workload.update(routing="zipf", zipf=skew / 100)
    # Servers of all racks: every (64 / gpus)th one.
    return {
        "name": f"{stage}-gpus-{gpus}-skew-{skew}-seed-{seed}",
        "fabric": {**FABRIC, "mtu": 4096},
        "groups": {"gpus": list(range(0, SERVERS, SERVERS // gpus))},
        "nics": make_nics(NIC_NAMES, hardware="on"),
        "workload": workload,
        "run": {"seed": seed},
    }


def get_point(nic):
    """Return the numbers of a run."""
    part = nic.summary["sequence"]
    times = {phase["name"]: phase.get("mean_us") for phase in part["phases"]}
    return {
        "tokens_per_s": part["moe"].get("tokens_per_s"),
        "dispatch_us": times["dispatch"],
        "combine_us": times["combine"],
        "slowdown": part["time_us"]["mean"] / part["moe"]["empty_network_us"],
        "imbalance": part["moe"]["imbalance"],
        "retransmitted": part["retransmitted"],
        "context_misses": nic.summary["hardware"]["context_misses"],
        "defect": nic.defect,
    }


def combine_seeds(points):
    """Return the means of the points of all seeds, with the least and the most tokens per second."""
    rates = [one["tokens_per_s"] for one in points]
    keys = ("tokens_per_s", "dispatch_us", "combine_us", "slowdown", "imbalance", "retransmitted", "context_misses")
    return {key: mean(one[key] for one in points) for key in keys} | {"least": min(rates), "most": max(rates)}


def measure(context, stage, gpus):
    """Return {NIC: {skew: point}}."""
    found = {name: {} for name in NIC_NAMES}
    for skew in read_numbers(context.options, "skews", 0, 1000):
        points = {name: [] for name in NIC_NAMES}
        for seed in read_numbers(context.options, "seeds", 1, 2**31):
            result = context.run_scenario(make_scenario(stage, gpus, skew, seed))
            for name, nic in get_results(result, NIC_NAMES).items():
                points[name].append(get_point(nic))
        for name in NIC_NAMES:
            found[name][skew] = combine_seeds(points[name])
    return found


def make_panel(stage, gpus, found):
    """Return the panel of tokens per second."""
    return {
        "x": {"label": "Exponent of the experts' popularity", "unit": ""},
        "y": {"label": f"{stage.capitalize()}, {gpus} GPUs: million tokens", "unit": "per s", "least": 0},
        "series": {
            name: [[skew / 100, one["tokens_per_s"] / 1e6] for skew, one in points.items()] for name, points in found.items()
        },
    }


COLUMNS = (
    ("million\ntokens/s", lambda one: one["tokens_per_s"] / 1e6),
    ("least", lambda one: one["least"] / 1e6),
    ("most", lambda one: one["most"] / 1e6),
    ("dispatch\nus", lambda one: one["dispatch_us"]),
    ("combine\nus", lambda one: one["combine_us"]),
    ("over empty\nnetwork", lambda one: one["slowdown"]),
    ("imbalance", lambda one: one["imbalance"]),
    ("resent", lambda one: one["retransmitted"]),
    ("context\nmisses", lambda one: one["context_misses"]),
)


def run(context):
    """Run all points, print the table and draw a panel for each stage and number of GPUs."""
    numbers = read_numbers(context.options, "gpus", 2, SERVERS)
    if any(SERVERS % gpus for gpus in numbers):
        raise UserError(f"option gpus: expected divisors of {SERVERS}, got {context.options['gpus']!r}")
    stages = context.options["stages"].split(",")
    if not set(stages) <= set(STAGES):
        raise UserError(f"option stages: expected decode, prefill or both, got {context.options['stages']!r}")
    found = {(stage, gpus): measure(context, stage, gpus) for stage in stages for gpus in numbers}
    rows = [
        [stage, str(gpus), name, format_number(skew / 100), *(format_number(get(one)) for _, get in COLUMNS)]
        for (stage, gpus), by_nic in found.items()
        for name, points in by_nic.items()
        for skew, one in points.items()
    ]
    print(format_table(["stage", "GPUs", "NIC", "skew", *(label for label, _ in COLUMNS)], rows))
    context.write_panels(
        [make_panel(stage, gpus, by_nic) for (stage, gpus), by_nic in found.items()],
        plot=lambda data: draw_panels(data, select(NIC_NAMES)),
        points={f"{stage}-{gpus}": by_nic for (stage, gpus), by_nic in found.items()},
    )
