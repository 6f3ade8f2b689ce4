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
 * DMA reads and writes together that a link's DMA engine issues per second.
 *
 * Inferred, not printed.  The rate is that of 64-byte reads alone, which 64 tags limit: 60 M/s in
 * KV-Direct's Figure 3a (section 2.4), 59.7 M/s here (`rocelab kv-dma`).  That writes share it is
 * inferred from three places: section 2.4 derives one limit "for DMA read or write operations",
 * section 3.3.4 balances one throughput of PCIe against that of DRAM, and in Table 3 ten NICs with
 * one link each have 122 million GETs of one access per second and NIC, but 61 million PUTs of one
 * read and one write.  So throughputs of PUTs are no predictions.
 */
constexpr uint64_t KV_REQUEST_RATE{59'700'000};

/**
 * @return a PCIe link of KV-Direct's board, started: Gen3 x8, 64 tags, 84 and 88 credits, reads of
 * 800 ns if the host's cache has the data and 250 ns more on average if not (section 2.4), which
 * all reads of a store take here, uniform from 0 to 500 ns.
 * @param requestRate DMA reads and writes together per second; 0: no limit
 */
Ptr<PcieLink> MakeKvPcieLink(RandomStream stream, uint64_t requestRate = KV_REQUEST_RATE);

/// @return likewise, of accesses to data that the host's cache has.
Ptr<PcieLink> MakeCachedKvPcieLink(RandomStream stream, uint64_t requestRate = KV_REQUEST_RATE);

/// @return the board's DRAM: one channel of DDR3-1600, 12.8 GB/s (section 2.4), 4 GiB or as much as
/// the cache takes.
Ptr<ChannelMemory> MakeKvCard(uint64_t cacheBytes);

} // namespace ns3::rdma

#endif // FPGA_KV_SERVER_PARTS_H
