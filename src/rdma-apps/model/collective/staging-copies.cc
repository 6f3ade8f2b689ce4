// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/staging-copies.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/// @return how long a copy takes. @param bps bits per second, above 0
Tick
GetCopyTime(uint64_t bytes, uint64_t bps)
{
    constexpr double BIT_PS_PER_BYTE_SECOND{8e12};
    return static_cast<Tick>(static_cast<double>(bytes) * BIT_PS_PER_BYTE_SECOND /
                             static_cast<double>(bps));
}

} // namespace

void
StagingCopies::Add(const StagingRule& rule, uint64_t messages)
{
    m_ends.push_back({rule, messages});
    m_ends.back().sentAt.resize(rule.sendBps > 0 ? rule.slots : 0);
}

Tick
StagingCopies::TakeOut(uint32_t connection, uint64_t bytes, Tick now)
{
    Ends& ends = m_ends[connection];
    const uint64_t place = ends.taken % ends.messages;
    if (place == 0)
    {
        ends.begunAt = now;
    }
    Tick from = ends.begunAt;
    if (place >= ends.rule.slots)
    {
        const uint64_t freed = ends.taken - ends.rule.slots;
        from = freed < ends.sent ? ends.sentAt[freed % ends.rule.slots] : now;
    }
    ++ends.taken;
    ends.sentUntil = std::max(ends.sentUntil, from) + GetCopyTime(bytes, ends.rule.sendBps);
    return std::max(ends.sentUntil, now);
}

void
StagingCopies::OnSent(uint32_t connection, Tick now)
{
    Ends& ends = m_ends[connection];
    ends.sentAt[ends.sent++ % ends.rule.slots] = now;
}

Tick
StagingCopies::TakeIn(uint32_t connection, uint64_t bytes, Tick now)
{
    Ends& ends = m_ends[connection];
    ends.receivedUntil =
        std::max(ends.receivedUntil, now) + GetCopyTime(bytes, ends.rule.receiveBps);
    return ends.receivedUntil;
}

} // namespace ns3::rdma
