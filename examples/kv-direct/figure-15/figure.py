# SPDX-License-Identifier: GPL-2.0-only
"""KV-Direct Figure 15: throughput and latency by the number of operations in a batch.

Source: KV-Direct (SOSP 2017), section 5.1.5; section 7 on a network of 200 Gb/s.
"""

from rocelab.validate.checks import compare
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

from .. import common
from ...strom.microbenchmark import PACKET_OVERHEAD, RETH

PAIR = 10  # Bytes; the paper does not say.
IDEAL = "88 B per packet (bound)"
OURS = "98 B per packet, no acknowledgments (bound)"
FAST_GBPS = (200, 400)  # The bus of the NIC's pipeline carries this rate: 64 B of 180 MHz are 92 Gb/s.
# Our pipeline takes a packet per cycle, an acknowledgment as well; with twice the clock it has room for both.
ROOMY_PIPELINE = {"Cycle": "2777ps"}
SEEDS = range(1, 9)  # Batches whose time in the processor is averaged.
ALONE, NETWORK = "one batch under way", "of these, network"

OPTIONS = {
    "batches": Option("1,2,4,8,16,32,64", "1,64", "operations of a batch"),
    "memory": Option("2", "1", "MiB of the store"),
    "duration": Option("120", "40", "us, of which the first half is warm-up"),
}


def run_point(context, batch, window, rate_gbps=common.LINK_GBPS, pipeline=None):
    """Return the NicResult of GETs of long-tail keys."""
    duration = read_number(context.options, "duration", 20, 10**6)
    workload = common.make_workload(
        PAIR,
        1,
        common.LONG_TAIL,
        memory=f"{context.options['memory']}MiB",
        batch=batch,
        outstanding=window,
        duration=f"{duration}us",
        warmup=f"{duration // 2}us",
    )
    name = f"{rate_gbps}-{batch}-{window}" + ("-roomy" if pipeline else "")
    scenario = common.make_scenario(name, workload, rate_gbps=rate_gbps, pipeline=pipeline)
    return common.run_store(context, scenario)


def get_message_bytes(batch):
    """Return bytes of the longer one of a batch of GETs and its answers.

    Of our format: a header of 8, sizes of 1 for keys and 2 for values, 1 per operation or answer; the
    packet is padded to 4.
    """
    key = common.get_key_bytes(PAIR)
    longer = max(8 + 1 + batch * (1 + key), 8 + 2 + batch * (1 + PAIR - key))
    return -(-longer // 4) * 4


def get_bound(batch, overhead):
    """Return the GETs per us of messages with so many bytes of headers each, at most the clock's."""
    packets = -(-get_message_bytes(batch) // common.MTU)
    message = get_message_bytes(batch) + packets * overhead
    return min(common.LINK_GBPS * 1e3 / 8 * batch / message, common.CLOCK_MOPS)


def get_roomy_rate(rate_gbps=common.LINK_GBPS):
    """Return the rate of links in Gb/s on which acknowledgments take what the paper's leave to them.

    Each single operation is a packet in each direction; the acknowledgment of the other direction's
    comes on top. With this rate the link has as much for the packets alone as rate_gbps have.
    """
    packet = get_message_bytes(1) + PACKET_OVERHEAD + RETH
    return rate_gbps * (packet + common.ACK_BYTES) / packet


def get_processor_time(context, batch):
    """Return the mean time in us that the processor alone takes for a batch, cache warm."""
    times = [
        common.run_processor(
            context,
            zipf=common.THETAS[common.LONG_TAIL],
            memory="1MiB",
            operations=batch,
            warmup=4096,
            seed=seed,
        )["duration_us"]
        for seed in SEEDS
    ]
    return sum(times) / len(times)


def run(context):
    """Measure all points and write the figure."""
    batches = read_numbers(context.options, "batches", 1, 1024)
    read_number(context.options, "memory", 1, 16384)
    rates, alone = [], []
    for batch in batches:
        # Enough for the largest throughput, and for all messages that the NIC takes.
        window = min(128, max(32, 2048 // batch))
        rates.append([batch, common.get_mops(run_point(context, batch, window))])
        latency = run_point(context, batch, 1).summary["rpc"]["latency_us"]["mean"]
        alone.append([batch, latency])
    network = [[batch, latency - get_processor_time(context, batch)] for batch, latency in alone]
    fast = {rate: common.get_mops(run_point(context, 1, 512, rate)) for rate in FAST_GBPS}
    roomy = common.get_mops(run_point(context, 1, 512, round(get_roomy_rate(), 3)))
    roomy_fast = common.get_mops(
        run_point(context, 1, 1024, round(get_roomy_rate(FAST_GBPS[0]), 3), ROOMY_PIPELINE)
    )
    axis = {"label": "Operations of a batch", "unit": "", "scale": "log2"}
    panels = [
        {
            "x": axis,
            "y": {"label": "Throughput", "unit": "Mops", "scale": "linear"},
            "series": {
                "measured": rates,
                IDEAL: [[batch, get_bound(batch, common.PACKET_BYTES)] for batch in batches],
                OURS: [[batch, get_bound(batch, PACKET_OVERHEAD + RETH)] for batch in batches],
            },
        },
        {
            "x": axis,
            "y": {"label": "Mean latency", "unit": "us", "scale": "linear"},
            "series": {ALONE: alone, NETWORK: network},
        },
    ]
    gain = max(rate for _, rate in rates) / rates[0][1] if batches[0] == 1 else None
    checks = [
        compare("throughput over that of single operations, most", gain, ["KV-Direct-414"]),
        compare(
            "latency of a batch less the processor's, most, us",
            max(latency for _, latency in network),
            ["KV-Direct-415"],
        ),
        compare("200 Gb/s, single operations, Mops", fast[FAST_GBPS[0]], ["KV-Direct-611"]),
    ]
    print(
        f"Single operations, Mops: {rates[0][1]:.1f};"
        f" on links of {get_roomy_rate():.1f} Gb/s, with room for acknowledgments, {roomy:.1f},"
        f" which the largest throughput is {max(rate for _, rate in rates) / roomy:.2f} times of;"
        + "".join(f" at {rate} Gb/s {mops:.1f};" for rate, mops in fast.items())
        + f" at {FAST_GBPS[0]} Gb/s with room for acknowledgments on the link and in the NIC {roomy_fast:.1f};"
        + f" without acknowledgments at most {get_bound(1, PACKET_OVERHEAD + RETH):.1f}\n"
    )
    settings = {
        "pair": "10 B",
        "keys": "long-tail, GET",
        "single operations with room for acknowledgments, Mops": roomy,
        "single operations at 200 Gb/s with room for acknowledgments on the link and in the NIC, Mops": roomy_fast,
        "single operations on faster links, Mops": {f"{rate}Gbps": mops for rate, mops in fast.items()},
    }
    common.finish(context, panels, checks, settings, bounds=[IDEAL, OURS])
