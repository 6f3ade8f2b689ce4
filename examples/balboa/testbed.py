# SPDX-License-Identifier: GPL-2.0-only
"""The testbed of BALBOA's figures 4 to 8 (section 6): two cards at one switch, and its measurements."""

RATE_GBPS = 100
MTU = 4096
BATCH = 64  # Section 6.1: "batch-transmissions of 64 buffers".
# Of each of the two links: half of a switch, and a cable. Our estimate; Cisco gives "less than 1 us"
# for switches of the Nexus 9000 series.
DELAY_NS = 400
ONE_SWITCH = 16  # Servers of a tree with one switch between the first and the last.
# The same with leaf and spine switches, all links at RATE_GBPS: the paper's cluster (its reference 53,
# fpgasystems/hacc, docs/infrastructure.md) has Nexus 9336C-FX2 switches, whose ports have 100 Gb/s.
TWO_TIERS = 64
# The default of these switches (Cisco Nexus 9000, Layer 2 Switching Configuration Guide, "Configuring Switching Modes").
SWITCHING = {"ns3::rdma::FabricSwitch::CutThrough": "true"}
HEAD_BYTES = 64  # FabricSwitch::HEAD_BYTES.
# 82 B of a packet are no payload: preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4,
# gap 12.
LINK_GBPS = RATE_GBPS * MTU / (MTU + 82)  # Of payload.


def get_network(delay=DELAY_NS):
    """Return the words of a perftest's command line that describe the network."""
    words = ["--fabric", str(ONE_SWITCH), "--rate", f"{RATE_GBPS}Gbps", "--delay", f"{delay}ns"]
    for name, value in SWITCHING.items():
        words += ["--set", f"{name}={value}"]
    return [*words, "-m", str(MTU)]


def run_perftest(context, test, size, arguments):
    """Return the result of one `rocelab perftest` with hardware, at one size."""
    command = ["perftest", test, "--hardware", "on", "-s", str(size), "--json", *arguments]
    return context.run_command(command)["results"][0]


def measure_rate(context, test, size, arguments):
    """Return Gbit/s of a batch that is posted at once, up to its last completion."""
    batch = ["-n", str(BATCH), "-t", str(BATCH), "-Q", "1"]
    result = run_perftest(context, test, size, [*arguments, *batch])
    return result["averageMiBps"] * 2**20 * 8 / 1e9


def measure_latency(context, test, size, arguments, iterations):
    """Return (mean, P5, P95) of buffers that are sent one by one, us (Figure 4's caption)."""
    result = run_perftest(context, test, size, [*arguments, "-n", str(iterations)])
    return result["averageUs"], result["p5Us"], result["p95Us"]
