// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_TRANSPORT_H
#define RDMA_NIC_TRANSPORT_H

#include "ns3/nic-parts.h"

namespace ns3::rdma
{

/// What becomes of a request packet; its path makes each part visible in its time.
struct RequestOutcome
{
    Answer answer; ///< Reliable connections: acknowledgment and result.
    FrameIndex cnp{NO_FRAME};
    Psn expected;            ///< Reliable connections: first missing PSN before the packet.
    bool isReliable{false};  ///< Of a reliable connection.
    bool isPlaced{false};    ///< Its payload goes to memory.
    bool mayActivate{false}; ///< The queue pair may have more to send.
    bool hasReports{false};  ///< The reporter may have something to deliver.
};

/// What becomes of any other packet, likewise.
struct ResponseOutcome
{
    FrameIndex cnp{NO_FRAME};
    FrameIndex answer{NO_FRAME}; ///< An acknowledgment.
    bool isPlaced{false};        ///< Its payload goes to memory.
    bool hasReports{false};      ///< The reporter may have something to deliver.
};

/**
 * @ingroup rdma-nic
 * @brief Shows each RoCE frame that a NIC receives to the half of the queue pair that it is for.
 *
 * Has neither port nor time on the chip: what follows from a packet is returned, and a PacketPath
 * sends, places, activates and delivers it.  READ responses, and what must not overtake them, leave
 * when the transmitter takes them.
 */
class NicTransport
{
  public:
    /// @param cnpInterval shortest time between two CNPs of a queue pair
    /// @param parts, factory outlive this
    NicTransport(NicParts& parts, const TransportFactory& factory, Tick cnpInterval);

    /// @return null: the frame has no queue pair; it is dropped if it should have one.
    QueuePair* FindReceiver(const Frame& frame);

    /// A frame for which opcode::IsRequest() holds. @param detail null if it has none
    RequestOutcome OnRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);

    /// Any other frame; FindReceiver() has given the queue pair, which may send afterwards.
    /// @param heldFor time since the frame came
    ResponseOutcome OnResponse(QueuePair& queuePair,
                               const Frame& frame,
                               const FrameDetail* detail,
                               Tick heldFor = 0);

    /// @return the frame that says what is there in order. @param answer to that queue pair's peer
    FrameIndex MakeAcknowledgment(const QueuePair& queuePair, const Acknowledgment& answer)
    {
        return m_parts.frames.MakeAcknowledgment(queuePair, answer);
    }

    /// The same, which takes the INT stack of the answered packet along. @param answered of the
    /// pool
    FrameIndex MakeAcknowledgment(const QueuePair& queuePair,
                                  const Acknowledgment& answer,
                                  const Frame& answered)
    {
        const FrameIndex index = MakeAcknowledgment(queuePair, answer);
        if (answered.flags & frame_flag::DETAILED)
        {
            m_parts.core.pool.MoveIntStack(answered, index);
        }
        return index;
    }

    /// @return whether responses of READs have PSNs of their own.
    bool AcknowledgesReads() const
    {
        return m_factory.GetDefaults().rules.acknowledgesReads;
    }

    uint64_t GetCnpsSent() const
    {
        return m_cnpsSent;
    }

  private:
    ResponseOutcome Handle(QueuePair& queuePair,
                           const Frame& frame,
                           const FrameDetail* detail,
                           Tick heldFor);
    Completions OnAnswer(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         AnswerWay way,
                         ResponseOutcome& outcome);
    RequestOutcome OnUnreliable(QueuePair& queuePair,
                                const Frame& frame,
                                const FrameDetail* detail);
    /// @return whether the services of a queue pair, if it has any, take a READ response now.
    bool HasRoom(const QueuePair& queuePair) const;
    Completions OnReadStream(QueuePair& queuePair,
                             const Frame& frame,
                             const FrameDetail* detail,
                             ResponseOutcome& outcome);
    void CollectResponses(QueuePair& queuePair);
    /// The frame may carry CE. @return NO_FRAME: no CNP is due
    FrameIndex MakeCnp(QueuePair& queuePair, const Frame& frame);
    /// There is congestion. @return NO_FRAME: it is too early for another CNP, or none are used
    FrameIndex MakeDueCnp(QueuePair& queuePair, const Frame& frame);
    void CountDrop(const Frame& frame, DropReason reason);

    NicParts& m_parts;
    const TransportFactory& m_factory;
    Tick m_cnpInterval;
    uint64_t m_cnpsSent{0};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_TRANSPORT_H
