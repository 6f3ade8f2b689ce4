// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-starts.h"

#include "ns3/assert.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr double PS_PER_SECOND{1e12};
constexpr double BITS_PER_BYTE{8};

/// @return multiples of an interval, from start on, that are before a time.
uint64_t
CountBefore(Tick time, Tick start, Tick interval)
{
    return time <= start ? 0 : static_cast<uint64_t>((time - start - 1) / interval + 1);
}
} // namespace

Tick
GetListInterval(const StreamGroup& group, uint32_t linked)
{
    if (group.rate.GetBitRate() == 0)
    {
        return 0;
    }
    const double listBytes = static_cast<double>(linked) * group.messageBytes;
    const double rate = static_cast<double>(group.rate.GetBitRate()) / group.queuePairs;
    return static_cast<Tick>(listBytes * BITS_PER_BYTE * PS_PER_SECOND / rate + 0.5);
}

StreamStarts::StreamStarts(const std::vector<StreamGroup>& groups, std::optional<Tick> interval)
    : m_interval(interval)
{
    for (const StreamGroup& group : groups)
    {
        m_counts[group.sender].all += group.queuePairs;
    }
}

Tick
StreamStarts::TakeNext(uint32_t server, Tick listInterval)
{
    Count& count = m_counts.at(server);
    NS_ASSERT_MSG(count.taken < count.all, "more senders than the groups have");
    const uint64_t place = count.taken++;
    if (m_interval || listInterval == 0)
    {
        return static_cast<Tick>(place) * m_interval.value_or(DEFAULT_INTERVAL);
    }
    return static_cast<Tick>(static_cast<Uint128>(listInterval) * place / count.all);
}

PacedPayload
ComputePacedPayload(const std::vector<StreamGroup>& groups,
                    uint32_t linked,
                    std::optional<Tick> interval,
                    Tick from,
                    Tick until)
{
    StreamStarts starts(groups, interval);
    PacedPayload payload;
    for (const StreamGroup& group : groups)
    {
        const Tick between = GetListInterval(group, linked);
        payload.longest = std::max(payload.longest, between);
        payload.asked += static_cast<double>(group.rate.GetBitRate()) / BITS_PER_BYTE *
                         static_cast<double>(until - from) / PS_PER_SECOND;
        for (uint32_t i = 0; i < group.queuePairs; ++i)
        {
            const Tick start = starts.TakeNext(group.sender, between);
            if (between > 0)
            {
                const uint64_t lists =
                    CountBefore(until, start, between) - CountBefore(from, start, between);
                payload.posted += static_cast<double>(lists) * linked * group.messageBytes;
            }
        }
    }
    return payload;
}

} // namespace ns3::rdma
