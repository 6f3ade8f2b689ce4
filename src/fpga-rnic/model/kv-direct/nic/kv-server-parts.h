// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_SERVER_PARTS_H
#define FPGA_KV_SERVER_PARTS_H

#include "ns3/channel-memory.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/pcie-link.h"
#include "ns3/random-stream.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * DMA reads and writes together that a link's DMA engine issues per second.
 *
 * The paper does not state this rate; it is inferred.  It is the rate of 64-byte reads alone, which
 * 64 tags limit: 60 M/s in KV-Direct's Figure 3a (section 2.4), 59.7 M/s here (measurement kv-dma).
 * Three places imply that writes share it.  Section 2.4 derives one limit "for DMA read or write
 * operations".  Section 3.3.4 balances one throughput of PCIe against that of DRAM.  In Table 3,
 * ten NICs with one link each have 122 million GETs of one access per second and NIC, but 61
 * million PUTs of one read and one write.  Throughputs of PUTs are therefore not predictions.
 */
constexpr uint64_t KV_REQUEST_RATE{59'700'000};

/**
 * Links and DRAM of KV-Direct's board: attributes of KvDirectKernel.  The defaults are those of
 * section 2.4: Gen3 x8, 64 tags, 84 and 88 credits.  A read takes 800 ns if the host's cache has
 * the data, and 250 ns more on average if not.  All reads of a store have this addition, uniform
 * from 0 to 500 ns.  The DRAM is one channel of DDR3-1600.
 */
struct KvBoard
{
    uint32_t links{2};
    uint32_t lanes{8};                     ///< Of each link.
    uint64_t requestRate{KV_REQUEST_RATE}; ///< DMA requests per second; 0: no limit.
    Time readLatency{NanoSeconds(800)};
    Time readJitter{NanoSeconds(500)}; ///< Largest addition to readLatency.
    uint32_t channels{1};              ///< Of the DRAM.
    DataRate channelRate{102'400'000'000};
    uint64_t cardBytes{uint64_t{4} << 30};

    /// @return throughput of the DRAM divided by that of all links. A link of 8 lanes achieves 6.6
    /// GB/s (section 2.4).
    double GetThroughputRatio() const;
};

/// @return a link, started.
Ptr<PcieLink> MakeKvPcieLink(RandomStream stream, const KvBoard& board = {});

/// @return the DRAM, of cardBytes or cacheBytes, the larger one.
Ptr<ChannelMemory> MakeKvCard(uint64_t cacheBytes, const KvBoard& board = {});

} // namespace ns3::rdma

#endif // FPGA_KV_SERVER_PARTS_H
