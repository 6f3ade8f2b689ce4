// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/calendar-size.h"

#include "ns3/fabric-port.h"

#include <algorithm>

namespace ns3::rdma
{

void
SizeCalendar(FabricEngine& engine,
             const TopologyGraph& graph,
             uint32_t maxFrameBytes,
             const std::function<bool(uint32_t id)>& isHere)
{
    // Usual in experiments.
    constexpr double TYPICAL_LOAD{0.7};
    constexpr double BITS_PER_BYTE{8};
    double bitsPerNs = 0; // Received by nodes of this process.
    Tick horizon = 0;     // The longest time of a frame to the next port.
    for (const GraphLink& link : graph.links)
    {
        const double rate = static_cast<double>(link.rate.GetBitRate()) * 1e-9;
        bitsPerNs += (isHere(link.a) ? rate : 0) + (isHere(link.b) ? rate : 0);
        horizon =
            std::max(horizon,
                     ToTick(link.delay) + SerializationRate(link.rate).GetDuration(maxFrameBytes));
    }
    if (engine.IsEmpty())
    {
        engine.Tune(bitsPerNs * TYPICAL_LOAD / (BITS_PER_BYTE * maxFrameBytes), horizon);
    }
}

} // namespace ns3::rdma
