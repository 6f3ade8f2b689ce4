// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-server-parts.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

Ptr<PcieLink>
MakeKvPcieLink(RandomStream stream)
{
    auto link = CreateObjectWithAttributes<PcieLink>("Lanes",
                                                     UintegerValue(8),
                                                     "ReadLatency",
                                                     TimeValue(NanoSeconds(800)),
                                                     "ReadJitter",
                                                     TimeValue(NanoSeconds(500)));
    link->Start(stream);
    return link;
}

Ptr<ChannelMemory>
MakeKvCard(uint64_t cacheBytes)
{
    constexpr uint64_t CARD_BYTES{uint64_t{4} << 30};
    return CreateObjectWithAttributes<ChannelMemory>(
        "Channels",
        UintegerValue(1),
        "Capacity",
        UintegerValue(std::max(cacheBytes, CARD_BYTES)));
}

} // namespace ns3::rdma
