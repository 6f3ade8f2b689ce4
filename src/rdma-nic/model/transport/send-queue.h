// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SEND_QUEUE_H
#define RDMA_SEND_QUEUE_H

#include "ns3/opcode.h"
#include "ns3/psn.h"
#include "ns3/work-completion.h"
#include "ns3/work-request.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Data of a message that is not a plain WRITE.
struct MessageDetail
{
    SendWorkRequest request;          ///< Without its link to the next request.
    std::vector<uint8_t> bytesInline; ///< Copied at posting; empty unless it is inline.
    uint32_t order{0};                ///< Of READs: the number of earlier READs.
};

/// A posted message: in fabric runs one per queue pair, kept small.
struct Message
{
    uint64_t firstPacket{0}; ///< Number of its first packet.
    uint64_t endPacket{0};   ///< One past the number of its last; 0: there is no message.
    uint64_t bytes{0};
    uint64_t bytesBefore{0};               ///< Outgoing payload of all earlier messages.
    uint64_t wrId{0};                      ///< Of its work request.
    std::unique_ptr<MessageDetail> detail; ///< Null: a plain WRITE.
    uint32_t ssn{0};                       ///< How many receive requests earlier messages consume.
    uint8_t family{0};                     ///< First operation: SEND_FIRST, READ_REQUEST, ...
    bool hasResponse{false};               ///< A READ or an atomic.
    WcStatus status{WcStatus::SUCCESS};    ///< Otherwise it is not sent and ends with this status.

    /// @return the posted request; of a plain WRITE only the opcode is set.
    const SendWorkRequest& GetRequest() const;
};

/// One packet of a message.
struct PacketPlan
{
    uint32_t payloadBytes;  ///< Payload of the packet.
    uint32_t packetOffset;  ///< Packets of its message on the wire before it.
    uint32_t count;         ///< Packet numbers that it covers: more than one for a READ request.
    uint8_t operation;      ///< Lower five bits of the opcode.
    bool isFirst;           ///< Of its message on the wire.
    bool isLast;            ///< Of its message on the wire.
    uint64_t offset;        ///< Of its first byte in the posted message.
    uint32_t messageBytes;  ///< Of its message on the wire; of a READ: requested by this packet.
    const Message* message; ///< Valid until the next message is posted or taken.
};

/**
 * @ingroup rdma-transport
 * @brief Posted messages that are not yet acknowledged, divided into numbered packets.
 *
 * Packets of all messages are numbered in 64 bits from the initial PSN on; the PSN is the low 24
 * bits.  Each packet except the last of its message carries the path MTU; a message without bytes
 * has one packet (IBTA Vol. 1, Section 9.2.1).  A READ takes as many numbers as its response has
 * packets (Section 9.7.3.2), or one if responses have numbers of their own (IRN section 5.2).
 *
 * A plain WRITE may be longer than a message of InfiniBand: it is sent as several consecutive
 * messages and ends with the last of them.  A READ may be sent as several requests, too: none of
 * them asks for more packets than readPackets.
 *
 * The oldest message is a member of the queue, for fast access; further ones are in a list.
 */
class SendQueue
{
  public:
    /// @param mtuBytes payload of a full packet; @param firstPacket number of the first one
    /// @param hasOwnResponseNumbers whether a READ takes one number only
    /// @param readPackets packets of a READ request's response at most; 0: no limit, as always if
    /// hasOwnResponseNumbers
    SendQueue(uint32_t mtuBytes,
              uint64_t firstPacket,
              bool hasOwnResponseNumbers = false,
              uint32_t readPackets = 0);

    /// Appends a message. @param status if not SUCCESS, the message ends with it without being sent
    void Post(const SendWorkRequest& request, WcStatus status = WcStatus::SUCCESS);

    /// Appends a WRITE of any length, without memory. @param request with its wrId and opcode
    void Post(const SendWorkRequest& request, WcStatus status, uint64_t bytes);

    /// Appends a plain WRITE, the usual message of fabric runs.
    void Post(uint64_t wrId, uint64_t bytes);

    /// @return bytes of the longest message of full packets: at most 2^31, and fewer packets than a
    /// window of PSNs (IBTA Vol. 1, Sections 9.7.7.1.1 and 9.2).
    static uint64_t GetMaxMessageBytes(uint32_t mtuBytes);

    /// Appends a READ response whose bytes begin at a local address.
    void PostResponse(uint64_t address, uint64_t bytes, uint32_t order);

    /// Keeps the bytes of the message posted last.
    void SetInlineBytes(std::vector<uint8_t> bytes);

    /// @return one past the number of the last posted packet.
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @param number not before the oldest kept message, before GetEnd()
    PacketPlan Plan(uint64_t number) const;

    /// @return payload of a packet; 0 for a READ or an atomic. @param number as for Plan()
    uint32_t GetPayloadBytes(uint64_t number) const;

    /// @return the message that a packet belongs to. @param number as for Plan()
    const Message& Find(uint64_t number) const
    {
        // The common case: there is one message, or the packet belongs to the oldest.
        return number < m_oldest.endPacket ? m_oldest : GetAt(FindPlace(number));
    }

    /// @return outgoing payload of all packets before this number, from the first posted packet on.
    uint64_t GetBytesBefore(uint64_t number) const;

    /// @return outgoing payload of all messages ever posted.
    uint64_t GetPostedBytes() const
    {
        return m_bytes;
    }

