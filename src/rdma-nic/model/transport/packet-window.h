// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_WINDOW_H
#define RDMA_PACKET_WINDOW_H

#include "ns3/requester-rules.h"
#include "ns3/scoreboard.h"
#include "ns3/send-queue.h"
#include "ns3/work-completion.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>

namespace ns3::rdma
{

/// Ended work requests that are to be reported, oldest first.
using Completions = boost::container::small_vector<WorkCompletion, 1>;

/**
 * @ingroup rdma-transport
 * @brief A requester's messages from posting to completion, as ranges of packet numbers: posted,
 * visible to the NIC, sent, lost, held by the receiver, acknowledged.
 *
 * It has neither time nor policies.  READs and atomics are in flight until their response has
 * arrived.
 */
class PacketWindow
{
  public:
    /// @param mtuBytes payload of a full packet; @param initialPsn number of the first packet
    /// @param queuePair number in completions
    /// @param hasOwnResponseNumbers whether requests of READs have acknowledgments of their own
    /// @param readBytes that a READ request asks for at most; 0: no limit
    PacketWindow(uint32_t mtuBytes,
                 uint32_t initialPsn,
                 uint32_t queuePair,
                 bool hasOwnResponseNumbers,
                 uint32_t readBytes = 0);

    /// Posts a plain WRITE. @param bytes at least 1
    void Post(uint64_t wrId, uint64_t bytes, const RequesterRules& rules);

    /// Posts a request.
    /// @param status if not SUCCESS, the request ends with it, in order, without being sent
    void Post(const SendWorkRequest& request, WcStatus status, const RequesterRules& rules);

    /// Posts a WRITE of any length, without memory. @param bytes at least 1
    void Post(const SendWorkRequest& request,
              WcStatus status,
              uint64_t bytes,
              const RequesterRules& rules);

    /// Posts a READ response, which ends without completion.
    void PostResponse(uint64_t address,
                      uint64_t bytes,
                      uint32_t order,
                      const RequesterRules& rules);

    /// Makes the posted packets before a number visible to the NIC.
    void Ring(uint64_t end)
    {
        // A doorbell may arrive after a reset or a flush.
        if (!m_queue.IsEmpty())
        {
            m_known = std::max(m_known, std::min(end, m_queue.GetEnd()));
        }
    }

    /// @return the number of the oldest packet that is not acknowledged.
    uint64_t GetUnacked() const
    {
        return m_unacked;
    }

    /// @return the number of the next packet to be sent for the first time.
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return one past the number of the last packet that is visible to the NIC.
    uint64_t GetKnownEnd() const
    {
        return m_known;
    }

    const SendQueue& GetQueue() const
    {
        return m_queue;
    }

    /// @return whether the next new packet begins a message that is visible to the NIC.
    bool IsAtMessageStart() const
    {
        return m_next != m_known && m_queue.Find(m_next).firstPacket == m_next;
    }

    /// @return one past the last packet of so many messages visible to the NIC from the one of a
    /// packet on. @param from not before GetNext()
    uint64_t GetEndOfMessages(uint64_t from, uint32_t count) const
    {
        return from >= m_known || count == 0 ? from
                                             : m_queue.GetEndOfMessages(from, m_known, count);
    }

    /// @return messages visible to the NIC from the one of a packet on that end by another packet;
    /// at most limit. @param from as for GetEndOfMessages()
    uint32_t CountMessages(uint64_t from, uint64_t end, uint32_t limit) const
    {
        const uint64_t last = std::min(end, m_known);
        return from >= last ? 0 : m_queue.CountMessages(from, last, limit);
    }

    /// @return the packets sent and not acknowledged. Valid until the window changes.
    Scoreboard GetBoard() const
    {
        return {m_unacked, m_next, m_losses ? &m_losses->marks : nullptr};
    }

    bool IsAllAcknowledged() const
    {
        return m_unacked == m_next;
    }

    /// @return payload sent and not acknowledged in order; without selectively acknowledged payload
    /// if RequesterRules::heldLimit is set.
    uint64_t GetInFlightBytes() const
    {
        return m_sentBytes - m_ackedBytes - (m_losses ? m_losses->heldBytes : 0);
    }

