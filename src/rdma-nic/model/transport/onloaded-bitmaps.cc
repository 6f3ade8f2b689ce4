// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/onloaded-bitmaps.h"

#include "ns3/opcode.h"

namespace ns3::rdma
{

bool
OnloadedBitmaps::Record(uint32_t queuePair, Psn psn, Psn expected)
{
    auto state = m_states.find(queuePair);
    if (state == m_states.end())
    {
        if (psn - expected <= 0)
        {
            return false; // In order, or a duplicate.
        }
        state =
            m_states.emplace(queuePair, State{BitmapOnloading(expected), m_generations++}).first;
    }
    return state->second.onloading.OnPacket(psn);
}

void
OnloadedBitmaps::LimitToExpected(uint32_t queuePair, Acknowledgment& acknowledgment) const
{
    const auto expected = GetExpected(queuePair);
    const bool isAck = acknowledgment.syndrome == syndrome::ACK;
    if (!expected || acknowledgment.operation != opcode::ACK ||
        (!isAck && acknowledgment.syndrome != syndrome::NAK_PSN_SEQUENCE))
    {
        return;
    }
    const Psn acknowledged = isAck ? acknowledgment.psn + 1 : acknowledgment.psn;
    if (acknowledged.IsBefore(*expected))
    {
        return; // A kept packet was refused when its PSN was due.
    }
    if (acknowledgment.selective.IsBefore(*expected))
    {
        acknowledgment.syndrome = syndrome::ACK;
        acknowledgment.isSelective = false;
        acknowledgment.psn = *expected + Psn::MASK; // The PSN before it: 2^24 - 1 is -1.
        return;
    }
    acknowledgment.syndrome = syndrome::NAK_PSN_SEQUENCE;
    acknowledgment.isSelective = true;
    acknowledgment.psn = *expected;
}

OnloadedBitmaps::State*
OnloadedBitmaps::Find(uint32_t queuePair)
{
    const auto state = m_states.find(queuePair);
    return state == m_states.end() ? nullptr : &state->second;
}

std::optional<Psn>
OnloadedBitmaps::GetExpected(uint32_t queuePair) const
{
    const auto state = m_states.find(queuePair);
    return state == m_states.end() || !state->second.onloading.IsRecovering()
               ? std::nullopt
               : std::optional<Psn>(state->second.onloading.GetExpected());
}

} // namespace ns3::rdma
