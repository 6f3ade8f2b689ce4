// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_SERVER_PARTS_H
#define FPGA_KV_SERVER_PARTS_H

#include "ns3/channel-memory.h"
#include "ns3/pcie-link.h"
#include "ns3/random-stream.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @return a PCIe link of KV-Direct's board, started: Gen3 x8, 64 tags, 84 and 88 credits, reads of
 * 800 ns if the host's cache has the data and 250 ns more on average if not (section 2.4), which
 * all reads of a store take here, uniform from 0 to 500 ns.
 */
Ptr<PcieLink> MakeKvPcieLink(RandomStream stream);

/// @return likewise, of accesses to data that the host's cache has.
Ptr<PcieLink> MakeCachedKvPcieLink(RandomStream stream);

/// @return the board's DRAM: one channel of DDR3-1600, 12.8 GB/s (section 2.4), 4 GiB or as much as
/// the cache takes.
Ptr<ChannelMemory> MakeKvCard(uint64_t cacheBytes);

} // namespace ns3::rdma

#endif // FPGA_KV_SERVER_PARTS_H
