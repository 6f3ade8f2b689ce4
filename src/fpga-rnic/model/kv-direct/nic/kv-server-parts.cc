// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-server-parts.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

double
KvBoard::GetThroughputRatio() const
{
    constexpr double BITS_PER_GB{8e9};
    constexpr double GBPS_OF_8_LANES{6.6};
    const double card = channels * (static_cast<double>(channelRate.GetBitRate()) / BITS_PER_GB);
    return card / (GBPS_OF_8_LANES * (lanes / 8.0) * links);
}

Ptr<PcieLink>
MakeKvPcieLink(RandomStream stream, const KvBoard& board)
{
    auto link = CreateObjectWithAttributes<PcieLink>("Lanes",
                                                     UintegerValue(board.lanes),
                                                     "ReadLatency",
                                                     TimeValue(board.readLatency),
                                                     "ReadJitter",
                                                     TimeValue(board.readJitter),
                                                     "RequestRate",
                                                     UintegerValue(board.requestRate));
    link->Start(stream);
    return link;
}

Ptr<ChannelMemory>
MakeKvCard(uint64_t cacheBytes, const KvBoard& board)
{
    return CreateObjectWithAttributes<ChannelMemory>(
        "Channels",
        UintegerValue(board.channels),
        "ChannelRate",
        DataRateValue(board.channelRate),
        "Capacity",
        UintegerValue(std::max(cacheBytes, board.cardBytes)));
}

} // namespace ns3::rdma
