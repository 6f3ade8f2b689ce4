// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-pattern.h"

#include "ns3/assert.h"
#include "ns3/wide-integer.h"

namespace ns3::rdma
{

namespace
{
DataRate
GetPart(DataRate rate, uint64_t part, uint64_t whole)
{
    return DataRate(static_cast<uint64_t>((Uint128{rate.GetBitRate()} * part + whole / 2) / whole));
}
} // namespace

uint32_t
GetShare(uint32_t total, uint32_t shares, uint32_t share)
{
    return total / shares + (share < total % shares ? 1 : 0);
}

uint32_t
Transpose::CountChannels(uint32_t receiver, uint32_t receivers) const
{
    return GetShare(channels, receivers, receiver);
}

std::vector<StreamGroup>
Transpose::Make(const StreamPlaces& places) const
{
    const auto receivers = static_cast<uint32_t>(places.receivers.size());
    NS_ASSERT_MSG(channels >= receivers, "A receiver without a channel");
    std::vector<StreamGroup> groups;
    groups.reserve(places.senders.size() * receivers);
    for (uint32_t place = 0; place < places.senders.size(); ++place)
    {
        for (uint32_t turn = 0; turn < receivers; ++turn)
        {
            const uint32_t i = (place + turn) % receivers;
            const uint32_t count = CountChannels(i, receivers);
            groups.push_back({places.senders[place],
                              places.receivers[i],
                              count,
                              messageBytes,
                              GetPart(senderRate, count, channels)});
        }
    }
    return groups;
}

uint32_t
LofarPattern::CountQueuePairs(uint32_t subbands, uint32_t senders, uint32_t nodes)
{
    const uint64_t all = static_cast<uint64_t>(subbands) * senders;
    return static_cast<uint32_t>((all + nodes - 1) / nodes);
}

uint32_t
AlmaPattern::CountLanes(DataRate receiverRate, DataRate capacity)
{
    const uint64_t rate = receiverRate.GetBitRate();
    const uint64_t link = capacity.GetBitRate();
    return static_cast<uint32_t>((rate + link - 1) / link);
}

std::vector<StreamGroup>
AlmaPattern::Make(const StreamPlaces& places) const
{
    NS_ASSERT_MSG(places.senders.size() == static_cast<std::size_t>(antennas) * lanes &&
                      places.receivers.size() == places.senders.size(),
                  "A lane of each antenna, and as many nodes");
    std::vector<StreamGroup> groups;
    groups.reserve(places.senders.size() * antennas);
    for (uint32_t antenna = 0; antenna < antennas; ++antenna)
    {
        for (uint32_t lane = 0; lane < lanes; ++lane)
        {
            const uint32_t sender = places.senders[antenna * lanes + lane];
            for (uint32_t turn = 0; turn < antennas; ++turn)
            {
                const uint32_t slice = (antenna + turn) % antennas;
                groups.push_back({sender,
                                  places.receivers[lane * antennas + slice],
                                  1,
                                  messageBytes,
                                  GetPart(laneRate, 1, antennas)});
            }
        }
    }
    return groups;
}

} // namespace ns3::rdma
