// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SEND_QUEUE_H
#define RDMA_SEND_QUEUE_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// One packet of a message.
struct PacketPlan
{
    uint32_t payloadBytes;
    bool isFirst; ///< Of its message.
    bool isLast;  ///< Of its message.
};

/**
 * @ingroup rdma-transport
 * @brief Posted messages that are not yet acknowledged, cut into numbered packets.
 *
 * Packets are numbered through all messages from the initial PSN on, in 64 bits; the PSN is the
 * low 24. Each packet carries the path MTU but the last of its message (IBTA Vol. 1,
 * Section 9.2.1).
 */
class SendQueue
{
  public:
    /// @param mtuBytes payload of a full packet; @param firstPacket number of the first one
    SendQueue(uint32_t mtuBytes, uint64_t firstPacket);

    /// Appends a message. @param bytes at least 1
    void Post(uint64_t wrId, uint64_t bytes);

    /// @return one past the number of the last posted packet.
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @param number not before the oldest kept message, before GetEnd()
    PacketPlan Plan(uint64_t number) const;

    /// @return payload bytes of all packets before this number, counted from the first ever posted.
    uint64_t GetBytesBefore(uint64_t number) const;

    bool IsEmpty() const
    {
        return m_oldest == m_messages.size();
    }

    /// @return whether the oldest message lies wholly before this packet number.
    bool IsOldestDone(uint64_t acknowledged) const;

    /// Drops the oldest message. @return its work request.
    uint64_t TakeOldest();

  private:
    struct Message
    {
        uint64_t wrId;
        uint64_t bytes;
        uint64_t firstPacket;
        uint64_t bytesBefore; ///< Of all earlier messages.
    };

    uint64_t GetEndOf(const Message& message) const;
    const Message& Find(uint64_t number) const;

    std::vector<Message> m_messages; ///< From m_oldest on.
    std::size_t m_oldest{0};
    uint64_t m_end;
    uint64_t m_bytes{0}; ///< Of all messages ever posted.
    uint32_t m_mtuBytes;
};

} // namespace ns3::rdma

#endif // RDMA_SEND_QUEUE_H
