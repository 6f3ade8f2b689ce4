# SPDX-License-Identifier: GPL-2.0-only
"""BALBOA Figure 7: latency and throughput of encrypted WRITEs, on the NIC, on cores and on a DPU.

Source: RoCE BALBOA, section 6.4.1, "AES Encryption on RDMA Traffic".
"""

import json

from rocelab.draw import style
from rocelab.draw.panels import draw_panels
from rocelab.terminal.table import format_number, format_table
from rocelab.validate.checks import check, compare, format_rows
from rocelab.validate.figure import Option
from rocelab.validate.options import read_numbers, read_reals

from .. import testbed

SIZES = ",".join(str(64 << step) for step in range(0, 15, 2))  # 64 B to 1 MiB.
KEY = "000102030405060708090a0b0c0d0e0f"  # FIPS 197, appendix C.1.
AES = {
    "type": "ns3::rdma::AesService",
    "attributes": {"ns3::rdma::AesService::Key": KEY},
    "slots": ["transmit", "receive"],
}
PIPELINES = 2  # Encryption at one end, decryption at the other.
CYCLE_NS = 4.0  # 250 MHz, BALBOA section 4.

# Cost models of the baselines. The doorbell that starts the work of cores is a WRITE of its own.
DOORBELL_BYTES = 8

OPTIONS = {
    "sizes": Option(SIZES, "64,4096,65536,1048576", "buffer sizes in bytes, multiples of 16"),
    "iters": Option("100", "20", "repetitions of a latency test"),
    "cpu": Option("3600", "3600", "MB/s of 16 cores with OpenSSL on large buffers (section 6.4.1: an input)"),
    "start": Option("5", "5", "us until 16 cores that poll have begun and met again (our estimate)"),
    "dpu": Option("16", "16", "Gb/s of a DPU's crypto engine (Diamond et al., ICCWS 2022: BlueField-2)"),
    "engine": Option("1", "1", "us of a DPU's crypto engine for the first byte (our estimate)"),
}

X_AXIS = {"label": "Buffer size", "unit": "B", "scale": "log2"}
PANELS = (
    ("write_lat", {"label": "WRITE latency", "unit": "us", "scale": "log"}),
    ("write_bw", {"label": "WRITE throughput", "unit": "Gbit/s", "scale": "log"}),
)
PLAIN, ON_NIC, CORES, DPU = "BALBOA, plain", "BALBOA with AES", "16 cores, ConnectX-5", "DPU"
LOOKS = {
    PLAIN: style.NicStyle(PLAIN, style.BLUE, "o", "-", ""),
    ON_NIC: style.NicStyle(ON_NIC, style.VERMILLION, "s", (0, (4, 2)), ""),
    CORES: style.NicStyle(CORES, style.BLACK, "^", "-", ""),
    DPU: style.NicStyle(DPU, style.SKY_BLUE, "D", "-", ""),
}


def read_real(options, name):
    """Return an option that is a number above zero."""
    return read_reals(options, name, 1e-6)[0]


def measure(context, test, nic, size, services):
    """Return us of a single buffer, or Gbit/s of a batch."""
    arguments = ["--nic", nic, *testbed.get_network()]
    arguments += [word for service in services for word in ("--service", json.dumps(service))]
    if test.endswith("_lat"):
        arguments += ["-n", context.options["iters"]]
        return testbed.run_perftest(context, test, size, arguments)["typicalUs"]
    return testbed.measure_rate(context, test, size, arguments)


def get_core_latency(size, plain, doorbell, options):
    """Return us with cores at both ends: encrypt, WRITE, doorbell behind it, decrypt."""
    work = read_real(options, "start") + size / read_real(options, "cpu")
    return 2 * work + plain + doorbell


def get_core_throughput(size, plain, options):
    """Return Gbit/s of a batch: encryption, WRITEs and decryption of different buffers overlap."""
    work = read_real(options, "start") + size / read_real(options, "cpu")
    return min(plain, size * 8 / work / 1e3)


def get_dpu_latency(size, plain, options):
    """Return us with an engine in the stream of each end: the slower engine delays the last byte."""
    slower = size * 8 / (read_real(options, "dpu") * 1e3) - size * 8 / 100e3
    return plain + 2 * read_real(options, "engine") + max(slower, 0)