    /// @return one past the last packet of `count` messages, from the message of packet `number`
    /// on; at most `end`. @param number as for Plan(); @param end where a message ends
    uint64_t GetEndOfMessages(uint64_t number, uint64_t end, uint32_t count) const;

    /// @return how many messages, from the message of packet `number` on, end at or before `end`;
    /// at most `limit`.
    uint32_t CountMessages(uint64_t number, uint64_t end, uint32_t limit) const;

    /// @return number of the first packet at or after `from` that needs a response, not only an
    /// acknowledgment; GetEnd() if there is none.
    uint64_t FindResponseNumber(uint64_t from) const;

    /// @return whether any message has conditions besides the window: READs, atomics, fences,
    /// invalid requests.
    bool HasSpecial() const
    {
        return m_special > 0;
    }

    bool IsEmpty() const
    {
        return m_oldest.endPacket == 0;
    }

    uint32_t GetCount() const
    {
        return IsEmpty() ? 0 : 1 + static_cast<uint32_t>(CountLater());
    }

    uint32_t GetMtu() const
    {
        return m_mtuBytes;
    }

    /// @return whether all packets of the oldest message are before this number.
    bool IsOldestDone(uint64_t acknowledged) const
    {
        return !IsEmpty() && m_oldest.endPacket <= acknowledged;
    }

    const Message& GetOldest() const
    {
        return m_oldest;
    }

    /// @return the message posted last. Only if not empty.
    const Message& GetNewest() const
    {
        return CountLater() > 0 ? m_later->messages.back() : m_oldest;
    }

    /// @return whether a READ request ends before a packet, and the next one of the same message
    /// begins with it. @param number up to GetEnd()
    bool IsBetweenReadRequests(uint64_t number) const;

    /// @return the READ with this order; null if it is not in the queue.
    const Message* FindRead(uint32_t order) const;

    /// Drops the oldest message.
    void DropOldest();

  private:
    /// All messages except the oldest.
    struct Later
    {
        std::vector<Message> messages; ///< The valid ones start at index `begin`.
        std::size_t begin{0};
    };

    std::size_t CountLater() const
    {
        return m_later ? m_later->messages.size() - m_later->begin : 0;
    }

    /// @return the message at a place; 0 is the oldest.
    const Message& GetAt(std::size_t place) const
    {
        return place == 0 ? m_oldest : m_later->messages[m_later->begin + place - 1];
    }

    std::size_t FindPlace(uint64_t number) const;
    /// Completes the plan of a request that has a response.
    /// @param missing packets of the response; @param left bytes of them
    [[gnu::noinline]] void PlanRequest(uint64_t missing, uint64_t left, PacketPlan& plan) const;
    Message& Append(uint64_t bytes, uint64_t packets, uint64_t outgoingBytes);
    uint64_t CountPackets(uint64_t bytes) const;
    bool NeedsResponse(const Message& message) const;

    static bool IsDivided(const Message& message)
    {
        return message.bytes > MAX_MESSAGE_BYTES ||
               message.endPacket - message.firstPacket > MAX_MESSAGE_PACKETS;
    }

    static bool IsSpecial(const Message& message);

    static constexpr uint64_t MAX_MESSAGE_BYTES{1ULL << 31};
    static constexpr uint64_t MAX_MESSAGE_PACKETS{Psn::MAX_WINDOW - 2};

    uint64_t m_end;
    uint64_t m_bytes{0};            ///< Outgoing payload of all messages ever posted.
    std::unique_ptr<Later> m_later; ///< Null until a second message is posted.
    uint32_t m_special{0};
    uint32_t m_ssn{0};
    Message m_oldest;
    uint16_t m_mtuBytes;
    uint16_t m_readPackets;
    uint32_t m_hasOwnResponseNumbers : 1;
    uint32_t m_reads : 31;
};

// Here for speed: each packet needs it. Always inlined, since a plan is long to return.
[[gnu::always_inline]] inline PacketPlan
SendQueue::Plan(uint64_t number) const
{
    const Message& message = Find(number);
    uint64_t packetOffset = number - message.firstPacket;
    const uint64_t offset = packetOffset * m_mtuBytes;
    uint64_t left = message.bytes - offset;
    PacketPlan plan;
    plan.message = &message;
    plan.messageBytes = static_cast<uint32_t>(message.bytes);
    plan.offset = offset;
    if (IsDivided(message))
    {
        const uint64_t longest = GetMaxMessageBytes(m_mtuBytes);
        const uint64_t inMessage = offset % longest;
        const uint64_t bytes = std::min(longest, left + inMessage);
        packetOffset = inMessage / m_mtuBytes;
        left = bytes - inMessage;
        plan.messageBytes = static_cast<uint32_t>(bytes);
    }
    plan.packetOffset = static_cast<uint32_t>(packetOffset);
    if (message.hasResponse)
    {
        PlanRequest(message.endPacket - number, left, plan);
        return plan;
    }
    plan.payloadBytes = static_cast<uint32_t>(std::min<uint64_t>(left, m_mtuBytes));
    plan.count = 1;
    plan.isFirst = packetOffset == 0;
    plan.isLast = left <= m_mtuBytes;
    const bool hasImmediate = message.detail && HasImmediate(message.detail->request.opcode);
    plan.operation = opcode::GetByPlace(message.family, plan.isFirst, plan.isLast, hasImmediate);
    return plan;
}

} // namespace ns3::rdma

#endif // RDMA_SEND_QUEUE_H
