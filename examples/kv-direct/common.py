# SPDX-License-Identifier: GPL-2.0-only
"""What KV-Direct's figures share: the processor by itself, a store behind a network, looks.

Memory is scaled down at constant ratios: the NIC's DRAM is a sixteenth of the store's memory, which
is filled by half, as in the paper (4 GiB of 64 GiB). Fewer keys make the popular ones more popular:
of 3.4 million keys (64 MiB, pairs of 10 B) the first one has 6 % of a Zipf distribution of 0.99, of
the paper's 3.4 billion 4 %. Figures 16 and 20 have more keys, in stores that count accesses without bytes.
"""

import numpy

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.errors import UserError
from rocelab.results.csv_table import read_table
from rocelab.results.percentile import nearest_rank

from ..strom import common as strom
from ..strom.microbenchmark import PACKET_OVERHEAD, RETH

UNIFORM, LONG_TAIL = "uniform", "long-tail"
THETAS = {UNIFORM: 0, LONG_TAIL: 0.99}  # Section 5.

CLOCK_MOPS = 180  # An input: one operation per cycle (section 4).
LINK_GBPS = 40  # Section 5.
BUS_BYTES, CLOCK_GHZ = 64, 0.18  # Of our NIC's pipeline (preset kv-direct), which carries 92 Gb/s.
# The network's latency of 2 us (section 4) is a round trip with its NICs: with 2 us of cable alone no
# GET could take less than 4.3 us, where the paper's tails begin at 3. Our NIC's blocks take 96 cycles
# to transmit and 117 to receive, at 180 MHz 1.18 us, and 4 of each for a packet of two words behind
# the ICRC, 0.04 us; an operation's packet of 112 B takes 22 ns on each of four links. The remaining
# 0.69 us are those of four links, and what the switch takes, which is nothing here. A test measures
# the sum. So the delay is no length of cable: it stands for switch and cables.
ROUND_TRIP_US = 2
LINK_DELAY = "172ns"
LINE_BYTES, ROUNDS = 64, 4  # Of the NIC's DRAM; operations per line of it that warm it, as in kv-processor.
PACKET_BYTES = 88  # Header and padding of an RDMA WRITE (section 4).
MTU = 1024
ACK_BYTES = PACKET_OVERHEAD + 4  # With an AETH; of the message in the other direction.
MAX_BATCH = 16  # Operations: the fewest with which Figure 15 has the clock's bound.
PLATEAU = 1.02  # Throughputs within this factor are one, where a peak is searched.

PALETTE = (
    (style.GREEN, "o", "-"),
    (style.VERMILLION, "s", (0, (4, 1.5))),
    (style.BLUE, "^", (0, (4, 1.2, 1, 1.2))),
    (style.ORANGE, "D", (0, (1, 1))),
    (style.PURPLE, "v", (0, (5, 1, 1, 1, 1, 1))),
    (style.SKY_BLUE, "<", (0, (6, 2, 2, 2))),
    (style.BLACK, ">", (0, (2, 1))),
    (style.GREY, "h", (0, (3, 1.5))),
)
# Of what is not measured: bounds, and inputs.
BOUND_LOOKS = (
    (style.GREY, (0, (1, 1.5))),
    (style.BLACK, (0, (1, 1.5))),
    (style.PURPLE, (0, (1, 1.5))),
)


def run_processor(context, **keys):
    """Return the row of the measurement kv-processor."""
    (row,) = context.measure("kv-processor", **keys)
    return row


def run_dma(context, **keys):
    """Return the row of the measurement kv-dma."""
    (row,) = context.measure("kv-dma", **keys)
    return row


