// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-server-parts.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
Ptr<PcieLink>
MakeLink(RandomStream stream, uint64_t requestRate, Time jitter)
{
    auto link = CreateObjectWithAttributes<PcieLink>("Lanes",
                                                     UintegerValue(8),
                                                     "ReadLatency",
                                                     TimeValue(NanoSeconds(800)),
                                                     "ReadJitter",
                                                     TimeValue(jitter),
                                                     "RequestRate",
                                                     UintegerValue(requestRate));
    link->Start(stream);
    return link;
}
} // namespace

Ptr<PcieLink>
MakeKvPcieLink(RandomStream stream, uint64_t requestRate)
{
    return MakeLink(stream, requestRate, NanoSeconds(500));
}

Ptr<PcieLink>
MakeCachedKvPcieLink(RandomStream stream, uint64_t requestRate)
{
    return MakeLink(stream, requestRate, NanoSeconds(0));
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
