# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 13: atomics and long-tail keys with and without the out-of-order engine.

Source: Li et al., "KV-Direct: High-Performance In-Memory Key-Value Store with Programmable NIC",
SOSP 2017, section 5.1.3.
"""

from rocelab.validate.checks import check, compare
from rocelab.validate.facts import TOLERANCE as LINEAR
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers
from rocelab.validate.points import find

from .. import common

WITH, WITHOUT = "out-of-order engine", "stalls on conflicts"
UNLIMITED, PCIE = "engine, DMA requests without limit", "engine, PCIe alone"
ONE_SIDED, TWO_SIDED = "one-sided RDMA (input)", "two-sided RDMA (input)"
ENGINES = {WITH: {}, WITHOUT: {"in_order": True}}
# Of the board, DRAM over PCIe (section 2.4). A few keys all fit into the DRAM: h is 1 in the formula of
# section 3.3.4, l / r = 1 - l. The paper tunes the ratio to the access pattern (section 5.2.1).
THROUGHPUT_RATIO = 12.8 / 13.2
DISPATCH = THROUGHPUT_RATIO / (1 + THROUGHPUT_RATIO)
# Points of the panel of atomics: keys of the measurement kv-processor.
ATOMICS = {
    WITH: {"dispatch": DISPATCH},
    UNLIMITED: {"dispatch": DISPATCH, "request_rate": 0},
    PCIE: {"cache": 0},
    WITHOUT: {"dispatch": DISPATCH, "in_order": True},
}

# What the paper states of others, M operations/s: atomics of an RDMA NIC on one key (section 1), the
# highest message rate of such NICs (section 2.2); operations of one core and batched (section 2.2),
# and the cores of the two-sided store of Table 3. A key's atomics need one NIC, or one core.
NIC_ATOMICS, NIC_MESSAGES = 2.24, 150
CORE_OPERATIONS, CORES = 7.9, 12

# Criterion, stated before the numbers were compared. The paper's text gives no largest number of keys. So "linearly" is
# tested as long as a throughput is "still far" from the engine's: below this part of it. There it is that of one
# key times the number of keys, within LINEAR.
FAR = 0.5

OPTIONS = {
    "keys": Option("1,4,16,64,256,1024,4096", "1,64", "keys that the atomics go to"),
    "puts": Option("0,5,25,50,75,100", "0,50", "shares of PUTs under long-tail keys, %"),
    "operations": Option("100000", "20000", "measured operations of each point"),
    "memory": Option("64", "4", "MiB of the store under long-tail keys"),
}

Y_AXIS = {"label": "Throughput", "unit": "Mops"}


def measure_atomics(context, keys, operations):
    """Return the panel of fetch-and-adds that go to the keys in turn: "uniformly" (section 5.1.3)."""
    series = {name: [] for name in (*ATOMICS, TWO_SIDED, ONE_SIDED)}
    for count in keys:
        for name, more in ATOMICS.items():
            result = common.run_processor(
                context,
                in_turn=True,
                atomics=count,
                operations=operations,
                memory="4MiB",
                warmup=operations // 10,
                **more,
            )
            series[name].append([count, result["mops"]])
        series[ONE_SIDED].append([count, min(NIC_ATOMICS * count, NIC_MESSAGES)])
        series[TWO_SIDED].append([count, CORE_OPERATIONS * min(count, CORES)])
    return {
        "x": {"label": "Keys of atomics", "unit": "", "scale": "log"},
        "y": Y_AXIS,
        "series": series,
    }


def measure_long_tail(context, puts, operations, memory):
    """Return the panel of GETs and PUTs of 10 B pairs, the shares of collisions, and those of stalls by PUTs, in percent."""
    series, collided, stalled = {name: [] for name in ENGINES}, [], {}
    for share in puts:
        for name, more in ENGINES.items():
            result = common.run_processor(
                context,
                get=1 - share / 100,
                zipf=common.THETAS[common.LONG_TAIL],
                operations=operations,
                memory=f"{memory}MiB",
                **more,
            )
            series[name].append([share, result["mops"]])
            if name == WITH:
                collided.append(100 * result["collided"] / result["operations"])
            else:
                stalled[share] = 100 * result["stalls"] / result["operations"]
    return {
        "x": {"label": "PUTs, long-tail keys", "unit": "%"},
        "y": Y_AXIS,
        "series": series,
    }, collided, stalled


def make_linear_row(series):
    """Return the row of throughputs that grow with the keys; ours is None without two numbers of keys for each."""
    engine = dict(map(tuple, series[WITH]))
    texts, worst = [], 0
    for name in (ONE_SIDED, TWO_SIDED, WITHOUT):
        far = {keys: mops for keys, mops in series[name] if mops < FAR * engine[keys]}
        first = far.get(1)
        if not first or len(far) == 1:
            texts = []
            break
        off = max((mops / (keys * first) - 1 for keys, mops in far.items()), key=abs)
        worst = max(worst, abs(off))
        texts.append(f"{name} to {max(far):,} keys, {off:+.1%} off a line")
    what = f"atomics, as long as they are below {FAR:.0%} of the engine"
    return check(what, "linear", "; ".join(texts) or None, worst <= LINEAR, ["KV-Direct-712"])


def make_stall_row(stalled):
    """Return the row of the operations that stop the pipeline; ours is None with one share of PUTs."""
    shares = list(stalled.values())
    text = ", ".join(f"{share:.1f} % of operations with {puts} % PUTs" for puts, share in stalled.items())
    grows = all(fewer < more for fewer, more in zip(shares, shares[1:]))
    what = "operations that stop the pipeline without the engine, long-tail"
    return check(what, "more with more PUTs", text if len(shares) > 1 else None, grows, ["KV-Direct-713"])


def run(context):
    """Measure both panels and write the figure."""
    keys = read_numbers(context.options, "keys", 1, 40000)
    puts = read_numbers(context.options, "puts", 0, 100)
    operations = read_number(context.options, "operations", 1000, 10**8)
    memory = read_number(context.options, "memory", 1, 16384)
    atomics = measure_atomics(context, keys, operations)
    long_tail, collided, stalled = measure_long_tail(context, puts, operations, memory)
    slow = find(atomics["series"], WITHOUT, 1)
    fast = find(atomics["series"], WITH, 1)
    checks = [
        compare("one key, stalls, Mops", slow, ["KV-Direct-408"]),
        compare("one key, engine, Mops", fast, ["KV-Direct-409"]),
        compare("their ratio", fast / slow if slow and fast else None, ["KV-Direct-410"]),
        compare("slot is another key's, most, %", max(collided), ["KV-Direct-392"]),
        make_linear_row(atomics["series"]),
        make_stall_row(stalled),
    ]
    settings = {"dram": "off for atomics", "pair": "10 B", "zipf": common.THETAS[common.LONG_TAIL]}
    common.finish(
        context, [atomics, long_tail], checks, settings, bounds=[ONE_SIDED, TWO_SIDED]
    )