def get_key_bytes(pair):
    """Return the key's part of a pair, as the measurement kv-processor divides it."""
    return min(max(pair // 2, 4), 8)


def get_batch(pair):
    """Return operations of a batch: what one packet takes (section 4), at most MAX_BATCH.

    Of our format: a header of 8 per batch, 5 for the first sizes, 1 per operation or answer.
    """
    return max(1, min(MAX_BATCH, (MTU - 13) // (1 + pair)))


def get_wire_bytes(message):
    """Return what a WRITE of so many bytes takes on the wire."""
    return message + -(-message // MTU) * PACKET_OVERHEAD + RETH


def get_network_bound(pair, get=1):
    """Return the operations per us that the link carries, of which a share are GETs: requests one way, answers the other.

    Bytes of our format: a header of 8 per batch, 1 per operation or answer; sizes are copied.
    """
    key = get_key_bytes(pair)
    batch = get_batch(pair)
    value = pair - key
    sizes = (8 + batch * (1 + key + (1 - get) * value), 8 + batch * (1 + get * value))
    busy = max(get_wire_bytes(size) for size in sizes) + ACK_BYTES
    return LINK_GBPS * 1e3 / 8 * batch / busy


def get_bus_bytes(rate_gbps):
    """Return the smallest bus of the NIC's pipeline, a power of two, that carries a link's rate."""
    width = BUS_BYTES
    while 8 * width * CLOCK_GHZ < rate_gbps:
        width *= 2
    return width


def make_scenario(name, workload, clients=1, nics=1, links=2, rate_gbps=LINK_GBPS, pipeline=None, **kernel):
    """Return the scenario of one server with KV-Direct NICs and clients on a switch.

    Clients take no time of their own: the paper's are packet generators, whose delay it takes off.
    pipeline: attributes of NicHardware, {"Cycle": "2777ps"}; kernel: other attributes of KvDirectKernel, RequestRate=0.
    """
    fabric = {
        "topology": "star",
        "servers": 1 + clients,
        "hostRate": f"{rate_gbps}Gbps",
        "linkDelay": LINK_DELAY,
    }
    if nics > 1:
        fabric["nicsPerServer"] = {"stores": nics}
    stores = {
        "type": "ns3::rdma::KvDirectKernel",
        "attributes": {
            f"ns3::rdma::KvDirectKernel::{attribute}": value
            for attribute, value in {"Links": links, **kernel}.items()
        },
    }
    design = {"preset": "kv-direct", "hardware": "on"}
    pipeline = dict(pipeline or {})
    if get_bus_bytes(rate_gbps) > BUS_BYTES:
        pipeline["BusBytes"] = str(get_bus_bytes(rate_gbps))
    if pipeline:
        design["attributes"] = {f"ns3::rdma::NicHardware::{name}": value for name, value in pipeline.items()}
    designs = {"stores": design, "clients": "connectx6"}
    return {
        "name": name,
        "fabric": fabric,
        "groups": {"stores": [0], "clients": [[1, clients]]},
        "nics": [{"name": "kv-direct", "groups": designs}],
        "kernels": {"stores": [stores]},
        "workload": {"type": "kv", "clients": "clients", "servers": "stores", **workload},
    }


def make_workload(pair, get, popularity, **more):
    """Return the keys of a workload of GETs and PUTs of pairs of so many bytes."""
    key = get_key_bytes(pair)
    return {
        "get": get,
        "zipf": THETAS[popularity],
        "keyBytes": key,
        "valueBytes": pair - key,
        **more,
    }


def make_counted_store(memory, cache_ratio=1 / 16):
    """Return the keys of a workload whose stores of so many MiB have no bytes; operations warm their DRAM without time."""
    lines = cache_ratio * (memory << 20) / LINE_BYTES
    return {"memory": f"{memory}MiB", "counted": True, "warming": int(ROUNDS * lines)}


def run_store(context, scenario):
    """Return the NicResult of a scenario of make_scenario()."""
    (nic,) = context.run_scenario(scenario).nics
    return nic


def get_mops(nic):
    """Return operations per microsecond of a NicResult, after the warm-up."""
    return nic.summary["rpc"]["requests_per_second"] / 1e6


def get_percentiles(nic, warmup_us, percents):
    """Return percentiles of the latency in us of the operations that began after the warm-up."""
    requests = read_table(nic.folder, "rpcs.csv")
    measured = requests["latency_ns"][requests["start_ns"] >= 1e3 * warmup_us] / 1e3
    return [float(nearest_rank(measured, percent)) for percent in percents]


def get_batch_delay(nic, warmup_us):
    """Return the mean delay in us of the operations that began after the warm-up, from the departure of their batch.

    With several stores an operation waits at its client until the batch for its store is full. The paper removes
    the delay of its packet generator (section 5.2.1). A batch leaves with its last operation, and all of
    its operations end together.
    """
    requests = read_table(nic.folder, "rpcs.csv")
    ends = numpy.round(requests["start_ns"] + requests["latency_ns"], 2)
    is_measured = (requests["start_ns"] >= 1e3 * warmup_us) & numpy.isfinite(ends)
    batches = numpy.stack([requests["client"][is_measured].astype(float), ends[is_measured]], axis=1)
    _, place, counts = numpy.unique(batches, axis=0, return_inverse=True, return_counts=True)
    delays = numpy.full(len(counts), numpy.inf)
    numpy.minimum.at(delays, place.ravel(), requests["latency_ns"][is_measured])
    return float(numpy.average(delays, weights=counts)) / 1e3


def get_imbalance(nic):
    """Return the operations of a server's busiest NIC over the average of its NICs, of a NicResult."""
    counts = [place["requests"] for place in nic.summary["rpc"]["nics"]]
    return max(counts) / (sum(counts) / len(counts))


def find_knee(measure, windows, share=0.9, is_bracketed=True, step=0):
    """Return the result of the smallest window with at least this share of the largest throughput.

    measure(window) returns (throughput, result); windows rise, and all are measured. With a step, windows at this
    distance between the last one without this share and the first one with it are tried, too. Fails if the
    largest window has clearly more throughput than all others: then the peak may be beyond it.
    Without is_bracketed, as for a few points of a quick run, it is not checked.
    """
    found = [measure(window) for window in windows]
    throughputs = [throughput for throughput, _ in found]
    most = max(throughputs)
    if is_bracketed and throughputs[-1] > PLATEAU * max(throughputs[:-1], default=0):
        raise UserError(
            f"expected windows beyond the peak, got {', '.join(map(str, windows))}: the last one"
            f" has {throughputs[-1]:.4g}, all others at most {max(throughputs[:-1], default=0):.4g}"
        )
    place = next(i for i, throughput in enumerate(throughputs) if throughput >= share * most)
    if place > 0 and step > 0:
        for window in range(windows[place - 1] + step, windows[place], step):
            throughput, result = measure(window)
            if throughput >= share * most:
                return result
    return found[place][1]


def make_looks(names, bounds):
    """Return {name: NicStyle}: lines with markers, and dotted ones of what was not measured."""
    measured = [name for name in names if name not in bounds]
    looks = {
        name: style.NicStyle(name, *PALETTE[place % len(PALETTE)], "")
        for place, name in enumerate(measured)
    }
    for place, name in enumerate(name for name in names if name in bounds):
        color, dashes = BOUND_LOOKS[place % len(BOUND_LOOKS)]
        looks[name] = style.NicStyle(name, color, "", dashes, "")
    return looks


def draw(data):
    """Return the picture: panels of lines; data["bounds"] names those that were not measured."""
    names = list(dict.fromkeys(name for panel in data["panels"] for name in panel["series"]))
    return draw_panels(data, make_looks(names, data["bounds"]))


def finish(context, panels, checks, settings, bounds=()):
    """Print points, checks and what the paper states, and write the figure."""
    return strom.finish(context, panels, checks, settings, plot=draw, bounds=list(bounds))
