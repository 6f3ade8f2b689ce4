// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BDP_SHARE_H
#define RDMA_BDP_SHARE_H

#include "ns3/fabric-port.h"
#include "ns3/switch-view.h"
#include "ns3/wide-integer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3::rdma
{

/// Bounds of attributes, so that no product of them overflows.
constexpr double MOST_BDPS{100};
constexpr Tick MOST_BASE_RTT{100'000'000'000}; ///< 100 ms.

/// @return bytes in proportion to the port's rate: less than the argument if the link is degraded
/// (ReducedRate).
inline uint64_t
ReduceToRate(uint64_t bytes, const FabricPort& port)
{
    return static_cast<uint64_t>(static_cast<Uint128>(bytes) * port.GetRate().GetBitRate() /
                                 port.GetNominalRate().GetBitRate());
}

/**
 * @brief A share of a port's bandwidth-delay product in whole packets, as queue length.
 *
 * The product is the number of largest frames that the port sends in the base round trip, rounded
 * up.  The share of that number is rounded up again (compositequeue.cpp and main_uec.cpp of
 * ultraethernet/uet-htsim at 40ccb05).  A degraded link has the bytes of its nominal rate, reduced
 * in proportion (fat_tree_topology.cpp there).  Time on the wire includes the Ethernet overhead of
 * each frame; queues count frames without it.
 *
 * @param share of the product, not negative
 * @param baseRtt above 0
 * @return bytes.
 */
inline uint64_t
GetBdpShare(const FabricPort& port, const FabricScale& scale, double share, Tick baseRtt)
{
    const Tick perFrame = std::max<Tick>(port.GetNominalSerialization(scale.maxFrameBytes), 1);
    const auto packets = static_cast<double>((baseRtt + perFrame - 1) / perFrame);
    constexpr double ROUNDING{1e-9}; // 0.55 x 100 is 55, not a little more.
    const auto whole = static_cast<uint64_t>(std::ceil(share * packets * (1 - ROUNDING)));
    return ReduceToRate(whole * scale.maxFrameBytes, port);
}

} // namespace ns3::rdma

#endif // RDMA_BDP_SHARE_H
