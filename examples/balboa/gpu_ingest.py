# SPDX-License-Identifier: GPL-2.0-only
"""What BALBOA's figures 10 and 11 share: features that are prepared on their way to a GPU."""

from rocelab.draw import style
from rocelab.draw.panels import draw_panels

from ..strom import common as strom

NIC = "balboa"
MTU = 4096
# BALBOA section 8.2: "approximately 70 Gbps (8500 MB/s)", a PCIe switch across NUMA nodes. An
# MI210 has 64 GB. Nothing is known of translations that BALBOA misses: all are on the chip.
GPU_PATH = [
    "ns3::rdma::GpuPath::Bandwidth=68Gbps",
    "ns3::rdma::GpuPath::BarBytes=64000000000",
    "ns3::rdma::GpuPath::CacheEntries=0",
]
SETTINGS = {"nic": NIC, "mtu": MTU, "gpu_path": "68 Gbit/s"}
LOOKS = {
    "cpu": style.NicStyle("CPU, then copy to GPU", style.BLUE, "^", (0, (4, 1.2, 1, 1.2)), "...."),
    "host": style.NicStyle("NIC, then copy to GPU", style.VERMILLION, "s", (0, (4, 1.5)), "////"),
    "gpu": style.NicStyle("NIC to GPU", style.GREEN, "o", "-", ""),
}
SIZE_AXIS = {"label": "Batch", "unit": "B", "scale": "log2"}


def run(context, method, calls, size, batches, verb="write"):
    """Return the results of one set-up."""
    options = {"size": size, "messages": batches, "verb": verb}
    settings = GPU_PATH if method == "gpu" else []
    return strom.run_offload(
        context, "preprocessing", method, calls, options, NIC, settings, MTU
    )


def draw(data):
    """Return the picture."""
    return draw_panels(data, LOOKS)