    /// @return payload of packets sent for the first time, over all messages.
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /// @return payload acknowledged in order, over all messages.
    uint64_t GetAcknowledgedBytes() const
    {
        return m_ackedBytes;
    }

    /// @return payload posted and never sent.
    uint64_t GetUnsentBytes() const
    {
        return m_queue.GetPostedBytes() - m_sentBytes;
    }

    /// @return payload of the next messages visible to the NIC that a window allows.
    /// @param messages how many at most
    uint64_t GetSendableBytes(uint32_t messages, uint64_t windowBytes) const;

    /// @return requests of READs and atomics sent and not ended.
    uint32_t GetReadsUnderWay() const
    {
        return m_readsUnderWay;
    }

    /// @return whether a response with PSNs of its own is awaited.
    bool AwaitsReads() const
    {
        return m_hasOwnResponses && m_readsUnderWay > 0;
    }

    /// Sets whether no further message may begin (SQD).
    void SetDraining(bool isDraining)
    {
        m_isDraining = isDraining;
    }

    bool IsDraining() const
    {
        return m_isDraining;
    }

    /// @return whether no message is pending.
    bool IsIdle() const
    {
        return m_unacked == m_next && m_readsUnderWay == 0;
    }

    /// @return whether every message that has begun has ended.
    bool IsDrained() const
    {
        return IsIdle() &&
               (m_next == m_queue.GetEnd() || m_queue.Find(m_next).firstPacket == m_next);
    }

    /// @return whether the next new packet may leave. @param windowBytes most bytes in flight
    bool CanSendNext(uint64_t windowBytes, const RequesterRules& rules) const
    {
        if (!HasNext(rules))
        {
            return false;
        }
        return m_losses ? !IsFarAhead(rules) && Fits(GetInFlightBytes(), windowBytes)
                        : Fits(m_sentBytes - m_ackedBytes, windowBytes);
    }

    /// @return whether there is a new packet that may leave, however many bytes are in flight.
    bool HasNext(const RequesterRules& rules) const
    {
        return m_next != m_known && !((m_isDraining || m_queue.HasSpecial()) && !CanBegin(rules)) &&
               m_next - m_unacked < Psn::MAX_WINDOW - 1;
    }

    /// @return whether a packet that was sent may leave again. Only this packet and older ones
    /// count as in flight. @param windowBytes as above
    bool CanSendAgain(uint64_t number, uint64_t windowBytes) const;

    /// The receiver holds a packet of the window out of order.
    void Hold(uint64_t number, const RequesterRules& rules);

    /// Marks the packets from `first` to before `end` as lost: they are sent again. The receiver
    /// does not hold them. @return their payload, bytes.
    uint64_t AddLost(uint64_t first, uint64_t end);

    /// @return whether any packet is to be sent again.
    bool HasLost() const
    {
        return m_losses && !m_losses->marks.GetLost().IsEmpty();
    }

    /// @return the number of the next packet to be sent again. Only if there is one.
    uint64_t GetFirstLost() const
    {
        return m_losses->marks.GetLost().GetFirst();
    }

    uint64_t CountLost() const
    {
        return m_losses ? m_losses->marks.GetLost().GetCount() : 0;
    }

    /// Takes the next packet to be sent again. Only if there is one.
    uint64_t TakeLost()
    {
        return m_losses->marks.GetLost().TakeFirst();
    }

    /// Cancels the retransmission of a packet. @return whether one was due
    bool CancelLost(uint64_t number)
    {
        return HasLost() && m_losses->marks.GetLost().Remove(number);
    }

    /// Cancels the retransmission of all packets before a number.
    void ForgetLostBefore(uint64_t number)
    {
        if (m_losses)
        {
            m_losses->marks.GetLost().RemoveBefore(number);
        }
    }

    /// A packet leaves again.
    void OnResent(uint64_t number);

    /// @return how many retransmissions have left.
    uint64_t CountResent() const
    {
        return m_losses ? m_losses->resent : 0;
    }

    /// @return whether the packet after the next new one has to wait for an answer, whatever
    /// windows allow: there is none, it is fenced behind READs, or it needs an entry among the
    /// requests in flight, all of which are taken.
    bool EndsBurst(const PacketPlan& plan, const RequesterRules& rules) const;

