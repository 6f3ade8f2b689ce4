// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/default-buffer.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

uint64_t
GetDefaultBuffer(const TopologyGraph& graph, const FabricConfig& config)
{
    constexpr uint64_t MEBIBYTE{1 << 20};
    constexpr uint64_t LEAST{32 * MEBIBYTE};
    constexpr uint64_t BIT_RATE_PER_BYTE{200'000}; // 5 kB for 1 Gb/s.
    std::vector<uint64_t> rates(graph.GetIdCount(), 0);
    for (const GraphLink& link : graph.links)
    {
        for (const uint32_t node : {link.a, link.b})
        {
            rates[node] += graph.IsSwitch(node) ? link.rate.GetBitRate() : 0;
        }
    }
    const uint64_t share = *std::max_element(rates.begin(), rates.end()) / BIT_RATE_PER_BYTE;
    const uint64_t bytes = std::max({LEAST, share, 2 * Fabric::GetSetAside(graph, config)});
    return (bytes + MEBIBYTE - 1) / MEBIBYTE * MEBIBYTE;
}

} // namespace ns3::rdma