def measure_latencies(context, sizes):
    """Return {name: [[size, us], ...]}."""
    asic = {size: measure(context, "write_lat", "connectx5", size, []) for size in sizes}
    doorbell = measure(context, "write_lat", "connectx5", DOORBELL_BYTES, [])
    options = context.options
    return {
        PLAIN: [[size, measure(context, "write_lat", "balboa", size, [])] for size in sizes],
        ON_NIC: [[size, measure(context, "write_lat", "balboa", size, [AES])] for size in sizes],
        CORES: [[size, get_core_latency(size, asic[size], doorbell, options)] for size in sizes],
        DPU: [[size, get_dpu_latency(size, asic[size], options)] for size in sizes],
    }


def measure_throughputs(context, sizes):
    """Return {name: [[size, Gbit/s], ...]}."""
    asic = {size: measure(context, "write_bw", "connectx5", size, []) for size in sizes}
    options = context.options
    engine = read_real(options, "dpu")
    return {
        PLAIN: [[size, measure(context, "write_bw", "balboa", size, [])] for size in sizes],
        ON_NIC: [[size, measure(context, "write_bw", "balboa", size, [AES])] for size in sizes],
        CORES: [[size, get_core_throughput(size, asic[size], options)] for size in sizes],
        DPU: [[size, min(asic[size], engine)] for size in sizes],
    }


def get_added(latencies):
    """Return ns that AES adds to the latency of the smallest buffer: it waits for no window."""
    return 1e3 * (latencies[ON_NIC][0][1] - latencies[PLAIN][0][1])


def get_losses(throughputs):
    """Return {size: share of the throughput that AES costs}."""
    plain, served = (dict(map(tuple, throughputs[name])) for name in (PLAIN, ON_NIC))
    return {size: 1 - served[size] / plain[size] for size in plain}


def make_rows(latencies):
    """Return the rows of validation."""
    added = get_added(latencies) / PIPELINES
    return [
        compare("AES pipeline at one end, cycles of 4 ns", added / CYCLE_NS, ["BALBOA-198"]),
        compare("the same, ns", added, ["BALBOA-199"]),
    ]


def make_shape_rows(latencies, throughputs):
    """Return the rows of what the paper states without a number."""
    last = {name: dict(map(tuple, points)) for name, points in throughputs.items()}
    largest = max(last[PLAIN])
    share = last[ON_NIC][largest] / last[PLAIN][largest]
    cores = max(last[CORES][size] / last[PLAIN][size] for size in last[PLAIN])
    text = f"{largest:,} B: {share:.1%} of that without AES; cores at most {cores:.0%}"
    added = get_added(latencies) / PIPELINES / 1e3 / latencies[PLAIN][0][1]
    return [
        check("throughput with AES", "saturates; cores a small fraction", text, share > 0.97 and cores < 0.5, ["BALBOA-704"]),
        check("latency that AES adds at one end, smallest buffer", "negligible", f"{added:.1%}", added < 0.05, ["BALBOA-703"]),
    ]


def format_results(panels):
    """Return the table of all points, a column per system."""
    rows = []
    for panel in panels:
        unit = f"{panel['y']['label']}, {panel['y']['unit']}"
        for index, (size, _) in enumerate(panel["series"][PLAIN]):
            values = [format_number(panel["series"][name][index][1]) for name in LOOKS]
            rows.append([unit if index == 0 else "", f"{size:,}", *values])
    return format_table(["", "bytes", *[name.replace(", ", "\n") for name in LOOKS]], rows)


def draw(data):
    """Return the picture: latency left, throughput right."""
    return draw_panels(data, LOOKS)


def run(context):
    """Measure both panels, print the tables and write the figure."""
    sizes = read_numbers(context.options, "sizes", 16, 2**30)
    series = [measure_latencies(context, sizes), measure_throughputs(context, sizes)]
    panels = [{"x": X_AXIS, "y": axis, "series": one} for (_, axis), one in zip(PANELS, series)]
    print(format_results(panels))
    checks = make_rows(series[0]) + make_shape_rows(*series)
    losses = get_losses(series[1])
    print(f"\nthroughput lost to AES: {100 * min(losses.values()):.2f} to {100 * max(losses.values()):.2f} %\n")
    print(format_rows(checks))
    context.write_panels(panels, plot=draw, checks=checks, lost=losses)