    /// The next new packet leaves.
    void OnSent(const PacketPlan& plan, const RequesterRules& rules)
    {
        m_next += plan.count;
        m_sentBytes += plan.payloadBytes;
        if (plan.message->hasResponse)
        {
            BeginRead(rules);
        }
    }

    /// The response packets before a number have arrived, the last one now: if it completes one of
    /// several requests of a READ, that request has ended.
    void OnResponses(uint64_t number, const RequesterRules& rules)
    {
        if (m_queue.IsBetweenReadRequests(number))
        {
            EndReads(1, rules);
        }
    }

    /// @return the pool that has no entry for the READ or atomic that is next; null: there is none.
    ReadPool* FindFullReadPool(const RequesterRules& rules) const;

    /// Returns all entries to the pool at the end.
    void LeaveReads(const RequesterRules& rules);

    /// All packets before a number have arrived.
    /// @return whether the oldest unacknowledged packet changes
    bool Acknowledge(uint64_t number)
    {
        if (number <= m_unacked)
        {
            return false;
        }
        m_ackedBytes = number == m_next ? m_sentBytes : m_queue.GetBytesBefore(number);
        if (m_losses)
        {
            ForgetMarksBefore(number);
        }
        m_unacked = number;
        return true;
    }

    /// Sent packets are not counted as in flight: there are no acknowledgments (UC, UD).
    void ForgetInFlight()
    {
        m_ackedBytes = m_sentBytes;
    }

    /// All packets before a number have left. Used if there are no acknowledgments.
    void Leave(uint64_t number)
    {
        m_unacked = number;
    }

    /**
     * Ends the oldest messages that are acknowledged; READs when their response has arrived.
     * @param readsDone READs whose response has arrived, modulo 2^24, if responses have PSNs of
     * their own
     */
    void Complete(uint32_t readsDone, const RequesterRules& rules, Completions& completions);

    /// Ends all messages. @param status of the oldest; the others are flushed
    void Flush(WcStatus status, const RequesterRules& rules, Completions& completions);

  private:
    /// State of a window with packets out of order.
    struct Losses
    {
        PacketMarks marks;
        uint64_t heldBytes{0}; ///< Payload held by the receiver, if not counted as in flight.
        uint64_t resent{0};    ///< Retransmissions that have left.
    };

    Losses& GetLosses(); ///< Made by the first call.

    /// @return whether the next packet is too far ahead for the receiver to hold it out of order.
    bool IsFarAhead(const RequesterRules& rules) const
    {
        return rules.heldLimit > 0 && m_next - m_unacked >= rules.heldLimit;
    }

    /// @return whether the next packet fits into a window.
    bool Fits(uint64_t inFlight, uint64_t windowBytes) const
    {
        // One packet may always be in flight, however small the window, so that a transfer never
        // stops. A full packet that fits needs no access to the message.
        return inFlight == 0 || inFlight + m_queue.GetMtu() <= windowBytes ||
               inFlight + m_queue.GetPayloadBytes(m_next) <= windowBytes;
    }

    void ForgetMarksBefore(uint64_t number);
    uint64_t GetPayload(uint64_t number) const;
    /// @return whether the message of the next new packet, or its next READ request, may begin.
    bool CanBegin(const RequesterRules& rules) const;
    /// @return whether the limits of READs allow another request.
    bool CanRead(const RequesterRules& rules) const;
    void BeginRead(const RequesterRules& rules);
    void EndReads(uint32_t reads, const RequesterRules& rules);
    void UpdateKnown(const RequesterRules& rules);
    void Report(const Message& message,
                WcStatus status,
                const RequesterRules& rules,
                Completions& completions) const;

    uint64_t m_unacked;       ///< Oldest packet not acknowledged.
    uint64_t m_next;          ///< Next new packet.
    uint64_t m_known;         ///< One past the last packet visible to the NIC.
    uint64_t m_sentBytes{0};  ///< Payload before m_next.
    uint64_t m_ackedBytes{0}; ///< Payload before m_unacked.
    uint32_t m_queuePair : 24;
    bool m_hasOwnResponses : 1; ///< READs are acknowledged and, later, answered.
    bool m_isDraining : 1;
    uint32_t m_readsUnderWay{0};      ///< Requests of READs and atomics sent and not ended.
    std::unique_ptr<Losses> m_losses; ///< Null until a packet is out of order.
    SendQueue m_queue;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_WINDOW_H
