// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-queue.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

SendQueue::SendQueue(uint32_t mtuBytes, uint64_t firstPacket)
    : m_end(firstPacket),
      m_mtuBytes(mtuBytes)
{
}

uint64_t
SendQueue::GetEndOf(const Message& message) const
{
    return message.firstPacket + (message.bytes - 1) / m_mtuBytes + 1;
}

void
SendQueue::Post(uint64_t wrId, uint64_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "an empty message has no packets in this model");
    m_messages.push_back({wrId, bytes, m_end, m_bytes});
    m_end = GetEndOf(m_messages.back());
    m_bytes += bytes;
}

const SendQueue::Message&
SendQueue::Find(uint64_t number) const
{
    // Nearly always there is one message, or the packet belongs to the oldest.
    auto message = m_messages.begin() + static_cast<std::ptrdiff_t>(m_oldest);
    if (number >= GetEndOf(*message))
    {
        message = std::upper_bound(message,
                                   m_messages.end(),
                                   number,
                                   [](uint64_t wanted, const Message& candidate) {
                                       return wanted < candidate.firstPacket;
                                   }) -
                  1;
    }
    return *message;
}

PacketPlan
SendQueue::Plan(uint64_t number) const
{
    const Message& message = Find(number);
    const uint64_t offset = (number - message.firstPacket) * m_mtuBytes;
    const uint64_t left = message.bytes - offset;
    return {static_cast<uint32_t>(std::min<uint64_t>(left, m_mtuBytes)),
            offset == 0,
            left <= m_mtuBytes};
}

uint64_t
SendQueue::GetBytesBefore(uint64_t number) const
{
    if (number == m_end)
    {
        return m_bytes;
    }
    const Message& message = Find(number);
    return message.bytesBefore + (number - message.firstPacket) * m_mtuBytes;
}

bool
SendQueue::IsOldestDone(uint64_t acknowledged) const
{
    return !IsEmpty() && GetEndOf(m_messages[m_oldest]) <= acknowledged;
}

uint64_t
SendQueue::TakeOldest()
{
    const uint64_t wrId = m_messages[m_oldest++].wrId;
    // Compacts now and then, so that a long queue costs a constant per message.
    constexpr std::size_t COMPACT{32};
    if (m_oldest > COMPACT && m_oldest * 2 > m_messages.size())
    {
        m_messages.erase(m_messages.begin(),
                         m_messages.begin() + static_cast<std::ptrdiff_t>(m_oldest));
        m_oldest = 0;
    }
    return wrId;
}

} // namespace ns3::rdma
