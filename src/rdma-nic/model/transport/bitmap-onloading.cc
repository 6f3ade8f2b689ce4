// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bitmap-onloading.h"

#include "ns3/assert.h"
#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

BitmapOnloading::BitmapOnloading(Psn expected)
    : m_expected(expected),
      m_softwareExpected(expected)
{
}

bool
BitmapOnloading::OnOutOfOrder(Psn psn, Psn reached)
{
    if (psn.IsBefore(m_expected))
    {
        return false; // A duplicate.
    }
    if (!m_isRecovering)
    {
        m_isRecovering = true;
        m_newest = {psn, psn + 1};
    }
    else if (psn == m_newest.end)
    {
        m_newest.end = psn + 1;
    }
    else if (m_newest.end.IsBefore(psn))
    {
        m_newest = {psn, psn + 1};
    }
    Send(reached);
    return true;
}

void
BitmapOnloading::Send(Psn reached)
{
    constexpr std::size_t SMALLEST{16};
    if (m_onTheWay.full())
    {
        m_onTheWay.set_capacity(std::max(SMALLEST, m_onTheWay.capacity() * 2));
    }
    m_onTheWay.push_back({m_expected, reached});
}

std::optional<Psn>
BitmapOnloading::OnMetadata()
{
    NS_ASSERT_MSG(!m_onTheWay.empty(), "Metadata of a packet that the NIC has not sent");
    const Metadata metadata = m_onTheWay.front();
    m_onTheWay.pop_front();
    // The NIC may expect a later PSN: that of a packet that was refused after it had been held.
    const Psn before = m_softwareExpected;
    for (const Psn psn : {metadata.expected, metadata.reached})
    {
        m_softwareExpected = m_softwareExpected.IsBefore(psn) ? psn : m_softwareExpected;
    }
    const bool isNew =
        before.IsBefore(m_softwareExpected) && metadata.expected.IsBefore(m_softwareExpected);
    return isNew ? std::optional(m_softwareExpected) : std::nullopt;
}

bool
BitmapOnloading::OnUpdate(Psn expected)
{
    if (!m_isRecovering || !m_expected.IsBefore(expected))
    {
        return false;
    }
    m_expected = expected;
    if (expected.IsBefore(m_newest.first) || m_newest.end.IsBefore(expected))
    {
        return false;
    }
    m_expected = m_newest.end;
    m_isRecovering = false;
    return true;
}

bool
OnloadedBitmaps::Record(uint32_t queuePair, Psn psn, Psn expected, Psn reached)
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
    return state->second.onloading.OnPacket(psn, reached);
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
