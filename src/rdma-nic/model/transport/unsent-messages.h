// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UNSENT_MESSAGES_H
#define RDMA_UNSENT_MESSAGES_H

#include "ns3/send-queue.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief A view of the messages of a send queue that are visible to the NIC and not completely
 * sent, used to fetch work requests. Valid until the requester changes.
 */
class UnsentMessages
{
  public:
    /// @param next number of the packet to be sent next
    /// @param known one past the last one that is visible to the NIC
    UnsentMessages(const SendQueue& queue, uint64_t next, uint64_t known)
        : m_queue(queue),
          m_next(next),
          m_known(known)
    {
    }

    /// @return whether the next packet begins a message.
    bool IsAtMessageStart() const
    {
        return m_next != m_known && m_queue.Find(m_next).firstPacket == m_next;
    }

    /// @return one past the last packet of `count` messages, from the message of packet `from` on.
    /// @param from not before the next packet
    uint64_t GetEnd(uint64_t from, uint32_t count) const
    {
        return from >= m_known || count == 0 ? from
                                             : m_queue.GetEndOfMessages(from, m_known, count);
    }

    /// @return how many messages, from the message of packet `from` on, end at or before `end`; at
    /// most `limit`.
    /// @param from as for GetEnd()
    uint32_t Count(uint64_t from, uint64_t end, uint32_t limit) const
    {
        const uint64_t last = std::min(end, m_known);
        return from >= last ? 0 : m_queue.CountMessages(from, last, limit);
    }

    /// @return the message posted last, visible or not. Only if no message has ended since.
    const Message& GetNewest() const
    {
        return m_queue.GetNewest();
    }

  private:
    const SendQueue& m_queue;
    uint64_t m_next;
    uint64_t m_known;
};

} // namespace ns3::rdma

#endif // RDMA_UNSENT_MESSAGES_H
